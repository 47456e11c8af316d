/** wasm-perf record -- deno and bun: what they let in is profiled as in Node; what not is said in one sentence. */

import assert from 'node:assert/strict';
import { accessSync, constants, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { packageFile } from '../support/tools.mjs';
import { assemble, at, read, tool } from './support.mjs';
import { callCounts, readProfile } from './wperf.mjs';

const PACKAGES = { deno: '@deno/linux-x64-glibc/deno', bun: '@oven/bun-linux-x64/bin/bun' };

/** The program's path, where it is on PATH or was installed for the tests. */
function find(name) {
  const onPath = process.env.PATH.split(delimiter).map((folder) => join(folder, name));
  return [packageFile(PACKAGES[name]), ...onPath].find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

assemble('loop', '(module (func $run (export "run") (call $step) (call $step)) (func $step (call $leaf)) (func $leaf))');
writeFileSync(
  at('loop.mjs'),
  `import { readFileSync } from 'node:fs';
   const { instance } = await WebAssembly.instantiate(readFileSync(${JSON.stringify(at('loop.wasm'))}));
   instance.exports.run();`,
);
const CALLS = { run: 1, 'run;step': 2, 'run;step;leaf': 2 };

const COMMANDS = { deno: [['run', '-A'], ['-A']], bun: [[], ['run']] };
const record = (options, words) =>
  tool('wasm-perf', ['record', ...options, '-o', at('loop.wperf'), '--', ...words, at('loop.mjs')]);

for (const [name, forms] of Object.entries(COMMANDS)) {
  const program = find(name);
  const skip = !program && `${name} is not installed`;
  for (const form of forms)
    test(`${[name, ...form].join(' ')}: calls and instructions`, { skip }, () => {
      const { status, stderr } = record(['--clock', 'instructions'], [program, ...form]);
      assert.deepEqual([status, stderr], [0, '']);
      assert.deepEqual(callCounts(read('loop.wperf')), CALLS);
      assert.match(readProfile(read('loop.wperf')).header.engine, new RegExp(`^${name} \\d`, 'i'));
    });

  test(`${name}: what cannot be sampled is said once, and calls are kept`, { skip }, () => {
    const { status, stderr } = record([], [program, ...forms[0]]);
    assert.equal(status, 0);
    assert.match(stderr, /^wasm-perf: the profile has calls, but no times: (Deno|Bun) cannot be sampled; --clock instructions [^\n]*\n$/);
    assert.deepEqual(callCounts(read('loop.wperf')), CALLS);
  });
}

const deno = find('deno');
test('Deno without -A is refused before it runs', { skip: !deno && 'deno is not installed' }, () => {
  const { status, stdout, stderr } = record([], [deno, 'run', '--allow-read']);
  assert.deepEqual([status, stdout], [1, '']);
  assert.equal(stderr, 'wasm-perf: deno: its permissions prevent profiling: add -A\n');
});

const TESTS = {
  deno: [['test', '-A', '--quiet'], `Deno.test('loop', () => {});`],
  bun: [['test'], `(await import('bun:test')).test('loop', () => {});`],
};
for (const [name, [form, code]] of Object.entries(TESTS)) {
  const program = find(name);
  test(`${name} test: the calls of all files`, { skip: !program && `${name} is not installed` }, () => {
    const files = ['one', 'two'].map((part) => at(`${part}.test.mjs`));
    for (const file of files) writeFileSync(file, `${read('loop.mjs')}\n${code}`);
    const { status, stderr } = tool('wasm-perf', ['record', '--clock=none', '-o', at('tests.wperf'), '--', program, ...form, ...files]);
    assert.equal(status, 0, stderr);
    assert.doesNotMatch(stderr, /wasm-perf/);
    assert.deepEqual(callCounts(read('tests.wperf')), { run: 2, 'run;step': 4, 'run;step;leaf': 4 });
  });
}

test('deno eval', { skip: !deno && 'deno is not installed' }, () => {
  const words = [deno, 'eval', `await import(${JSON.stringify(at('loop.mjs'))})`];
  const { status, stderr } = tool('wasm-perf', ['record', '--clock=none', '-o', at('loop.wperf'), '--', ...words]);
  assert.deepEqual([status, stderr], [0, '']);
  assert.deepEqual(callCounts(read('loop.wperf')), CALLS);
});

test('Deno compiles an imported module past us, which is said', { skip: !deno && 'deno is not installed' }, () => {
  writeFileSync(at('imports.mjs'), `import { run } from './loop.wasm'; run();`);
  const words = [deno, 'run', '-A', at('imports.mjs')];
  const { status, stderr } = tool('wasm-perf', ['record', '-o', at('loop.wperf'), '--', ...words]);
  assert.equal(status, 1);
  assert.match(stderr, /^wasm-perf: the program instantiated no module through WebAssembly\. Deno compiles [^\n]*--embed\n$/);
});
