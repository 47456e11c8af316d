/** The embedded runtime: what it keeps, within which bounds, and what its hosts may ask of it. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { readEmbedded } from '../js/embedded.mjs';
import { readProfile } from '../js/wperf.mjs';
import { Random } from '../random/prng.mjs';
import { CallTree, findDifference, readNodes } from '../spec/trees.mjs';
import { at, embed, instantiate, stacks, withGrowth } from './embed.mjs';

const TRUNCATED = 0xfffffffe;

/** {name: calls} of all nodes below the root, by function index. */
function callsByFunction(nodes) {
  const sums = {};
  for (const { function: func, calls } of nodes.slice(1))
    if (calls > 0n) sums[func] = (sums[func] ?? 0) + Number(calls);
  return sums;
}

// ---- Bounds ----------------------------------------------------------------------------

const FUNCTION_COUNT = 6;
const FIRST = 2; // after two imports
const DEPTH = 12;

/** Functions that call each other as the host says, directly, by a table and as tail calls. */
const walkers = `(module
  (type $walker (func))
  (import "host" "enter" (func $enter (param i32)))
  (import "host" "next" (func $next (result i32)))
  (table funcref (elem ${Array.from({ length: FUNCTION_COUNT }, (_, i) => `$f${i}`).join(' ')}))
  ${Array.from({ length: FUNCTION_COUNT }, (_, i) => `
  (func $f${i} (export "f${i}") (type $walker) (local $to i32)
    (call $enter (i32.const ${FIRST + i}))
    (loop $more
      (local.set $to (call $next))
      (if (i32.eq (local.get $to) (i32.const -1)) (then (return)))
      (if (i32.eq (local.get $to) (i32.const -2)) (then (call $f${(i + 1) % FUNCTION_COUNT}))
        (else (call_indirect (type $walker) (local.get $to))))
      (br $more)))`).join('')})`;

/** Walks at random; returns the nodes and the tree that was walked. */
async function walk(seed, options, steps = 3000) {
  const random = new Random(seed);
  const tree = new CallTree();
  const open = [tree.root];
  const host = {
    enter: (func) => open.push(tree.enter(open.at(-1), func)),
    next() {
      const leaves = steps-- <= 0 || open.length > DEPTH || random.chance(40);
      if (leaves) open.pop();
      return leaves ? -1 : random.chance(30) ? -2 : random.below(FUNCTION_COUNT);
    },
  };
  const exports = await instantiate(walkers, ['--clock=none', ...options], { host });
  while (steps > 0) exports[`f${random.below(FUNCTION_COUNT)}`]();
  return { nodes: readNodes(exports), tree, exports };
}

function expectedCalls(tree) {
  const sums = {};
  const visit = (node) => {
    for (const child of node.children.values()) {
      sums[child.func] = (sums[child.func] ?? 0) + child.calls;
      visit(child);
    }
  };
  visit(tree.root);
  return sums;
}

const repeatsItself = (path) => new Set(path.split(';')).size < path.split(';').length;

test('with room, every stack has a node of its own', async () => {
  for (const recursion of ['full', 'auto']) {
    const { nodes, tree } = await walk(1, ['--recursion', recursion]);
    assert.equal(findDifference(tree, nodes, {}), null);
    assert(Object.keys(stacks(nodes)).some(repeatsItself), 'the walk recurses');
  }
});

test('within any node limit each call is counted once', async () => {
  for (const recursion of ['auto', 'full', 'fold'])
    for (const limit of [2, 3, 5, 10, 50, 100]) {
      const options = ['--recursion', recursion, '--node-limit', String(limit)];
      const { nodes, tree } = await walk(limit, options, 500);
      const what = options.join(' ');
      assert.deepEqual(callsByFunction(nodes), expectedCalls(tree), what);
      const flat = nodes.filter(({ parent }) => nodes[parent].function === TRUNCATED);
      const truncated = nodes.filter((node) => node.function === TRUNCATED);
      assert(truncated.length <= 1, what);
      assert.equal(new Set(flat.map((node) => node.function)).size, flat.length, what);
      assert(nodes.length - flat.length - truncated.length <= limit, what);
    }
});

test('recursive calls that are folded go to the node of the call above', async () => {
  const { nodes } = await walk(3, ['--recursion', 'fold']);
  assert(!Object.keys(stacks(nodes)).some(repeatsItself));
  assert(!nodes.some((node) => node.function === TRUNCATED));
});

test('recursion is folded by itself from a sixteenth of the limit on', async () => {
  const { nodes } = await walk(4, ['--recursion', 'auto', '--node-limit', '4000'], 20000);
  assert(nodes.length >= 4000 / 16 && nodes.length < 4000 / 4, `${nodes.length} nodes`); // the walk goes on
  assert(!nodes.some((node) => node.function === TRUNCATED));
});

/** Functions that call each other by turns, so that there are as many stacks as one likes, and leaves. */
const wide = `(module
  ${Array.from({ length: 40 }, (_, i) => `
  (func $f${i} (export "f${i}") (param i32) (drop (call $leaf)) (drop (call $forward)) (drop (call $leaf))
    (if (local.get 0) (then ${[1, 7, 11].map((step) => `
      (call $f${(i + step) % 40} (i32.sub (local.get 0) (i32.const 1)))`).join('')})))`).join('')}
  (func $leaf (result i32) (i32.const 1))
  (func $forward (result i32) (call $leaf)))`;

test('where the engine refuses to grow memory, the profile has all calls', async () => {
  for (const options of [[], ['--clock=instructions'], ['--recursion=fold'], ['--memory']])
    for (const pages of [0, 1, 3, 20]) {
      const { bytes } = await embed(wide, '--clock=none', '--recursion=full', ...options);
      const { exports } = (await WebAssembly.instantiate(withGrowth(bytes, pages))).instance;
      for (const name of ['f0', 'f1']) exports[name](9);
      const what = [...options, pages].join(' ');
      const count = 2 * ((3 ** 10 - 1) / 2);
      for (let round = 0; round < 2; round++) {
        const nodes = readNodes(exports);
        const calls = callsByFunction(nodes);
        const leaves = [calls[40], calls[41]];
        delete calls[40];
        delete calls[41];
        assert.equal(Object.values(calls).reduce((sum, n) => sum + n, 0), count, what);
        assert.deepEqual(leaves, [3 * count, count], what);
        exports.wasm_perf_reset();
        for (const name of ['f0', 'f1']) exports[name](9);
      }
    }
});

// ---- Reading and resetting -----------------------------------------------------------------

const nested = `(module
  (import "host" "call" (func $call))
  (func $inner (export "inner"))
  (func $outer (export "outer") (call $inner) (call $call) (call $inner)))`;

test('a profile is read any number of times, also while functions are open', async () => {
  const seen = [];
  const host = { call: () => seen.push(stacks(readNodes(exports)), stacks(readNodes(exports))) };
  const exports = await instantiate(nested, ['--clock=none'], { host });
  exports.outer();
  assert.deepEqual(seen, [{ 2: 1, '2;1': 1 }, { 2: 1, '2;1': 1 }]);
  const bytes = readEmbedded(exports);
  assert.deepEqual(readEmbedded(exports), bytes);
  assert.equal(exports.wasm_perf_read(bytes.length), 0n);
  assert.equal(exports.wasm_perf_read(0xfffffff8 | 0), 0n);
  assert.deepEqual(stacks(readNodes(exports)), { 2: 1, '2;1': 2 });
});

/** Stacks of `$a` and `$b` by the bits of a number: each number has one of its own. */
const paths = `(module (func $a (export "a") (param i32) (call $next (local.get 0)))
  (func $b (export "b") (param i32) (call $next (local.get 0)))
  (func $next (param i32) (if (i32.gt_u (local.get 0) (i32.const 1)) (then
    (if (i32.and (local.get 0) (i32.const 1)) (then (call $a (i32.shr_u (local.get 0) (i32.const 1))))
      (else (call $b (i32.shr_u (local.get 0) (i32.const 1)))))))))`;

test('a profile that is being read stays as it is, whatever runs meanwhile', async () => {
  for (const options of [[], ['--clock=instructions'], ['--node-limit=20']]) {
    const exports = await instantiate(paths, options);
    exports.a(5);
    const before = readEmbedded(exports);
    for (let number = 2; number < 100; number++) {
      const meanwhile = readEmbedded({ ...exports, wasm_perf_profile: () => {
        const size = exports.wasm_perf_profile();
        exports.b(number);
        return size;
      } });
      if (number === 2) assert.deepEqual(meanwhile, before, options.join(' '));
      readProfile(meanwhile);
    }
  }
});

test('memory is bounded however often a profile is taken', async () => {
  const PAGES = 8;
  const { bytes } = await embed(paths, '--recursion=full');
  const { exports } = (await WebAssembly.instantiate(withGrowth(bytes, PAGES))).instance;
  const COUNT = 500;
  for (let number = 0; number < COUNT; number++) {
    exports.a(number);
    for (let i = 0; i < 5; i++) assert(exports.wasm_perf_profile() > 0);
  }
  const { nodes } = readProfile(readEmbedded(exports));
  assert(!nodes.some(({ function: func }) => func === TRUNCATED), 'nodes lost their place to profiles');
  assert.equal(nodes[1].calls, BigInt(COUNT));
});

test('what was forgotten while functions were open does not come back', async () => {
  const host = { call: () => exports.wasm_perf_reset() };
  const exports = await instantiate(nested, ['--clock=instructions'], { host });
  exports.inner();
  exports.outer();
  const { nodes } = readProfile(readEmbedded(exports));
  // The frame that was open counts no call, but what it executes from there on.
  assert.deepEqual(stacks(nodes), { 2: 0, '2;1': 1 });
  exports.wasm_perf_reset();
  assert.deepEqual(stacks(readNodes(exports)), {});
  exports.inner();
  assert.deepEqual(stacks(readNodes(exports)), { 1: 1 });
});

// ---- Modules of all kinds --------------------------------------------------------------------

test('modules without functions, and choices of none', async () => {
  const empty = await instantiate('(module)', []);
  assert.equal(readNodes(empty).length, 1);
  const nothing = await instantiate(nested, ['--only', 'nowhere'], { host: { call() {} } });
  nothing.outer();
  assert.equal(readNodes(nothing).length, 1);
});

test('only functions are exported, only in addition', async () => {
  const { bytes } = await embed(nested);
  const module = new WebAssembly.Module(bytes);
  assert.deepEqual(WebAssembly.Module.imports(module).map(({ name }) => name), ['call']);
  assert.deepEqual(
    WebAssembly.Module.exports(module).map(({ name, kind }) => `${kind} ${name}`),
    ['inner', 'outer', 'wasm_perf_share', 'wasm_perf_profile', 'wasm_perf_read', 'wasm_perf_count', 'wasm_perf_reset', 'wasm_perf_slot',
      'wasm_perf_set_slot'].map((name) => `function ${name}`),
  );
});

test('imported memories, tables and globals are the program’s', async () => {
  const wat = `(module
    (import "env" "memory" (memory 1))
    (import "env" "shared" (memory 1 1 shared))
    (import "env" "table" (table 1 funcref))
    (import "env" "global" (global $global (mut i32)))
    (func $set (global.set $global (i32.add (global.get $global) (i32.const 1))))
    (elem (i32.const 0) $set)
    (func (export "main") (i32.store (i32.const 8) (i32.const 7)) (call_indirect (i32.const 0))))`;
  const env = {
    memory: new WebAssembly.Memory({ initial: 1 }),
    shared: new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }),
    table: new WebAssembly.Table({ initial: 1, element: 'anyfunc' }),
    global: new WebAssembly.Global({ value: 'i32', mutable: true }, 0),
  };
  const exports = await instantiate(wat, [], { env });
  exports.main();
  env.table.get(0)(); // from outside
  assert.equal(env.global.value, 2);
  assert.equal(new Uint8Array(env.memory.buffer)[8], 7);
  assert.deepEqual(stacks(readNodes(exports)), { 0: 1, 1: 1, '1;0': 1 });
});

const DYLINK = (memory) => `(@custom "dylink.0" (before first) "\\01\\04${memory}\\00\\00\\00")`;

test('modules that are linked at run time share memory and table, and keep profiles of their own', async () => {
  const main = `(module ${DYLINK('\\00')}
    (memory (export "memory") 1) (table (export "table") 4 funcref)
    (type $f (func (result i32)))
    (func (export "main") (result i32)
      (i32.add (call_indirect (type $f) (i32.const 1)) (call_indirect (type $f) (i32.const 1)))))`;
  const side = `(module ${DYLINK('\\08')}
    (import "env" "memory" (memory 1))
    (import "env" "__indirect_function_table" (table 4 funcref))
    (import "env" "__memory_base" (global $base i32))
    (import "env" "__table_base" (global $table i32))
    (data (global.get $base) "\\05\\00\\00\\00")
    (elem (global.get $table) $value)
    (func $load (result i32) (i32.load (global.get $base)))
    (func $value (result i32) (call $load)))`;
  const first = await instantiate(main, []);
  const global = (value) => new WebAssembly.Global({ value: 'i32' }, value);
  const env = { memory: first.memory, __indirect_function_table: first.table,
    __memory_base: global(1024), __table_base: global(1) };
  const second = await instantiate(side, [], { env });
  const { bytes } = await embed(side);
  assert.equal(Buffer.from(bytes.subarray(11, 19)).toString(), 'dylink.0', 'still the first section');
  assert.equal(first.main(), 10);
  assert.deepEqual(stacks(readNodes(first)), { 0: 1 });
  assert.deepEqual(stacks(readNodes(second)), { 1: 2, '1;0': 2 });
});

// ---- Commands of WASI ----------------------------------------------------------------------

const command = (end) => `(module
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "kept")
  (func $work)
  (func $check (if (i32.ne (i32.load (i32.const 0)) (i32.const 0x7470656b)) (then (unreachable))))
  (func $end (call $check) ${end})
  (func (export "_start") (call $work) (call $work) (call $end)))`;

const runner = resolve(import.meta.dirname, '../real/run_wasi.mjs');

/** Runs the command in Node; with `preopen` it may write to a folder. */
async function runCommand(end, { preopen = true, env = {} } = {}) {
  await embed(command(end), '--clock=none');
  rmSync(at('out'), { recursive: true, force: true });
  mkdirSync(at('out'));
  const args = [at('app.prof.wasm'), ...(preopen ? [at('out')] : [])];
  return spawnSync(process.execPath, ['--no-warnings', runner, ...args], {
    encoding: 'utf8',
    env: { ...process.env, WASI_ENV: JSON.stringify(env) },
  });
}

const ENDS = { return: ['', 0], proc_exit: ['(call $exit (i32.const 3))', 3], unreachable: ['(unreachable)', 1] };

for (const [name, [end, status]] of Object.entries(ENDS))
  test(`a command that ends by ${name} leaves its profile`, async () => {
    const result = await runCommand(end);
    assert.equal(result.status, status, result.stderr);
    const { nodes } = readProfile(readFileSync(at('out/app.wperf')));
    const calls = Object.values(callsByFunction(nodes)).toSorted();
    assert.deepEqual(calls, [1, 1, 1, 2]);
    if (name !== 'unreachable') assert.equal(result.stderr, '');
  });

test('a command that may write nowhere says how it could', async () => {
  const { status, stderr } = await runCommand('', { preopen: false });
  assert.equal(status, 0);
  assert.match(stderr, /^wasm_perf: the program may not write to any directory: no profile in app\.wperf; give it one, as in: wasmtime run --dir \. app\.wasm$/m);
});

test('WASM_PERF_FILE names the file', async () => {
  await runCommand('', { env: { A: 'b', WASM_PERF_FILE: 'other.wperf', C: 'd' } });
  assert(existsSync(at('out/other.wperf')) && !existsSync(at('out/app.wperf')));
});

// ---- Asyncify --------------------------------------------------------------------------

/** As Binaryen's pass leaves a module: the state is a global that only its own functions set. */
const asyncified = `(module
  (global $state (mut i32) (i32.const 0))
  (global $data (mut i32) (i32.const 0))
  (func $inner)
  (func $outer (export "outer") (call $inner))
  (func (export "asyncify_start_rewind") (param i32)
    (global.set $state (i32.const 2)) (global.set $data (local.get 0)))
  (func (export "asyncify_stop_rewind") (global.set $state (i32.const 0))))`;

test('what Asyncify rewinds is not called again', async () => {
  for (const clock of ['none', 'instructions']) {
    const exports = await instantiate(asyncified, ['--clock', clock, '--only', '@0-1']);
    exports.outer();
    exports.asyncify_start_rewind(0);
    exports.outer();
    exports.asyncify_stop_rewind();
    exports.outer();
    assert.deepEqual(stacks(readProfile(readEmbedded(exports)).nodes), { 1: 2, '1;0': 2 });
  }
});

test('functions of these names that do something else are taken for what they are', async () => {
  const other = asyncified.replace('(global.set $state (i32.const 2)) ', '');
  const exports = await instantiate(other, ['--clock', 'none', '--only', '@0-1']);
  exports.outer();
  exports.asyncify_start_rewind(0);
  exports.outer();
  assert.deepEqual(stacks(readProfile(readEmbedded(exports)).nodes), { 1: 2, '1;0': 2 });
});

test("after a stack overflow, the host's next call is at the root", async () => {
  const wat = `(module
    (func $deep (param i32) (result i32) (i32.add (i32.const 1) (call $deep (i32.add (local.get 0) (i32.const 1)))))
    (func (export "deep") (result i32) (call $deep (i32.const 0)))
    (func $next (export "next")))`;
  const exports = await instantiate(wat, ['--clock=none', '--recursion=full']);
  const next = 2;
  for (let i = 0; i < 3; i++) {
    assert.throws(exports.deep, RangeError);
    exports.next();
  }
  const found = readNodes(exports).filter(({ function: func }) => func === next);
  assert.deepEqual(found.map(({ parent, calls }) => [parent, Number(calls)]), [[0, 3]]);
});
