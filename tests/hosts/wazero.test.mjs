// examples/wazero: values have the unit of the clock, and a call without a module is wrong usage.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { temporaryFolder, tool } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';

const folder = temporaryFolder();
const at = (name) => join(folder, name);
const source = fileURLToPath(new URL('../../examples/wazero', import.meta.url));
const run = (command, args, options) => spawnSync(command, args, { cwd: folder, encoding: 'utf8', ...options });
mkdirSync(at('tmp')); // pprof's
const build = run('go', ['build', '-o', at('host'), '.'], { cwd: source, env: { ...process.env, GOTOOLCHAIN: 'local' } });
const skip = build.status !== 0 && `it cannot be built: ${build.error?.code ?? build.stderr.split('\n').at(-2)}`;

/** Instruments a program of two functions with that clock, and runs it; its samples as pprof prints them. */
async function profile(clock) {
  const text = '(module (memory (export "memory") 1) (func $work nop nop) (func (export "_start") call $work call $work))';
  writeFileSync(at('app.wasm'), await parse(text));
  assert.equal(run(tool('wasm-instrument'), ['--clock', clock, 'app.wasm', '-o', 'app.prof.wasm']).status, 0);
  const { status, stderr } = run(at('host'), ['-runtime', tool('wasm_perf.wasm'), '-o', 'app.pb.gz', 'app.prof.wasm']);
  assert.deepEqual([status, stderr], [0, '']);
  return run('go', ['tool', 'pprof', '-raw', 'app.pb.gz'], { env: { ...process.env, PPROF_TMPDIR: at('tmp') } }).stdout;
}

test('instructions are instructions', { skip }, async () => {
  const text = await profile('instructions');
  assert.match(text, /^calls\/count self\/instructions/m);
  assert.match(text, /^ +2 +4: /m); // two calls of two
});

test('time is in nanoseconds', { skip }, async () => {
  assert.match(await profile('wall'), /^calls\/count self\/nanoseconds/m);
});

test('a module is needed', { skip }, async () => {
  const { status, stderr } = run(at('host'), []);
  assert.deepEqual([status, /^usage: host /.test(stderr), /panic/.test(stderr)], [2, true, false]);
});
