/** Pages of bundlers, made by the commands in src/docs/javascript.md word by word. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { assemble, at, build, linkPackages, read, run } from '../js/support.mjs';
import { browser, serve, withPage } from './pages.mjs';

after(() => browser.close());

const npm = join(process.env.WI_NPM, 'node_modules');
const project = at('project');
const path = [dirname(process.execPath), process.env.PATH].join(delimiter);

/** The bundlers of the page: what each needs of npm, and the file that it makes. */
const bundlers = {
  esbuild: { packages: ['esbuild'], output: 'bundle.js' },
  Rollup: { packages: ['rollup', '@rollup/plugin-node-resolve'], output: 'bundle.js' },
  webpack: { packages: ['webpack', 'webpack-cli'], output: 'dist/main.js' },
};

const page = readFileSync(new URL('../../src/docs/javascript.md', import.meta.url), 'utf8');

/** What a section of the page says: the file that it names and its text, if any, and the command. */
function recipeOf(name) {
  const [, section] = page.split(`\n### ${name}\n`);
  const [text] = section.split('\n##');
  const [, file, code] = text.match(/`([\w.]+)`[^`]*```js\n([^]*?)^```/m) ?? [];
  const [, command] = text.match(/^```sh\n(.*)\n```/m);
  return { file, code, command };
}

mkdirSync(join(project, 'node_modules'), { recursive: true });
symlinkSync(join(build, 'npm'), join(project, 'node_modules/wasm-perf'));
assemble('app', '(module (func $f (export "f")))');
writeFileSync(join(project, 'package.json'), '{"type": "module", "private": true}');
writeFileSync(join(project, 'main.js'), `
  const { instance } = await WebAssembly.instantiateStreaming(fetch('app.wasm'));
  for (let i = 0; i < 7; i++) instance.exports.f();
  document.title = 'done';`);

for (const [name, { packages, output }] of Object.entries(bundlers)) {
  const missing = packages.find((path) => !existsSync(join(npm, path)));
  test(name, { skip: missing && `${missing} is not installed` }, async () => {
    linkPackages(project, packages);
    const { file, code, command } = recipeOf(name);
    if (code) writeFileSync(join(project, file), code);
    const { status, stdout, stderr } = run('sh', ['-c', command], { cwd: project, env: { ...process.env, PATH: path } });
    assert.equal(status, 0, stdout + stderr);
    assert.doesNotMatch(stdout + stderr, /warning/i);
    const html = '<!doctype html><title>app</title><script type="module" src="bundle.js"></script>';
    const server = await serve({ 'index.html': html, 'bundle.js': readFileSync(join(project, output)), 'app.wasm': read('app.wasm') });
    try {
      await withPage(server.url, async (tab, said) => {
        await tab.waitForFunction(() => document.title === 'done', { timeout: 600_000 });
        assert.equal(await tab.evaluate(() => String(globalThis.wasmPerf.countCalls())), '7');
        assert.deepEqual(said, []);
      });
    } finally {
      server.close();
    }
  });
}
