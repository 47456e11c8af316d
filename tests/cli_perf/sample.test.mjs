/** wasm-perf record --no-hooks: times of a run without hooks; and --times, which attributes them to the calls of another. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import * as programs from '../js/programs.mjs';
import { assemble, at, instrument, read, run, tool } from '../js/support.mjs';
import { callCounts, readProfile, writeProfile } from '../js/wperf.mjs';
import { noWasmtime } from '../support/tools.mjs';

for (const [name, text] of Object.entries(programs)) assemble(name, text);
const temporary = at('temporary');
mkdirSync(temporary);
process.env.TMPDIR = temporary;

const perf = (...args) => tool('wasm-perf', args);

// Beside the host's function that it imports: twice the call of work, one of which takes long.
const spins = `(module
    (import "wasi_snapshot_preview1" "sched_yield" (func $yield (result i32)))
    (memory (export "memory") 1)
    (func $spin (param i32)
      (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))
    (func $work (param i32) (call $spin (local.get 0)) (drop (call $yield)))
    (func (export "_start") (call $work (i32.const 1)) (call $work (i32.const 300000000))))`;
assemble('spins', spins);
assemble('bare', spins, { names: false });
const SPIN = 1, WORK = 2, START = 3; // before it is instrumented
const calls = { _start: 1, '_start;work': 2, '_start;work;spin': 2 };
const HOST = 'wasi_snapshot_preview1.sched_yield';
const callsWithHost = { ...calls, [`_start;work;${HOST}`]: 2 };

test('a module as it is: its stacks, their time and no calls', () => {
  const { status, stdout: written, stderr } = perf('record', '--no-hooks', '-o', 'spins.wperf', 'spins.wasm');
  assert.deepEqual([status, written, stderr], [0, '', '']);
  const { header, nodes, names } = readProfile(read('spins.wperf'));
  assert.deepEqual([header.clock, header.ticksPerSecond, header.hostFunctionCount], [4, 1_000_000_000n, 1]);
  assert.ok(header.clockReadCount > 0n);
  assert.ok(nodes.every((node) => node.calls === 0n));
  const spin = nodes.find((node) => node.function === SPIN);
  assert.ok(spin.self > 0n);
  assert.equal(names.get(SPIN), 'spin');
  const { stdout } = perf('report', 'spins.wperf');
  assert.match(stdout, / \(sampled\), (\d+ % of [\d.]+ m?s, )?0 calls, /);
  assert.match(stdout, /^Times are from [\d,]+ samples?: .* ± [\d.]+ %; calls were not counted$/m);
});

test('a report of samples is a page by default, and may have any format', () => {
  assert.deepEqual([perf('record', '--no-hooks', 'spins.wasm').status, existsSync(at('spins.html'))], [0, true]);
  assert.equal(perf('record', '--no-hooks', '-o', 'spins.folded', 'spins.wasm').status, 0);
  assert.match(String(read('spins.folded')), /^_start;work;spin \d+$/m);
});

test('a stripped module has its names from another build', () => {
  const folded = (...args) => {
    const { status, stderr } = perf('record', '--no-hooks', ...args, 'bare.wasm', '-o', 'bare.wperf');
    assert.deepEqual([status, stderr], [0, '']);
    return perf('report', '-f', 'folded', 'bare.wperf').stdout;
  };
  assert.match(folded(), /^_start;func\[2\] calls sched_yield;func\[1\] \d+$/m);
  assert.match(folded('--symbols', 'spins.wasm'), /^_start;~work;~spin \d+$/m);
});

test('streams and exit code are the program’s', () => {
  const result = perf('record', '--no-hooks', '-o', 'a.wperf', 'exits.wasm');
  assert.equal(result.status, tool('wasm-perf', ['record', '-o', 'b.wperf', 'exits.wasm']).status);
  assert.notEqual(result.status, 0);
  assert.ok(existsSync(at('a.wperf')));
});

test('--no-inlining is refused where it would do nothing', { skip: noWasmtime }, () => {
  for (const command of [['record', '--no-hooks'], ['record', '--clock=none']]) {
    const { status, stderr } = perf(...command, '--engine', 'wasmtime', '--no-inlining', 'spins.wasm');
    assert.deepEqual([status, stderr], [1, 'wasm-perf: spins.wasm: --no-inlining needs --engine node\n']);
  }
});

test('--no-inlining keeps V8 from inlining, or prints that it cannot', () => {
  const env = withOldNode('process.execve = undefined;');
  const message = `wasm-perf: Node.js ${process.version} cannot be kept from inlining functions: --no-inlining has no effect\n`;
  const note = 'If the engine inlined a function, its time is charged to its caller';
  for (const [options, settings, expected] of [
    [['--no-inlining'], {}, { stderr: '', isNoted: false }],
    [['--no-inlining'], { env }, { stderr: message, isNoted: true }],
    [[], { env }, { stderr: '', isNoted: true }],
  ]) {
    const { status, stderr } = tool('wasm-perf', ['record', '--no-hooks', ...options, '-o', 'a.wperf', 'spins.wasm'], settings);
    const isNoted = perf('top', 'a.wperf').stdout.includes(note);
    assert.deepEqual([status, { stderr, isNoted }], [0, expected]);
  }
});

/** What sample would have written: stacks and their time, by function before it was instrumented. */
function writeTimes(name, options, names = []) {
  const stacks = [
    { function: START, parent: 0, calls: 0, self: 10 },
    { function: WORK, parent: 1, calls: 0, self: 200 },
    { function: SPIN, parent: 2, calls: 0, self: 3000 },
  ];
  writeFileSync(at(name), writeProfile(stacks, names, { clock: 4, hostFunctionCount: 1, ...options }));
}

/** {"outer;inner": ns} and the calls of the profile. */
function contents() {
  const bytes = read('c.wperf');
  const { header, nodes, names } = readProfile(bytes);
  assert.deepEqual([header.clock, header.innerHookCost, header.hooksSampled], [4, 0n, undefined]);
  const self = nodes.slice(1).map((node) => [names.get(node.function), Number(node.self)]);
  return { self: Object.fromEntries(self), calls: callCounts(bytes) };
}

for (const options of [['--clock', 'none'], []])
  test(`--times: the calls of this run, the times of that one: ${options.join(' ')}`, () => {
    writeTimes('t.wperf');
    const { status, stderr } = perf('record', ...options, '--times', 't.wperf', 'spins.wasm', '-o', 'c.wperf');
    assert.deepEqual([status, stderr], [0, '']);
    assert.deepEqual(contents(), { self: { _start: 10, work: 200, spin: 3000, [HOST]: 0 }, calls: callsWithHost });
  });

test('--times of a module whose functions had no names then', () => {
  writeTimes('stripped.wperf', {}, [[SPIN, 'func[1]'], [WORK, 'func[2]'], [START, 'func[3]']]);
  const { status, stderr } = perf('record', '--times', 'stripped.wperf', 'spins.wasm', '-o', 'c.wperf');
  assert.deepEqual([status, stderr], [0, '']);
  assert.deepEqual(contents(), { self: { _start: 10, work: 200, spin: 3000, [HOST]: 0 }, calls: callsWithHost });
});

test('--times over calls of some functions: the others have times, and no calls', () => {
  writeTimes('named.wperf', {}, [[SPIN, 'spin'], [WORK, 'work'], [START, '_start']]);
  const { status, stderr } = perf('record', '--only=spin', '--times=named.wperf', 'spins.wasm', '-o', 'c.wperf');
  assert.deepEqual([status, stderr], [0, '']);
  const { nodes, names, uncounted } = readProfile(read('c.wperf'));
  const rows = nodes.slice(1).map((node) => [names.get(node.function), node.parent, Number(node.calls), Number(node.self)]);
  assert.deepEqual(rows, [['spin', 0, 2, 3000], ['_start', 0, 0, 10], ['work', 2, 0, 200]]);
  assert.deepEqual([...uncounted].map((index) => names.get(index)), ['work', '_start']);
});

test('--times of a module with hooks that are imports, and of calls that have frames of the host between them', () => {
  writeTimes('t.wperf');
  instrument('spins', '--clock', 'none', '--host-calls');
  const { status, stderr } = perf('record', '--times=t.wperf', '-o', 'c.wperf', 'spins.prof.wasm');
  assert.deepEqual([status, stderr], [0, '']);
  const { self, calls } = contents();
  assert.deepEqual(self, { _start: 10, work: 200, spin: 3000, [HOST]: 0 });
  assert.equal(calls[`_start;work;${HOST}`], 2);
});

const misused = (message, ...args) => {
  const { status, stderr } = perf(...args);
  assert.deepEqual([status, stderr.split('\n')[0]], [2, `wasm-perf record: ${message}`]);
};

const refused = (pattern, ...args) => {
  const { status, stderr } = perf(...args);
  assert.equal(status, 1);
  assert.match(stderr, pattern);
  assert(!existsSync(at('none.wperf')));
  assert.deepEqual(readdirSync(temporary), []);
};

/** The stacks above as other profilers write them, each with 10, 200 and 3000 ms, and 4 % that no function matches. */
const MS = 1e6;
const FOREIGN = 134;
const cpuprofile = JSON.stringify({
  nodes: [
    { id: 9, callFrame: { functionName: '(root)', url: '', scriptId: '0' }, children: [1, 7] },
    { id: 1, callFrame: { functionName: 'main', url: 'file:///app.js' }, children: [2] },
    { id: 2, callFrame: { functionName: 'wasm-function[3]', url: 'wasm://wasm/1' }, children: [3, 6], hitCount: 10 },
    { id: 3, callFrame: { functionName: 'work', url: 'wasm://wasm/1' }, children: [4] },
    { id: 4, callFrame: { functionName: 'spin', url: 'wasm://wasm/1' }, children: [5] },
    { id: 5, callFrame: { functionName: 'log', url: 'file:///app.js' } },
    { id: 6, callFrame: { functionName: 'unknown', url: 'wasm://wasm/1' } },
    { id: 7, callFrame: { functionName: '(garbage collector)', url: '' } },
    { id: 8, callFrame: { functionName: 'spin', url: 'wasm://wasm/1' }, children: [8] },
  ],
  startTime: 0,
  endTime: 1000 + 3494000, // of which half a second is the host's
  samples: [2, 3, 4, 5, 7, 6, 1].flatMap((id, i) => Array([10, 200, 2500, 400, 100, FOREIGN, 150][i]).fill(id)),
  timeDeltas: [1000],
});
/** The same in pieces, as DevTools' Performance panel traces it, among others and with a thread without WebAssembly. */
const trace = (() => {
  const { nodes, samples, timeDeltas, startTime, endTime } = JSON.parse(cpuprofile);
  const parentOf = (id) => nodes.find(({ children }) => children?.includes(id))?.id;
  const flat = nodes.map(({ id, callFrame }) => ({ id, callFrame, parent: parentOf(id) }));
  const cut = (list, from, to) => list.slice(from * list.length, to * list.length);
  const chunk = (from, to, more) => ({
    name: 'ProfileChunk', ph: 'P', id: '0x1', pid: 7, tid: 9,
    args: { data: { cpuProfile: { nodes: cut(flat, from, to), samples: cut(samples, from, to) }, timeDeltas: cut(timeDeltas, from, to), ...more } },
  });
  const other = { cpuProfile: { nodes: [{ id: 1, callFrame: { functionName: 'spin', url: 'file:///other.js' } }], samples: [1, 1] } };
  return JSON.stringify({
    traceEvents: [
      { name: 'thread_name', ph: 'M', pid: 7, tid: 8, args: { name: 'CrRendererMain' } },
      { name: 'Profile', ph: 'P', id: '0x1', pid: 7, tid: 8, args: { data: { startTime } } },
      { name: 'FunctionCall', ph: 'X', pid: 7, tid: 8, dur: 3 },
      chunk(0, 0.5),
      { name: 'ProfileChunk', ph: 'P', id: '0x1', pid: 6, tid: 9, args: { data: other } },
      chunk(0.5, 1, { endTime }),
    ],
  });
})();
const guest = JSON.stringify({
  meta: { interval: 1 },
  threads: [
    {
      stringArray: ['<wasm function 3>', 'work', 'spin', 'unknown'],
      funcTable: { name: [0, 1, 2, 3] },
      frameTable: { func: [0, 1, 2, 2, 3] },
      stackTable: { prefix: [null, 0, 1, 1, 0], frame: [0, 1, 2, 3, 4] },
      samples: { stack: [0, 1, 2, 3, 4, null], weight: [10, 200, 1000, 2000, FOREIGN, 7], weightType: 'samples' },
    },
  ],
});
const perfLine = (name) => `\t    7f0012345678 ${name}+0x1f (/tmp/perf-12.map)\n`;
const perfText = (ms, clock, ...names) =>
  `node-Main 12 [001] 34.5: ${ms * MS} ${clock}:u: \n${names.map(perfLine).join('')}\t 401000 main+0x2 (/usr/bin/node)\n\n`;
const V8 = ['JS:wasm-function[3]-3-liftoff', 'JS:~app.js:1:1', 'Builtin:JSEntry'];
const WASMTIME = ['wasm[0]::function[3]', 'wasm[0]::array_to_wasm_trampoline[3]'];
const perfScript =
  perfText(10, 'cpu-clock', ...V8) +
  perfText(200, 'cpu-clock', 'JS:work-2-turbofan', ...V8) +
  perfText(1000, 'cpu-clock', 'JS:wasm-to-js', 'Function:spin-1-turbofan', 'JS:work-2-turbofan', ...V8) +
  perfText(2000, 'cpu-clock', 'spin', 'wasm[0]::function[2]::work', ...WASMTIME) +
  perfText(FOREIGN, 'cpu-clock', 'unknown', ...WASMTIME) +
  perfText(150, 'cpu-clock', 'JS:~app.js:1:1');

const isV8 = (name) => ['v8.cpuprofile', 'trace.json'].includes(name);
const told = (name) =>
  `wasm-perf: ${name}: ${isV8(name) ? 4.7 : '4.0'} % of the time belongs to functions that are not in the profile; it is charged to their callers\n`;
const attributed = { _start: (10 + FOREIGN) * MS, work: 200 * MS, spin: 3000 * MS };
const attributedWithScript = { ...attributed, spin: 2500 * MS, main: 150 * MS, log: 400 * MS, '(garbage collector)': 100 * MS };
const attributedOf = (name) => (isV8(name) ? attributedWithScript : attributed);

const FILES = { 'v8.cpuprofile': cpuprofile, 'trace.json': trace, 'guest.json': guest, 'perf.txt': perfScript };
for (const [name, text] of Object.entries(FILES)) {
  writeFileSync(at(name), text);
  test(`--times ${name}: by index or name, what is nowhere for its caller`, () => {
    const { status, stderr } = perf('record', '--times', name, 'spins.wasm', '-o', 'c.wperf');
    assert.deepEqual([status, stderr], [0, told(name)]);
    assert.deepEqual(contents(), { self: { ...attributedOf(name), [HOST]: 0 }, calls: callsWithHost });
  });
}

test('report --times: calls of a file, times of a trace', () => {
  assert.equal(perf('record', '--clock=none', 'spins.wasm', '-o', 'counted.wperf').status, 0);
  const { status, stdout, stderr } = perf('report', '--times', 'trace.json', '--format=json', 'counted.wperf');
  assert.deepEqual([status, stderr], [0, told('trace.json')]);
  const { functions } = JSON.parse(stdout);
  const spin = functions.find(({ name }) => name === 'spin');
  assert.deepEqual([Number(spin.self), Number(spin.calls)], [attributedWithScript.spin, Object.entries(calls).reduce((sum, [stack, count]) => sum + (/spin$/.test(stack) ? count : 0), 0)]);
  assert.equal(perf('report', '--times', 'nothing.json', 'counted.wperf').status, 1);
  assert.match(perf('report', '--times', 'trace.json', '--format=html', 'counted.wperf', 'counted.wperf').stderr, /--times needs a single profile/);
});

test('--times of a program of Node, of modules whose hooks are imports, and embedded', () => {
  writeFileSync(at('app.cjs'), `const { readFileSync } = require('node:fs');
    const wasi_snapshot_preview1 = { sched_yield: () => 0 };
    new WebAssembly.Instance(new WebAssembly.Module(readFileSync('spins.wasm')), { wasi_snapshot_preview1 }).exports._start();`);
  instrument('spins', '--clock', 'none');
  assert.equal(tool('wasm-instrument', ['--embed', '--clock=none', 'spins.wasm', '-o', 'spins.embedded.wasm']).status, 0);
  for (const args of [['record', '-o', 'c.wperf', '--times=v8.cpuprofile', '--', process.execPath, 'app.cjs'],
    ['record', '-o', 'c.wperf', '--times=v8.cpuprofile', 'spins.prof.wasm'],
    ['record', '-o', 'c.wperf', '--times=v8.cpuprofile', 'spins.embedded.wasm']]) {
    const { status, stderr } = perf(...args);
    assert.deepEqual([status, stderr], [0, told('v8.cpuprofile')]);
    const hasHost = args.includes('--');
    assert.deepEqual(contents(), hasHost ? { self: { ...attributedWithScript, [HOST]: 0 }, calls: callsWithHost } : { self: attributedWithScript, calls });
  }
});

test('of time between two samples of V8, each has the half that is nearer', () => {
  const profile = JSON.parse(cpuprofile);
  profile.samples = [2, 3, 2, 3, 4, 3, 2, 3];
  profile.timeDeltas = [1000, 50, 150, 50, 900, 50, 150, 50];
  profile.endTime = 1000 + 1600;
  writeFileSync(at('uneven.cpuprofile'), JSON.stringify(profile));
  assert.equal(perf('record', '--times', 'uneven.cpuprofile', 'spins.wasm', '-o', 'c.wperf').status, 0);
  const spans = { _start: 50 + 100 + 100, work: 100 + 475 + 100 + 50, spin: 475 };
  for (const [name, span] of Object.entries(spans)) assert.equal(contents().self[name], (span * MS) / 1000, name);
});

test('events other than a clock: shares of the time from first to last', () => {
  const events = perfScript.replaceAll('cpu-clock:u', 'cycles:u').split('\n\n');
  events[5] = events[5].replace('34.5:', '37.5:');
  writeFileSync(at('cycles.txt'), events.join('\n\n'));
  assert.equal(perf('record', '--times', 'cycles.txt', 'spins.wasm', '-o', 'c.wperf').status, 0);
  const { self } = contents();
  assert.equal(self.spin, Math.round((3 * 1000 * MS * 3000) / (10 + 200 + 3000 + FOREIGN + 150)));
});

/** A busy machine may take the processor away in any function, so by how much is not said. */
function assertMostIsSpin() {
  const { nodes, names } = readProfile(read('c.wperf'));
  const [[first]] = nodes.slice(1).map((node) => [names.get(node.function), Number(node.self)]).sort(([, a], [, b]) => b - a);
  assert.equal(first, 'spin');
}

test('--times of what node --cpu-prof writes', () => {
  const { status } = run(process.execPath, ['--cpu-prof', '--cpu-prof-name=own.cpuprofile', 'app.cjs']);
  assert.equal(status, 0);
  const { status: done, stderr } = perf('record', '--times', 'own.cpuprofile', 'spins.wasm', '-o', 'c.wperf');
  assert.deepEqual([done, stderr], [0, '']);
  assert.deepEqual(contents().calls, callsWithHost);
  assertMostIsSpin();
});

test('wasmtime: sample takes its guest profile, and --times reads what it wrote itself', { skip: noWasmtime }, () => {
  const { status, stdout, stderr } = perf('record', '--no-hooks', '--engine=wasmtime', '-o', 'w.wperf', 'spins.wasm');
  assert.deepEqual([status, stdout, stderr], [0, '', '']);
  assert.equal(run('wasmtime', ['run', '--profile=guest,own.json,1ms', 'spins.wasm']).status, 0);
  for (const times of ['w.wperf', 'own.json']) {
    const options = ['--engine=wasmtime', `--times=${times}`, '-o', 'c.wperf'];
    const recorded = perf('record', ...options, 'spins.wasm');
    assert.deepEqual([recorded.status, recorded.stderr], [0, '']);
    assert.deepEqual(contents().calls, calls);
    assertMostIsSpin();
  }
  assert.equal(perf('record', '--no-hooks', '--engine=wasmtime', '-o', 'w.wperf', 'exits.wasm').status, 3);
});

test('files that are none are refused before the program runs', () => {
  const files = {
    'cut.json': [guest.slice(0, 100), /^wasm-perf: cut\.json: offset 0x[0-9a-f]+: malformed JSON: line 1, column \d+$/m],
    'other.json': ['{"a": []}', /other\.json: this JSON is not a .cpuprofile, a DevTools trace or a Firefox profile$/m],
    'idle.json': ['[{"name": "FunctionCall"}]', /idle\.json: the trace has no samples of JavaScript and WebAssembly$/m],
    'thin.json': ['{"traceEvents": [{"name": "ProfileChunk", "args": {"data": {"cpuProfile": {"nodes": [{"callFrame": {"url": "wasm:"}}]}}}}]}', /thin\.json: CPU profile: a node has no id$/m],
    'deep.json': ['{"nodes": '.repeat(100_000), /deep\.json: .*malformed JSON/],
    'text.txt': ['hello\n', /text\.txt: not a profile: neither a \.wperf, \.cpuprofile or Firefox profile/],
    'empty.txt': ['', /empty\.txt: not a profile/],
    'nodes.json': ['{"nodes": [{}]}', /nodes\.json: CPU profile: a node has no id$/m],
    'bytes.json': [guest.replace('"samples"}', '"bytes"}'), /bytes\.json: Firefox profile: its samples are not times$/m],
    'stacks.json': [guest.replace('"prefix":[null,0', '"prefix":[null,3'), /Firefox profile: a stack comes before its prefix/],
  };
  for (const [name, [text, message]] of Object.entries(files)) {
    writeFileSync(at(name), text);
    refused(message, 'record', '-o', 'none.wperf', '--times', name, 'spins.wasm');
  }
});

test('what the profiler does in another profiler’s samples is profiling', () => {
  const frame = (functionName, url = '') => ({ functionName, url, scriptId: '1', lineNumber: 0, columnNumber: 1 });
  const nodes = [
    { id: 1, callFrame: frame('(root)'), children: [2, 5, 6] },
    { id: 2, callFrame: frame('wrapper', 'http://localhost/node_modules/wasm-perf/js/page/browser.js'), children: [3] },
    { id: 3, callFrame: frame('f', 'wasm://wasm/1'), children: [4] },
    { id: 4, callFrame: frame('wasm_perf.runtime', 'wasm://wasm/1'), children: [] },
    { id: 5, callFrame: frame('show', 'http://localhost/wasm-perf-browser.js?v=1'), children: [] },
    { id: 6, callFrame: frame('(idle)'), children: [] },
  ];
  const samples = [2, 3, 3, 4, 5, 5, 6, 6];
  writeFileSync(at('ours.json'), JSON.stringify({ nodes, samples, timeDeltas: samples.map(() => 1000), startTime: 0, endTime: 8000 }));
  writeFileSync(at('f.wperf'), writeProfile([{ function: 0, parent: 0, calls: 3, self: 0 }], [[0, 'f']], { clock: 0 }));
  const { status, stdout, stderr } = tool('wasm-perf', ['report', '--times', at('ours.json'), '--format', 'tree', at('f.wperf')]);
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /= WebAssembly 2\.00 ms \+ idle [12]\.\d+ ms \+ profiling 4\.00 ms$/m);
  assert.doesNotMatch(stdout, /runtime|wrapper|show|\(idle\)/);
});

test('times of another program: the calls are kept, and the exit code tells', () => {
  writeFileSync(at('stranger.json'), guest.replace(/"<wasm function 3>","work","spin"/, '"a","b","c"'));
  const { status, stderr } = perf('record', '--times', 'stranger.json', 'spins.wasm', '-o', 'c.wperf');
  assert.equal(status, 1);
  assert.equal(stderr, 'wasm-perf: stranger.json: none of its functions is in the profile, so there are calls, but no times\n');
  assert.deepEqual(callCounts(read('c.wperf')), callsWithHost);
});

test('what does not go together is refused', () => {
  const none = ['-o', 'none.wperf'];
  instrument('spins', '--clock', 'none');
  refused(/spins\.prof\.wasm: it is instrumented; --no-hooks needs the original module$/m,
    'record', '--no-hooks', ...none, 'spins.prof.wasm');
  writeTimes('t.wperf');
  const times = ['--times', 't.wperf', ...none];
  for (const clock of ['wall', 'instructions', 'sampled'])
    misused(`--times reads the times of another run: use --clock none, not ${clock}`,
      'record', `--clock=${clock}`, ...times, 'spins.wasm');
  instrument('spins', '--embed', '--clock', 'instructions');
  refused(/spins\.prof\.wasm: its clock is instructions; --times needs --clock none$/m,
    'record', ...times, 'spins.prof.wasm');
  instrument('spins', '--clock', 'none');
  const other = perf('record', '--clock=none', '--times=t.wperf', '-o', 'other.wperf', 'overflows.wasm');
  assert.match(other.stderr, /t\.wperf: it belongs to another module, which imports 1 functions, not 0$/m);
  refused(/gone\.wperf: No such file/, 'record', '--times=gone.wperf', ...none, 'spins.prof.wasm');
  refused(/spins\.wasm: not a profile/, 'record', '--times=spins.wasm', ...none, 'spins.prof.wasm');
  writeTimes('wall.wperf', { clock: 1 });
  refused(/wall\.wperf: its times are not samples$/m, 'record', '--times=wall.wperf', ...none, 'spins.prof.wasm');
  refused(/gone\.wasm: No such file/, 'record', '--no-hooks', ...none, 'gone.wasm');
});

test('hooks that are imports count calls beside times of another run, whatever clock they are for', () => {
  writeTimes('t.wperf');
  for (const clock of ['wall', 'instructions']) {
    instrument('spins', '--clock', clock);
    assert.equal(perf('record', '--times=t.wperf', '-o', 'c.wperf', 'spins.prof.wasm').stderr, '');
    assert.deepEqual(contents(), { self: { _start: 10, work: 200, spin: 3000 }, calls });
  }
});

/** The environment with a Node in which that code runs first. */
function withOldNode(code) {
  writeFileSync(at('old.cjs'), code);
  writeFileSync(at('old-node'), `#!/bin/sh\nexec ${process.execPath} --require ${at('old.cjs')} "$@"\n`, { mode: 0o755 });
  return { ...process.env, WASM_PERF_NODE: at('old-node') };
}

test('a module without hooks needs no engine with several memories, as Node 20 is none', () => {
  const env = withOldNode('WebAssembly.validate = () => false;');
  const { status, stderr } = tool('wasm-perf', ['record', '--no-hooks', '-o', 'a.wperf', 'spins.wasm'], { env });
  assert.deepEqual([status, stderr], [0, '']);
});

test('a Node that cannot sample is refused in words', () => {
  const env = withOldNode('process.getBuiltinModule = undefined;');
  const { status, stderr } = tool('wasm-perf', ['record', '--no-hooks', '-o', 'a.wperf', 'spins.wasm'], { env });
  assert.deepEqual([status, stderr], [1, 'wasm-perf: sampling needs Node 20.16 or newer\n']);
});

test('wasmtime does not sample while calls are counted', { skip: noWasmtime }, () => {
  refused(/: wasmtime cannot sample while calls are counted; use --engine node, or another --clock, or --times with a profile of --no-hooks$/m,
    'record', '--engine=wasmtime', '-o', 'none.wperf', '--clock=sampled', 'spins.wasm');
});
