/** Samples in order of time: in the profile, and in the formats that have time lines. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assemble, at, read, tool } from '../js/support.mjs';
import { readProfile, writeProfile } from '../js/wperf.mjs';
import { packageFile } from '../support/tools.mjs';

const perf = (...args) => tool('wasm-perf', args);
const report = (file, ...options) => perf('report', ...options, at(file)).stdout;

// ---- A profile that says what the test wants: main calls a, then b, which calls a

const [MAIN, A, B, BA] = [1, 2, 3, 4];
const nodes = [
  { function: 0, parent: 0, calls: 1, self: 30_000 },
  { function: 1, parent: MAIN, calls: 1, self: 400_000 },
  { function: 2, parent: MAIN, calls: 1, self: 5_000 },
  { function: 1, parent: B, calls: 1, self: 200_000 },
];
const names = [[0, 'main'], [1, 'a'], [2, 'b']];
const main = { start: 1000, process: 7, number: 0, name: 'main', stretches: [[10, MAIN], [300, A], [50, 0], [20, MAIN], [100, BA]] };
const worker = { start: 1200, dropped: 5, process: 7, number: 1, name: 'worker', stretches: [[100, A], [5, B], [100, BA]] };
const options = { clock: 5, threads: [main, worker] };
writeFileSync(at('made.wperf'), writeProfile(nodes, names, options));

const bigint = ({ start, dropped = 0, ...rest }) => ({ start: BigInt(start), dropped: BigInt(dropped), ...rest });

test('a file keeps them, and so does what is made of one file', () => {
  assert.deepEqual(readProfile(read('made.wperf')).threads, [main, worker].map(bigint));
  assert.equal(perf('merge', '-o', at('copy.wperf'), at('made.wperf')).status, 0);
  assert.deepEqual(readProfile(read('copy.wperf')).threads, [main, worker].map(bigint));
  assert.equal(perf('merge', '-o', at('sum.wperf'), at('made.wperf'), at('made.wperf')).status, 0);
  assert.deepEqual(readProfile(read('sum.wperf')).threads, []); // runs have clocks of their own
});

test('a damaged time line is refused', () => {
  const refused = (threads, message) => {
    writeFileSync(at('bad.wperf'), writeProfile(nodes, names, { ...options, threads }));
    const { status, stdout, stderr } = perf('report', at('bad.wperf'));
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, message);
  };
  refused([{ ...main, stretches: [[1, 5]] }], /an interval refers to node 5 of 5 nodes/);
  refused([{ ...main, stretches: [[1]] }], /an interval is truncated/);
  refused([{ ...main, stretches: [[2 ** 32, 1]] }], /an interval is truncated/);
  refused([{ ...main, name: 'a\0b' }], /a thread's name/);
  const bytes = writeProfile(nodes, names, options);
  bytes.writeUInt32LE(1e6, bytes.length - 64); // the size of a name, or of stretches
  writeFileSync(at('bad.wperf'), bytes);
  assert.equal(perf('report', at('bad.wperf')).status, 1);
});

test('the report says how long each thread was busy', () => {
  assert.match(report('made.wperf'), /^Busy: main 430 .s of 480 .s, worker 205 .s of 205 .s$/m);
  const other = { ...main, process: 8, stretches: [[10, MAIN]] }; // each process has a thread of this name
  writeFileSync(at('two.wperf'), writeProfile(nodes, names, { ...options, threads: [main, worker, other] }));
  assert.match(report('two.wperf'), /^Busy: main 430 .s of 480 .s, worker 205 .s of 205 .s, main \(2\) 10\.0 .s of 10\.0 .s$/m);
});

/** [[thread, name, from, to], ...] of the frames in the order in which they begin. */
function framesOf(events) {
  const open = new Map();
  const frames = [];
  for (const { ph, tid, name, ts } of events) {
    if (!open.has(tid)) open.set(tid, []);
    if (ph === 'B') open.get(tid).push(frames.push([tid, name, ts, null]) - 1);
    if (ph !== 'E') continue;
    const frame = frames[open.get(tid).pop()];
    assert.equal(frame[1], name);
    frame[3] = ts;
  }
  assert(frames.every(([, , , end]) => end !== null));
  return frames;
}

test('trace events are a time line', () => {
  const { traceEvents } = JSON.parse(report('made.wperf', '--format', 'chrome'));
  const threads = traceEvents.filter(({ name }) => name === 'thread_name').map(({ pid, tid, args }) => [pid, tid, args.name]);
  assert.deepEqual(threads, [[7, 7, 'main'], [7, 8, 'worker']]);
  assert.deepEqual(framesOf(traceEvents), [
    [7, 'main', 0, 310], [7, 'a', 10, 310], [7, 'main', 360, 480], [7, 'b', 380, 480], [7, 'a', 380, 480],
    [8, 'main', 200, 405], [8, 'a', 200, 300], [8, 'b', 300, 405], [8, 'a', 305, 405],
  ]);
});

test("threads of the Firefox Profiler equal the program's", () => {
  const { threads, shared } = JSON.parse(report('made.wperf', '--format', 'firefox'));
  const { frame, prefixOffset } = shared.stackTable;
  const nameOf = (stack) => shared.stringArray[shared.funcTable.name[shared.frameTable.func[frame[stack]]]];
  const pathOf = (stack) => (prefixOffset[stack] === 0 ? '' : `${pathOf(stack - prefixOffset[stack])};`) + nameOf(stack);
  const samplesOf = ({ samples: { stack, time, weight } }) =>
    stack.map((of, i) => [of === null ? null : pathOf(of), time[i], weight[i]]);
  assert.deepEqual(threads.map(({ name }) => name), ['main', 'worker', 'calls']);
  assert.deepEqual(samplesOf(threads[0]), [['main', 0, 0.01], ['main;a', 0.01, 0.3], [null, 0.31, 0], ['main', 0.36, 0.02],
    ['main;b;a', 0.38, 0.1], [null, 0.48, 0]]);
  assert.deepEqual(samplesOf(threads[1]), [['main;a', 0.2, 0.1], ['main;b', 0.3, 0.005], ['main;b;a', 0.305, 0.1], [null, 0.405, 0]]);
});


// ---- A program

assemble(
  'turns',
  `(module
    (func $spin (param i32) (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))
    (func (export "early") (call $spin (i32.const 150000000)))
    (func (export "late") (call $spin (i32.const 150000000))))`,
);
writeFileSync(
  at('turns.mjs'),
  `import { readFileSync } from 'node:fs';
   import { Worker, isMainThread } from 'node:worker_threads';
   const module = new WebAssembly.Module(readFileSync(new URL('turns.wasm', import.meta.url)));
   const { early, late } = new WebAssembly.Instance(module).exports;
   early();
   if (isMainThread) new Worker(new URL(import.meta.url)).on('exit', () => late());
   else late();`,
);
const recorded = perf('record', '-o', at('turns.wperf'), '--', process.execPath, at('turns.mjs'));
assert.deepEqual([recorded.status, recorded.stderr], [0, '']);
const profile = readProfile(read('turns.wperf'));

test('the stretches of a node add up to its time, to the nanosecond', () => {
  const sums = profile.nodes.map(() => 0n);
  for (const { stretches } of profile.threads) for (const [span, node] of stretches) sums[node] += BigInt(span) * 1000n;
  profile.nodes.forEach(({ self }, i) => i > 0 && assert.equal(sums[i], self, `node ${i}`));
});

test('waiting is not work, shown or not', () => {
  const busy = (...options) => /^Busy: main ([\d.]+ m?s) of ([\d.]+ m?s), worker \d+ ([\d.]+ m?s) of/m.exec(report('turns.wperf', ...options));
  const [, ofMain, whole] = busy();
  assert.notEqual(ofMain, whole); // it waited for the worker
  assert.deepEqual([...busy('--show=waiting')], [...busy()]);
  assert.doesNotMatch(report('turns.wperf', '--show=wasm'), /^Busy/m);
});

test('each thread has what it did in the order in which it did it', () => {
  const { traceEvents } = JSON.parse(report('turns.wperf', '--format', 'chrome', '--show=waiting'));
  const frames = framesOf(traceEvents);
  const ids = traceEvents.filter(({ name }) => name === 'thread_name').map(({ tid }) => tid);
  const first = (tid, of) => frames.find(([id, name]) => id === tid && name === of);
  assert.equal(ids.length, 2);
  for (const tid of ids) assert(first(tid, 'early')[3] <= first(tid, 'late')[2]);
  const [inMain, inWorker] = ids;
  assert(first(inMain, 'early')[3] <= first(inWorker, 'early')[2]); // on one clock
  assert(first(inWorker, 'late')[3] <= first(inMain, 'late')[2]);
});

test('speedscope reads the same times in the same threads', (t) => {
  if (!existsSync(packageFile('speedscope'))) return t.skip('speedscope is not installed');
  for (const file of ['made.wperf', 'turns.wperf']) {
    writeFileSync(at('trace.json'), report(file, '--format', 'chrome', '--show=waiting'));
    const script = `import { importProfiles } from ${JSON.stringify(join(import.meta.dirname, '../report/readers/speedscope_app.mjs'))};
      const profiles = await importProfiles();
      console.log(JSON.stringify(profiles.map(({ functions }) => Object.fromEntries([...functions].map(([name, { self }]) => [name, Math.round(self)])))));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script, 'speedscope', at('trace.json')], { encoding: 'utf8' });
    assert.equal(stderr, '');
    const selves = JSON.parse(stdout);
    const { nodes, names, threads } = readProfile(read(file));
    const expected = threads.map(({ stretches }) => {
      const sums = {};
      for (const [span, node] of stretches) {
        const name = names.get(nodes[node].function);
        if (node !== 0 && span > 0 && name !== '(profiler)') sums[name] = (sums[name] ?? 0) + span;
      }
      return sums;
    });
    // Of several functions of one name, the format adds where they are.
    const bare = (sums) => Object.entries(sums).reduce((all, [name, self]) => {
      const own = name.replace(/ \([^()\s]+:\d+\)$/, '');
      return { ...all, [own]: (all[own] ?? 0) + self };
    }, {});
    const seen = (sums) => Object.fromEntries(Object.entries(bare(sums)).filter(([, self]) => self > 0).sort());
    assert.deepEqual(selves.map(seen), expected.map(seen), file);
  }
});
