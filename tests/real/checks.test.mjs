// The checks of checks.mjs find what is wrong: each is shown a profile with one value changed.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readProfile, writeProfile } from '../js/wperf.mjs';
import { checkCalls, checkOutput, checkSameTree, checkSummary, summarize } from './checks.mjs';

const SHIFT = 2; // two hooks were imported ahead of these functions
const NAMES = [[5, 'main'], [6, 'leaf']];
const NODES = [
  { function: 5, parent: 0, calls: 2, self: 30 },
  { function: 6, parent: 1, calls: 40, self: 70 },
  { function: 6, parent: 0, calls: 1, self: 9 },
];
const COUNTS = { 3: 2, 4: 41 };
const STACKS = { 3: 2, '3;4': 40, 4: 1 };
const good = () => readProfile(writeProfile(NODES, NAMES));
const doctored = (node, field, value) => {
  const profile = good();
  profile.nodes[node][field] = value;
  return profile;
};

test('a profile that is right has no problems', () => {
  const summary = summarize(good());
  assert.deepEqual([summary.entries, summary.calls, summary.nodes, summary.functions], [3, 43, 4, 2]);
  assert.deepEqual(checkSummary(summary, 3), []);
  assert.deepEqual(checkSummary(summary, null), []);
  assert.deepEqual(checkCalls(good(), COUNTS, { key: 'by_function', shift: SHIFT }), []);
  assert.deepEqual(checkSameTree(good(), good(), { self: true }), []);
  assert.deepEqual(checkOutput('text', 'text'), []);
});

test('output that differs, or none', () => {
  assert.deepEqual(checkOutput('text', 'texts'), ['the output differs']);
  assert.deepEqual(checkOutput('', ''), ['there is no output']);
});

test('a call too many, too few, or of another function', () => {
  const check = (profile, counts, shift = SHIFT) =>
    checkCalls(profile, counts, { key: 'by_function', shift });
  assert.deepEqual(check(doctored(2, 'calls', 41n), COUNTS), ['leaf: 42 calls, not 41']);
  assert.deepEqual(check(good(), { ...COUNTS, 4: 42 }), ['leaf: 41 calls, not 42']);
  assert.deepEqual(check(good(), { ...COUNTS, 9: 1 }), ['9: 0 calls, not 1']);
  assert.equal(check(doctored(3, 'function', 5), COUNTS).length, 2);
  assert.equal(check(good(), COUNTS, SHIFT - 1).length, 3);
  assert.equal(check(readProfile(writeProfile([], [])), {}).length, 1);
});

test('a call below another caller', () => {
  const check = (profile, counts, options) =>
    checkCalls(profile, counts, { key: 'by_stack', shift: SHIFT, ...options });
  const misplaced = doctored(3, 'parent', 1);
  assert.deepEqual(check(good(), STACKS), []);
  assert.deepEqual(check(misplaced, STACKS), [
    'main;leaf: 41 calls, not 40',
    'leaf: 0 calls, not 1',
  ]);
  assert.deepEqual(check(misplaced, COUNTS, { key: 'by_function' }), []);
});

test('entries, frames and folded calls', () => {
  const summary = summarize(good());
  for (const wrong of [{ entries: 4 }, { open: 1 }, { unbalanced: 1 }, { folded: 1 }]) {
    assert.equal(checkSummary({ ...summary, ...wrong }, 3).length, 1, JSON.stringify(wrong));
  }
  assert.equal(summarize(doctored(3, 'parent', 1)).entries, 2);
});

test('trees that differ in a call, an instruction, a parent, a function or a node', () => {
  for (const [field, value] of [['calls', 3n], ['self', 31n], ['parent', 1], ['function', 6]]) {
    const other = doctored(field === 'parent' ? 3 : 1, field, value);
    assert.notDeepEqual(checkSameTree(good(), other, { self: true }), [], field);
  }
  assert.deepEqual(checkSameTree(good(), doctored(1, 'self', 31n), { self: false }), []);
  const fewer = readProfile(writeProfile(NODES.slice(0, 2), NAMES));
  assert.equal(checkSameTree(good(), fewer, { self: false }).length, 1);
});

test('trees whose nodes come in another order', () => {
  const [main, inner, outer] = NODES;
  const turned = readProfile(writeProfile([outer, main, { ...inner, parent: 2 }], NAMES));
  assert.deepEqual(checkSameTree(good(), turned, { self: true }), []);
  const twice = readProfile(writeProfile([outer, main, { ...outer }], NAMES));
  assert.notDeepEqual(checkSameTree(twice, good(), { self: true }), []);
});
