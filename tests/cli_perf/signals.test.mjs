/** What a signal leaves behind: no temporary file, no folder, no engine. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { constants } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { loops } from '../js/programs.mjs';
import { assemble, at, build, folder, importHost, instrument, run } from '../js/support.mjs';
import { callCounts, writeProfile } from '../js/wperf.mjs';

const { SAME_SIGNAL_MS } = await importHost('wperf/format.mjs');
const temporary = at('temporary');
mkdirSync(temporary);
assemble('loops', loops);
instrument('loops');

const start = (...args) =>
  spawn(join(build, 'wasm-perf'), args, {
    cwd: folder,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

const isAlive = (pid) => {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

const childOf = ({ pid }) =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0]);

/** Waits until `condition` gives something true, which it returns. */
async function until(condition) {
  for (;;) {
    const value = condition();
    if (value) return value;
    await new Promise(setImmediate);
  }
}

/** A child's end, or 'still running' some seconds later. */
async function endOf(child) {
  const timer = setTimeout(() => child.kill('SIGKILL'), 600_000);
  const [status, signal] = await once(child, 'close');
  clearTimeout(timer);
  return signal === 'SIGKILL' ? 'still running' : signal ?? status;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGXCPU'];
const KEEPING = signals.slice(0, 3); // the others are for the engine to die of

for (const signal of signals) {
  test(`${signal} while a program runs ends both, removes the folder, and keeps the profile`, async () => {
    rmSync(at('s.wperf'), { force: true });
    const child = start('record', '-o', 's.wperf', 'loops.prof.wasm');
    await once(child.stdout, 'data');
    const engine = childOf(child);
    assert(isAlive(engine));
    child.kill(signal);
    assert.equal(await endOf(child), 128 + constants.signals[signal]);
    assert(!isAlive(engine));
    assert.deepEqual(readdirSync(temporary), []);
    assert.equal(existsSync(at('s.wperf')), KEEPING.includes(signal));
  });

  test(`${signal} before the program runs removes the folder`, async () => {
    run('mkfifo', ['fifo']);
    const child = start('record', '-o', 's.wperf', 'fifo'); // waits for a writer
    await until(() => readdirSync(temporary).length);
    child.kill(signal);
    assert.equal(await endOf(child), signal);
    rmSync(at('fifo'));
    assert.deepEqual(readdirSync(temporary), []);
  });
}

test('SIGUSR1 before the program runs does not end it', async () => {
  run('mkfifo', ['fifo']);
  const child = start('record', '-o', 's.wperf', 'fifo');
  await until(() => readdirSync(temporary).length);
  child.kill('SIGUSR1');
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert(isAlive(child.pid));
  child.kill('SIGTERM');
  assert.equal(await endOf(child), 'SIGTERM');
  rmSync(at('fifo'));
});

assemble('sleeps', `(module
  (import "wasi_snapshot_preview1" "poll_oneoff" (func $wait (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func $sleeps (i64.store (i32.const 24) (i64.const 600000000000)) (i32.store (i32.const 16) (i32.const 1))
    (drop (call $wait (i32.const 0) (i32.const 64) (i32.const 1) (i32.const 128))))
  (func (export "_start")
    (i32.store (i32.const 204) (i32.const 1))
    (drop (call $write (i32.const 1) (i32.const 200) (i32.const 1) (i32.const 300)))
    (call $sleeps)))`);
instrument('sleeps', '--clock=none');

for (const args of [['--clock=none', 'sleeps.wasm'], ['sleeps.prof.wasm'], ['--no-hooks', 'sleeps.wasm']]) {
  test(`SIGINT ends a program that sleeps, with its profile: ${args.join(' ')}`, async () => {
    rmSync(at('s.wperf'), { force: true });
    const child = start('record', '-o', 's.wperf', ...args);
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    assert.equal(await endOf(child), 130);
    const counts = callCounts(readFileSync(at('s.wperf')));
    if (args[0] !== '--no-hooks') assert.equal(counts['_start;sleeps'], 1);
    assert.deepEqual(readdirSync(temporary), []);
  });
}

for (const [option, stage] of [['--compare', 'before the profiled run'], ['--budget=3%', 'before functions were chosen']]) {
  test(`SIGINT ends all runs that ${option} makes, and it is said that there is no profile`, async () => {
    const child = start('record', option, '-o', 's.svg', '--', process.execPath, '-e', 'setTimeout(() => {}, 3000)');
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
    await until(() => readdirSync(temporary, { recursive: true }).some((path) => path.endsWith('.running')));
    child.kill('SIGINT');
    assert.deepEqual([await endOf(child), stderr.slice(stderr.indexOf('\n') + 1)], [130, `wasm-perf: stopped ${stage}: there is no profile\n`]);
  });
}

for (const options of [[], ['--compare'], ['--budget=3%'], ['--listen=0'], ['--every=60s']])
  test(`a second SIGINT ends everything at once: ${options}`, async () => {
    rmSync(at('ready'), { force: true });
    const child = start('record', ...options, '-o', 's.svg', '--', 'sh', '-c', "trap '' INT; touch ready; exec sleep 600");
    await until(() => existsSync(at('ready')));
    const program = childOf(child);
    child.kill('SIGINT');
    await until(() => readdirSync(temporary, { recursive: true }).some((path) => path.endsWith('stop')));
    assert(isAlive(child.pid));
    await delay(SAME_SIGNAL_MS);
    child.kill('SIGINT');
    assert.equal(await endOf(child), 'SIGINT');
    await until(() => !isAlive(program)); // it was killed, and nobody waits for it
    assert.deepEqual(readdirSync(temporary), []);
  });

/** Whether a signal was sent to the process and has not arrived. */
const isPending = ({ pid }) => !/^ShdPnd:\s*0+$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

test('a SIGINT sent twice at once, as timeout does, is one', async () => {
  rmSync(at('s.wperf'), { force: true });
  const child = start('record', '-o', 's.wperf', 'loops.prof.wasm');
  await once(child.stdout, 'data');
  child.kill('SIGINT');
  await until(() => !isPending(child));
  child.kill('SIGINT');
  assert.equal(await endOf(child), 130);
  assert(existsSync(at('s.wperf')));
  assert.deepEqual(readdirSync(temporary), []);
});

writeFileSync(at('handles.cjs'), `
  process.on('SIGINT', () => console.log('handled'));
  setInterval(() => {}, 1e6);
  console.log('ready');`);

test('a program that handles SIGINT itself gets each', async () => {
  const child = start('record', '-o', 's.wperf', '--', process.execPath, 'handles.cjs');
  await once(child.stdout, 'data');
  for (let i = 0; i < 3; i++) {
    child.kill('SIGINT');
    assert.equal(String((await once(child.stdout, 'data'))[0]), 'handled\n');
  }
  child.kill('SIGTERM');
  assert.equal(await endOf(child), 143);
  assert.deepEqual(readdirSync(temporary), []);
});

assemble('reads', `(module
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func $waits (result i32)
    (i32.store (i32.const 0) (i32.const 64)) (i32.store (i32.const 4) (i32.const 64))
    (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
    (i32.load (i32.const 8)))
  (func $echoes (param i32)
    (i32.store (i32.const 4) (local.get 0))
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8))))
  (func (export "_start") (local $size i32)
    (loop
      (local.set $size (call $waits))
      (call $echoes (local.get $size))
      (br_if 0 (local.get $size)))))`);
instrument('reads', '--clock=none');
assemble('library', '(module (func (export "run")))');
writeFileSync(at('reads.cjs'), `
  const fs = require('node:fs');
  const use = () => new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync('library.wasm'))).exports.run();
  const buffer = Buffer.alloc(64);
  use();
  for (let size; (size = fs.readSync(0, buffer)) > 0; use()) fs.writeSync(1, buffer, 0, size);`);
writeFileSync(at('reads_wasi.mjs'), `
  import { readFileSync } from 'node:fs';
  import { WASI } from 'node:wasi';
  const wasi = new WASI({ version: 'preview1' });
  wasi.start(new WebAssembly.Instance(new WebAssembly.Module(readFileSync('reads.wasm')), wasi.getImportObject()));`);
writeFileSync(at('reads_all.cjs'), `
  const fs = require('node:fs');
  const text = fs.readFileSync(0, 'utf8');
  new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync('library.wasm'))).exports.run();
  process.stdout.write(text);`);

const readers = {
  WASI: ['--clock=none', 'reads.wasm'],
  instrumented: ['reads.prof.wasm'],
  '--no-hooks': ['--no-hooks', 'reads.wasm'],
  readSync: ['--clock=none', '--', process.execPath, 'reads.cjs'],
  'node:wasi': ['--clock=none', '--', process.execPath, 'reads_wasi.mjs'],
};
const withOutput = (args) => ['record', '-o', 's.wperf', ...args];

/** A descriptor for a child's input, and what it is to read: somebody may write more. */
const inputs = {
  'a pipe'() {
    rmSync(at('input'), { force: true });
    run('mkfifo', ['input']);
    const writer = openSync(at('input'), 'r+');
    writeSync(writer, 'ready\n');
    return { stdin: openSync(at('input'), 'r'), begin() {} };
  },
  'a socket': () => ({ stdin: 'pipe', begin: (child) => child.stdin.write('ready\n') }),
};

for (const [name, args] of Object.entries(readers)) {
  for (const [what, make] of Object.entries(inputs)) {
    test(`SIGINT ends a program that waits for its input, ${what}, with its profile: ${name}`, async () => {
      rmSync(at('s.wperf'), { force: true });
      const { stdin, begin } = make();
      const options = { cwd: folder, env: { ...process.env, TMPDIR: temporary }, stdio: [stdin, 'pipe', 'pipe'] };
      const child = spawn(join(build, 'wasm-perf'), withOutput(args), options);
      begin(child);
      assert.equal(String((await once(child.stdout, 'data'))[0]), 'ready\n');
      child.kill('SIGINT');
      assert.equal(await endOf(child), 130);
      const counts = callCounts(readFileSync(at('s.wperf')));
      if (name !== '--no-hooks') assert.equal(Math.max(...Object.values(counts)), 2);
      assert.deepEqual(readdirSync(temporary), []);
    });
  }
}

test('what is read in slices is all that was written, from pipes, sockets, files and a terminal', () => {
  const text = 'x'.repeat(200_000) + '\n';
  writeFileSync(at('text'), text);
  const readAll = ['--clock=none', '--', process.execPath, 'reads_all.cjs'];
  for (const [name, args] of Object.entries({ instrumented: readers.instrumented, readSync: readers.readSync, wasi: readers['node:wasi'], readAll })) {
    const words = [join(build, 'wasm-perf'), ...withOutput(args)];
    const slowly = 'for i in 1 2 3; do echo $i; sleep 0.2; done';
    assert.equal(run('sh', ['-c', `{ ${slowly}; } | exec "$0" "$@"`, ...words]).stdout, '1\n2\n3\n', name);
    assert.equal(run('sh', ['-c', 'exec "$0" "$@" <text', ...words]).stdout, text, name);
    assert.equal(run(words[0], words.slice(1), { input: text }).stdout, text, name);
    assert.equal(run('sh', ['-c', 'exec "$0" "$@" </dev/null', ...words]).stdout, '', name);
    const typed = run('script', ['-qec', `${words.map((word) => `'${word}'`).join(' ')} >typed`, '/dev/null'], { input: 'abc\n\x04' });
    assert.equal(typed.status, 0, typed.stdout);
    assert.equal(readFileSync(at('typed'), 'utf8'), 'abc\n', name);
  }
});

test('a program that hangs in a system call is killed, with a message', async () => {
  run('mkfifo', ['nobody']);
  writeFileSync(at('waits.cjs'), `
    new WebAssembly.Instance(new WebAssembly.Module(Buffer.from('0061736d01000000010401600000030201000a040102000b', 'hex')));
    console.log('waits'); require('node:fs').openSync('nobody');`);
  const args = ['record', '-o', 's.wperf', '--', process.execPath, 'waits.cjs'];
  const child = spawn(join(build, 'wasm-perf'), args, { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
  const told = once(child.stderr, 'data');
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  assert.equal(await endOf(child), 143);
  assert.match(String(await told), /^wasm-perf: the program is blocked in a system call and cannot write/);
});

test('the engine dies with wasm-perf even where that is killed', async () => {
  const child = start('record', '-o', 's.wperf', 'loops.prof.wasm');
  await once(child.stdout, 'data');
  const engine = childOf(child);
  child.kill('SIGKILL');
  await once(child, 'exit');
  child.stdout.destroy();
  child.stderr.destroy();
  const deadline = Date.now() + 20_000;
  await until(() => !isAlive(engine) || Date.now() > deadline);
  const died = !isAlive(engine);
  if (!died) process.kill(engine, 'SIGKILL');
  for (const name of readdirSync(temporary)) rmSync(join(temporary, name), { recursive: true });
  assert(died);
});

/* So large that writing its report takes a while. */
const nodes = Array.from({ length: 300_000 }, (_, i) => ({
  function: i % 1000,
  parent: i % 7 === 0 ? 0 : i,
  calls: 1,
  self: 1,
}));
const names = Array.from({ length: 1000 }, (_, i) => [i, `function_${i}`]);
writeFileSync(at('large.wperf'), writeProfile(nodes, names));

const isTemporary = (name) => /^large\.json\./.test(name);

for (const signal of signals) {
  test(`${signal} while a report is written removes what there is of it`, async () => {
    let child;
    do { // again where it was written before that was seen
      rmSync(at('large.json'), { force: true });
      child = start('report', '--min-share=0', '-o', 'large.json', 'large.wperf');
      await until(() => child.exitCode !== null || readdirSync(folder).some(isTemporary));
    } while (child.exitCode !== null);
    child.kill(signal);
    assert.equal(await endOf(child), signal);
    assert.deepEqual(readdirSync(folder).filter(isTemporary), []);
    assert(!existsSync(at('large.json')));
  });
}

test('a limit on the size of files is an error like a full disk', () => {
  const command = `ulimit -f 8; exec '${join(build, 'wasm-perf')}' report -o large.json large.wperf`;
  const { status, stderr } = run('bash', ['-c', command]);
  assert.deepEqual([status, stderr], [1, 'wasm-perf: large.json: File too large\n']);
  assert.deepEqual(readdirSync(folder).filter(isTemporary), []);
});

test('a signal that is ignored stays so', async () => {
  const command = `trap '' HUP; exec '${join(build, 'wasm-perf')}' record -o s.wperf loops.prof.wasm`;
  const child = spawn('bash', ['-c', command], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  await once(child.stdout, 'data');
  child.kill('SIGHUP');
  const state = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  child.kill('SIGTERM');
  assert.equal(await endOf(child), 128 + constants.signals.SIGTERM);
  assert.match(state, /^SigIgn:\s*[0-9a-f]*[13579bdf]$/m);
});

test('the folder is made anew each time, whatever lies there', async () => {
  const seen = new Set();
  for (let i = 0; i < 2; i++) {
    run('mkfifo', ['fifo']);
    const child = start('record', '-o', 's.wperf', 'fifo');
    const fresh = await until(() => readdirSync(temporary).find((name) => !seen.has(name)));
    child.kill('SIGKILL');
    await once(child, 'close');
    rmSync(at('fifo'));
    assert.match(basename(fresh), /^wasm-perf-......$/);
    seen.add(fresh);
  }
  assert.equal(seen.size, 2);
});

/** A module of `count` functions, each of 2 MB. */
function writeLargeModule(name, count) {
  const leb = (n) => (n < 128 ? [n] : [(n & 127) | 128, ...leb(n >> 7)]);
  const body = Buffer.alloc(2_000_000, 1); // nop
  body[0] = 0;
  body[body.length - 1] = 0x0b;
  const bodies = Array(count).fill([Buffer.from(leb(body.length)), body]).flat();
  const code = Buffer.concat([Buffer.from(leb(count)), ...bodies]);
  const functions = [3, ...leb(count + leb(count).length), ...leb(count), ...Array(count).fill(0)];
  const head = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, ...functions]);
  writeFileSync(at(name), Buffer.concat([head, Buffer.from([10, ...leb(code.length)]), code]));
}

for (const [what, change] of [
  ['truncated', () => truncateSync(at('changing.wasm'), 4096)],
  ['written to', () => utimesSync(at('changing.wasm'), 0, 0)],
]) {
  test(`an input that is ${what} while it is read is an error`, async () => {
    writeLargeModule('changing.wasm', 25);
    const child = spawn(
      join(build, 'wasm-instrument'),
      ['changing.wasm', '-o', 'out.wasm'],
      { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    child.stderr.setEncoding('utf8');
    let errors = '';
    child.stderr.on('data', (text) => (errors += text));
    await until(() => readFileSync(`/proc/${child.pid}/maps`, 'utf8').includes('changing.wasm'));
    change();
    assert.equal(await endOf(child), 1);
    assert.equal(errors, 'wasm-instrument: changing.wasm: it changed while it was read\n');
    assert.deepEqual(readdirSync(folder).filter((name) => name.startsWith('out.wasm')), []);
  });
}

/** Where the engine of a run is told to leave the profile. */
async function profileFolderOf(child) {
  await once(child.stdout, 'data');
  const words = readFileSync(`/proc/${childOf(child)}/cmdline`, 'utf8').split('\0');
  child.kill('SIGTERM');
  await endOf(child);
  return words.find((word) => word.startsWith('--output=')).slice('--output='.length);
}

for (const dir of [temporary, `${temporary}::/`, folder, `${folder}/./`]) {
  test(`--dir ${dir.replace(folder, '')}: a program that sees the folder for temporary files does not see its profile`, async () => {
    const child = start('record', '--dir', dir, '-o', 's.wperf', 'loops.prof.wasm');
    const path = await profileFolderOf(child);
    assert(!path.startsWith(folder), path);
  });
}

test('a folder beside the one for temporary files changes nothing', async () => {
  mkdirSync(`${temporary}2`);
  const child = start('record', '--dir', `${temporary}2`, '-o', 's.wperf', 'loops.prof.wasm');
  assert((await profileFolderOf(child)).startsWith(`${temporary}/`));
});

test('warns that --dir / shows the program its own profile', async () => {
  const child = start('record', '--dir', '/', '-o', 's.wperf', 'loops.prof.wasm');
  child.stderr.setEncoding('utf8');
  const told = once(child.stderr, 'data');
  await profileFolderOf(child);
  const [message] = await told;
  assert.match(message, /^wasm-perf: --dir \/ gives the program access to the temporary folder of its profile/);
});
