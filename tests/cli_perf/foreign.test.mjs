/** Files of other tools in the place of a .wperf file. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { at, tool } from '../js/support.mjs';
import { writeProfile } from '../js/wperf.mjs';
import { pprof } from '../report/pprof_encode.mjs';

const perf = (...args) => tool('wasm-perf', args);

/** {unit, stacks: {"outer;inner": value}} of a file, as the JSON report has it. */
function read(name, content) {
  if (content !== undefined) writeFileSync(at(name), content);
  const { status, stdout, stderr } = perf('report', '--format=json', name);
  assert.deepEqual([status, stderr], [0, '']);
  const { unit, functions, nodes } = JSON.parse(stdout);
  const paths = [];
  const stacks = {};
  nodes.parent.forEach((parent, i) => {
    const { name: own } = functions[nodes.function[i]];
    paths[i] = parent === null ? own : `${paths[parent]};${own}`;
    if (nodes.self[i] > 0) stacks[paths[i]] = nodes.self[i];
  });
  return { unit, stacks };
}

test('pprof, compressed or not', () => {
  const samples = { parse: 700, 'read all': 30 };
  for (const packed of [true, false]) {
    const expected = { unit: 'bytes', stacks: samples };
    assert.deepEqual(read('plain.pb', pprof(samples, packed)), expected);
    assert.deepEqual(read('packed.pb.gz', gzipSync(pprof(samples, packed))), expected);
    const time = [9 << 3, 42]; // which Go writes first
    assert.deepEqual(read('go.pb', Uint8Array.from([...time, ...pprof(samples, packed)])), expected);
  }
});

test('pprof: times in any unit, and the number of samples if the file has it', () => {
  const units = { nanoseconds: 1, microseconds: 1e3, milliseconds: 1e6, seconds: 1e9 };
  for (const [unit, nanoseconds] of Object.entries(units)) {
    const types = [['samples', 'count'], ['wall', unit]];
    const expected = { unit: 'nanoseconds', stacks: { work: 500 * nanoseconds, rest: 20 * nanoseconds } };
    assert.deepEqual(read('time.pb', pprof({ work: [250, 500], rest: [10, 20] }, true, types)), expected);
    const { stdout } = perf('top', 'time.pb');
    assert.match(stdout, /^Times are from 260 samples: work has 96\.2 ± 1\.2 %;/m);
  }
  read('few.pb', pprof({ work: [500] }, true, [['cpu', 'nanoseconds']]));
  assert.match(perf('top', 'few.pb').stdout, /^Times are from 1 sample: work has 100\.0 ± 23\.6 %;/m);
});

test('pprof with negative values, and damaged files, are refused', () => {
  const refused = (name, content) => {
    writeFileSync(at(name), content);
    const { status, stderr } = perf('top', name);
    assert.equal(status, 1);
    return stderr;
  };
  assert.match(refused('less.pb', pprof({ more: 5, less: -3 }, true)), /^wasm-perf: less\.pb: it has negative values, as a difference has/);
  const whole = pprof({ more: 5 }, true);
  for (let size = 3; size < whole.length; size++) {
    writeFileSync(at('short.pb'), whole.subarray(0, size));
    assert.ok(perf('top', 'short.pb').status <= 1);
  }
  assert.match(refused('short.pb.gz', gzipSync(whole).subarray(0, -9)), /^wasm-perf: short\.pb\.gz: it cannot be decompressed/);
  assert.match(refused('none.json', '{"some": "object"}'), /^wasm-perf: none\.json: /);
});

test('folded stacks', () => {
  const stacks = { 'main;parse line': 12, main: 3, 'main;read': 2.5 };
  const text = Object.entries(stacks).map(([stack, value]) => `${stack} ${value}`).join('\n');
  assert.deepEqual(read('stacks.folded', `${text}\nmain 4\n`), { unit: 'samples', stacks: { 'main;parse line': 12, main: 7, 'main;read': 2 } });
  writeFileSync(at('bad.folded'), 'main 3\nmain\n');
  assert.match(perf('top', 'bad.folded').stderr, /^wasm-perf: bad\.folded: a line is not a stack and a number\n$/);
});

test('speedscope: stacks and events, with times in any unit', () => {
  const frames = [{ name: 'load', file: 'x.py', line: 1 }, { name: 'load', file: 'y.py', line: 2 }, { name: 'run' }];
  const sampled = { type: 'sampled', unit: 'milliseconds', samples: [[2], [2, 0], [2, 0, 1]], weights: [1, 2, 4] };
  const stacks = { run: 1e6, 'run;load (x.py:1)': 2e6, 'run;load (x.py:1);load (y.py:2)': 4e6 };
  const other = { ...sampled, unit: 'none' };
  assert.deepEqual(read('a.speedscope.json', JSON.stringify({ shared: { frames }, profiles: [sampled, other] })), { unit: 'nanoseconds', stacks });
  const events = [['O', 2, 10], ['O', 0, 11], ['O', 1, 13], ['C', 1, 17], ['C', 0, 17], ['C', 2, 17]].map(([type, frame, time]) => ({ type, frame, at: time }));
  const evented = { type: 'evented', unit: 'milliseconds', startValue: 10, endValue: 17, events };
  assert.deepEqual(read('b.speedscope.json', JSON.stringify({ shared: { frames }, profiles: [evented] })), { unit: 'nanoseconds', stacks });
});

test('V8’s functions with one name in several files, or columns of a minified file, stay apart', () => {
  const frame = (url, columnNumber) => ({ functionName: 'run', url, columnNumber, lineNumber: 0, scriptId: '1' });
  const root = { functionName: '(root)', url: '', lineNumber: -1, columnNumber: -1, scriptId: '0' };
  const frames = [root, frame('file:///one/app.js', 4), frame('file:///two/app.js', 4), frame('file:///two/app.js', 40)];
  const nodes = frames.map((callFrame, i) => ({ id: i + 1, callFrame, children: i === 0 ? [2, 3, 4] : [] }));
  writeFileSync(at('a.cpuprofile'), JSON.stringify({ nodes, samples: [2, 3, 4, 4], timeDeltas: [10, 10, 10, 10], startTime: 0, endTime: 50 }));
  const { functions } = JSON.parse(perf('report', '--format=json', 'a.cpuprofile').stdout);
  assert.deepEqual(functions.map(({ self }) => self).sort(), [10_000, 10_000, 20_000]);
});

const names = [[1, 'main'], [2, 'step']];
const nodes = [{ function: 1, parent: 0, calls: 2, self: 40_000 }, { function: 2, parent: 1, calls: 90, self: 7_000 }];

for (const [unit, facts] of [['instructions', { clock: 2, ticksPerSecond: 0 }], ['nanoseconds', { clock: 1 }]])
  test(`our own files of other formats are read back: ${unit}`, () => {
    writeFileSync(at('own.wperf'), writeProfile(nodes, names, facts));
    for (const format of ['speedscope', 'firefox', 'pprof']) {
      writeFileSync(at(`own.${format}`), tool('wasm-perf', ['report', '-f', format, 'own.wperf'], { encoding: null }).stdout);
      assert.deepEqual(read(`own.${format}`), { unit, stacks: { main: 40_000, 'main;step': 7_000 } }, format);
    }
  });
