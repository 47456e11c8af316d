/** Pages of bundlers whose entry imports wasm-perf/browser first, as src/docs/javascript.md says. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { assemble, at, build, read } from '../js/support.mjs';
import { browser, serve, withPage } from './pages.mjs';

after(() => browser.close());

const npm = join(process.env.WI_NPM, 'node_modules');
const project = at('project');
const entry = join(project, 'main.js');
const output = join(project, 'bundle.js');
const load = (path) => import(pathToFileURL(join(npm, path)));

/** What each bundler needs of npm, and how it makes `output`. */
const bundlers = {
  async esbuild() {
    const { default: esbuild } = await load('esbuild/lib/main.js');
    await esbuild.build({ entryPoints: [entry], bundle: true, format: 'esm', outfile: output, logLevel: 'error' });
  },
  async rollup() {
    const [{ rollup }, { nodeResolve }] = [
      await load('rollup/dist/es/rollup.js'), await load('@rollup/plugin-node-resolve/dist/es/index.js')];
    const bundle = await rollup({ input: entry, plugins: [nodeResolve({ browser: true })] });
    await bundle.write({ file: output, format: 'esm' });
  },
  async webpack() {
    const { default: webpack } = await load('webpack/lib/index.js');
    const settings = { mode: 'development', devtool: false, entry, output: { path: project, filename: 'bundle.js' } };
    await new Promise((resolve, reject) =>
      webpack(settings, (error, stats) =>
        error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : resolve()));
  },
};

mkdirSync(join(project, 'node_modules'), { recursive: true });
symlinkSync(join(build, 'npm'), join(project, 'node_modules/wasm-perf'));
assemble('app', '(module (func $f (export "f")))');
writeFileSync(join(project, 'package.json'), '{"type": "module", "private": true}');
const [, imported] = readFileSync(new URL('../../src/docs/javascript.md', import.meta.url), 'utf8').match(/^(import '.*';)$/m);
writeFileSync(entry, `${imported}
  const { instance } = await WebAssembly.instantiateStreaming(fetch('app.wasm'));
  for (let i = 0; i < 7; i++) instance.exports.f();
  document.title = 'done';`);

for (const [name, bundle] of Object.entries(bundlers)) {
  const skip = !existsSync(join(npm, name)) && `${name} is not installed`;
  test(name, { skip }, async () => {
    await bundle();
    const page = '<!doctype html><title>app</title><script type="module" src="bundle.js"></script>';
    const server = await serve({ 'index.html': page, 'bundle.js': readFileSync(output), 'app.wasm': read('app.wasm') });
    try {
      await withPage(server.url, async (tab, said) => {
        await tab.waitForFunction(() => document.title === 'done', { timeout: 60_000 });
        assert.equal(await tab.evaluate(() => String(globalThis.wasmPerf.countCalls())), '7');
        assert.deepEqual(said, []);
      });
    } finally {
      server.close();
    }
  });
}
