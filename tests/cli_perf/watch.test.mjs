/** --duration, --every and SIGUSR1: a profile of a program that goes on for ever. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assemble, at, build, folder, instrument, read, tool } from '../js/support.mjs';
import { callCounts, readProfile } from '../js/wperf.mjs';

const temporary = at('temporary');
mkdirSync(temporary);
process.env.TMPDIR = temporary;

const forever = '(loop $again (call $step) (br $again))';
assemble('endless', `(module (memory (export "memory") 1) (func $step (nop)) (func (export "_start") ${forever}))`);
assemble('app', '(module (func $leaf (nop)) (func (export "run") (call $leaf)))');
writeFileSync(at('server.cjs'), `const fs = require('node:fs');
  const { run } = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync('app.wasm'))).exports;
  run();
  fs.writeFileSync('ready', '');
  setInterval(run, 5);`);
const server = ['--', process.execPath, 'server.cjs'];
const record = (...args) => tool('wasm-perf', ['record', '--clock', 'none', ...args]);

async function until(condition) {
  const deadline = Date.now() + 60_000;
  while (!condition() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
}

test('--duration ends a program, however busy, with its report', () => {
  for (const program of [['endless.wasm'], server]) {
    const { status, stdout, stderr } = record('--duration', '4s', '-o', 'd.wperf', ...program);
    assert.deepEqual([status, stdout, stderr], [143, '', '']);
    const counts = callCounts(read('d.wperf'));
    assert(Object.values(counts).every((count) => count > 0) && Object.keys(counts).length === 2);
  }
  assert.deepEqual(readdirSync(temporary), []);
});

test('--duration ends a server that closes at a signal, though what started it does not pass the signal on', () => {
  writeFileSync(at('closing.cjs'), `${String(read('server.cjs'))}
    fs.writeFileSync('pid', String(process.pid));
    process.on('SIGTERM', () => { process.stdout.write('closed;'); setImmediate(() => process.exit()); });`);
  writeFileSync(at('wrapper.cjs'), `const { spawn } = require('node:child_process');
    spawn(process.execPath, ['closing.cjs'], { stdio: 'inherit' });`);
  const { status, stdout, stderr } = record('--duration', '4s', '-o', 'd.wperf', '--', process.execPath, 'wrapper.cjs');
  assert.deepEqual([status, stdout, stderr], [143, 'closed;', '']); // once
  const stat = `/proc/${read('pid')}/stat`;
  assert(!existsSync(stat) || /\) Z /.test(readFileSync(stat, 'utf8'))); // its port is free again
  assert(callCounts(read('d.wperf'))['run;leaf'] > 0);
  const own = record('--duration', '4s', '-o', 'd.wperf', '--', process.execPath, 'closing.cjs');
  assert.deepEqual([own.status, own.stdout, own.stderr], [0, 'closed;', '']);
});

test('a program whose profile takes a while to write is not asked for it twice', () => {
  assemble('spins', `(module (func $step (nop)) (func (export "run") (local $i i32)
    (loop (call $step) (br_if 0 (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 3000000))))))`);
  writeFileSync(at('busy.cjs'), String(read('server.cjs')).replace('app', 'spins'));
  const program = ['--', process.execPath, 'busy.cjs'];
  const { status, stderr } = record('--clock', 'sampled', '--duration', '4s', '-o', 'd.wperf', ...program);
  assert.deepEqual([status, stderr], [143, '']);
});

test('--duration of a module with hooks, and without', () => {
  instrument('endless', '--clock=instructions');
  for (const args of [['endless.prof.wasm'], ['--no-hooks', 'endless.wasm']]) {
    const { status, stderr } = tool('wasm-perf', ['record', '--duration=4s', '-o', 'd.wperf', ...args]);
    assert.deepEqual([status, stderr], [143, '']);
    const { nodes } = readProfile(read('d.wperf'));
    assert(nodes.some(({ self }) => self > 0n), args[0]);
  }
});

test('--every of a module whose hooks are imports', () => {
  instrument('endless', '--clock=none');
  const { status, stderr } = tool('wasm-perf', ['record', '--every=900ms', '--duration=8s', '-o', 'l.wperf', 'endless.prof.wasm']);
  assert.equal(status, 143);
  assert.match(stderr, /^wasm-perf: l-1\.wperf: after [1-9][\d.]* m?s$/m);
  const steps = (name) => callCounts(read(name))['_start;step'];
  assert(0 < steps('l-1.wperf') && steps('l-1.wperf') < steps('l.wperf'));
});

test('a program that ends before that ends as ever', () => {
  writeFileSync(at('short.cjs'), String(read('server.cjs')).replace(/setInterval.*/, 'process.exitCode = 7;'));
  const { status, stderr } = record('--duration', '5m', '--every', '5m', '-o', 's.wperf', '--', process.execPath, 'short.cjs');
  assert.deepEqual([status, stderr], [7, '']);
  assert(!existsSync(at('s-1.wperf')));
});

const calls = (file) => callCounts(read(file)).run;

/** Runs the server until two snapshots are there, each asked for by `ask`. */
async function snapshots(t, name, options, ask) {
  rmSync(at('ready'), { force: true });
  const args = ['record', '--clock', 'none', ...options, '-o', `${name}.wperf`, ...server];
  const child = spawn(join(build, 'wasm-perf'), args, { cwd: folder, stdio: 'ignore' });
  t.after(() => child.kill('SIGKILL'));
  await until(() => existsSync(at('ready')));
  for (const number of [1, 2]) {
    ask(child);
    await until(() => existsSync(at(`${name}-${number}.wperf`)));
  }
  const end = once(child, 'exit');
  child.kill('SIGTERM');
  assert.deepEqual(await end, [143, null]);
  assert(calls(`${name}-1.wperf`) > 0);
  assert(calls(`${name}-2.wperf`) > calls(`${name}-1.wperf`));
  assert(calls(`${name}.wperf`) >= calls(`${name}-2.wperf`));
}

test('SIGUSR1 asks for a snapshot; the program goes on', (t) =>
  snapshots(t, 'signal', [], (child) => child.kill('SIGUSR1')));

test('--every writes one each time', async (t) => {
  await snapshots(t, 'every', ['--every', '1s'], () => {});
  assert.deepEqual(readdirSync(temporary), []);
});

test('snapshots that follow each other at once leave the program its time, and stderr says so once', () => {
  const { status, stderr } = record('--every', '1ms', '--duration', '4s', '-o', 'often.wperf', ...server);
  assert.equal(status, 143);
  assert.equal(stderr.match(/a snapshot takes .*: so that the program gets on, the next ones wait ten times as long/g)?.length, 1, stderr);
});

test('snapshots do not wait for a thread that sleeps', async () => {
  writeFileSync(at('sleeper.cjs'), `const { Worker } = require('node:worker_threads');
    const { readFileSync } = require('node:fs');
    const compiled = new WebAssembly.Module(readFileSync(${JSON.stringify(at('endless.wasm'))}));
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker('Atomics.wait(require("node:worker_threads").workerData, 0, 0)', { eval: true, workerData: flag });
    let last = performance.now(), longest = 0;
    const end = last + 6000;
    const timer = setInterval(() => {
      const now = performance.now();
      if (now - last > longest) longest = now - last;
      last = now;
      if (now < end) return;
      clearInterval(timer);
      Atomics.notify(flag, 0);
      console.log(longest < 1500 ? 'went on' : longest);
    }, 5);`);
  const { stdout } = record('--every', '1s', '-o', 'sleeper.wperf', '--', process.execPath, 'sleeper.cjs');
  assert.equal(stdout, 'went on\n'); // each snapshot stopped it for two seconds
});

test('a snapshot of a program without WebAssembly prints that there is none', async () => {
  writeFileSync(at('idle.cjs'), "require('node:fs').writeFileSync('idle', ''); setTimeout(() => {}, 7000);");
  const { status, stderr } = record('--every', '500ms', '-o', 'idle.wperf', '--', process.execPath, 'idle.cjs');
  assert.equal(status, 1);
  assert.match(stderr, /^wasm-perf: snapshot 1: the program has run no instrumented WebAssembly yet\n/);
});

test('what cannot be done is refused', () => {
  for (const option of ['--duration', '--every']) {
    for (const value of ['', '0', '-1s', '1h', 's', '99999999999s']) {
      const { status, stderr } = record(`${option}=${value}`, 'endless.wasm');
      assert.equal(status, 2);
      assert.match(stderr, new RegExp(`${option} wants a time like 30s, 500ms or 2m, not '${value}'`));
    }
    const { status, stderr } = tool('wasm-perf', ['record', option, '1s', '--engine', 'wasmtime', 'endless.wasm'], {
      env: { ...process.env, WASM_PERF_WASMTIME: '/bin/true' },
    });
    assert.equal(status, 1);
    assert.match(stderr, new RegExp(`endless\\.wasm: ${option} needs --engine node and a core module: wasmtime saves a profile only`));
  }
});
