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

const namesIn = (wat) => Array.from(wat.matchAll(/\(func \$(\w+)/g), ([, name]) => name);

/** {"names;of;stack": value} of all nodes below the root. */
function stacks(profile, { value = 'calls', imports = 0, names = NAMES } = {}) {
  const paths = [''];
  const found = {};
  readProfile(profile).nodes.slice(1).forEach((node, i) => {
    const name = node.function === TRUNCATED ? '[truncated]' : names[node.function - imports];
    const path = (paths[i + 1] = node.parent === 0 ? name : `${paths[node.parent]};${name}`);
    assert(!(path in found), `${path} has two nodes`);
    found[path] = Number(node[value]);
  });
  return found;
}

/** Calls what may trap. */
function attempt(call) {
  try {
    call();
  } catch (error) {
    assert(error instanceof WebAssembly.RuntimeError, error);
  }
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
const NAMES = namesIn(program);

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

/** What the linked form says of a run of main, where functions all have hooks. */
async function linked(value, wat = program) {
  const [input, output] = [join(folder, 'linked.wasm'), join(folder, 'linked.prof.wasm')];
  writeFileSync(input, await parse(wat));
  const options = ['--clock=instructions', input, '-o', output];
  const run = spawnSync(tool('wasm-instrument'), options, { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  const { createProfiler } = await import(tool('js/engine/profiler.mjs'));
  const module = readFileSync(output);
  const profiler = await createProfiler({ runtime: readFileSync(tool('wasm_perf.wasm')), module });
  const { instance } = await WebAssembly.instantiate(module, { wasm_perf: profiler.imports });
  attempt(instance.exports.main);
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(module)).length;
  return stacks(profiler.profile(), { value, imports, names: namesIn(wat) });
}

test('with a clock this needs calls that all execute as much', async () => {
  const text = await print(await embed(program, '--clock=instructions'));
  assert.doesNotMatch(bodyOf(text, 'same'), /global/);
  assert.match(bodyOf(text, 'differs'), /global\.get/);
  const exports = await instantiate(program, '--clock=instructions');
  exports.main();
  const profile = readEmbedded(exports);
  assert.deepEqual(stacks(profile), COUNTS);
  assert.deepEqual(stacks(profile, { value: 'self' }), await linked('self'));
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

const totalOf = (calls) => BigInt(Object.values(calls).reduce((sum, n) => sum + n, 0));

test('past the node limit they have nodes of their own, as all others', async () => {
  for (const clock of ['none', 'instructions']) {
    const exports = await instantiate(program, `--clock=${clock}`, '--node-limit=2');
    for (let i = 0; i < 3; i++) {
      exports.main();
      readEmbedded(exports); // what is settled then does not count again
    }
    const calls = stacks(readEmbedded(exports));
    for (const name of NAMES) assert.equal(sumOf(calls, name), 3 * sumOf(COUNTS, name), `${clock}: ${name}`);
    assert.equal(calls['[truncated];same'], 6);
    const self = stacks(readEmbedded(exports), { value: 'self' });
    const expected = clock === 'none' ? {} : await linked('self');
    assert.equal(sumOf(self, 'same'), 3 * sumOf(expected, 'same'), clock);
  }
});

test('their basic blocks are counted', async () => {
  const text = await print(await embed(program, '--clock=none', '--lines'));
  const increments = bodyOf(text, 'same').match(/i64\.store/g);
  assert.equal(increments.length, 3, 'the condition and both arms');
});

// ---- Functions that begin by calling a leaf

const forwarders = `(module
  (global $zero (mut i32) (i32.const 0))
  (func $leaf (param i32) (result i32) (if (i32.eqz (local.get 0)) (then unreachable)) (local.get 0))
  (func $nothing (param i32) (result i32) (local.get 0))
  (func $forward (param i32) (result i32) (call $nothing (local.get 0)) return)
  (func $computes (result i32) (i32.add (call $forward (i32.const 1000)) (i32.div_u (i32.const 1) (global.get $zero))))
  (func $passes (param i32 i64) (result i32) (call $leaf (local.get 0)))
  (func $divides (param i32) (result i32) (call $nothing (i32.div_u (i32.const 1) (local.get 0))))
  (func $twice (result i32) (i32.add (call $nothing (i32.const 1)) (call $nothing (i32.const 2))))
  (func $sometimes (param i32) (if (local.get 0) (then (drop (call $nothing (i32.const 1))))))
  (func $leaves (param i32) (br 0) (drop (call $nothing (i32.const 1))))
  (func $returns (param i32) (drop (call $nothing (i32.const 1))) return (drop (i32.const 1)))
  (func $checks (param i32) (result i32)
    (if (result i32) (call $nothing (local.get 0)) (then (i32.const 1)) (else (i32.add (local.get 0) (i32.const 2)))))
  (func $hooked (result i32) (call $twice))
  (func $endless (call $endless))
  (func $ping (call $pong))
  (func $pong (call $ping))
  (func $calls_endless (call $endless) (call $ping))
  (func $other (drop (call $forward (i32.const 2))) (drop (call $passes (i32.const 1) (i64.const 1))))
  (func $main (export "main")
    (call $other)
    (call $other)
    (drop (call $forward (i32.const 2)))
    (drop (call $hooked))
    (drop (call $divides (i32.const 1)))
    (call $sometimes (i32.const 0))
    (call $leaves (i32.const 0))
    (call $returns (i32.const 0))
    (drop (call $checks (i32.const 0)))
    END))`;

const ENDS = {
  'all return': 'nop',
  'the leaf traps': '(drop (call $passes (global.get $zero) (i64.const 1)))',
  'it traps after the call': '(drop (call $computes))',
  'it traps before the call': '(drop (call $divides (global.get $zero)))',
};
const HOOKLESS = ['leaf', 'nothing', 'forward', 'computes', 'passes', 'returns', 'checks'];
const HOOKED = ['divides', 'twice', 'sometimes', 'leaves', 'hooked', 'endless', 'ping', 'pong', 'other'];

for (const [name, end] of Object.entries(ENDS)) {
  const wat = forwarders.replace('END', end);
  test(`what forwards to a leaf is one: ${name}`, async () => {
    const text = await print(await embed(wat, '--clock=none'));
    for (const name of HOOKLESS) assert.doesNotMatch(bodyOf(text, name), /global\.set/, name);
    for (const name of HOOKED) assert.match(bodyOf(text, name), /global\.set|i64\.store/, name);
    const names = namesIn(wat);
    const calls = await linked('calls', wat);
    const exports = await instantiate(wat, '--clock=none');
    attempt(exports.main);
    assert.equal(exports.wasm_perf_count(0), totalOf(calls));
    assert.deepEqual(stacks(readEmbedded(exports), { names }), calls);
    exports.wasm_perf_reset();
    assert.deepEqual(stacks(readEmbedded(exports), { names }), {});
  });
}

test('what a forwarder executes is its own', async () => {
  const wat = forwarders.replace('END', 'nop');
  const exports = await instantiate(wat, '--clock=instructions');
  exports.main();
  const text = await print(await embed(wat, '--clock=instructions'));
  for (const name of ['forward', 'nothing']) assert.doesNotMatch(bodyOf(text, name), /i64\.store/, name);
  const options = { value: 'self', names: namesIn(wat) };
  assert.deepEqual(stacks(readEmbedded(exports), options), await linked('self', wat));
});

/** As clocks.md says: what a leaf executes is known of a whole call alone. */
test('with instructions, a leaf or forwarder that traps is charged for a whole call', async () => {
  const wat = `(module
    (func $leaf (param i32) (result i32) (i32.add (i32.div_u (i32.const 1) (local.get 0)) (i32.const 1)))
    (func $forward (param i32) (result i32) (i32.add (call $leaf (local.get 0)) (i32.const 1)))
    (func $main (export "main") (param i32) (drop (call $leaf (i32.const 1))) (drop (call $forward (local.get 0)))))`;
  const [whole, trapped] = await Promise.all([1, 0].map(async (divisor) => {
    const exports = await instantiate(wat, '--clock=instructions');
    attempt(() => exports.main(divisor));
    const { main, ...rest } = stacks(readEmbedded(exports), { value: 'self', names: namesIn(wat) });
    return rest;
  }));
  assert.deepEqual(whole, { 'main;leaf': 5, 'main;forward': 4, 'main;forward;leaf': 5 });
  assert.deepEqual(trapped, whole);
});

test('past the node limit what is behind a forwarder has its calls, too', async () => {
  const wat = forwarders.replace('END', 'nop');
  const exports = await instantiate(wat, '--clock=none', '--node-limit=2');
  exports.main();
  const count = exports.wasm_perf_count(0);
  readEmbedded(exports);
  const calls = stacks(readEmbedded(exports), { names: namesIn(wat) });
  const expected = await linked('calls', wat);
  assert.equal(count, totalOf(expected));
  for (const name of namesIn(wat)) assert.equal(sumOf(calls, name), sumOf(expected, name), name);
});
