/** A Vite project with a package of wasm-bindgen, and wasm-perf installed as npm packs it. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { assemble, at, build, read } from '../js/support.mjs';
import { browser, callsIn, click, download, readPanel, withPage, withReport } from './pages.mjs';

after(() => browser.close());

const npm = join(process.env.WI_NPM, 'node_modules');
const hasPackages = ['vite', '@resvg/resvg-wasm'].every((name) => existsSync(join(npm, name)));
const skip = !hasPackages && 'vite or @resvg/resvg-wasm is not installed';
const project = at('project');

const FILES = {
  'package.json': '{"type": "module", "private": true}',
  'vite.config.mjs': `
    import wasmPerf from 'wasm-perf/vite';
    export default { plugins: [wasmPerf({ clock: 'instructions', skipLeaves: 10 })] };`,
  'index.html': '<!doctype html><title>app</title><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>',
  'main.js': `
    import { Resvg, initWasm } from '@resvg/resvg-wasm';
    import url from '@resvg/resvg-wasm/index_bg.wasm?url';
    await initWasm(fetch(url));
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><circle cx="32" cy="32" r="20" fill="red"/></svg>';
    const png = new Resvg(svg).render().asPng();
    document.title = Array.from(png.subarray(1, 4), (byte) => String.fromCharCode(byte)).join('') + ' ' + png.length;`,
};

const MODULE = assemble('once', '(module (func (export "f")))');
/** Workers of both types, which run a module and say so. */
const WORKER = `
  const bytes = Uint8Array.from(atob('${read(MODULE).toString('base64')}'), (letter) => letter.charCodeAt(0));
  new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.f();
  postMessage('ran');`;
Object.assign(FILES, {
  'workers.html': '<!doctype html><title>app</title><link rel="icon" href="data:,"><script type="module" src="/workers.js"></script>',
  'workers.js': `
    const started = [
      new Worker(new URL('./one.js', import.meta.url), { type: 'module' }),
      new Worker(new URL('./two.js', import.meta.url)),
    ];
    await Promise.all(started.map((worker) => new Promise((resolve) => { worker.onmessage = resolve; })));
    document.title = 'ready';`,
  'one.js': `import './empty.js'; ${WORKER}`,
  'empty.js': '',
  'two.js': WORKER,
});

function makeProject() {
  mkdirSync(join(project, 'node_modules/@resvg'), { recursive: true });
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(project, name), text);
  execFileSync('npm', ['pack', join(build, 'npm')], { cwd: project, stdio: 'pipe' });
  const [tarball] = readdirSync(project).filter((name) => name.endsWith('.tgz'));
  mkdirSync(join(project, 'node_modules/wasm-perf'));
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', 'node_modules/wasm-perf'], { cwd: project });
  // The others are there already: no network.
  for (const name of ['vite', '@resvg/resvg-wasm']) symlinkSync(join(npm, name), join(project, 'node_modules', name));
}

/** Vite's own API, on the project. */
async function importVite() {
  makeProject();
  return import(pathToFileURL(join(npm, 'vite/dist/node/index.js')));
}

test('the server of a project', { skip }, async () => {
  const { createServer, build: buildSite } = await importVite();
  const options = { root: project, logLevel: 'error' };
  const plain = await titleOfPlain(createServer, options);
  const server = await createServer({ ...options, server: { port: 0, host: '127.0.0.1', fs: { strict: false } } });
  await server.listen();
  try {
    await withPage(server.resolvedUrls.local[0], async (page, said) => {
      await page.waitForFunction(() => document.title !== 'app', { timeout: 600_000 });
      assert.match(await page.title(), /^PNG \d+$/);
      assert.equal(await page.title(), plain);
      await click(page, 'Stop');
      const { calls, message } = await readPanel(page);
      assert.match(calls, /^[\d,]{5,} calls, stopped$/);
      assert.equal(message, '');
      const counted = callsIn(await download(page, 'Download', 'index_bg.wasm.wperf'));
      assert.equal(counted.resvg_render, 1, Object.keys(counted).slice(0, 50).join('\n'));
      await withReport(page, 'resvg', async (report) => {
        assert.match(await report.title(), /index_bg\.wasm/);
      });
      assert.deepEqual(said.filter((text) => !text.startsWith('[vite]')), []);
    });
    await withPage(`${server.resolvedUrls.local[0]}workers.html`, async (page, said) => {
      await page.waitForFunction(() => document.title === 'ready', { timeout: 600_000 });
      assert.deepEqual(await page.evaluate(async () => [String((await globalThis.wasmPerf.countAll()).calls), (await globalThis.wasmPerf.collect()).length]), ['2', 2]);
      assert.deepEqual(said.filter((text) => !text.startsWith('[vite]')), []);
    });
  } finally {
    await server.close();
  }
  await buildSite(options);
  assert(!existsSync(join(project, 'dist/wasm-perf-browser.js')), 'what is built has no profiler');
});

/** The page's title without the plugin. */
async function titleOfPlain(createServer, options) {
  const server = await createServer({ ...options, configFile: false, server: { port: 0, host: '127.0.0.1', fs: { strict: false } } });
  await server.listen();
  try {
    return await withPage(server.resolvedUrls.local[0], async (page) => {
      await page.waitForFunction(() => document.title !== 'app', { timeout: 600_000 });
      assert.equal(await page.$('wasm-perf-panel'), null);
      return page.title();
    });
  } finally {
    await server.close();
  }
}
