/**
 * A Vite plugin that profiles the WebAssembly of the pages that its server serves, and of their workers:
 *
 *     import wasmPerf from 'wasm-perf/vite';
 *     export default { plugins: [wasmPerf()] };
 *
 * Production builds do not contain the profiler, unless `build` is true.
 */

import { readFileSync } from 'node:fs';

const FILE = 'wasm-perf-browser.js';
const TYPES = { js: 'text/javascript', wasm: 'application/wasm' };

/** The script, and the files that it reads, by their names in the site: [name, file]. */
const FILES = new Map([[FILE, 'browser.js'], ...['wasm-instrument.wasm', 'wasm-perf.wasm'].map((name) => [name, name])]);
const read = (file) => readFileSync(new URL(`../package/${file}`, import.meta.url));

const WORKER = /[?&]worker_file&type=(classic|module)\b/; // part of the URL that Vite makes for a worker's script

const toAttribute = (name) => `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * @param {object} [options] the options of `instrument`, and: `module`, a pattern for the names of the modules
 *   to profile; `panel`, 'off' to hide it; and `build`
 */
export default function wasmPerf({ build = false, ...options } = {}) {
  let base;
  return {
    name: 'wasm-perf',
    apply: (_config, { command }) => command === 'serve' || build,
    configResolved(config) {
      base = config.base;
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const [path] = request.url.split('?');
        const file = path.startsWith(base) && FILES.get(path.slice(base.length));
        if (!file) return next();
        response.setHeader('Content-Type', TYPES[file.split('.')[1]]);
        response.end(read(file));
      });
    },
    /** Vite resolves a worker's imports in advance, for which an empty file is enough: the server has the real one. */
    resolveId: (id) => (id === `${base}${FILE}` ? id : null),
    load: (id) => (id === `${base}${FILE}` ? '' : null),
    /** Makes workers load the script first, like pages. */
    transform(code, id) {
      const [, type] = WORKER.exec(id) ?? [];
      if (!type) return null;
      const url = JSON.stringify(`${base}${FILE}`);
      return { code: `${type === 'module' ? `import ${url}` : `importScripts(${url})`};${code}`, map: null };
    },
    generateBundle() {
      for (const [fileName, file] of FILES) this.emitFile({ type: 'asset', fileName, source: read(file) });
    },
    transformIndexHtml() {
      const entries = Object.entries(options).map(([key, value]) => {
        const text = value === true ? '' : [value].flat().join(' ');
        return [toAttribute(key), text];
      });
      const attrs = { src: `${base}${FILE}`, ...Object.fromEntries(entries) };
      return [{ tag: 'script', attrs, injectTo: 'head-prepend' }];
    },
  };
}
