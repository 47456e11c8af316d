/** Modules that were rewritten are kept for later runs, which get the same, as long as nothing has changed. */

import assert from 'node:assert/strict';
import {
  chmodSync, chownSync, copyFileSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync,
  truncateSync, utimesSync, writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { assemble, at, read, tool } from './support.mjs';
import { callCounts } from './wperf.mjs';

const user = process.getuid();
const cache = at('cache');
process.env.WASM_PERF_CACHE = cache;
process.umask(0o002); // as many systems have it
beforeEach(() => rmSync(cache, { recursive: true, force: true }));

assemble('app', `(module
  (func $leaf) (func $started (call $leaf)) (start $started)
  (func (export "run") (call $leaf)))`);
const prelude = `const bytes = require('node:fs').readFileSync('app.wasm');
  const { run } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;`;
writeFileSync(at('program.cjs'), `${prelude} run();`);

function record(options = [], program = 'program.cjs') {
  const args = ['record', '--clock=none', '-o', 'a.wperf', ...options, '--', process.execPath, program];
  const { status, stderr } = tool('wasm-perf', args);
  assert.equal(status, 0, stderr);
  return { counts: callCounts(read('a.wperf')), stderr };
}

const all = { started: 1, 'started;leaf': 1, run: 1, 'run;leaf': 1 };
const files = () => readdirSync(cache).filter((name) => name.endsWith('.wasm')).map((name) => join(cache, name));

test('a module is kept, and later runs take it, with what there was to say', () => {
  assert.deepEqual(record(), { counts: all, stderr: '' });
  assert.equal(files().length, 1);
  assert.deepEqual(record(), { counts: all, stderr: '' });
  const first = record(['--only=leaf', '--only=nothing_1']);
  const [kept] = files().filter((path) => readFileSync(path, 'latin1').includes('nothing_1'));
  const { ino } = statSync(kept);
  const second = record(['--only=leaf', '--only=nothing_1']);
  assert.deepEqual(second, { counts: { leaf: 2 }, stderr: first.stderr });
  assert.match(first.stderr, /'nothing_1' matches no function/);
  assert.equal(statSync(kept).ino, ino, 'what is made anew is another file');
});

test('a program that has no environment any more has it kept, too', () => {
  writeFileSync(at('cleaned.cjs'), `for (const name in process.env) delete process.env[name]; ${prelude} run();`);
  assert.deepEqual(record([], 'cleaned.cjs'), { counts: all, stderr: '' });
  assert.equal(files().length, 1);
});

test('a damaged one is made again', () => {
  const damages = [
    (path) => truncateSync(path, 0),
    (path, size) => truncateSync(path, size - 1),
    (path, size) => truncateSync(path, size >> 1),
    (path, size) => writeFileSync(path, Buffer.alloc(size)),
    (path) => { // a function less, and its tail as it was
      const bytes = readFileSync(path);
      bytes[bytes.indexOf('wasm_perf_key') - 10] ^= 1;
      writeFileSync(path, bytes);
    },
    (path) => {
      rmSync(path);
      mkdirSync(path);
    },
    (path) => {
      copyFileSync(path, at('elsewhere.wasm'));
      rmSync(path);
      symlinkSync(at('elsewhere.wasm'), path);
    },
    (path) => chmodSync(path, 0o666),
    ...(user === 0 ? [(path) => chownSync(path, user + 1, -1)] : []), // only root can give a file away
  ];
  for (const damage of damages) {
    record();
    const [kept] = files();
    const { size } = statSync(kept);
    damage(kept, size);
    assert.deepEqual(record(), { counts: all, stderr: '' });
    const { uid, mode, size: newSize } = statSync(kept);
    assert.deepEqual([lstatSync(kept).isFile(), newSize, mode & 0o022, uid], [true, size, 0, user]);
    assert.equal(files().length, 1);
    rmSync(cache, { recursive: true });
  }
});

test('a large one with a page that was never written is made again', () => {
  const text = 'text '.repeat(60_000);
  assemble('large', `(module (memory 8) (data (i32.const 0) "${text}")
    (func (export "size") (result i32) (i32.load8_u (i32.const 150000))))`);
  writeFileSync(at('large.cjs'), `const bytes = require('node:fs').readFileSync('large.wasm');
    const { size } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
    if (size() === 0) process.exit(1);`);
  record([], 'large.cjs');
  const [kept] = files();
  const bytes = readFileSync(kept);
  writeFileSync(kept, Buffer.from(bytes).fill(0, 147456, 151552));
  record([], 'large.cjs');
  assert.deepEqual(readFileSync(files()[0]), bytes);
});

test('a folder that others may write, or own, is not used', () => {
  const give = user === 0 ? [() => chownSync(cache, user + 1, -1)] : [];
  for (const open of [() => chmodSync(cache, 0o777), ...give]) {
    record();
    rmSync(files()[0]);
    open();
    assert.deepEqual(record(), { counts: all, stderr: '' });
    assert.deepEqual(files(), []);
    rmSync(cache, { recursive: true });
  }
});

test('a folder that cannot be there is none', () => {
  process.env.WASM_PERF_CACHE = '/proc/1/nope/modules'; // where mkdir says that what is above is missing
  assert.deepEqual(record(), { counts: all, stderr: '' });
  process.env.WASM_PERF_CACHE = cache;
});

const recordEmpty = () => {
  writeFileSync(at('empty.cjs'), '');
  return tool('wasm-perf', ['record', '-o', 'a.wperf', '--', process.execPath, 'empty.cjs']).stderr;
};
const codes = () => readdirSync(cache).filter((name) => name.endsWith('.code')).map((name) => join(cache, name));

test("V8's code cache of the profiler is kept, and used if it is complete", () => {
  const expected = recordEmpty();
  const [code, ...others] = codes();
  assert.deepEqual([others.length, files().length], [0, 0]);
  const whole = readFileSync(code);
  const { ino } = statSync(code);
  assert.equal(recordEmpty(), expected);
  assert.equal(statSync(code).ino, ino);
  const damages = [
    whole.subarray(0, -1),
    whole.subarray(0, whole.length >> 1),
    Buffer.alloc(whole.length),
    Buffer.concat([whole.subarray(0, 8192), Buffer.alloc(4096), whole.subarray(12288)]),
    Buffer.from('abc'),
  ];
  for (const bytes of damages) {
    writeFileSync(code, bytes);
    assert.equal(recordEmpty(), expected);
    assert(!readFileSync(code).equals(bytes), 'it is made anew');
    assert.deepEqual(record(), { counts: all, stderr: '' });
  }
  chmodSync(code, 0o666);
  recordEmpty();
  assert.equal(statSync(code).mode & 0o777, 0o600, 'what others may write is made anew');
});

test('other options, and other words in a file that they name, make another', () => {
  record();
  writeFileSync(at('list'), 'leaf\n');
  assert.deepEqual(record(['--whitelist=list']).counts, { leaf: 2 });
  writeFileSync(at('list'), 'run\n');
  assert.deepEqual(record(['-w', 'list']).counts, { run: 1 });
  assert.equal(files().length, 3);
});

test('what the program puts in the place of clocks and files does not matter', () => {
  const patches = `Date.now = () => 0;
    const fs = require('node:fs'); fs.linkSync = fs.renameSync = fs.existsSync = () => { throw new Error(); };`;
  writeFileSync(at('patched.cjs'), `${patches} ${prelude} run();`);
  for (let i = 0; i < 2; i++) assert.deepEqual(record([], 'patched.cjs').counts, all);
  assert.equal(files().length, 1);
  assert(statSync(files()[0]).mtimeMs > 0, 'when it was used last is not known from the program');
});

test('what was not used for longest goes once there is too much', () => {
  mkdirSync(cache, { mode: 0o700 });
  const names = ['my own.wasm', `${'a'.repeat(32)}.wasm`, `${'b'.repeat(32)}.wasm`];
  const large = names.map((name) => join(cache, name));
  for (const [i, path] of large.entries()) {
    writeFileSync(path, '');
    truncateSync(path, 300 << 20);
    utimesSync(path, 1000 + i, 1000 + i);
  }
  record();
  assert.deepEqual(large.map((path) => existsSync(path)), [true, false, true], 'what is not ours stays');
  assert.equal(files().length, 3);
});

test('nothing is kept where that is not wanted, or not possible', () => {
  process.env.WASM_PERF_CACHE = '';
  process.env.XDG_CACHE_HOME = at('elsewhere');
  assert.deepEqual(record().counts, all);
  assert(!existsSync(at('elsewhere')));
  delete process.env.WASM_PERF_CACHE;
  record();
  assert.equal(readdirSync(at('elsewhere/wasm-instrument/modules')).length, 3, 'the module, our code and the secret');
  writeFileSync(cache, 'a file');
  process.env.WASM_PERF_CACHE = cache;
  assert.deepEqual(record(), { counts: all, stderr: '' });
});

test('the secret of a folder determines the keys of its modules', () => {
  const secret = join(cache, 'secret');
  const keyAfter = (change) => {
    change();
    assert.deepEqual(record().counts, all);
    return files().map((path) => path.split('/').at(-1).slice(0, 32));
  };
  const first = keyAfter(() => {});
  assert.equal(statSync(secret).mode & 0o777, 0o600);
  assert.deepEqual(keyAfter(() => {}), first);
  const text = readFileSync(secret, 'latin1');
  assert.equal(keyAfter(() => writeFileSync(secret, 'f'.repeat(32))).length, 2);
  assert.deepEqual(keyAfter(() => { rmSync(cache, { recursive: true }); mkdirSync(cache, { mode: 0o700 }); writeFileSync(secret, text, { mode: 0o600 }); }), first);
  assert.notDeepEqual(keyAfter(() => rmSync(cache, { recursive: true })), first);
  assert.equal(keyAfter(() => chmodSync(secret, 0o666)).length, 2, 'one that others may have written is not used');
});
