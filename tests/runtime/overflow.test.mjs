/**
 * Exceptions in the middle of the runtime (runtime/embedded/embed.h): an engine throws where the stack is full, at the
 * entry of any function, and the program catches it. Whatever is interrupted, the profile stays whole, and its counts
 * are those of the program's own counters.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';

import { readEmbedded } from '../js/embedded.mjs';
import { readProfile } from '../js/wperf.mjs';
import { callsOf, MIXED_CALL } from '../single_calls/calls_section.mjs';
import { tool } from '../support/tools.mjs';
import { print } from '../support/wat.mjs';
import { at, embed } from './embed.mjs';

const TRUNCATED = 0xfffffffe;
const RUNTIME = 'wasm_perf.runtime'; // the name of the runtime's functions

// ---- At each call of a function of the runtime ----------------------------------------------------

/** A module whose runtime calls `wasm_perf.perf_start` at the entry of each of its functions. */
async function withEntries(wat, options) {
  await embed(wat, ...options);
  const command = ['--force', '--only', RUNTIME, at('app.prof.wasm'), '-o', at('app.entries.wasm')];
  const { status, stderr } = spawnSync(tool('wasm-instrument'), command, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return new WebAssembly.Module(readFileSync(at('app.entries.wasm')));
}

class Full extends Error {}

/** An instance; `full.at` is the number of entries until the stack is full, once. `entered` has them in turn. */
function instantiate(module, imports, entered) {
  const full = { at: Infinity };
  const perf_start = (func) => {
    entered.push(func);
    if (--full.at === 0) throw new Full();
  };
  const wasm_perf = { perf_start, perf_end() {}, perf_depth: () => 0, perf_unwind() {} };
  return { exports: new WebAssembly.Instance(module, { ...imports, wasm_perf }).exports, full };
}

/** Which entries to interrupt: of each function after each other, the first few. */
function chosenOf(entered) {
  const FEW = 3;
  const seen = {};
  return entered.flatMap((func, i) => {
    const pair = `${entered[i - 1]} ${func}`;
    seen[pair] = (seen[pair] ?? 0) + 1;
    return seen[pair] <= FEW ? [i + 1] : [];
  });
}

function attempt(call) {
  try {
    return call();
  } catch (error) {
    assert(error instanceof Full, error.stack);
    return undefined;
  }
}

/** Calls by function, and how many nodes have some. */
function countsOf(exports) {
  const { nodes } = readProfile(readEmbedded(exports));
  const calls = {};
  for (const { function: func, calls: count } of nodes.slice(1))
    if (func < TRUNCATED && count > 0n) calls[func] = (calls[func] ?? 0n) + count;
  return calls;
}

/**
 * Plays a program once for each chosen entry of the runtime, where that one throws. `play(exports, step)` does its
 * steps through `step(call)`, which catches; `check(exports, added)` looks at the profile, `added` imports being new.
 */
async function interruptEach(wat, options, play, check, imports = () => ({})) {
  const module = await withEntries(wat, options);
  const added = WebAssembly.Module.imports(module).filter((of) => of.module === 'wasm_perf').length;
  const run = (at, entered = []) => {
    const { exports, full } = instantiate(module, imports(), entered);
    full.at = at;
    play(exports, attempt);
    attempt(() => exports.wasm_perf_profile());
    assert.equal(full.at > 0, at === Infinity);
    full.at = Infinity;
    const inPlay = entered.slice();
    check(exports, added);
    return inPlay;
  };
  const entered = run(Infinity);
  for (const i of chosenOf(entered)) {
    try {
      run(i);
    } catch (error) {
      error.message = `entry ${i}, of function ${entered[i - 1]}: ${error.message}`;
      throw error;
    }
  }
}

const MANY = 60; // more than the callees whose slots are searched
const many = (make) => Array.from({ length: MANY }, (_, i) => make(i)).join('\n');
const counted = (name, body, type = '') => `(global $n_${name} (export "n_${name}") (mut i64) (i64.const 0))
  (func $${name} (export "${name}") ${type} (global.set $n_${name} (i64.add (global.get $n_${name}) (i64.const 1))) ${body})`;

/** Slots of all kinds, tables of answers, leaves that call leaves, recursion, calls back from the host. */
const TREE = `(module (import "e" "back" (func $back (param i32)))
  (table funcref (elem ${many((i) => `$callee${i}`)} $deep))
  (type $f (func (param i32)))
  (func $inner_leaf (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))
  (func $leaf (param i32) (result i32) (call $inner_leaf (local.get 0)))
  (func $own (param i32) (drop (call $leaf (local.get 0))) (call $twice (local.get 0)) (call $twice (local.get 0)))
  (func $twice (param i32) (drop (call $leaf (local.get 0))) (call $own_too (local.get 0)))
  (func $own_too (param i32) (drop (call $leaf (local.get 0))))
  ${many((i) => counted(`callee${i}`, `(call $own (local.get 0)) (if (i32.eqz (local.get 0)) (then (call $back (i32.const ${i}))))`, '(type $f)'))}
  ${counted('deep', `(if (local.get 0) (then
    (call_indirect (type $f) (i32.const 1) (i32.rem_u (local.get 0) (i32.const ${MANY})))
    (call_indirect (type $f) (i32.sub (local.get 0) (i32.const 1)) (i32.const ${MANY}))))`, '(type $f)')}
  ${counted('all', many((i) => `(call $callee${i} (local.get 0))`), '(type $f)')})`;

const COUNTERS = ['deep', 'all', ...Array.from({ length: MANY }, (_, i) => `callee${i}`)];

function playTree(exports, step) {
  for (let round = 0; round < 2; round++) {
    step(() => exports.deep(5));
    step(() => exports.all(1));
    step(() => exports.callee7(0));
    step(() => exports.wasm_perf_profile());
    step(() => exports.wasm_perf_set_slot(exports.wasm_perf_slot()));
    for (let i = 0; i < 4; i++) step(() => exports[`callee${3 * i + round}`](1));
  }
}

function checkTree(exports, added = 0) {
  const calls = countsOf(exports);
  for (const name of COUNTERS) {
    const index = Number(exports[name].name) - added; // of the function
    assert.equal(calls[index] ?? 0n, exports[`n_${name}`].value, name);
  }
}

const FORMS = [[], ['--clock', 'instructions'], ['--recursion', 'fold'], ['--node-limit', '20'],
  ['--node-limit', '20', '--clock', 'instructions'], ['--host-calls']];

const backFrom = (exports) => ({ e: { back: (i) => i % 2 && attempt(() => exports()[`callee${i - 1}`](1)) } });

for (const options of FORMS)
  test(`a tree that each call of its runtime interrupts: ${options.join(' ') || 'no options'}`, async () => {
    let exports;
    const play = (of, step) => playTree((exports = of), step);
    await interruptEach(TREE, options, play, checkTree, () => backFrom(() => exports));
  });

/** A call is counted before it is measured: of the one that the runtime interrupts, the program has not counted itself. */
function checkMeasured(exports, added = 0) {
  const calls = countsOf(exports);
  const more = COUNTERS.map((name) => calls[Number(exports[name].name) - added] - exports[`n_${name}`].value);
  assert(more.every((n) => n === 0n || n === 1n) && more.filter((n) => n > 0n).length <= 1, `${more}`);
  for (const { why, values, rows } of callsOf(readEmbedded(exports)).kept)
    if (!(why & MIXED_CALL)) assert.equal(rows.reduce((sum, { self }) => sum + self, 0n), values[0]);
}

test('single calls that each call of the runtime interrupts', async () => {
  let exports;
  const play = (of, step) => playTree((exports = of), step);
  const options = ['--calls', '--worst', '100', '--clock', 'instructions'];
  await interruptEach(TREE, options, play, checkMeasured, () => backFrom(() => exports));
});

// ---- Memory ----------------------------------------------------------------------------------------

const MEMORY = `(module (memory (export "memory") 1) (global $top (mut i32) (i32.const 64))
  (func $malloc (param i32) (result i32) (global.get $top)
    (global.set $top (i32.add (global.get $top) (i32.const 16))))
  (func $realloc (param i32 i32) (result i32) (if (result i32) (local.get 0) (then (local.get 0))
    (else (call $malloc (local.get 1)))))
  (func $free (param i32))
  (func $ask (export "ask") (param i32) (result i32) (call $malloc (local.get 0)))
  (func $ask_more (export "more") (param i32 i32) (result i32) (call $realloc (local.get 0) (local.get 1)))
  (func $give (export "give") (param i32) (call $free (local.get 0))))`;

function playMemory(exports, step) {
  const blocks = [];
  for (let i = 0; i < 4; i++) blocks.push(step(() => exports.ask(100 + i)));
  blocks.push(step(() => exports.more(blocks[0] ?? 0, 500)));
  for (const block of blocks) if (block) step(() => exports.give(block));
  step(() => exports.ask(7));
  step(() => exports.wasm_perf_profile());
  step(() => exports.give(12345));
}

test('accounts and blocks that each call of the runtime interrupts', async () => {
  const check = (exports) => {
    writeFileSync(at('memory.wperf'), readEmbedded(exports));
    const run = spawnSync(tool('wasm-perf'), ['report', '-f', 'json', at('memory.wperf')], { encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
    for (const [number] of run.stdout.matchAll(/\d+/g)) assert(Number(number) < 2 ** 40, number);
  };
  await interruptEach(MEMORY, ['--memory'], playMemory, check);
});

// ---- Where the stack ends ---------------------------------------------------------------------------

/** Calls `action` at each distance from the end of the stack, up to a few hundred frames; each may overflow. */
function nearTheEnd(action, frames = 300) {
  let left = 0;
  const descend = () => {
    try {
      descend();
    } catch (error) {
      assert(error instanceof RangeError);
      left = frames;
    }
    if (left-- <= 0) return;
    try {
      action();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  };
  descend();
}

for (const options of FORMS.slice(0, 4))
  test(`what the host calls where the stack ends: ${options.join(' ') || 'no options'}`, async () => {
    const { bytes } = await embed(TREE, ...options);
    const module = new WebAssembly.Module(bytes);
    const calls = ['deep', 'all', 'callee7', 'wasm_perf_profile', 'wasm_perf_slot', 'wasm_perf_set_slot', 'wasm_perf_read',
      'wasm_perf_count'];
    for (const name of calls) {
      const { exports } = new WebAssembly.Instance(module, { e: { back() {} } });
      nearTheEnd(() => exports[name](3));
      exports.all(1);
      checkTree(exports);
    }
  });

test('the runtime has no stack in memory, whose pointer an exception would leave behind', async () => {
  const text = await print(readFileSync(process.env.WI_EMBED_IMAGE));
  assert.match(text, /global\.set \$?callee_slot|global\.set 0|global\.set \$env\.callee_slot/);
  const [, name] = /\(global (\S+)? ?(?:\(;\d+;\) )?\(mut i32\)/.exec(text) ?? [];
  assert.doesNotMatch(text, /global\.set (?:1|\$__stack_pointer|\$global1|\$g1)\b/, name);
});
