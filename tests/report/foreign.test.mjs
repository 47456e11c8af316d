// What the page reads of other tools' files: their totals, functions and stacks. The reader is taken out of a page.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { runInMemory } from '../../src/js/package/wasi.mjs';
import { compareData } from '../../src/report/formats/html/compare.mjs';
import { loadProfile } from '../../src/report/formats/html/data.mjs';
import { linesOf } from '../../src/report/formats/html/reader.mjs';
import { writeProfile } from '../js/wperf.mjs';
import { temporaryFolder, tool } from '../support/tools.mjs';
import { pprof } from './pprof_encode.mjs';

const folder = temporaryFolder();

const elementOf = (html, id) => new RegExp(`id="${id}">([^<]*)</script>`).exec(html)[1];
const page = execFileSync(tool('wasm-perf'), ['open', '--no-browser', '-o', '-'], { encoding: 'utf8' });
const reader = new WebAssembly.Module(gunzipSync(Buffer.from(elementOf(page, 'reader'), 'base64')));

/** The data that the page shows of a file. */
async function read(bytes) {
  const { status, stdout, stderr } = runInMemory(reader, ['reader', 'profile', 'file'], { file: bytes });
  assert.equal(status, 0, stderr);
  return loadProfile(elementOf(stdout, 'profile'));
}
/** Pairs functions, each a list of lines, as the page does. */
function pair(one, other) {
  const { status, stdout, stderr } = runInMemory(reader, ['reader', 'pairs', 'one', 'other'], { one, other });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

const compare = (before, after) =>
  compareData(before, after, ['before', 'after'], pair(...[before, after].map(({ head }) => linesOf(head))));
const readJson = (json) => read(new TextEncoder().encode(JSON.stringify(json)));

/** {"outer;inner": value} of the stacks with a value; of a difference, what it adds less what it subtracts. */
function stacksOf({ head, label, parent, columns }, value = 0) {
  const paths = [''];
  const stacks = {};
  const [before, after] = head.mode === 'diff' ? columns : [null, columns[0]];
  for (let node = 1; node < label.length; node++) {
    const name = head.names[label[node]];
    paths[node] = parent[node] === 0 ? name : `${paths[parent[node]]};${name}`;
    const own = after[value][node] - (before?.[value][node] ?? 0);
    if (own !== 0) stacks[paths[node]] = (stacks[paths[node]] ?? 0) + own;
  }
  return stacks;
}

const unitsOf = ({ head: { values } }) => values.map(({ unit }) => unit);

// ---- pprof

test('a difference that pprof wrote has negative values', async () => {
  const samples = { more: 700, less: -30, least: -(2 ** 40) };
  for (const packed of [true, false]) assert.deepEqual(stacksOf(await read(pprof(samples, packed))), samples);
});

// ---- Samples without a stack

test('time without a stack is a row and part of the total', async () => {
  const speedscope = {
    $schema: 'https://www.speedscope.app/file-format-schema.json', shared: { frames: [{ name: 'work' }] },
    profiles: [{ type: 'sampled', name: 'main', unit: 'none', startValue: 0, endValue: 5, samples: [[0], []], weights: [3, 2] }],
  };
  assert.deepEqual(stacksOf(await readJson(speedscope)), { work: 3, '(no stack)': 2 });
  assert.deepEqual(stacksOf(await read(new TextEncoder().encode(' 2\nmain;work 3\n'))), { 'main;work': 3, '(no stack)': 2 });
});

// ---- perf

test('perf script has native frames, and the first of several events', async () => {
  const text = `# captured on: today
app 12 [000] 34.5: 250000 cpu-clock:u: 
	    7f2a inner+0x12 (/usr/bin/app)
	    7f00 main+0x2 (/usr/bin/app)
	       0 [unknown] (/usr/lib/libc.so.6)

app 12 [000] 34.6:      1 faults: 
	    7f2a other+0x12 (/usr/bin/app)

app 12 [000] 34.7: 250000 cpu-clock:u:  1234 Function:hot-7-turbofan+0x1 (/tmp/perf-12.map)
app 12 [000] 34.8: 500000 cpu-clock:u: 
	    7f2a inner+0x3 (/usr/lib/other.so)
`;
  assert.deepEqual(stacksOf(await read(new TextEncoder().encode(text))), {
    '[unknown];main;inner': 250_000, hot: 250_000, inner: 500_000,
  });
});

// ---- Functions with the same name

const frame = (functionName, url, columnNumber) => ({ functionName, url, columnNumber, lineNumber: 0, scriptId: '1' });

/** A profile of V8 with a sample of 10 µs in each of the frames. */
const cpuProfile = (...frames) => ({
  nodes: [{ id: 1, callFrame: frame('(root)', '', -1), children: frames.map((_, i) => i + 2) }, ...frames.map((callFrame, i) => ({ id: i + 2, callFrame }))],
  samples: frames.map((_, i) => i + 2), timeDeltas: frames.map(() => 10), startTime: 0, endTime: 10 * frames.length,
});

/** Each function's name without its place, its file and its value, in the order of values. */
function functionsOf({ head, label, columns: [[self]] }) {
  const fileOf = new Map(head.places.map(([index, file, line]) => [index, `${file}:${line}`]));
  assert.equal(new Set(head.names).size, head.names.length);
  return Array.from(label.slice(1), (index, i) => [head.names[index].replace(/ \(.*/, ''), fileOf.get(index), self[i + 1]])
    .sort((a, b) => a[2] - b[2] || (a[1] < b[1] ? -1 : 1));
}

test('functions with one name in several files, or columns of a minified file, stay apart', async () => {
  const frames = [frame('run', 'file:///one/app.js', 4), frame('run', 'file:///two/app.js', 4), frame('run', 'file:///two/app.js', 80)];
  const expected = ['one', 'two', 'two'].map((name) => ['run', `file:///${name}/app.js:1`, 10_000]);
  assert.deepEqual(functionsOf(await readJson({ ...cpuProfile(...frames, frames[2]), endTime: 50 })), [...expected.slice(0, 2), [...expected[2].slice(0, 2), 20_000]]);
  const speedscope = {
    shared: { frames: [{ name: 'load', file: 'x.py', line: 1 }, { name: 'load', file: 'y.py', line: 2 }] },
    profiles: [{ type: 'sampled', unit: 'none', samples: [[0], [0, 1], [1]], weights: [5, 6, 7] }],
  };
  assert.deepEqual(functionsOf(await readJson(speedscope)), [['load', 'x.py:1', 5], ['load', 'y.py:2', 6], ['load', 'y.py:2', 7]]);
});

test('two runs are compared by such functions’ files, and by names where these are enough', async () => {
  const named = (name, file, line) => ({ name, file, line });
  const speedscope = (frames, weights) => readJson({ shared: { frames }, profiles: [{ type: 'sampled', unit: 'none', samples: frames.map((_, i) => [i]), weights }] });
  const before = await speedscope([named('load', 'x.py', 1), named('load', 'y.py', 2), named('save', 'x.py', 3)], [1, 2, 3]);
  const after = await speedscope([named('save', 'z.py', 8), named('load', 'y.py', 9), named('load', 'x.py', 7)], [30, 20, 10]);
  const { head, label, columns: [[first], [second]] } = compare(before, after);
  const rows = Array.from(label.slice(1), (index, i) => [head.names[index], first[i + 1], second[i + 1]]);
  assert.deepEqual(rows.sort(([, a], [, b]) => a - b), [['load (x.py:1)', 1, 10], ['load (y.py:2)', 2, 20], ['save', 3, 30]]);
});

test('two runs are compared by such functions’ order, or as one if their numbers differ', async () => {
  const twins = (functions) => read(writeProfile(functions.map(([number, self]) => ({ function: number, parent: 0, calls: 1, self })),
    functions.map(([number]) => [number, 'twin']), { clock: 2, ticksPerSecond: 0 }));
  const rowsOf = async (before, after) => {
    const { head, label, columns: [[first], [second]] } = compare(await twins(before), await twins(after));
    return Array.from(label.slice(1), (index, i) => [head.names[index], first[i + 1], second[i + 1]]).sort(([, a], [, b]) => a - b);
  };
  assert.deepEqual(await rowsOf([[9, 10], [10, 20]], [[10, 10], [11, 21]]), [['twin (func 9)', 10, 10], ['twin (func 10)', 20, 21]]);
  assert.deepEqual(await rowsOf([[1, 10], [2, 20]], [[1, 10], [2, 5], [3, 21]]), [['twin (2 to 3 functions)', 30, 36]]);
});

test('places and numbers are not part of the names by which functions are paired', () => {
  const [PROGRAM, JAVASCRIPT] = [0, 3];
  const lines = (functions) => new TextEncoder().encode(functions.map((fields) => `${fields.join('\t')}\n`).join(''));
  const pairsOf = (before, after) => {
    const { labels: [one, other], names } = pair(lines(before), lines(after));
    return before.map(([, , , name], i) => [name, names[one[i]], after.filter((_, k) => other[k] === one[i]).map(([, , , paired]) => paired)]);
  };
  const parse = (file, line) => [PROGRAM, line, `/src/${file}`, `parse (${file}:${line})`];
  const [a, b] = ['parse (a.c:0)', 'parse (b.c:4)'];
  assert.deepEqual(pairsOf([parse('a.c', 0), parse('b.c', 4)], [parse('b.c', 5), parse('a.c', 9), [PROGRAM, 0, '', 'main']]),
    [[a, a, ['parse (a.c:9)']], [b, b, ['parse (b.c:5)']]]);
  const scan = (number) => [PROGRAM, 0, '', `scan (func ${number})`];
  assert.deepEqual(pairsOf([scan(12), scan(9)], [scan(10), scan(13)]), [[12, 13], [9, 10]].map(([one, other]) => [`scan (func ${one})`, `scan (func ${one})`, [`scan (func ${other})`]]));
  const sampled = (line) => [JAVASCRIPT, line, 'app.mjs', `run (app.mjs:${line})`]; // which of them is sampled is chance
  assert.deepEqual(pairsOf([sampled(3), sampled(8)], [sampled(8), sampled(20)])[0],
    ['run (app.mjs:3)', 'run (app.mjs, 2 functions)', ['run (app.mjs:8)', 'run (app.mjs:20)']]);
  assert.deepEqual(pairsOf([], [scan(1)]), []);
});

// ---- Our own files of other formats

const names = [[1, 'main'], [2, 'step']];
const nodes = [{ function: 1, parent: 0, calls: 2, self: 40_000 }, { function: 2, parent: 1, calls: 90, self: 7_000 }];
const calls = { main: 2, 'main;step': 90 };
const selfs = { main: 40_000, 'main;step': 7_000 };

for (const [clock, units, values] of [
  [{ clock: 2, ticksPerSecond: 0 }, ['instructions', 'calls'], [selfs, calls]],
  [{ clock: 1, ticksPerSecond: 1_000_000_000n }, ['nanoseconds', 'calls'], [selfs, calls]],
  [{ clock: 0 }, ['calls'], [calls]],
])
  for (const format of ['speedscope', 'firefox'])
    test(`${format}: ${units.join(' and ')} of our own file are not added up`, async () => {
      writeFileSync(join(folder, 'own.wperf'), writeProfile(nodes, names, clock));
      const json = execFileSync(tool('wasm-perf'), ['report', '-f', format, 'own.wperf'], { cwd: folder, encoding: 'utf8' });
      const data = await readJson(JSON.parse(json));
      assert.deepEqual(unitsOf(data), units);
      values.forEach((expected, i) => assert.deepEqual(stacksOf(data, i), expected));
    });
