/** --deterministic: a program counts and prints the same, whatever its host is like. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { assemble, at, folder, read, run, source, tool } from '../js/support.mjs';
import { callCounts } from '../js/wperf.mjs';
import { noWasmtime } from '../support/tools.mjs';

const ok = ({ status, stdout, stderr }) => {
  assert.deepEqual([status, stderr], [0, '']);
  return stdout;
};
const clang = (...args) => ok(run(process.env.WI_CLANG, ['--target=wasm32-wasi', ...args]));
clang('-O1', '-c', join(source, 'tests/cli_perf/programs/probe.c'), '-o', 'probe.o');
clang('probe.o', '-o', 'probe.wasm'); // without -O, which would have a wasm-opt run

/** Two hosts that differ in everything a program sees: folders, times, variables, streams. */
function makeHost(name, names, time) {
  mkdirSync(at(`${name}/files`), { recursive: true });
  for (const file of names) {
    writeFileSync(at(`${name}/files/${file}`), `${file}\n`.repeat(file.length * 200));
    utimesSync(at(`${name}/files/${file}`), time, time);
  }
  writeFileSync(at(`${name}/input`), name);
}
const names = Array.from({ length: 200 }, (_, i) => `${'abcdefg'[i % 7].repeat((i * 31) % 17 + 1)}${i}`);
makeHost('first', ['text', ...names], 1e9);
makeHost('second', [...names.toReversed(), 'other', 'text'].filter((name) => name !== 'other'), 1.5e9);

/** Records in that host; returns what was printed. The profile is NAME.wperf. */
function recordIn(host, profile, input, ...options) {
  const stdin = input ? openSync(at(`${host}/input`), 'r') : 'ignore';
  const env = { ...process.env, LANG: host, [`HOST_${host}`]: 'x'.repeat(host.length) };
  const args = ['record', '--dir=files', '-o', at(profile), ...options, at('probe.wasm'), 'argument'];
  const result = tool('wasm-perf', args, { cwd: at(host), env, stdio: [stdin, 'pipe', 'pipe'], timeout: 600_000 });
  if (input) closeSync(stdin);
  return ok(result);
}

/** Whether a function of one profile counts otherwise than in the other. */
const differs = (a, b) =>
  [[a, b], [b, a]].some((pair) => tool('wasm-perf', ['diff', '--fail-above=0%', ...pair]).status === 3);

for (const engine of ['node', 'wasmtime'])
  test(`a WASI program in two hosts, ${engine}`, { skip: engine === 'wasmtime' && noWasmtime }, () => {
    const options = [`--engine=${engine}`, '--deterministic', '--env=A=b'];
    const printed = recordIn('first', `${engine}-1.wperf`, true, ...options);
    assert.equal(recordIn('second', `${engine}-2.wperf`, false, ...options), printed);
    assert(!differs(`${engine}-1.wperf`, `${engine}-2.wperf`));
    const lines = printed.split('\n');
    assert.deepEqual(lines.slice(0, 3), ['probe.wasm', 'argument', 'A=b']); // nothing of ours
    assert.deepEqual(lines.slice(3, 6), ['clock 1000000000.000001000', 'clock 0.000002000', 'clock 3600.000003000']);
    assert.deepEqual(lines.slice(7, 10), ['0 0 -1 0', '1 0 -1 0', '2 0 -1 0']);
    const files = lines.slice(10, -2).map((line) => line.split(' '));
    assert.deepEqual(files.map(([path]) => path), [...names, 'text'].sort().map((name) => `files/${name}`));
    assert(files.every(([, time, inode], i) => time === '1000000000' && Number(inode) === i + 1));
    assert.equal(lines.at(-2), 'end');
  });

for (const engine of ['node', 'wasmtime'])
  test(`a program removes all files of a large folder, ${engine}`, { skip: engine === 'wasmtime' && noWasmtime }, () => {
    clang('-O1', '-c', join(source, 'tests/cli_perf/programs/empty_folder.c'), '-o', 'empty_folder.o');
    clang('empty_folder.o', '-o', 'empty_folder.wasm');
    mkdirSync(at('full'), { recursive: true });
    for (const name of names) writeFileSync(at(`full/${name}`), '');
    const args = ['record', '--deterministic', `--engine=${engine}`, '--dir=full', '-o', at('empty.wperf'), at('empty_folder.wasm')];
    assert.equal(ok(tool('wasm-perf', args, { cwd: at('.'), timeout: 600_000 })), `${names.length}\n`);
    assert.deepEqual(readdirSync(at('full')), []);
  });

/** Prints how much each read of two buffers returned, and what it read last. */
const READER = `#include <stdio.h>
#include <sys/uio.h>
int main(void) {
  static char bytes[70000];
  struct iovec parts[] = {{bytes, 0}, {bytes, 5000}, {bytes + 5000, 65000}};
  for (ssize_t size; (size = readv(0, parts, 3)) > 0;) {
    printf("%d %.5s\\n", (int)size, bytes);
    fflush(stdout);
  }
}`;
writeFileSync(at('reader.c'), READER);
clang('-O1', '-w', 'reader.c', '-c', '-o', 'reader.o');
clang('reader.o', '-o', 'reader.wasm');
const reading = (engine) => ['record', '--deterministic', `--engine=${engine}`, '-o', at(`reader-${engine}.wperf`), at('reader.wasm')];

for (const engine of ['node', 'wasmtime']) {
  const skip = engine === 'wasmtime' && noWasmtime;

  test(`a file as standard input has the same pieces, ${engine}`, { skip }, () => {
    writeFileSync(at('long'), 'abcde'.repeat(30000));
    const stdin = openSync(at('long'), 'r');
    const printed = ok(tool('wasm-perf', reading(engine), { stdio: [stdin, 'pipe', 'pipe'], timeout: 600_000 }));
    closeSync(stdin);
    const block = [...Array(13).fill(5000), 536];
    assert.deepEqual(printed.trim().split('\n').map(parseFloat), [...block, ...block, ...Array(3).fill(5000), 3928]);
  });

  test(`a program converses with who writes its input, ${engine}`, { skip, timeout: 600_000 }, async (t) => {
    const child = spawn(join(process.env.WI_BUILD, 'wasm-perf'), reading(engine), { stdio: ['pipe', 'pipe', 'inherit'], cwd: folder });
    t.after(() => child.kill());
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    for (const word of ['hello', 'again', 'there']) {
      child.stdin.write(word);
      assert.equal((await lines.next()).value, `5 ${word}`);
    }
    child.stdin.end();
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });
}

test('both engines count the same', { skip: noWasmtime }, () => {
  assert(!differs('node-1.wperf', 'wasmtime-1.wperf'));
});

test('without it the same program differs', () => {
  const plain = (host, profile) =>
    ok(tool('wasm-perf', ['record', '--clock=instructions', '-o', at(profile), at('probe.wasm')], { cwd: at(host), timeout: 600_000 }));
  plain('first', 'plain-1.wperf');
  plain('second', 'plain-2.wperf');
  assert(differs('plain-1.wperf', 'plain-2.wperf'));
});

test('a module is fixed by wasm-instrument, and says so', () => {
  ok(tool('wasm-instrument', ['--embed', '--deterministic', 'probe.wasm', '-o', 'fixed.wasm']));
  assert.match(read('fixed.wasm').toString('latin1'), / deterministic/);
  const { status, stderr } = tool('wasm-instrument', ['--deterministic', 'probe.wasm', '-o', 'fixed.wasm']);
  assert.equal(status, 2);
  assert.match(stderr, /--deterministic needs --embed|--deterministic.*--embed/);
});

test('warns of a module whose memory cannot be written', () => {
  const text = `(module (import "wasi_snapshot_preview1" "random_get" (func (param i32 i32) (result i32)))
    (func (export "_start") (drop (call 0 (i32.const 0) (i32.const 8)))))`;
  assemble('unexported', text);
  const { status, stderr } = tool('wasm-instrument', ['--embed', '--no-file', '--deterministic', 'unexported.wasm', '-o', 'fixed.wasm']);
  assert.equal(status, 0);
  assert.match(stderr, /warning: clock, random numbers and files are the host's/);
});

const SPIN = `(module (func (export "spin") (param i32)
  (loop $again (br_if $again (i32.gt_s (local.tee 0 (i32.sub (local.get 0) (i32.const 1))) (i32.const 0))))))`;

/** Each expression is a number that hosts answer differently. */
const ASKED = [
  'Date.now()', 'new Date().getMilliseconds()', 'Date().length', 'performance.now() * 1000', 'performance.timeOrigin',
  "performance.mark('a').startTime * 1000", "performance.measure('b').duration * 1000", "performance.measure('c', 'a').duration * 1000",
  'process.hrtime()[1]', 'process.hrtime(process.hrtime())[1]', 'Number(process.hrtime.bigint() % 977n)', 'process.uptime() * 1e6',
  'Math.random() * 1000', 'randomBytes(1)[0]', 'randomInt(1000)', 'randomFillSync(new Uint16Array(1))[0]',
  'crypto.getRandomValues(new Uint8Array(1))[0]', 'parseInt(crypto.randomUUID(), 16)', 'parseInt(randomUUID(), 16)',
  'new Date(2020, 6, 1).getTimezoneOffset() + 999', '(1234.5).toLocaleString().length', 'Object.keys(process.env).join().length',
  "runInNewContext('Date.now()')", "runInNewContext('new Date().getMilliseconds()')", "new Script('Math.random() * 1000').runInNewContext()",
];

function writeScript(name, asked) {
  writeFileSync(at(name), `import { readFileSync } from 'node:fs';
    import { randomBytes, randomFillSync, randomInt, randomUUID } from 'node:crypto';
    import { runInNewContext, Script } from 'node:vm';
    const module = new WebAssembly.Module(readFileSync(${JSON.stringify(at('spin.wasm'))}));
    const { spin } = new WebAssembly.Instance(module).exports;
    for (const value of [${asked.join(', ')}]) { console.log(value); spin(Math.floor(Math.abs(value)) % 1000 + 1); }`);
}

test('a JavaScript program in two hosts', () => {
  assemble('spin', SPIN);
  writeScript('app.mjs', ASKED);
  const record = (profile, variables, ...options) => {
    const env = { ...process.env, ...variables };
    return ok(tool('wasm-perf', ['record', ...options, '-o', profile, '--', process.execPath, 'app.mjs'], { env, timeout: 600_000 }));
  };
  const printed = record('js-1.wperf', { TZ: 'Asia/Tokyo', LC_ALL: 'de_DE.UTF-8' }, '--deterministic');
  assert.equal(record('js-2.wperf', { LONGER: 'x'.repeat(99), TZ: 'America/New_York' }, '--deterministic'), printed);
  assert(!differs('js-1.wperf', 'js-2.wperf'));
  // Each of them alone differs without it, but for those that depend on how the machine is set up.
  const other = record('js-3.wperf', { TZ: 'Asia/Tokyo' }, '--clock=none').split('\n');
  const same = printed.split('\n').filter((line, i) => line === other[i]).length;
  assert(same <= 5, `${same} of ${ASKED.length} are the same`);
});

test('a program does not see our variables; its threads and child processes are profiled', () => {
  assemble('once', '(module (func $run (export "run")))');
  writeFileSync(at('variables.mjs'), `import { spawnSync } from 'node:child_process';
    import { readFileSync } from 'node:fs';
    import { isMainThread, Worker } from 'node:worker_threads';
    const path = new URL(import.meta.url).pathname;
    new WebAssembly.Instance(new WebAssembly.Module(readFileSync('once.wasm'))).exports.run();
    console.log(Object.keys(process.env).join());
    if (isMainThread && process.argv[2] !== 'child') {
      await new Promise((end) => new Worker(path).on('exit', end));
      console.log(spawnSync(process.execPath, [path, 'child'], { encoding: 'utf8' }).stdout);
    }`);
  const args = ['record', '--deterministic', '-o', at('variables.wperf'), '--', process.execPath, 'variables.mjs'];
  const env = { ...process.env, WASM_PERF_NODE: process.execPath, WASM_PERF_CACHE: at('cache'), XDG_CACHE_HOME: at('other'), HOME: at('home') };
  const names = ok(tool('wasm-perf', args, { env, timeout: 600_000 }));
  assert.equal(names.match(/\bPATH\b/g).length, 3);
  assert.doesNotMatch(names, /OPTIONS|WASM_PERF|CACHE/);
  assert(!existsSync(at('home/.cache')), 'threads and child processes have the same cache');
  assert.deepEqual(callCounts(read('variables.wperf')), { run: 3 });
});

test('a child that goes on after the program has failed is named, and not waited for', (t) => {
  assemble('once', '(module (func $run (export "run")))');
  const call = "new WebAssembly.Instance(new WebAssembly.Module(readFileSync('once.wasm'))).exports.run();";
  writeFileSync(at('stays.mjs'), `import { existsSync, readFileSync, writeFileSync } from 'node:fs';
    ${call}
    writeFileSync('child-runs', '');
    setInterval(() => existsSync('child-runs') || process.exit(), 10);`);
  writeFileSync(at('fails.mjs'), `import { spawn } from 'node:child_process';
    import { existsSync, readFileSync } from 'node:fs';
    ${call}
    spawn(process.execPath, ['stays.mjs'], { stdio: 'ignore', detached: true }).unref();
    setInterval(() => existsSync('child-runs') && process.exit(7), 10);`);
  t.after(() => rmSync(at('child-runs'), { force: true }));
  const { status, stdout, stderr } = tool('wasm-perf', ['bench', '--save', '--baseline=fails.json', '--', process.execPath, 'fails.mjs'], { timeout: 600_000 });
  assert.equal(status, 1);
  assert.match(stdout, /^fails\.mjs +failed +it ended with exit code 7$/m);
  assert.match(stderr, /process \d+ is still running: its later work is not in the profile/);
});

test('a program does not see when garbage is collected', () => {
  writeFileSync(at('garbage.mjs'), `import { readFileSync } from 'node:fs';
    import { setImmediate as pause } from 'node:timers/promises';
    const { spin } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync('spin.wasm'))).exports;
    const registry = new FinalizationRegistry((rounds) => { console.log('collected'); spin(rounds); });
    const references = [1, 2, 3].map((rounds) => { const object = { rounds }; registry.register(object, rounds); return new WeakRef(object); });
    spin(1);
    for (let i = 0; i < 9; i++) { await pause(); gc(); }
    console.log(references.every((reference) => reference.deref()?.rounds), references[0] instanceof WeakRef, WeakRef.name);`);
  const command = ['--', process.execPath, '--expose-gc', 'garbage.mjs'];
  const print = (...options) => ok(tool('wasm-perf', ['record', ...options, '-o', 'garbage.wperf', ...command], { cwd: folder, timeout: 600_000 }));
  assert.equal(print('--deterministic'), 'true true WeakRef\n');
  assert.match(print('--clock=none'), /^(collected\n){3}false true WeakRef\n$/);
});

test('Date stays what it is for everything else', () => {
  writeFileSync(at('date.mjs'), `import { readFileSync } from 'node:fs';
    new WebAssembly.Instance(new WebAssembly.Module(readFileSync('spin.wasm'))).exports.spin(1);
    class Own extends Date { twice() { return 2 * this.getTime(); } }
    console.log(new Own(21).twice(), new Date(5).constructor === Date, new Date(5) instanceof Date, Date.UTC(2000, 0, 1), Date.name, Date.length);`);
  const printed = ok(tool('wasm-perf', ['record', '--deterministic', '-o', 'date.wperf', '--', process.execPath, 'date.mjs'], { cwd: folder }));
  assert.equal(printed, '42 true true 946684800000 Date 7\n');
});

test('what does not go with it', () => {
  for (const clock of ['sampled', 'wall']) {
    const { status, stderr } = tool('wasm-perf', ['record', '--deterministic', `--clock=${clock}`, 'probe.wasm']);
    assert.equal(status, 2);
    assert.match(stderr, /--deterministic needs --clock instructions or none/);
  }
  ok(tool('wasm-instrument', ['--embed', 'probe.wasm', '-o', 'ready.wasm']));
  const { status, stderr } = tool('wasm-perf', ['record', '--deterministic', 'ready.wasm']);
  assert.equal(status, 1);
  assert.match(stderr, /--deterministic needs a WASI command or an export of a module, without hooks/);
});
