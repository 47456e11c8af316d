/** Times that come from V8's sampling profiler, here mostly one that says what the test wants. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { assemble, at, build, importHost, instrument, read, run as runCommand, tool } from './support.mjs';
import { callCounts, readProfile } from './wperf.mjs';

const { createProfiler, sample } = await importHost('engine/profiler.mjs');
const { ThreadSampler } = await importHost('engine/thread_sampler.mjs');
const { readModuleInfo } = await importHost('engine/module_info.mjs');
const { Stack, placeTimes } = await importHost('engine/sampler.mjs');
const { encodeEmpty } = await importHost('wperf/file.mjs');
const { FUNCTION_TRUNCATED } = await importHost('wperf/format.mjs');
const runtime = readFileSync(join(build, 'wasm_perf.wasm'));

// main calls a, which calls c, and b, which calls c twice. main also has f call itself. other calls a.
assemble(
  'tree',
  `(module
    (func $plain nop)
    (func $c nop)
    (func $a (call $c) (call $plain))
    (func $b (call $c) (call $c))
    (func $f (param i32)
      (if (local.get 0) (then (call $f (i32.sub (local.get 0) (i32.const 1))))))
    (func $main (export "main") (call $a) (call $b) (call $f (i32.const 3)))
    (func $other (export "other") (call $a))
    (func $spin (export "spin") (param i32)
      (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))))`,
);
const original = read('tree.wasm');
const counting = read(instrument('tree', '--clock', 'none', '--exclude', 'plain'));
const info = readModuleInfo(original);

// ---- A profiler that says what the test wants

const INTERVAL = 100; // microseconds
const { getBuiltinModule } = process;
afterEach(() => (process.getBuiltinModule = getBuiltinModule));

const START = 7_000_000; // microseconds

const completed = (profile, start) => (Array.isArray(profile) ? profileOf(profile, start) : profile);

/** From now on, profiles of V8 are these, in this order; each whole, or a tree of [frame, hits, ...children]. */
function answerWith(...profiles) {
  const sessions = [];
  let end = START;
  const next = () => {
    const profile = completed(profiles.shift(), end);
    end = profile.endTime;
    return profile;
  };
  class Session {
    posted = [];
    connect() {
      sessions.push(this);
    }
    post(method, parameters, answer) {
      this.posted.push([method, parameters]);
      answer(null, method === 'Profiler.stop' ? { profile: next() } : {});
    }
  }
  process.getBuiltinModule = (name) => (name === 'node:inspector' ? { Session } : null);
  return sessions;
}

/** The same through the module v8, one after the other; returns what was asked of it, and how many profiles V8 takes. */
function answerDirectly(...profiles) {
  const log = { intervals: [], running: [] };
  let end = START;
  const v8 = {
    running: 0,
    setFlagsFromString() {},
    startCpuProfile({ sampleInterval }) {
      const profile = completed(profiles.shift(), end);
      const text = JSON.stringify(profile);
      end = profile.endTime;
      log.intervals.push(1000 * sampleInterval);
      log.running.push(++this.running);
      return { stop: () => (log.running.push(--this.running), text) };
    },
  };
  process.getBuiltinModule = (name) => (name === 'node:v8' ? v8 : null);
  return log;
}

/** As the protocol has it; getting started takes 5 ms. */
function profileOf(tree, startTime = START) {
  const nodes = [];
  const samples = [];
  const add = ([callFrame, hitCount, ...children]) => {
    const node = { id: nodes.length + 1, callFrame, hitCount };
    nodes.push(node);
    for (let i = 0; i < hitCount; i++) samples.push(node.id);
    if (children.length > 0) node.children = children.map(add);
    return node.id;
  };
  add(tree);
  const timeDeltas = samples.map((_, i) => (i === 0 ? 5000 : INTERVAL));
  const endTime = startTime + 5000 + samples.length * INTERVAL;
  return { nodes, samples, timeDeltas, startTime, endTime };
}

const place = (functionName, scriptId, lineNumber, columnNumber) => ({
  functionName,
  lineNumber,
  columnNumber,
  scriptId,
  url: '',
});
const root = place('(root)', '0', -1, -1);
const collector = place('(garbage collector)', '0', -1, -1);
const script = (name) => place(name, '7', 41, 8);
const foreign = (name, column = 50) => place(name, '9', 0, column);

/** A function of the module as V8 names it. */
function frame(index, { of = info, bytes = original, named = true } = {}) {
  const offset = Array.from(bytes.keys()).find((at) => of.functionAt(at) === index);
  return place(named ? of.functionName(index) : `wasm-function[${index}]`, '8', 0, offset);
}

const indexOf = (name) =>
  Array.from({ length: 30 }, (_, i) => i).find((index) => info.functionName(index) === name);
const [plain, c, a, b, f, main, other, spin] = ['plain', 'c', 'a', 'b', 'f', 'main', 'other', 'spin'].map((name) =>
  frame(indexOf(name)),
);
const wrapper = place('js-to-wasm::', '8', 0, main.columnNumber);

async function start(options = {}, bytes = counting) {
  const profiler = await createProfiler({ runtime, module: bytes, ...options });
  const { instance } = await WebAssembly.instantiate(bytes, { wasm_perf: profiler.imports });
  return { profiler, exports: instance.exports };
}

/** {"outer;inner": samples} of the stacks that have some, and the header's count of samples. */
function sampled(bytes) {
  const { header, nodes, names } = readProfile(bytes);
  const stacks = [];
  const counts = {};
  nodes.forEach((node, i) => {
    const name = names.get(node.function) ?? '?';
    stacks[i] = node.parent === 0 ? name : `${stacks[node.parent]};${name}`;
    if (node.self > 0n) counts[stacks[i]] = Number(node.self) / (INTERVAL * 1000);
  });
  return { counts, total: Number(header.clockReadCount), header };
}

/** The times of that tree with the calls of a run of main, and of what `call` calls. */
async function run(tree, { of = original, bytes = counting, call = () => {}, ...options } = {}) {
  answerWith(tree);
  const { profiler, exports } = await start({ times: sample(of).profile(), ...options }, bytes);
  exports.main();
  call(exports);
  return sampled(profiler.profile());
}

const home = pathToFileURL(join(build, 'js/')).href;

/** A sampler, and what it keeps. */
function startThread() {
  const pieces = [];
  const sampler = new ThreadSampler((json, piece) => pieces.push([json, piece]));
  sampler.start();
  return { sampler, pieces };
}

/** What wasm-perf makes of a thread's samples: {nodes, names, threads, times: {"outer;inner": samples}}. */
function readThread(pieces, { bytes = original, scope = 'program', status = 0 } = {}) {
  const of = readModuleInfo(bytes);
  const [key, start] = ['0123456789abcdef'.repeat(2), '1-0'];
  const part = `${start}.000000-${key}.wperf`;
  const samples = Buffer.concat(pieces.flatMap(([json, piece]) =>
    [`${JSON.stringify({ size: Buffer.byteLength(json), ...piece })}\n`, json, '\n'].map((text) => Buffer.from(text))));
  const facts = { hostFunctionCount: of.importCount, functionCount: of.functionCount - of.importCount, clock: 4, ticksPerSecond: 1e9 };
  const thread = {
    name: 'main', process: 1, number: 0, scope, home, samples: `${start}.samples`, size: samples.length,
    modules: [{ file: part, module: `${key}.wasm`, moved: 0 }],
  };
  mkdirSync(at('thread'), { recursive: true });
  const files = { [part]: encodeEmpty(facts), [`${key}.wasm`]: bytes, [`${start}.samples`]: samples, [`${start}.thread`]: JSON.stringify(thread) };
  for (const [name, content] of Object.entries(files)) writeFileSync(at(join('thread', name)), content);
  const made = tool('wasm-perf', ['merge', '--by-module', '-o', 'thread.wperf', at(join('thread', part)), at(join('thread', `${start}.thread`))]);
  assert.equal(made.status, status, made.stderr);
  const profile = readProfile(read('thread.wperf'));
  const pathOf = ({ function: index, parent }) => [...(parent === 0 ? [] : pathOf(profile.nodes[parent])), profile.names.get(index)];
  const timed = profile.nodes.slice(1).filter(({ self }) => self > 0n);
  return { ...profile, stderr: made.stderr, times: Object.fromEntries(timed.map((node) => [pathOf(node).join(';'), Number(node.self) / INTERVAL / 1000])) };
}

test('samples go to the nodes of their stacks', async () => {
  const { counts, total, header } = await run([root, 3,
    [script('start'), 20, [wrapper, 30, [main, 10, [a, 5, [c, 3]], [b, 0, [c, 7]]]]]]);
  assert.deepEqual(counts, { main: 10, 'main;a': 5, 'main;a;c': 3, 'main;b;c': 7 });
  assert.equal(total, 25);
  assert.deepEqual([header.clock, header.ticksPerSecond], [4, 1_000_000_000n]);
  assert.equal(header.outerHookCost, 0n);
});

test('what the host does counts for its caller, and other modules are the host', async () => {
  const { counts } = await run([root, 0,
    [main, 1, [script('log'), 4, [a, 2]], [a, 0, [foreign('wasm-function[2]'), 6, [foreign('x', 60), 1, [c, 5]]]]]]);
  assert.deepEqual(counts, { main: 5, 'main;a': 9, 'main;a;c': 5 });
});

test('garbage is collected for whom the program was at', async () => {
  const { counts, total } = await run([root, 0, [collector, 2], [main, 1, [a, 4]], [collector, 3], [script('start'), 1], [collector, 5]]);
  assert.deepEqual([counts, total], [{ main: 1, 'main;a': 4 + 3 }, 8]);
});

test('a script with one function that is not ours is not ours', async () => {
  const wrong = { ...c, functionName: 'wasm-function[99]' };
  const { counts } = await run([root, 0, [main, 4, [wrong, 2], [a, 1]]]);
  assert.deepEqual(counts, {});
});

test('a function without hooks counts for its caller', async () => {
  const { counts } = await run([root, 0, [main, 0, [a, 1, [plain, 6]]], [plain, 3]]);
  assert.deepEqual(counts, { 'main;a': 7 });
});

test('samples of the embedded runtime are nobody’s', () => {
  const bytes = read(instrument('tree', '--clock', 'sampled'));
  const of = readModuleInfo(bytes);
  const [main, a, enter] = ['main', 'a', undefined].map((name) =>
    frame(name ? indexOf(name) : of.functionCount, { of, bytes }));
  answerWith([root, 0, [main, 2, [a, 0, [enter, 50, [enter, 70]]]]]);
  const { sampler, pieces } = startThread();
  sampler.stop();
  for (const scope of ['callers', 'modules']) {
    const { header, times } = readThread(pieces, { bytes, scope });
    assert.deepEqual([times, header.clockReadCount], [{ main: 2 }, 2n]);
  }
});

test('a thread shows the whole program, modules with the cost of their callees, or modules alone', () => {
  answerWith([root, 1, [script('start'), 2, [main, 4, [script('log'), 8, [a, 16]], [collector, 0]]], [collector, 32]]);
  const { sampler, pieces } = startThread();
  sampler.stop();
  const all = { '': 1, start: 2, 'start;main': 4, 'start;main;log': 8, 'start;main;log;a': 16, 'start;main;log;a;(garbage collector)': 32 };
  const { ['']: _, ...shown } = all;
  assert.deepEqual(readThread(pieces).times, shown);
  assert.deepEqual(readThread(pieces, { scope: 'callers' }).times, { main: 12, 'main;a': 48 });
  assert.deepEqual(readThread(pieces, { scope: 'modules' }).times, { main: 4, 'main;a': 48 });
});

test('in the stacks of all functions they are the profiler’s, with what hooks call', () => {
  const bytes = read(instrument('tree', '--clock', 'sampled'));
  const of = readModuleInfo(bytes);
  const [main, a, enter] = ['main', 'a', undefined].map((name) =>
    frame(name ? indexOf(name) : of.functionCount, { of, bytes }));
  const native = place('memory.grow', '0', -1, -1);
  answerWith([root, 0, [main, 2, [enter, 50, [enter, 70, [native, 3]], [a, 4]], [native, 5]]]);
  const { sampler, pieces } = startThread();
  sampler.stop();
  assert.deepEqual(readThread(pieces, { bytes }).times, { main: 2, 'main;(profiler)': 123, 'main;a': 4, 'main;memory.grow': 5 });
});

const idle = place('(idle)', '0', -1, -1);

test('a pause is in no profile, and V8 never stops for it', () => {
  const log = answerDirectly([root, 0, [main, 3]], [root, 0, [a, 500]], [root, 0, [main, 4, [a, 5]]]);
  const { sampler, pieces } = startThread();
  sampler.pause();
  assert.deepEqual([pieces.length, readThread(pieces).times], [1, { main: 3 }]);
  sampler.start();
  sampler.stop();
  assert.deepEqual(readThread(pieces).times, { main: 3 + 4, 'main;a': 5 });
  assert.deepEqual(log.running, [1, 2, 1, 2, 1, 0]);
});

test('fewer samples are taken of a thread that idles, and of no other', () => {
  const busy = [root, 0, [idle, 900], [main, 100]];
  const log = answerDirectly(busy, [root, 0], [root, 0, [main, 1], [idle, 999]], [root, 0, [main, 1], [idle, 9]], [root, 0]);
  const { sampler, pieces } = startThread();
  assert.equal(sampler.rest(true), false);
  assert.equal(sampler.rest(true), true);
  assert.equal(sampler.rest(true), true);
  assert.equal(sampler.rest(false), false);
  sampler.stop();
  const [short, long] = log.intervals;
  assert(long > 10 * short);
  assert.deepEqual(log.intervals, [short, long, short, long, short]);
  assert.deepEqual(log.running, [1, 2, 1, 2, 1, 2, 1, 2, 1, 0]);
  assert.equal(readThread(pieces, { scope: 'modules' }).times.main, 101); // not what was on the stack when it began to rest
});

test('V8 completes a profile before the first sample of the next, which is profiling', () => {
  const later = (profile, at) => ({ ...profile, startTime: profile.startTime + at, endTime: profile.endTime + at });
  const first = profileOf([root, 0, [idle, 10]]);
  const next = later(profileOf([root, 0, [main, 3]]), first.endTime - first.startTime + 30);
  answerDirectly(first, next, [root, 0, [main, 2]], [root, 0, [main, 4]]);
  const { sampler, pieces } = startThread(); // takes V8 as long, before the program runs
  assert.equal(sampler.rest(true), true);
  sampler.pause(); // as does this, on an account of its own
  sampler.start();
  sampler.stop();
  const { nodes, names, threads } = readThread(pieces);
  const gap = INTERVAL / 2 + 30 + 5000 - INTERVAL / 2;
  const profiling = nodes.findIndex((node) => names.get(node.function) === '(profiler)');
  assert.equal(Number(nodes[profiling].self), gap * 1000);
  assert.deepEqual(threads[0].stretches.filter(([, node]) => node === profiling), [[gap, profiling]]);
});

test('a profile that begins before another one ends has only the time after that', () => {
  const first = profileOf([root, 0, [main, 10]]);
  const next = profileOf([root, 0, [a, 10]], first.endTime - 5000 - 4 * INTERVAL);
  answerDirectly(first, next, [root, 0]);
  const { sampler, pieces } = startThread();
  sampler.rest(true);
  sampler.stop();
  const { threads, times } = readThread(pieces);
  assert.deepEqual([times.main, times.a], [10, 6]);
  assert.deepEqual(threads[0].stretches.slice(0, 2).map(([span]) => span / INTERVAL), [10, 6]);
});

test('what our functions call as they write a profile is the profiler’s, also Node’s own functions', () => {
  const at = (functionName, url) => ({ functionName, scriptId: url, url, lineNumber: 1, columnNumber: 1 });
  const ours = (name) => at(name, pathToFileURL(join(build, 'js/node/register.mjs')).href);
  const write = at('writeFileSync', 'node:fs');
  answerWith([root, 0, [at('emit', 'node:events'), 1, [ours('finish'), 2, [write, 4, [ours('other'), 8, [write, 16]]]]], [ours('other'), 32, [write, 64]]]);
  const { sampler, pieces } = startThread();
  sampler.stop();
  assert.deepEqual(readThread(pieces).times, { emit: 1, 'emit;(profiler)': 30, '(profiler)': 32, writeFileSync: 64 });
});

test('the functions of Node that call our timer are the profiler’s, unless they call one of the program, too', () => {
  const at = (functionName, url = 'node:internal/timers') => ({ functionName, scriptId: url, url, lineNumber: 1, columnNumber: 1 });
  const glance = at('glance', pathToFileURL(join(build, 'js/node/idling.mjs')).href);
  const ours = [glance, 4, [at('threadCpuUsage', 'node:internal/process/per_thread'), 8, [place('threadCpuUsage', '0', -1, -1), 16]]];
  const timers = (...called) => [root, 0, [at('processTimers'), 1, [at('listOnTimeout'), 2, ...called]]];
  const timesOf = (profile) => {
    answerWith(profile);
    const { sampler, pieces } = startThread();
    sampler.stop();
    return readThread(pieces).times;
  };
  assert.deepEqual(timesOf(timers(ours)), { '(profiler)': 31 });
  assert.deepEqual(timesOf(timers(ours, [main, 32])), {
    processTimers: 1, 'processTimers;listOnTimeout': 2, 'processTimers;listOnTimeout;(profiler)': 28,
    'processTimers;listOnTimeout;main': 32,
  });
});

test('Node’s loader of modules is one frame, from one module to the next', () => {
  const at = (functionName, url) => ({ functionName, scriptId: url, url, lineNumber: 1, columnNumber: 1 });
  const [run, load, trace] = [at('run', 'node:internal/modules/esm/module_job'), at('load', 'node:internal/modules/cjs/loader'), at('trace', 'node:diagnostics_channel')];
  const [first, second] = ['first', 'second'].map((name) => at(name, `file:///${name}.cjs`));
  answerWith([root, 0, [run, 1, [load, 2, [first, 4, [load, 8, [trace, 16, [load, 32, [second, 64]]]], [trace, 128, [load, 256]]]]]]);
  const { sampler, pieces } = startThread();
  sampler.stop();
  const expected = { run: 3, 'run;first': 4, 'run;first;load': 56, 'run;first;load;second': 64, 'run;first;trace': 128, 'run;first;trace;load': 256 };
  assert.deepEqual(readThread(pieces).times, expected);
});

test('frames that V8 lost are found: the caller, the outermost ones', async () => {
  const { counts } = await run(
    [root, 0, [main, 1, [c, 3]], [b, 6, [c, 5]], [c, 4], [other, 0, [c, 7]]],
    { call: (exports) => exports.other() },
  );
  assert.deepEqual(counts, { main: 1, 'main;b;c': 3 + 5 + 4, 'main;b': 6, 'other;a;c': 7 });
});

test('recursion is where its calls are counted', async () => {
  const stack = [root, 0, [main, 0, [f, 1, [f, 2, [f, 3, [f, 4, [f, 5]]]]]]];
  const full = await run(stack);
  assert.deepEqual(full.counts, { 'main;f': 1, 'main;f;f': 2, 'main;f;f;f': 3, 'main;f;f;f;f': 4 + 5 });
  const folded = await run(stack, { recursion: 'fold' });
  assert.deepEqual(folded.counts, { 'main;f': 15 });
});

test('past the node limit nothing is lost', async () => {
  const { counts, header } = await run(
    [root, 0, [main, 1, [a, 2, [c, 3]], [b, 4, [c, 5]], [f, 6, [f, 7]]]], { nodeLimit: 4 });
  assert.deepEqual(counts, { main: 1, 'main;a': 2, '?': 3 + 4 + 5 + 6 + 7 });
  assert.equal(header.truncatedCallCount, 8n);
});

test('a stack without its outer frames is that of its function, past the limit or not', () => {
  const [outer, resumed, limited] = [1, 2, 3];
  const nodes = [[-1, 0], [outer, 0], [resumed, 1], [FUNCTION_TRUNCATED, 0], [limited, 3]];
  const times = nodes.map(() => 0);
  const stacks = new Stack();
  stacks.child(7).child(resumed).ns = 5;
  stacks.child(7).child(limited).ns = 6;
  placeTimes(stacks, {
    nodeCount: nodes.length,
    functionOf: (node) => nodes[node][0],
    parentOf: (node) => nodes[node][1],
    callsOf: () => 1,
    setSelf: (node, ns) => (times[node] = Number(ns)),
  });
  assert.deepEqual(times, [0, 0, 5, 0, 6]);
});

test('functions without names are known by where their code begins', async () => {
  assemble('unnamed', read('tree.wat').toString(), { names: false });
  const of = read('unnamed.wasm');
  const at = (index) => frame(index, { of: readModuleInfo(of), bytes: of, named: false });
  const bytes = read(instrument('unnamed', '--clock', 'none'));
  const { counts } = await run([root, 0, [at(5), 1, [at(2), 2, [at(1), 3]]]], { of, bytes });
  assert.deepEqual(counts, { main: 1, 'main;func[2]': 2, 'main;func[2];func[1]': 3 });
});

test('of time between two samples, each has the half that is nearer', () => {
  const timeDeltas = [5000, 50, 100, 150, 100, 50, 100, 1000];
  answerWith({ ...profileOf([root, 0, [main, 4, [a, 4]]]), timeDeltas, startTime: 0, endTime: 5000 + 1600 });
  const { counts } = sampled(sample(original).profile());
  const ofMain = 25 + 50 + 100 + 150 + 50; // the first, as far before it as after
  const ofA = 50 + 50 + 100 + 1000 + 50; // the last, to the end at most
  assert.deepEqual(counts, { main: ofMain / INTERVAL, 'main;a': ofA / INTERVAL });
});

test('a sample at the very end stands for no time', () => {
  answerWith({ ...profileOf([root, 0, [main, 1]]), startTime: 0, endTime: 5000 });
  const { counts, total } = sampled(sample(original).profile());
  assert.deepEqual([counts, total], [{}, 1]);
});

test('snapshots add up', () => {
  answerWith([root, 0, [main, 1]], [root, 0, [main, 2, [a, 4]]]);
  const { profile } = sample(original);
  assert.deepEqual(sampled(profile()).counts, { main: 1 });
  assert.deepEqual(sampled(profile()).counts, { main: 3, 'main;a': 4 });
});

test('the interval is the one asked for', () => {
  const sessions = answerWith();
  sample(original, { sampleInterval: 250 });
  sample(original);
  const posted = sessions.map((session) => session.posted[1]);
  assert.deepEqual(posted, [250, 700].map((interval) => ['Profiler.setSamplingInterval', { interval }]));
});

test('where Node has a shorter way to the profiler, that is taken, but not for an interval of its own', () => {
  const sessions = answerWith([root, 0, [main, 4]]);
  const inspector = process.getBuiltinModule('node:inspector');
  const flags = [];
  const v8 = {
    setFlagsFromString: (flag) => flags.push(flag),
    startCpuProfile: () => ({ stop: () => JSON.stringify(profileOf([root, 0, [main, 3, [a, 5]]])) }),
  };
  process.getBuiltinModule = (name) => (name === 'node:v8' ? v8 : inspector);
  assert.deepEqual(sampled(sample(original).profile()).counts, { main: 3, 'main;a': 5 });
  assert.deepEqual([flags, sessions], [['--cpu-profiler-sampling-interval=700'], []]);
  assert.deepEqual(sampled(sample(original, { sampleInterval: 500 }).profile()).counts, { main: 4 });
});

test('names that V8 writes without escapes are read', () => {
  const names = ['RegExp: "\\d+\n?', 'a"b', 'c"}', 'd","children":[1,1]'];
  const text = JSON.stringify(profileOf([root, 0, ...names.map((name) => [script(name), 2, [main, 3]])]));
  const raw = names.reduce((all, name) => all.replace(JSON.stringify(name), `"${name}"`), text);
  assert.throws(() => JSON.parse(raw));
  const v8 = { setFlagsFromString() {}, startCpuProfile: () => ({ stop: () => raw }) };
  process.getBuiltinModule = () => v8;
  assert.deepEqual(sampled(sample(original).profile()).counts, { main: 12 });
  const { sampler, pieces } = startThread();
  sampler.stop();
  const { times } = readThread(pieces);
  assert.deepEqual(Object.values(times), [2, 3, 2, 3, 2, 3, 2, 3]);
  assert.deepEqual(new Set(Object.keys(times).map((path) => path.split(';main')[0])), new Set(names));
});

test('a name makes no tree of V8’s in which nodes have others twice', () => {
  const nodes = Array.from({ length: 100 }, (_, i) => ({ id: i + 1, callFrame: root, children: i < 99 ? [i + 2] : [] }));
  const whole = { ...profileOf([root, 0]), nodes };
  const trees = [
    nodes.map((node) => ({ ...node, children: [...node.children, ...node.children] })), // 2^99 ways
    nodes.map((node) => ({ ...node, children: node.id < 100 ? node.children : [50] })),
    [...nodes, nodes[99]],
    nodes.map((node) => ({ ...node, children: [...node.children, 1000] })),
    [],
  ];
  answerWith(whole, ...trees.map((tree) => ({ ...whole, nodes: tree })));
  assert.deepEqual(sampled(sample(original).profile()).counts, {});
  for (const _ of trees) assert.throws(() => sample(original).profile(), /V8's samples do not form a tree/);
  for (const tree of trees) {
    const [good, bad] = [whole, { ...whole, nodes: tree }].map((profile) => [JSON.stringify(profile), { next: false, idle: false, raw: false }]);
    assert.match(readThread([good, bad]).stderr, /^wasm-perf: .*1-0\.samples: times are lost: V8's samples do not form a tree\n$/);
  }
  // The node that was being written ends in the name, and others follow.
  const name = 'x","lineNumber":0,"columnNumber":0,"scriptId":0,"url":""},"children":[2,2]},{"id":2,"callFrame":{"functionName":"y';
  const text = JSON.stringify(profileOf([script('x'), 0, [main, 3]])).replace('"x"', `"${name}"`);
  const v8 = { setFlagsFromString() {}, startCpuProfile: () => ({ stop: () => text }) };
  process.getBuiltinModule = () => v8;
  assert.throws(() => sample(original).profile(), /V8's samples do not form a tree/);
});

test('times of a run without hooks go to the calls of another', async () => {
  answerWith([root, 0, [main, 1, [b, 2, [c, 3], [spin, 4]], [f, 5, [f, 6]]]]);
  const times = sample(original).profile();
  const sampledApart = { main: 1, 'main;b': 2, 'main;b;c': 3, 'main;b;spin': 4, 'main;f': 5, 'main;f;f': 6 };
  assert.deepEqual(sampled(times).counts, sampledApart);
  assert.equal(sampled(times).total, 21);
  assert.ok(readProfile(times).nodes.every((node) => node.calls === 0n));

  delete sampledApart['main;b;spin']; // which was not called this time
  const { profiler, exports } = await start({ times });
  exports.main();
  const profile = profiler.profile();
  assert.deepEqual(sampled(profile).counts, { ...sampledApart, 'main;b': 2 + 4 });
  assert.equal(sampled(profile).total, 21);
  assert.equal(sampled(profile).header.innerHookCost, 0n);
  assert.equal(callCounts(profile)['main;b;c'], 2);
  assert.deepEqual(sampled(profiler.profile()).counts, sampled(profile).counts);
});

test('whether functions were inlined is what the run without hooks says', async () => {
  for (const uninlined of [true, false]) {
    answerWith([root, 0, [main, 1]]);
    const times = sample(original, { uninlined }).profile();
    const { profiler, exports } = await start({ times });
    exports.main();
    for (const bytes of [times, profiler.profile()])
      assert.equal(readProfile(bytes).header.uninlined ?? 0n, uninlined ? 1n : 0n);
  }
});

test('what cannot have times of another run', async () => {
  answerWith([root, 0]);
  const times = sample(original).profile();
  const bytes = read(instrument('tree', '--clock', 'wall'));
  await assert.rejects(createProfiler({ runtime, module: bytes, times }),
    /^TypeError: times of another run cannot be used with the clock 'wall'$/);
  await assert.rejects(createProfiler({ runtime, clock: 'none', times }), /need the module/);
  const { profiler } = await start({ times: read('tree.wasm') });
  assert.throws(() => profiler.profile(), /^TypeError: not a \.wperf file of this version$/);
  const counted = await start({ clock: 'none' });
  const { profiler: other } = await start({ times: counted.profiler.profile() });
  assert.throws(() => other.profile(), /^TypeError: the times are not from a sampled run$/);
});

test('functions without hooks are shown below hooked ones, and their callees are counted there, too', () => {
  // 1 calls 2 and 3; 8 and 9 have no hooks, and 9 is called by both 8 and the host.
  const nodes = [{}, { index: 1, parent: 0, calls: 1 }, { index: 2, parent: 1, calls: 5 }, { index: 3, parent: 1, calls: 9 }];
  const selfs = new Map();
  const tree = {
    get nodeCount() {
      return nodes.length;
    },
    functionOf: (node) => nodes[node].index,
    parentOf: (node) => nodes[node].parent,
    callsOf: (node) => nodes[node].calls,
    setSelf: (node, ns) => selfs.set(node, Number(ns)),
    addUncounted: (index, parent) => nodes.push({ index, parent, calls: 0 }) - 1,
  };
  const stacks = new Stack();
  const add = (ns, ...path) => (path.reduce((stack, index) => stack.child(index), stacks).ns += ns);
  add(10, 1);
  add(20, 1, 2);
  add(30, 1, 8);
  add(40, 1, 8, 9);
  add(50, 1, 8, 9, 3); // 3 was called by 1, as its hooks see it
  add(60, 1, 2, 8);
  add(70, 9);
  add(80, 9, 1);
  placeTimes(stacks, tree, new Set([1, 2, 3]));
  const pathOf = (node) => (node === 0 ? [] : [...pathOf(nodes[node].parent), nodes[node].index]);
  const placed = Object.fromEntries([...selfs].map(([node, ns]) => [pathOf(node).join(), ns]));
  assert.deepEqual(placed, { 1: 90, '1,2': 20, '1,3': 50, '1,8': 30, '1,8,9': 40, '1,2,8': 60, 9: 70 });
});

test("an error of V8's profiler is passed on", () => {
  process.getBuiltinModule = () => ({
    Session: class {
      connect() {}
      post(method, parameters, answer) {
        answer({ message: 'no' });
      }
    },
  });
  assert.throws(() => sample(original), /^Error: Profiler.enable: no$/);
});

for (const [way, options] of [['from Node’s module v8', {}], ['from the inspector', { sampleInterval: 500 }]]) {
  test(`V8 itself samples, ${way}`, async () => {
    const { profile } = sample(original, options);
    const { instance } = await WebAssembly.instantiate(original);
    instance.exports.spin(400_000_000);
    const { counts, total } = sampled(profile());
    assert.ok(total > 0);
    assert.ok(counts.spin > 0);
  });
}

test('nothing but Node samples', () => {
  process.getBuiltinModule = undefined;
  assert.throws(() => sample(original), /sampling needs Node 20\.16 or newer/);
});

/** Runs a program that ends with 0 once its thread is taken for idle. */
function becomesIdle(text) {
  const script = `
    import { readFile } from 'node:fs';
    const { ignoreOwnWork, watchIdling } = await import(${JSON.stringify(pathToFileURL(join(build, 'js/node/idling.mjs')).href)});
    watchIdling((isIdle) => process.exit(isIdle ? 0 : 1));
    ${text}
    setTimeout(() => process.exit(2), 600_000);`;
  return runCommand(process.execPath, ['--input-type=module', '--eval', script]).status;
}

const skipOld = { skip: !process.threadCpuUsage && 'needs Node 23.9' };

test('a thread that only answers our requests is idle', skipOld, () => {
  assert.equal(becomesIdle("setInterval(() => { ignoreOwnWork(); readFile(process.execPath + '.none', () => {}); }, 500);"), 0);
});

test('a thread with many events that take no time is idle', skipOld, () => {
  assert.equal(becomesIdle("setInterval(() => readFile(process.execPath + '.none', () => {}), 20);"), 0);
});
