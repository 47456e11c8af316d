/** Leaves: functions without hooks, whose calls their callers count. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { readEmbedded } from '../js/embedded.mjs';
import { readProfile } from '../js/wperf.mjs';
import { temporaryFolder, tool } from '../support/tools.mjs';
import { parse, print } from '../support/wat.mjs';

const TRUNCATED = 0xfffffffe;
const folder = temporaryFolder();

async function embed(wat, ...options) {
  const [input, output] = [join(folder, 'app.wasm'), join(folder, 'app.prof.wasm')];
  writeFileSync(input, await parse(wat));
  const run = spawnSync(tool('wasm-instrument'), ['--embed', ...options, input, '-o', output], { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  assert.equal(run.stderr, '');
  return readFileSync(output);
}

async function instantiate(wat, ...options) {
  const bytes = await embed(wat, ...options);
  return (await WebAssembly.instantiate(bytes)).instance.exports;
}

const NAMES = ['same', 'differs', 'shared', 'middle', 'main'];

/** {"names;of;stack": value} of all nodes below the root. */
function stacks(profile, value = 'calls', imports = 0) {
  const paths = [''];
  const found = {};
  readProfile(profile).nodes.slice(1).forEach((node, i) => {
    const name = node.function === TRUNCATED ? '[truncated]' : NAMES[node.function - imports];
    const path = (paths[i + 1] = node.parent === 0 ? name : `${paths[node.parent]};${name}`);
    assert(!(path in found), `${path} has two nodes`);
    found[path] = Number(node[value]);
  });
  return found;
}

const bodyOf = (text, name) => new RegExp(`\\(func \\$${name} [^]*?\\n  \\)`).exec(text)[0];

const program = `(module
  (table funcref (elem $shared))
  (func $same (param i32) (result i32)
    (if (result i32) (local.get 0) (then (i32.const 1)) (else (i32.const 2))))
  (func $differs (param i32) (result i32)
    (if (local.get 0) (then (return (i32.const 1))))
    (i32.add (i32.const 1) (i32.const 2)))
  (func $shared)
  (func $middle (drop (call $same (i32.const 0))) (call $shared) (drop (call $differs (i32.const 0))))
  (func $main (export "main")
    (drop (call $same (i32.const 1)))
    (drop (call $differs (i32.const 1)))
    (call $middle)
    (call $middle)
    (drop (call $same (i32.const 0)))
    (call_indirect (i32.const 0))))`;

const COUNTS = {
  main: 1,
  'main;same': 2,
  'main;differs': 1,
  'main;middle': 2,
  'main;shared': 1,
  'main;middle;same': 2,
  'main;middle;differs': 2,
  'main;middle;shared': 2,
};

test('callers count what calls nothing, and it has no hooks', async () => {
  const text = await print(await embed(program, '--clock=none'));
  assert.doesNotMatch(bodyOf(text, 'same'), /global/);
  assert.doesNotMatch(bodyOf(text, 'differs'), /global/);
  assert.match(bodyOf(text, 'shared'), /global\.get/, 'a function of a table may be called indirectly');
  const exports = await instantiate(program, '--clock=none');
  exports.main();
  assert.deepEqual(stacks(readEmbedded(exports)), COUNTS);
});

/** The linked form's instructions, whose functions all have hooks. */
async function linkedSelf() {
  const [input, output] = [join(folder, 'linked.wasm'), join(folder, 'linked.prof.wasm')];
  writeFileSync(input, await parse(program));
  const options = ['--clock=instructions', input, '-o', output];
  const run = spawnSync(tool('wasm-instrument'), options, { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  const { createProfiler } = await import(tool('js/profiler.mjs'));
  const module = readFileSync(output);
  const profiler = await createProfiler({ runtime: readFileSync(tool('wasm_perf.wasm')), module });
  const { instance } = await WebAssembly.instantiate(module, { wasm_perf: profiler.imports });
  instance.exports.main();
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(module)).length;
  return stacks(profiler.profile(), 'self', imports);
}

test('with a clock this needs calls that all execute as much', async () => {
  const text = await print(await embed(program, '--clock=instructions'));
  assert.doesNotMatch(bodyOf(text, 'same'), /global/);
  assert.match(bodyOf(text, 'differs'), /global\.get/);
  const exports = await instantiate(program, '--clock=instructions');
  exports.main();
  const profile = readEmbedded(exports);
  assert.deepEqual(stacks(profile), COUNTS);
  assert.deepEqual(stacks(profile, 'self'), await linkedSelf());
});

test('what was forgotten does not come back', async () => {
  const exports = await instantiate(program, '--clock=none');
  exports.main();
  exports.wasm_perf_reset();
  assert.deepEqual(stacks(readEmbedded(exports)), {});
  exports.main();
  assert.deepEqual(stacks(readEmbedded(exports)), COUNTS);
});

const sumOf = (calls, name) =>
  Object.entries(calls).reduce((sum, [path, n]) => sum + (path.split(';').at(-1) === name ? n : 0), 0);

test('past the node limit they have nodes of their own, as all others', async () => {
  for (const clock of ['none', 'instructions']) {
    const exports = await instantiate(program, `--clock=${clock}`, '--node-limit=2');
    for (let i = 0; i < 3; ++i) {
      exports.main();
      readEmbedded(exports); // what is settled then does not count again
    }
    const calls = stacks(readEmbedded(exports));
    for (const name of NAMES) assert.equal(sumOf(calls, name), 3 * sumOf(COUNTS, name), `${clock}: ${name}`);
    assert.equal(calls['[truncated];same'], 6);
    const self = stacks(readEmbedded(exports), 'self');
    const linked = clock === 'none' ? {} : await linkedSelf();
    assert.equal(sumOf(self, 'same'), 3 * sumOf(linked, 'same'), clock);
  }
});

test('their basic blocks are counted', async () => {
  const text = await print(await embed(program, '--clock=none', '--lines'));
  const increments = bodyOf(text, 'same').match(/i64\.store/g);
  assert.equal(increments.length, 3, 'the condition and both arms');
});
