/**
 * wasm-perf calls: percentiles against the values themselves, the slowest calls, one call as a tree and against
 * another one.
 */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { at, tool } from '../js/support.mjs';
import { bucketOf, writeProfile } from '../js/wperf.mjs';
import { testGolden } from '../support/golden.mjs';
import { tool as toolPath } from '../support/tools.mjs';

const [SLOW, TYPICAL, CUT, MIXED] = [1, 2, 4, 8];
const [MAIN, RENDER, READ, PARSE, LOAD] = [1, 2, 3, 4, 5];
const names = [[MAIN, 'main'], [RENDER, 'render'], [READ, 'read_config'], [PARSE, 'parse'], [LOAD, 'load']];
const node = (index, parent, calls, self) => ({ function: index, parent, calls, self });
/** main → render → read_config and parse; the host → render; load. */
const nodes = [
  node(MAIN, 0, 1, 10), node(RENDER, 1, 1000, 20_000), node(READ, 2, 1040, 900_000), node(PARSE, 2, 3000, 60_000),
  node(RENDER, 0, 203, 5000), node(LOAD, 0, 2, 100),
];

/** A generator of numbers, the same in every run. */
function random(seed) {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

const next = random(7);
const fromMain = Array.from({ length: 1000 }, () => Math.floor(1e6 * (1 + 2 * next() ** 3)));
fromMain[800] = 212_345_678;
const fromHost = Array.from({ length: 200 }, () => Math.floor(1.5e6 * (1 + next())));
const loads = [5e9, 6e9];
const instructions = fromMain.map((time) => Math.floor(time / 1000));
const tree = (reads, each) => [[2, 0, 1, 20], [3, 0, reads, reads * each], [4, 1, 3, 60]];
const histograms = [
  { node: 2, values: fromMain },
  { node: 5, values: fromHost },
  { node: 6, values: loads },
  { node: 2, measure: 1, values: instructions },
];
const kept = [
  { node: 2, why: TYPICAL, number: 500, start: 1e9, values: [1_299_000, 880], rows: tree(1, 800) },
  { node: 5, why: SLOW | MIXED, number: 7, start: 1.5e9, values: [2_998_500, 2000] },
  { node: 2, why: SLOW, number: 801, start: 3.2e9, values: [212_345_678, 900_080], rows: tree(40, 22_500) },
  { node: 2, why: SLOW | CUT, number: 9, start: 5e6, values: [80_000_000, 900], rows: tree(1, 820) },
];
const instructionsClock = { clock: 2, ticksPerSecond: 0 };
const save = (name, measured, facts = instructionsClock) =>
  writeFileSync(at(name), writeProfile(nodes, names, { ...facts, measured }));
save('calls.wperf', { histograms, kept });
save('counts.wperf', { histograms, kept: kept.map((call) => ({ ...call, rows: call.rows?.map(([a, b, calls]) => [a, b, calls, 0]) })) }, { clock: 0, ticksPerSecond: 0 });
save('few.wperf', { measures: ['instructions'], histograms: [{ node: 2, values: [1, 2, 3, 40, 1000] }] }, instructionsClock);
save('one.wperf', { histograms: [{ node: 6, values: [2 ** 20] }], kept: [{ node: 6, why: SLOW, number: 1, start: 0, values: [2 ** 20, 0] }] });
save('none.wperf');

const calls = (...args) => execFileSync(toolPath('wasm-perf'), ['calls', ...args], { cwd: at(''), encoding: 'utf8' });

testGolden(join(import.meta.dirname, 'expected/calls'), {
  'list.txt': () => calls('calls.wperf'),
  'instructions.txt': () => calls('--by', 'instructions', 'few.wperf'),
  'callers.txt': () => calls('--callers', '-n', '1', 'calls.wperf'),
  'tree.txt': () => calls('--call', 'worst', 'calls.wperf'),
  'why.txt': () => calls('--call', 'worst', '--against', 'median', 'calls.wperf'),
  'why_counts.txt': () => calls('--call', 'worst', '--against', 'median', 'counts.wperf'),
  'waited.txt': () => calls('--call', '2', '--against', 'median', 'calls.wperf'),
});

const json = (...args) => JSON.parse(calls('--format', 'json', ...args));

test('no percentile is above the largest value, which is the first of its bucket', () => {
  const [{ p50, p90, p99, max }] = json('one.wperf').functions;
  assert.deepEqual([p50, p90, p99, max], Array(4).fill(2 ** 20));
});

/** The smallest value that `percent` % of the values do not exceed. */
function percentile(values, percent) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)];
}

test('percentiles are in the buckets of the true ones, and totals within 1/32', () => {
  for (const [index, measure, lists] of [['render', 'time', [fromMain, fromHost]], ['load', 'time', [loads]], ['render', 'instructions', [instructions]]]) {
    const all = lists.flat();
    const row = json('--by', measure, 'calls.wperf').functions.find(({ name }) => name === index);
    assert.equal(row.calls, all.length);
    for (const percent of [50, 90, 99]) assert.equal(bucketOf(row[`p${percent}`]), bucketOf(percentile(all, percent)), `${index} p${percent}`);
    assert.equal(bucketOf(row.max), bucketOf(Math.max(...all)));
    const total = all.reduce((sum, value) => sum + value, 0);
    assert(Math.abs(row.total - total) <= total / 32);
    const counted = row.histogram.map(({ first, last, calls: count }) => [all.filter((value) => value >= first && value <= last).length, count]);
    for (const [wanted, found] of counted) assert.equal(found, wanted);
  }
});

test('callers add up to their function', () => {
  const [, render] = json('calls.wperf').functions;
  assert.deepEqual(render.callers.map(({ name, calls: count }) => [name, count]), [['main', 1000], [undefined, 200]]);
  assert.deepEqual([render.max, render.max_is_exact, render.unmeasured_calls], [212_345_678, true, 3]);
});

test('JSON is as its schema says', () => {
  const schema = JSON.parse(readFileSync(new URL('../../include/wasm_perf/calls.schema.json', import.meta.url)));
  const whole = json('calls.wperf');
  assert.deepEqual(Object.keys(whole), Object.keys(schema.properties));
  for (const key of ['functions', 'kept'])
    for (const item of whole[key]) for (const member of Object.keys(item)) assert(member in schema.properties[key].items.properties, member);
});

test('a merged file has the histograms of both, and the slowest calls', () => {
  assert.equal(tool('wasm-perf', ['merge', 'calls.wperf', 'calls.wperf', '-o', 'twice.wperf']).status, 0);
  const [once, twice] = ['calls.wperf', 'twice.wperf'].map((file) => json(file));
  const doubled = ({ histogram }) => histogram.map((bucket) => ({ ...bucket, calls: 2 * bucket.calls }));
  assert.deepEqual(twice.functions.map(({ histogram }) => histogram), once.functions.map(doubled));
  assert.deepEqual(twice.kept.map(({ time }) => time), [...once.kept.slice(0, 3).flatMap(({ time }) => [time, time]), 1_299_000]);
});

test('what the slow call did more of comes before what it did less of', () => {
  const rows = (reads, parse) => [[2, 0, 1, 20], [3, 0, reads, reads * 100], [4, 1, 3, parse]];
  save('less.wperf', { histograms, kept: [
    { node: 2, why: SLOW, number: 9, values: [200e6, 5e6], rows: rows(40, 60) },
    { node: 2, why: TYPICAL, number: 5, values: [100e6, 4e6], rows: rows(1, 900_000) },
  ] });
  const lines = calls('--call', 'worst', '--against', 'median', 'less.wperf').split('\n');
  const functions = lines.map((line) => / {2}(read_config|parse)$/.exec(line)?.[1]).filter(Boolean);
  assert.deepEqual(functions, ['read_config', 'parse']);
  assert.equal(lines[1], 'In it: read_config 1 → 40 calls');
});

test('explain says how much slower the slowest call was, and which command says why', () => {
  const sentence = (file) => JSON.parse(tool('wasm-perf', ['explain', '--format', 'json', file]).stdout).findings
    .filter(({ text }) => text.startsWith('The slowest')).map(({ text }) => text);
  assert.deepEqual(sentence('calls.wperf'), [
    'The slowest of 1,200 calls of render took 212 ms, 156 times the median: wasm-perf calls FILE --call worst --against median says why',
  ]);
  const usual = kept.map((call) => ({ ...call, values: [9_000_000, 9000] }));
  save('usual.wperf', { histograms, kept: usual });
  assert.deepEqual(sentence('usual.wperf'), []);
});

test('what is not there is said', () => {
  const failure = (...args) => {
    const { status, stdout, stderr } = tool('wasm-perf', ['calls', ...args]);
    assert.deepEqual([status !== 0, stdout], [true, '']);
    return stderr;
  };
  assert.equal(failure('none.wperf'), 'wasm-perf: none.wperf: no calls were measured: record it with --calls or --calls-of\n');
  assert.equal(failure('--call', '9', 'calls.wperf'), 'wasm-perf: calls.wperf: there is no call 9: 4 were kept\n');
  assert.equal(failure('--call', '3', 'calls.wperf'), 'wasm-perf: calls.wperf: what call 3 called is not known: other measured calls ran in between\n');
  assert.equal(failure('--call', 'worst', 'few.wperf'), 'wasm-perf: few.wperf: no single calls were kept\n');
  assert.match(failure('--call', 'best', 'calls.wperf'), /--call wants a number, worst or median, not 'best'/);
  assert.match(failure('--against', 'median', 'calls.wperf'), /--against needs --call/);
});
