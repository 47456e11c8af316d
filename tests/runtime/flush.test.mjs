/** perf_flush: the profile as a file, for hosts that only know WASI. */

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  CLOCK,
  HEADER_SIZE,
  NODE_SIZE,
  environmentHost,
  filesHost,
  instantiate,
  moduleBytes,
  profileBytes,
} from './support.mjs';

/** An instance that counted `calls` calls, and its files. */
function counted(calls, fileOptions, variables) {
  let files;
  const runtime = instantiate((memory) => {
    files = filesHost(memory, fileOptions);
    return { ...files.host, ...(variables && environmentHost(memory, variables)) };
  });
  runtime.perf_configure(CLOCK.none, 0);
  for (let i = 0; i < calls; i++) runtime.perf_start(i);
  return { runtime, ...files };
}

test('it writes header and nodes', () => {
  const { runtime, files, stderr } = counted(10, { directories: ['/', '/wasm_perf'] });
  runtime.perf_flush();
  assert(files.get('/wasm_perf/profile.wperf').equals(profileBytes(runtime)));
  assert.equal(stderr(), '');
});

test('each call writes all there is by then', () => {
  const { runtime, files } = counted(3, { directories: ['/wasm_perf'] });
  runtime.perf_flush();
  const first = files.get('/wasm_perf/profile.wperf');
  for (let i = 0; i < 1000; i++) runtime.perf_start(i);
  runtime.perf_flush();
  const second = files.get('/wasm_perf/profile.wperf');
  assert.equal(first.length, HEADER_SIZE + 4 * NODE_SIZE);
  assert.equal(second.length, HEADER_SIZE + 1004 * NODE_SIZE);
  assert(second.equals(profileBytes(runtime)));
});

test('the environment names directory and file', () => {
  const directories = ['/tmp', '/data/', '/wasm_perf'];
  for (const directory of ['/data', '/data/', '/data//']) {
    const variables = { OTHER: 'x'.repeat(100_000), WASM_PERF_DIR: directory, WASM_PERF_FILE: 'a.b' };
    const { runtime, files } = counted(2, { directories }, variables);
    runtime.perf_flush();
    assert.deepEqual([...files.keys()], ['/data//a.b']);
    assert(files.get('/data//a.b').equals(profileBytes(runtime)));
  }
});

test('reading the environment leaves the tree alone', () => {
  const variables = { LONG: 'y'.repeat(300_000) };
  const { runtime } = counted(5000, { directories: ['/wasm_perf'] }, variables);
  const before = profileBytes(runtime);
  runtime.perf_flush();
  assert(profileBytes(runtime).equals(before));
  for (let i = 5000; i < 20_000; i++) runtime.perf_start(i); // grows over where it was read
  assert(counted(20_000).runtime.perf_depth() === runtime.perf_depth());
  assert(profileBytes(runtime).equals(profileBytes(counted(20_000).runtime)));
});

test('hosts may write less than they are given', () => {
  const { runtime, files, stderr } = counted(100, { directories: ['/wasm_perf'], chunk: 777 });
  runtime.perf_flush();
  assert(files.get('/wasm_perf/profile.wperf').equals(profileBytes(runtime)));
  assert.equal(stderr(), '');
});

test('before the first event it writes an empty profile', () => {
  let files;
  const runtime = instantiate((memory) => {
    files = filesHost(memory, { directories: ['/wasm_perf'] });
    return { ...files.host, ...environmentHost(memory, { WASM_PERF_FILE: 'empty' }) };
  });
  runtime.perf_flush();
  assert.equal(files.files.get('/wasm_perf/empty').length, HEADER_SIZE + NODE_SIZE);
});

const NO_DIRECTORY =
  'wasm_perf: the profile is lost, no preopened directory has this name: /wasm_perf\n';
const NO_FILE = 'wasm_perf: the profile is lost, cannot write its file: profile.wperf: WASI error';

for (const [what, options, message] of [
  [
    'no directory of that name',
    { directories: ['/wasm_perf2', '/wasm', '/'] },
    NO_DIRECTORY,
  ],
  ['a name that cannot be read', { nameResult: 37 }, NO_DIRECTORY],
  ['a file that cannot be opened', { path_open: () => 76 }, `${NO_FILE} 76\n`],
  ['a file that cannot be closed', { fd_close: () => 51 }, `${NO_FILE} 51\n`],
]) {
  test(`it tells of ${what}`, () => {
    const { runtime, stderr } = counted(3, { directories: ['/wasm_perf'], ...options });
    runtime.perf_flush();
    assert.equal(stderr(), message);
  });
}

for (const [what, result, code] of [
  ['fails', () => 51, 51],
  ['takes nothing', () => 0, 29],
  ['claims too much', (memory, written) => (memory().setUint32(written, 1e9, true), 0), 29],
]) {
  test(`it tells of a write that ${what}`, () => {
    let files;
    const runtime = instantiate((memory) => {
      files = filesHost(memory, { directories: ['/wasm_perf'] });
      const { fd_write } = files.host;
      return {
        ...files.host,
        fd_write: (fd, parts, count, written) =>
          fd === 2 ? fd_write(fd, parts, count, written) : result(memory, written),
      };
    });
    runtime.perf_configure(CLOCK.none, 0);
    runtime.perf_flush();
    assert.equal(files.stderr(), `${NO_FILE} ${code}\n`);
  });
}

test('it works with an implementation of WASI', async () => {
  process.removeAllListeners('warning'); // node:wasi says that it is experimental
  const { WASI } = await import('node:wasi');
  const folder = mkdtempSync(join(tmpdir(), 'wasm_perf-flush-'));
  try {
    writeFileSync(join(folder, 'kept.wperf'), 'x'.repeat(100_000)); // to be cut
    const wasi = new WASI({
      version: 'preview1',
      env: { WASM_PERF_FILE: 'kept.wperf' },
      preopens: { '/elsewhere': tmpdir(), '/wasm_perf': folder },
    });
    const module = await WebAssembly.compile(moduleBytes);
    const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
    wasi.initialize(instance);
    const runtime = instance.exports;
    runtime.perf_start(1);
    runtime.perf_start(2);
    runtime.perf_end();
    runtime.perf_end();
    runtime.perf_flush();
    const written = readFileSync(join(folder, 'kept.wperf'));
    const now = profileBytes(runtime);
    assert.equal(written.length, HEADER_SIZE + 3 * NODE_SIZE);
    assert(written.subarray(HEADER_SIZE + NODE_SIZE).equals(now.subarray(HEADER_SIZE + NODE_SIZE))); // time passed in the root
    assert.equal(written.readBigUint64LE(32), 1_000_000_000n);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
