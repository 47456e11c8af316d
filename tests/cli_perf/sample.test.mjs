/** wasm-perf sample: times of a run without hooks; and --times, which lays them over the calls of another. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import * as programs from '../js/programs.mjs';
import { assemble, at, instrument, read, run, tool } from '../js/support.mjs';
import { callCounts, readProfile, writeProfile } from '../js/wperf.mjs';

for (const [name, text] of Object.entries(programs)) assemble(name, text);
const temporary = at('temporary');
mkdirSync(temporary);
process.env.TMPDIR = temporary;

const hasWasmtime = run('sh', ['-c', 'command -v wasmtime']).status === 0;
const perf = (...args) => tool('wasm-perf', args);

// Beside the host's function that it imports: twice the call of work, one of which takes long.
assemble(
  'spins',
  `(module
    (import "wasi_snapshot_preview1" "sched_yield" (func $yield (result i32)))
    (memory (export "memory") 1)
    (func $spin (param i32)
      (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))
    (func $work (param i32) (call $spin (local.get 0)) (drop (call $yield)))
    (func (export "_start") (call $work (i32.const 1)) (call $work (i32.const 300000000))))`,
);
const SPIN = 1, WORK = 2, START = 3; // before it is instrumented
const calls = { _start: 1, '_start;work': 2, '_start;work;spin': 2 };

test('a module as it is: its stacks, their time and no calls', () => {
  const { status, stdout: written, stderr } = perf('sample', 'spins.wasm');
  assert.deepEqual([status, written, stderr], [0, '', '']);
  const { header, nodes, names } = readProfile(read('spins.wperf'));
  assert.deepEqual([header.clock, header.ticksPerSecond, header.hostFunctionCount], [4, 1_000_000_000n, 1]);
  assert.ok(header.clockReadCount > 0n);
  assert.ok(nodes.every((node) => node.calls === 0n));
  const spin = nodes.find((node) => node.function === SPIN);
  assert.ok(spin.self > 0n);
  assert.equal(names.get(SPIN), 'spin');
  const { stdout } = perf('report', 'spins.wperf');
  assert.match(stdout, / \(sampled\), 0 calls, /);
  assert.match(stdout, /^Times are from [\d,]+ samples?; calls were not counted$/m);
});

test('streams and exit code are the program’s', () => {
  const result = perf('sample', '-o', 'a.wperf', 'exits.wasm');
  assert.equal(result.status, tool('wasm-perf', ['record', '-o', 'b.wperf', 'exits.wasm']).status);
  assert.notEqual(result.status, 0);
  assert.ok(existsSync(at('a.wperf')));
});

/** What sample would have written: stacks and their time, by function before it was instrumented. */
function writeTimes(name, options) {
  const stacks = [
    { function: START, parent: 0, calls: 0, self: 10 },
    { function: WORK, parent: 1, calls: 0, self: 200 },
    { function: SPIN, parent: 2, calls: 0, self: 3000 },
  ];
  writeFileSync(at(name), writeProfile(stacks, [], { clock: 4, hostFunctionCount: 1, ...options }));
}

/** {"outer;inner": ns} and the calls of the profile. */
function contents() {
  const bytes = read('c.wperf');
  const { header, nodes, names } = readProfile(bytes);
  assert.deepEqual([header.clock, header.innerHookCost], [4, 0n]);
  const self = nodes.slice(1).map((node) => [names.get(node.function), Number(node.self)]);
  return { self: Object.fromEntries(self), calls: callCounts(bytes) };
}

for (const options of [['--clock', 'none'], []])
  test(`--times: the calls of this run, the times of that one: ${options.join(' ')}`, () => {
    writeTimes('t.wperf');
    const { status, stderr } = perf('record', ...options, '--times', 't.wperf', 'spins.wasm', '-o', 'c.wperf');
    assert.deepEqual([status, stderr], [0, '']);
    assert.deepEqual(contents(), { self: { _start: 10, work: 200, spin: 3000 }, calls });
  });

test('--times of wasm-perf run, and of calls that have frames of the host between them', () => {
  writeTimes('t.wperf');
  instrument('spins', '--clock', 'none', '--host-calls');
  const { status, stderr } = perf('run', '--times=t.wperf', '-o', 'c.wperf', 'spins.prof.wasm');
  assert.deepEqual([status, stderr], [0, '']);
  const { self, calls } = contents();
  assert.deepEqual(self, { _start: 10, work: 200, spin: 3000, 'wasi_snapshot_preview1.sched_yield': 0 });
  assert.equal(calls['_start;work;wasi_snapshot_preview1.sched_yield'], 2);
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

test('what does not go together is refused', () => {
  const none = ['-o', 'none.wperf'];
  instrument('spins', '--clock', 'none');
  refused(/spins\.prof\.wasm: it is instrumented; the times are to be of the module as it was$/m,
    'sample', ...none, 'spins.prof.wasm');
  writeTimes('t.wperf');
  const times = ['--times', 't.wperf', ...none];
  for (const clock of ['wall', 'instructions', 'sampled'])
    misused(`--times brings the times: it goes with --clock none, not ${clock}`,
      'record', `--clock=${clock}`, ...times, 'spins.wasm');
  instrument('spins', '--clock', 'wall');
  refused(/spins\.prof\.wasm: its clock is wall; --times goes with --clock none$/m,
    'run', ...times, 'spins.prof.wasm');
  instrument('spins', '--clock', 'none');
  refused(/t\.wperf: it is of another module, which imports 1 functions, not 0$/m,
    'record', '--clock=none', ...times, 'overflows.wasm');
  refused(/gone\.wperf: No such file/, 'run', '--times=gone.wperf', ...none, 'spins.prof.wasm');
  refused(/spins\.wasm: offset 0x0: this is no \.wperf file/, 'run', '--times=spins.wasm', ...none, 'spins.prof.wasm');
  writeTimes('wall.wperf', { clock: 1 });
  refused(/wall\.wperf: its times are not samples$/m, 'run', '--times=wall.wperf', ...none, 'spins.prof.wasm');
  refused(/gone\.wasm: No such file/, 'sample', ...none, 'gone.wasm');
});

test('wasmtime does not sample', { skip: !hasWasmtime && 'wasmtime is not on PATH' }, () => {
  const none = ['--engine=wasmtime', '-o', 'none.wperf'];
  writeTimes('t.wperf');
  const told = /: wasmtime takes no samples; use --engine node, or another --clock$/m;
  refused(told, 'sample', ...none, 'spins.wasm');
  refused(told, 'record', '--clock=none', '--times=t.wperf', ...none, 'spins.wasm');
  refused(told, 'record', '--clock=sampled', ...none, 'spins.wasm');
});
