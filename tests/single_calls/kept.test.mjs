/**
 * Random programs, whose exports the host calls, also again from within, with traps in between. What each kept call
 * added to the tree is what profiles differ by that are taken before and after it.
 */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { readEmbedded } from '../js/embedded.mjs';
import { temporaryFolder, tool } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';
import { bucketOf, callsOf, MIXED_CALL, nodesOf, TYPICAL_CALL } from './calls_section.mjs';

const folder = temporaryFolder();
const at = (name) => join(folder, name);

/** A generator of numbers below `limit`. */
function generator(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const FUNCTION_COUNT = 8;
const EXPORT_COUNT = 4;

/** A function calls later ones, the host, or through the table, as often as its parameter says; it may trap, and recur. */
function writeFunction(index, random) {
  const call = () => {
    const later = index + 1 + random(FUNCTION_COUNT - index);
    const argument = `(i32.shr_u (local.get 0) (i32.const ${1 + random(2)}))`;
    const kind = random(8);
    if (kind === 0) return `(call $host (i32.xor (local.get 0) (i32.const ${random(64)})))`;
    if (kind === 1) return `(if (i32.gt_u (local.get 0) (i32.const 9)) (then (call $f${index} ${argument})))`;
    if (later >= FUNCTION_COUNT) return '(nop)';
    if (kind === 2) return `(call_indirect (param i32) ${argument} (i32.const ${later}))`;
    return `(call $f${later} ${argument})`;
  };
  const trap = random(3) === 0 ? `(if (i32.eq (i32.and (local.get 0) (i32.const 31)) (i32.const ${random(32)})) (then (unreachable)))` : '';
  const body = Array.from({ length: 1 + random(3) }, call).join('\n');
  return `(func $f${index} ${index < EXPORT_COUNT ? `(export "f${index}")` : ''} (param i32) (local $i i32)
    (local.set $i (i32.and (local.get 0) (i32.const 3)))
    ${trap}
    (loop $again ${body}
      (br_if $again (i32.gt_s (local.tee $i (i32.sub (local.get $i) (i32.const 1))) (i32.const 0)))))`;
}

const writeProgram = (random) => `(module
  (import "host" "call" (func $host (param i32)))
  (table funcref (elem ${Array.from({ length: FUNCTION_COUNT }, (_, i) => `$f${i}`).join(' ')}))
  ${Array.from({ length: FUNCTION_COUNT }, (_, i) => writeFunction(i, random)).join('\n')})`;

async function instantiate(wat, options, host) {
  writeFileSync(at('in.wasm'), await parse(wat));
  execFileSync(tool('wasm-instrument'), ['--embed', ...options, at('in.wasm'), '-o', at('out.wasm')], { stdio: 'inherit' });
  return new WebAssembly.Instance(new WebAssembly.Module(readFileSync(at('out.wasm'))), { host }).exports;
}

/** {path: {calls, self}} of what the second profile has more, where it has. */
function gained(before, after) {
  const old = new Map(before.map((node) => [node.path, node]));
  const differences = {};
  for (const { path, calls, self } of after) {
    const { calls: oldCalls, self: oldSelf } = old.get(path) ?? { calls: 0n, self: 0n };
    if (calls !== oldCalls || self !== oldSelf) differences[path] = { calls: calls - oldCalls, self: self - oldSelf };
  }
  return differences;
}

/** Of what a call added, all below the node where it began. */
const below = (differences, path) =>
  Object.fromEntries(Object.entries(differences).filter(([own]) => own === path || own.startsWith(`${path};`)));

/** Makes calls; those that returned, by what they added. The host swallows traps, and at times calls back. */
async function play(seed, options, valueCount) {
  const random = generator(seed);
  let exports;
  let depth = 0;
  const call = (argument) => {
    try {
      depth++;
      exports[`f${argument % EXPORT_COUNT}`](argument);
      return true;
    } catch (error) {
      assert(error instanceof WebAssembly.RuntimeError, error);
      return false;
    } finally {
      depth--;
    }
  };
  exports = await instantiate(writeProgram(random), options, {
    call: (argument) => {
      if (depth < 3 && argument % 5 === 0) call((argument >>> 1) + 1);
    },
  });
  const returned = [];
  let isAfterTrap = false;
  let before = nodesOf(readEmbedded(exports), valueCount);
  for (let i = 0; i < 40; i++) {
    const isReturned = call(random(256));
    const after = nodesOf(readEmbedded(exports), valueCount);
    if (isReturned) returned.push({ differences: gained(before, after), isAfterTrap });
    isAfterTrap = !isReturned;
    before = after;
  }
  const file = readEmbedded(exports);
  return { returned, ...callsOf(file), nodes: nodesOf(file, valueCount) };
}

/**
 * Every call that returned is kept, and no other, each with what it added. After a trap, which nobody tells the module
 * of, the same function may be entered by a call or by a task: then what it added is not kept. Returns the number of calls.
 */
function checkKept({ returned, kept, nodes }) {
  const left = kept.filter(({ why }) => !(why & TYPICAL_CALL));
  for (const { differences, isAfterTrap } of returned) {
    const found = left.findIndex(({ node, rows, why }) => {
      const expected = toText(Object.entries(below(differences, nodes[node].path)));
      const own = toText(rows.map((row) => [nodes[row.node].path, row]));
      if (why & MIXED_CALL) return isAfterTrap && rows.length === 0 && expected.length > 0;
      return JSON.stringify(expected) === JSON.stringify(own);
    });
    assert(found >= 0, `no kept call has added ${toText(Object.entries(differences)).join(', ')}`);
    left.splice(found, 1);
  }
  assert.deepEqual(left, []);
  return returned.length;
}

const toText = (rows) => rows.map(([path, { calls, self }]) => `${path} ${calls} ${self}`).sort();

const SEEDS = Number(process.env.WI_SEEDS ?? 60);

test('each kept call has what it added to the tree, and its instructions are their sum', async () => {
  let total = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const played = await play(seed, ['--clock=instructions', '--recursion=full', '--calls', '--worst=100'], 2);
    total += checkKept(played);
    for (const { values, rows } of played.kept.filter(({ why }) => !(why & MIXED_CALL))) {
      const sum = rows.reduce((all, { self }) => all + self, 0n);
      assert.equal(values[0], sum, `seed ${seed}`);
    }
  }
  assert(total > 10 * SEEDS, `${total} calls`);
});

test('the histograms have each call that returned, also those within others', async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { histograms, kept, nodes, measures } = await play(seed, ['--clock=instructions', '--recursion=full', '--calls', '--worst=100'], 2);
    assert.deepEqual(measures, ['instructions']);
    const expected = new Map();
    for (const { node, values, why } of kept) {
      if (why & TYPICAL_CALL) continue;
      const buckets = expected.get(node) ?? new Map();
      buckets.set(bucketOf(values[0]), (buckets.get(bucketOf(values[0])) ?? 0) + 1);
      expected.set(node, buckets);
    }
    for (const [node, buckets] of expected) {
      const own = histograms.find((histogram) => histogram.node === node);
      for (const [bucket, count] of buckets) assert(own.buckets.get(bucket) >= count, `seed ${seed}: ${nodes[node].path}`);
    }
    for (const { node, buckets } of histograms) {
      const sum = [...buckets.values()].reduce((a, b) => a + b, 0);
      assert(BigInt(sum) <= nodes[node].calls, `seed ${seed}`);
    }
  }
});
