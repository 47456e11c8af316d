/** Everything in a folder whose name means something to URLs, shells and NODE_OPTIONS: recording works there. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assemble, at, build, read } from './support.mjs';

const strange = at(`a b%41 #c?d "e" 'f' é`);
const there = (...path) => join(strange, ...path);
mkdirSync(there('temporary'), { recursive: true });
assemble('app', `(module
  (func (export "f"))
  (func (export "_start"))
  (memory (export "memory") 1))`);
writeFileSync(there('app.wasm'), read('app.wasm'));
writeFileSync(there('app.mjs'), `
  import { spawnSync } from 'node:child_process';
  import { readFileSync } from 'node:fs';
  import { Worker, isMainThread } from 'node:worker_threads';
  const { instance } = await WebAssembly.instantiate(readFileSync(new URL('app.wasm', import.meta.url)));
  instance.exports.f();
  const file = process.argv[1] ?? '';
  if (isMainThread && !process.env.IS_CHILD) {
    spawnSync(process.execPath, [file], { env: { ...process.env, IS_CHILD: '1' }, stdio: 'inherit' });
    new Worker(new URL(import.meta.url), { execArgv: [] });
  }`);

const env = { ...process.env, TMPDIR: there('temporary'), PATH: '/usr/bin:/bin', WASM_PERF_NODE: process.execPath };

function succeed(command, args, variables = {}) {
  const result = spawnSync(command, args, { cwd: strange, encoding: 'utf8', env: { ...env, ...variables } });
  if (result.error) throw result.error;
  assert.deepEqual([result.status, result.stderr], [0, '']);
}

/** How often f was called in the main thread, a child process and a worker. */
function callsIn(name) {
  const { functions } = JSON.parse(readFileSync(there(name), 'utf8'));
  rmSync(there(name));
  return functions.find((each) => each.name === 'f')?.calls;
}

/** The tool as it is installed, in `bin` of a folder. */
function install(folder) {
  for (const name of ['wasm-perf', 'wasm-instrument', 'wasm_perf.wasm', 'js']) {
    cpSync(join(build, name), join(folder, 'bin', name), { recursive: true });
  }
}
install(strange);

test('the tool, the program and its output', () => {
  const command = [process.execPath, there('app.mjs')];
  succeed(there('bin/wasm-perf'), ['record', '--clock=none', '-o', there('a.json'), '--', ...command]);
  assert.equal(callsIn('a.json'), 3);
  const module = ['--engine=node', '--clock=none', there('app.wasm'), '-o', there('wasi.json')];
  succeed(there('bin/wasm-perf'), ['record', ...module]);
  assert.equal(JSON.parse(readFileSync(there('wasi.json'))).functions[0].name, '_start');
});

test('the program that loads the profiler itself', () => {
  const url = new URL(`file://${there('bin/js/node/register.mjs').split('/').map(encodeURIComponent).join('/')}`).href;
  succeed(process.execPath, ['--import', url, 'app.mjs'], { WASM_PERF_CLOCK: 'none', WASM_PERF_OUTPUT: 'b.wperf' });
  succeed(there('bin/wasm-perf'), ['report', '-o', 'b.json', 'b.wperf']);
  assert.equal(callsIn('b.json'), 3);
});

const hasPackage = existsSync(join(build, 'npm/package.json'));

test('the npm package', { skip: !hasPackage && 'it is not built' }, () => {
  cpSync(join(build, 'npm'), there('node_modules/wasm-perf'), { recursive: true });
  const perf = there('node_modules/wasm-perf/js/command/wasm_perf.mjs');
  const record = ['record', '--clock', 'none', '-o', there('c.json'), '--', process.execPath, 'app.mjs'];
  succeed(process.execPath, [perf, ...record]);
  assert.equal(callsIn('c.json'), 3);
  const variables = { WASM_PERF_CLOCK: 'none', WASM_PERF_OUTPUT: there('d.wperf') };
  succeed(process.execPath, ['--import', 'wasm-perf/register', 'app.mjs'], variables);
  succeed(process.execPath, [perf, 'report', '-o', 'd.json', 'd.wperf']);
  assert.equal(callsIn('d.json'), 3);
});

test('a backslash: modules and output may be there, the tool says that Node.js cannot load it', () => {
  const folder = at('a\\b');
  mkdirSync(folder);
  writeFileSync(join(folder, 'app.wasm'), read('app.wasm'));
  const output = join(folder, 'a.wperf');
  const args = ['record', '--engine=node', '--clock=none', join(folder, 'app.wasm'), '-o', output];
  succeed(join(build, 'wasm-perf'), args);
  assert(existsSync(output));
  install(folder);
  const { status, stderr } = spawnSync(join(folder, 'bin/wasm-perf'), args, { encoding: 'utf8', env });
  assert.equal(status, 1);
  assert.match(stderr, /^wasm-perf: .*a\\b\/bin: Node\.js cannot import files from a path with a backslash; .*\n$/);
});
