/**
 * A plugin for Vite that profiles the WebAssembly of the pages that its server serves, and of their workers:
 *
 *     import wasmPerf from 'wasm-perf/vite';
 *     export default { plugins: [wasmPerf()] };
 *
 * What is built for others to use has no profiler in it, unless `build` is true.
 */

import { readFileSync } from 'node:fs';

const FILE = 'wasm-perf-browser.js';
const script = () => readFileSync(new URL('browser.js', import.meta.url));

const WORKER = /[?&]worker_file&type=(classic|module)\b/; // what Vite adds to the address of a worker's script

const toAttribute = (name) => `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * @param {object} [options] those of `instrument`, `module`, a pattern for the names of the modules to
 *   profile, `panel`: 'off' for none, and `build`
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
        if (request.url.split('?')[0] !== `${base}${FILE}`) return next();
        response.setHeader('Content-Type', 'text/javascript');
        response.end(script());
      });
    },
    /** Vite looks into what a worker imports before anybody asks for it, which the server then has. */
    resolveId: (id) => (id === `${base}${FILE}` ? id : null),
    load: (id) => (id === `${base}${FILE}` ? '' : null),
    /** Workers load the script first, as pages do. */
    transform(code, id) {
      const [, type] = WORKER.exec(id) ?? [];
      if (!type) return null;
      const url = JSON.stringify(`${base}${FILE}`);
      return { code: `${type === 'module' ? `import ${url}` : `importScripts(${url})`};${code}`, map: null };
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: FILE, source: script() });
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
