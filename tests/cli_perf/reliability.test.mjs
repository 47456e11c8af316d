/** What reports say first where their times are not to be trusted, and that they do not say it elsewhere. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { at, tool } from '../js/support.mjs';
import { writeProfile } from '../js/wperf.mjs';

const CALLS_OF_COST = 1024; // that the costs in a profile are of
const SAMPLED = 4; // a clock of format.h

/** What `top` prints about a profile of a thousand calls that took so many nanoseconds. */
function summaryOf(self, { callCost = 0, error = 0, ...options }) {
  const nodes = [
    { function: 0, parent: 0, calls: 1, self },
    { function: 1, parent: 1, calls: 1000, self },
  ];
  const hookCosts = [callCost, callCost, error].map((cost) => cost * CALLS_OF_COST);
  const path = at('a.wperf');
  writeFileSync(path, writeProfile(nodes, [[0, 'main'], [1, 'work']], { hookCosts, functionCounts: [2, 2], ...options }));
  const { status, stdout, stderr } = tool('wasm-perf', ['top', path]);
  assert.deepEqual([status, stderr], [0, '']);
  return stdout;
}

const rough = /^Times are rough: /;

test('the hooks took longer than the program', () => {
  // 1,000 calls at 2 × 60 ns are taken out of 200 µs.
  assert.match(summaryOf(100_000, { callCost: 60, error: 1 }), /^Times are rough: the hooks took longer/);
});

test('functions that may have spent most of the time in hooks', () => {
  const some = summaryOf(100_000, { callCost: 10, error: 1 }); // 80 µs in 1,000 calls, which may be hooks
  assert.match(some, /^Times are rough: functions with 100 % of the time may have spent it in hooks\. Profile fewer/);
  assert.match(some, /^The time of work and 1 other may be mostly that of hooks/m);
  assert.match(some, / \? +work {2}mostly hooks$/m);
  assert.match(some, /^--clock wall is for few, long functions, but all 2 have hooks/m);
  const none = summaryOf(2_000_000, { callCost: 10, error: 1 });
  assert.doesNotMatch(none, /rough|mostly|few, long/);
  assert.match(none, / 1\.99 µs {2}work$/m);
  assert.match(none, /^Hooks took at least 20\.0 µs, which is not in the times: 10\.0 ns per call and 10\.0 ns in its caller/m);
});

test('samples have their own doubt, which grows as they become fewer', () => {
  const sampled = (clockReadCount) => summaryOf(100_000, { clock: SAMPLED, clockReadCount });
  const exactness = (count) => /^Times are from [\d,]+ samples?: main has 50\.0 ± ([\d.]+) %; calls are exact$/m.exec(sampled(count))[1];
  assert.deepEqual([1, 99, 101, 10_000].map(exactness), ['25.0', '5.0', '4.9', '0.5']);
  assert.doesNotMatch(sampled(1), /rough|Too few/);
});

test('hooks of another module that may have taken most of the samples', () => {
  const linked = (time) => summaryOf(100_000, { clock: SAMPLED, clockReadCount: 286, hooksSampled: 1, linkedTime: time });
  assert.match(linked(150_000), /^Times are rough: hooks may take 7\d % of them\. Record the module without hooks instead/);
  assert.doesNotMatch(linked(150_000), /may differ/);
  const few = linked(50_000);
  assert.doesNotMatch(few, rough);
  assert.match(few, /^Hooks took 50\.0 µs, which is not in the times$/m);
});

test('HTML and SVG show it in orange, and nothing else', () => {
  summaryOf(100_000, { callCost: 60, error: 1 });
  for (const [extension, mark] of [['html', '<p class="caution">'], ['svg', 'class="caution">']]) {
    const { status, stdout } = tool('wasm-perf', ['report', '-f', extension === 'svg' ? 'flamegraph' : 'html', at('a.wperf')]);
    assert.equal(status, 0);
    const lines = stdout.split('\n').filter((line) => line.includes(mark));
    assert.deepEqual(lines.map((line) => /Times are rough: |for few, long functions/.exec(line)?.[0]), ['Times are rough: ', 'for few, long functions']);
  }
});
