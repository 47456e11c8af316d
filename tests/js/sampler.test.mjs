/** Times that come from V8's sampling profiler, here mostly one that says what the test wants. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { codeOffsets } from '../support/code_offsets.mjs';
import { assemble, at, build, importHost, instrument, read, run as runCommand, tool } from './support.mjs';
import { readProfile, writeProfile } from './wperf.mjs';

const { createProfiler } = await importHost('engine/profiler.mjs');
const { ThreadSampler } = await importHost('engine/thread_sampler.mjs');
const { encodePiece } = await importHost('wperf/piece.mjs');
const { readModuleInfo } = await importHost('engine/module_info.mjs');
const { takeFile } = await importHost('engine/embedded.mjs');
const { encodeEmpty, withFacts } = await importHost('wperf/file.mjs');
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
const counting = read(instrument('tree', '--embed', '--clock', 'none', '--exclude', 'plain', '--recursion', 'full'));
const info = readModuleInfo(counting);

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
function frame(index, { of = info, bytes = counting, named = true } = {}) {
  const offset = codeOffsets(bytes)[index - of.importCount];
  return place(named ? of.functionName(index) : `wasm-function[${index}]`, '8', 0, offset);
}

const NAMES = ['plain', 'c', 'a', 'b', 'f', 'main', 'other', 'spin'];

/** The frames of these functions of a module. */
function framesOf(bytes) {
  const of = readModuleInfo(bytes);
  const indexOf = (name) => Array.from({ length: 30 }, (_, i) => i).find((index) => of.functionName(index) === name);
  return Object.fromEntries(NAMES.map((name) => [name, frame(indexOf(name), { of, bytes })]));
}

const { plain, c, a, b, f, main, other, spin } = framesOf(counting);
const indexOf = (name) => Array.from({ length: 30 }, (_, i) => i).find((index) => info.functionName(index) === name);
const wrapper = place('js-to-wasm::', '8', 0, main.columnNumber);

/** The profile of a module that counts calls, in which `call` is called. */
function countCalls(bytes, call) {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  call(instance.exports);
  return takeFile(instance);
}

/** The same of the linked form. */
async function countLinked(bytes, options, call) {
  const profiler = await createProfiler({ runtime, module: bytes, clock: 'none', ...options });
  const { instance } = await WebAssembly.instantiate(bytes, { wasm_perf: profiler.imports });
  call(instance.exports);
  return profiler.profile();
}

/** The times of that tree with the calls in a profile, by default of a run of main and of what `call` calls: see readThread. */
function run(tree, { bytes = counting, call = () => {}, counted, ...options } = {}) {
  answerWith(tree);
  const { sampler, pieces } = startThread();
  sampler.stop();
  const calls = ({ exports = {}, ...all }) => (all.main(), call(all), exports);
  return readThread(pieces, { bytes, scope: 'callers', counted: counted ?? countCalls(bytes, calls), ...options });
}

const home = pathToFileURL(join(build, 'js/')).href;

/** A sampler, and what it keeps. */
function startThread() {
  const pieces = [];
  const sampler = new ThreadSampler((json, piece) => pieces.push([json, piece]));
  sampler.start();
  return { sampler, pieces };
}

const SAMPLED = { clock: 4, ticksPerSecond: 1e9 };

/** A profile of the module without calls. */
const withoutCalls = ({ importCount, functionCount }) =>
  encodeEmpty({ hostFunctionCount: importCount, functionCount: functionCount - importCount, ...SAMPLED });

/**
 * What wasm-perf makes of a thread's samples: {nodes, names, threads, times: {"outer;inner": samples}, total: number of
 * samples}. `counted` is a profile with calls.
 */
function readThread(pieces, { bytes = counting, scope = 'program', status = 0, counted, runtimeBytes } = {}) {
  const [key, start] = ['0123456789abcdef'.repeat(2), '1-0'];
  const part = `${start}.000000-${key}.wperf`;
  const samples = Buffer.concat(pieces.map(([json, piece]) => encodePiece(json, piece)));
  const others = runtimeBytes ? [{ file: '', module: 'runtime.wasm', runtime: true }] : [];
  const thread = {
    name: 'main', process: 1, number: 0, scope, home, samples: `${start}.samples`, size: samples.length,
    modules: [{ file: part, module: `${key}.wasm`, moved: 0 }, ...others],
  };
  mkdirSync(at('thread'), { recursive: true });
  const profile = counted ? Buffer.concat(withFacts(Uint8Array.from(counted), SAMPLED)) : withoutCalls(readModuleInfo(bytes));
  const files = { [part]: profile, [`${key}.wasm`]: bytes, [`${start}.samples`]: samples, [`${start}.thread`]: JSON.stringify(thread) };
  if (runtimeBytes) files['runtime.wasm'] = runtimeBytes;
  for (const [name, content] of Object.entries(files)) writeFileSync(at(join('thread', name)), content);
  const made = tool('wasm-perf', ['merge', '--by-module', '-o', 'thread.wperf', at(join('thread', part)), at(join('thread', `${start}.thread`))]);
  assert.equal(made.status, status, made.stderr);
  const joined = readProfile(read('thread.wperf'));
  const pathOf = ({ function: index, parent }) => [...(parent === 0 ? [] : pathOf(joined.nodes[parent])), joined.names.get(index) ?? '?'];
  const timed = joined.nodes.slice(1).filter(({ self }) => self > 0n);
  const times = Object.fromEntries(timed.map((node) => [pathOf(node).join(';'), Number(node.self) / INTERVAL / 1000]));
  return { ...joined, bytes: read('thread.wperf'), stderr: made.stderr, times, total: Number(joined.header.clockReadCount) };
}

test('samples go to the nodes of their stacks', () => {
  const { times, total, header } = run([root, 3,
    [script('start'), 20, [wrapper, 30, [main, 10, [a, 5, [c, 3]], [b, 0, [c, 7]]]]]]);
  assert.deepEqual(times, { main: 10, 'main;a': 5, 'main;a;c': 3, 'main;b;c': 7 });
  assert.equal(total, 25);
  assert.deepEqual([header.clock, header.ticksPerSecond], [4, 1_000_000_000n]);
  assert.equal(header.outerHookCost, 0n);
});

test('what the host does counts for its caller, and other modules are the host', () => {
  const { times } = run([root, 0,
    [main, 1, [script('log'), 4, [a, 2]], [a, 0, [foreign('wasm-function[2]'), 6, [foreign('x', 60), 1, [c, 5]]]]]]);
  assert.deepEqual(times, { main: 5, 'main;a': 9, 'main;a;c': 5 });
});

test('garbage is collected for whom the program was at', () => {
  const { times, total } = run([root, 0, [collector, 2], [main, 1, [a, 4]], [collector, 3], [script('start'), 1], [collector, 5]]);
  assert.deepEqual([times, total], [{ main: 1, 'main;a': 4 + 3 }, 8]);
});

test('a script with one function that is not ours is not ours', async () => {
  const wrong = { ...c, functionName: 'wasm-function[99]' };
  const { times } = run([root, 0, [main, 4, [wrong, 2], [a, 1]]]);
  assert.deepEqual(times, {});
});

test('a function without hooks is shown below its caller', () => {
  const { times } = run([root, 0, [main, 0, [a, 1, [plain, 6]]], [plain, 3]]);
  assert.deepEqual(times, { 'main;a': 1, 'main;a;plain': 6, plain: 3 });
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

test('frames that V8 lost are found: the caller, the outermost ones', () => {
  const { times } = run(
    [root, 0, [main, 1, [c, 3]], [b, 6, [c, 5]], [c, 4], [other, 0, [c, 7]]],
    { call: (exports) => exports.other() },
  );
  assert.deepEqual(times, { main: 1, 'main;b;c': 3 + 5 + 4, 'main;b': 6, 'other;a;c': 7 });
});

test('recursion is where its calls are counted', () => {
  const stack = [root, 0, [main, 0, [f, 1, [f, 2, [f, 3, [f, 4, [f, 5]]]]]]];
  assert.deepEqual(run(stack).times, { 'main;f': 1, 'main;f;f': 2, 'main;f;f;f': 3, 'main;f;f;f;f': 4 + 5 });
  const folding = read(instrument('tree', '--embed', '--clock', 'none', '--recursion', 'fold'));
  const inFolding = framesOf(folding);
  const folded = [root, 0, [inFolding.main, 0, [inFolding.f, 1, [inFolding.f, 2, [inFolding.f, 3]]]]];
  assert.deepEqual(run(folded, { bytes: folding }).times, { 'main;f': 6 });
});

test('past the node limit nothing is lost', async () => {
  const linked = read(instrument('tree', '--clock', 'none'));
  const { main, a, b, c, f } = framesOf(linked);
  const counted = await countLinked(linked, { nodeLimit: 4 }, (exports) => exports.main());
  const { times, header } = run([root, 0, [main, 1, [a, 2, [c, 3]], [b, 4, [c, 5]], [f, 6, [f, 7]]]], { bytes: linked, counted });
  assert.deepEqual(times, { main: 1, 'main;a': 2, '?': 3 + 4 + 5 + 6 + 7 });
  assert.equal(header.truncatedCallCount, 9n); // all but those of main and a
});

test('a stack without its outer frames is that of its function, past the limit or not', () => {
  const [resumed, limited] = ['a', 'b'].map(indexOf);
  const node = (index, parent) => ({ function: index, parent, calls: 1, self: 0 });
  const nodes = [node(indexOf('main'), 0), node(resumed, 1), node(FUNCTION_TRUNCATED, 0), node(limited, 3)];
  const counted = writeProfile(nodes, [], { functionCounts: [8, 8] });
  const { times } = run([root, 0, [c, 0, [a, 5], [b, 6]]], { counted });
  assert.deepEqual(times, { 'main;a': 5, '?;b': 6 });
});

test('functions without names are known by where their code begins', () => {
  assemble('unnamed', read('tree.wat').toString(), { names: false });
  const bytes = read(instrument('unnamed', '--embed', '--clock', 'none'));
  const at = (index) => frame(index, { of: readModuleInfo(bytes), bytes, named: false });
  const { times } = run([root, 0, [at(5), 1, [at(2), 2, [at(1), 3]]]], { bytes });
  assert.deepEqual(times, { main: 1, 'main;func[2]': 2, 'main;func[2];func[1]': 3 });
});

/** The samples of one profile of V8. */
function timesOf(profile) {
  answerWith(profile);
  const { sampler, pieces } = startThread();
  sampler.stop();
  return readThread(pieces.map(([json, { cpu: _, ...piece }]) => [json, piece]), { scope: 'callers' }); // without times of a processor
}

test('of time between two samples, each has the half that is nearer', () => {
  const timeDeltas = [5000, 50, 100, 150, 100, 50, 100, 1000];
  const { times } = timesOf({ ...profileOf([root, 0, [main, 4, [a, 4]]]), timeDeltas, startTime: 0, endTime: 5000 + 1600 });
  const ofMain = 25 + 50 + 100 + 150 + 50; // the first, as far before it as after
  const ofA = 50 + 50 + 100 + 1000 + 50; // the last, to the end at most
  assert.deepEqual(times, { main: ofMain / INTERVAL, 'main;a': ofA / INTERVAL });
});

test('a sample at the very end stands for no time', () => {
  const { times, total } = timesOf({ ...profileOf([root, 0, [main, 1]]), startTime: 0, endTime: 5000 });
  assert.deepEqual([times, total], [{}, 1]);
});

test('the interval is ours', () => {
  const sessions = answerWith([root, 0]);
  startThread();
  assert.deepEqual(sessions[0].posted[1], ['Profiler.setSamplingInterval', { interval: 700 }]);
});

test('where Node has a shorter way to the profiler, that is taken', () => {
  const sessions = answerWith([root, 0, [main, 4]]);
  const inspector = process.getBuiltinModule('node:inspector');
  const flags = [];
  const v8 = {
    setFlagsFromString: (flag) => flags.push(flag),
    startCpuProfile: () => ({ stop: () => JSON.stringify(profileOf([root, 0, [main, 3, [a, 5]]])) }),
  };
  process.getBuiltinModule = (name) => (name === 'node:v8' ? v8 : inspector);
  const { sampler, pieces } = startThread();
  sampler.stop();
  assert.deepEqual(readThread(pieces).times, { main: 3, 'main;a': 5 });
  assert.deepEqual([flags, sessions], [['--cpu-profiler-sampling-interval=700'], []]);
});

test('names that V8 writes without escapes are read', () => {
  const names = ['RegExp: "\\d+\n?', 'a"b', 'c"}', 'd","children":[1,1]'];
  const text = JSON.stringify(profileOf([root, 0, ...names.map((name) => [script(name), 2, [main, 3]])]));
  const raw = names.reduce((all, name) => all.replace(JSON.stringify(name), `"${name}"`), text);
  assert.throws(() => JSON.parse(raw));
  const v8 = { setFlagsFromString() {}, startCpuProfile: () => ({ stop: () => raw }) };
  process.getBuiltinModule = () => v8;
  const { sampler, pieces } = startThread();
  sampler.stop();
  assert.deepEqual(readThread(pieces, { scope: 'callers' }).times, { main: 12 });
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
  for (const tree of trees) {
    const [good, bad] = [whole, { ...whole, nodes: tree }].map((profile) => [JSON.stringify(profile), { next: false, idle: false, raw: false }]);
    assert.match(readThread([good, bad]).stderr, /^wasm-perf: .*1-0\.samples: times are lost: V8's samples do not form a tree\n$/);
  }
  // The node that was being written ends in the name, and others follow.
  const name = 'x","lineNumber":0,"columnNumber":0,"scriptId":0,"url":""},"children":[2,2]},{"id":2,"callFrame":{"functionName":"y';
  const text = JSON.stringify(profileOf([script('x'), 0, [main, 3]])).replace('"x"', `"${name}"`);
  const { stderr } = readThread([[text, { next: false, idle: false, raw: true }]]);
  assert.match(stderr, /times are lost: V8's samples do not form a tree/);
});

test('whether functions were inlined is what the profile with calls says', () => {
  for (const uninlined of [0, 1]) {
    const counted = countCalls(counting, (exports) => exports.main());
    const { header } = run([root, 0, [main, 1]], { counted: Buffer.concat(withFacts(counted, { uninlined })) });
    assert.equal(Number(header.uninlined ?? 0), uninlined);
  }
});

test('functions without hooks are shown below hooked ones, and their callees are counted there, too', () => {
  const few = read(instrument('tree', '--embed', '--clock', 'none', '--only=main', '--only=a', '--only=b'));
  const { main, a, b, c, f, other } = framesOf(few);
  const tree = [root, 0, [main, 10, [a, 20, [f, 60]], [c, 30, [f, 40, [b, 50]]]], [other, 70, [main, 80]]];
  const { times, uncounted, names } = run(tree, { bytes: few });
  assert.deepEqual(times, {
    main: 90, 'main;a': 20, 'main;a;f': 60, 'main;b': 50, 'main;c': 30, 'main;c;f': 40, other: 70,
  });
  assert.deepEqual([...uncounted].map((index) => names.get(index)).sort(), ['c', 'f', 'other']);
});

test('time in the linked form’s runtime is that of hooks, not of their callers', async () => {
  const linked = read(instrument('tree', '--clock', 'none'));
  const { main, a } = framesOf(linked);
  const hook = { ...frame(readModuleInfo(runtime).importCount + 3, { of: readModuleInfo(runtime), bytes: runtime }), scriptId: '10' };
  const counted = await countLinked(linked, {}, (exports) => exports.main());
  const tree = [root, 0, [main, 1, [hook, 2, [place('memory.grow', '0', -1, -1), 4]], [a, 8, [hook, 16]]]];
  const { times, header } = run(tree, { bytes: linked, counted, runtimeBytes: runtime });
  assert.deepEqual(times, { main: 1, 'main;a': 8 });
  assert.equal(Number(header.linkedTime), 18 * INTERVAL * 1000);
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
  assert.throws(() => startThread(), /^Error: Profiler.enable: no$/);
});

for (const way of ['node:v8', 'node:inspector']) {
  test(`V8 itself samples, from ${way}`, () => {
    process.getBuiltinModule = (name) => (name === way ? getBuiltinModule(name) : undefined);
    const { sampler, pieces } = startThread();
    const instance = new WebAssembly.Instance(new WebAssembly.Module(counting));
    instance.exports.spin(400_000_000);
    sampler.stop();
    const { times, total } = readThread(pieces, { scope: 'modules', counted: takeFile(instance) });
    assert.ok(total > 0);
    assert.ok(times.spin > 0);
  });
}

test('nothing but Node samples', () => {
  process.getBuiltinModule = undefined;
  assert.throws(() => startThread(), /sampling needs Node 20\.16 or newer/);
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
