/** What wasm-instrument reads and writes: an output appears whole or not at all. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync, closeSync, existsSync, lstatSync, mkdirSync, openSync, readdirSync, readlinkSync, statSync,
  symlinkSync, truncateSync, writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { at, build, folder, read, tool } from '../js/support.mjs';
import { fail, instrument, module, succeed } from './support.mjs';

module();
const EMPTY = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
writeFileSync(at('empty.wasm'), EMPTY);
const mode = (name) => statSync(at(name)).mode & 0o7777;
const NOT_WASM = '<stdin>: offset 0x0: not a WebAssembly module (no \\0asm at its start)';
const isInstrumented = (name) => read(name).includes('wasm_instrument');

test('the same input and options give the same bytes', () => {
  succeed('m.wasm', '-o', 'one.wasm');
  succeed('m.wasm', '-o', 'other.wasm');
  assert.deepEqual(read('one.wasm'), read('other.wasm'));
});

test('a failure leaves an existing output as it was, and nothing beside it', () => {
  writeFileSync(at('precious.wasm'), 'precious\n');
  writeFileSync(at('broken.wasm'), read('m.wasm').subarray(0, 20));
  const before = readdirSync(folder);
  fail('broken.wasm: offset 0xf: 5 bytes do not fit into the 4 that are left',
    'broken.wasm', '-o', 'precious.wasm');
  assert.equal(read('precious.wasm').toString(), 'precious\n');
  assert.deepEqual(readdirSync(folder), before);
});

test('the output may be the input, and keeps its mode', () => {
  writeFileSync(at('same.wasm'), read('m.wasm'));
  chmodSync(at('same.wasm'), 0o640);
  succeed('m.wasm', '-o', 'one.wasm');
  succeed('same.wasm', '-o', 'same.wasm');
  assert.deepEqual(read('same.wasm'), read('one.wasm'));
  assert.equal(mode('same.wasm'), 0o640);
});

test('a link as output stays a link, whether it leads to a file or to none yet', () => {
  writeFileSync(at('real.wasm'), read('m.wasm'));
  symlinkSync('real.wasm', at('link.wasm'));
  succeed('m.wasm', '-o', 'link.wasm');
  assert.equal(readlinkSync(at('link.wasm')), 'real.wasm');
  assert(isInstrumented('real.wasm'));
  mkdirSync(at('there'));
  symlinkSync('there/new.wasm', at('dangling.wasm'));
  succeed('m.wasm', '-o', 'dangling.wasm');
  assert.equal(readlinkSync(at('dangling.wasm')), 'there/new.wasm');
  assert(isInstrumented('there/new.wasm'));
});

test('a link to itself is refused, and stays', () => {
  symlinkSync('loop.wasm', at('loop.wasm'));
  fail('loop.wasm: Too many levels of symbolic links', 'm.wasm', '-o', 'loop.wasm');
  assert(lstatSync(at('loop.wasm')).isSymbolicLink());
});

test('a program of another user lends its rights to no output', () => {
  writeFileSync(at('lends.wasm'), 'old\n');
  chmodSync(at('lends.wasm'), 0o6755);
  succeed('empty.wasm', '-o', 'lends.wasm');
  assert.equal(mode('lends.wasm'), 0o755);
});

test('an output that may not be written is left as it is', () => {
  writeFileSync(at('read_only.wasm'), 'old\n');
  chmodSync(at('read_only.wasm'), 0o444);
  fail('read_only.wasm: Permission denied', 'empty.wasm', '-o', 'read_only.wasm');
  assert.equal(read('read_only.wasm').toString(), 'old\n');
});

test('names of outputs may be as long as the file system lets them be', () => {
  const names = ['0'.repeat(244), '0'.repeat(250), 'ü'.repeat(125)].map((text) => `${text}.wasm`);
  for (const name of [...names, names[1]]) {
    succeed('empty.wasm', '-o', name);
    assert(isInstrumented(name));
  }
});

test('an output in a folder that does not exist cannot be written', () => {
  fail('no/such/folder/x.wasm: No such file or directory', 'm.wasm', '-o', 'no/such/folder/x.wasm');
});

test('an input that is missing, or too large, is refused', () => {
  fail('nothing.wasm: No such file or directory', 'nothing.wasm', '-o', 'none.wasm');
  writeFileSync(at('huge.wasm'), EMPTY);
  truncateSync(at('huge.wasm'), 5 * 2 ** 30);
  fail('huge.wasm: modules of 4 GiB and more are not supported', 'huge.wasm', '-o', 'none.wasm');
  assert(!existsSync(at('none.wasm')));
});

test('- is standard input and output, with the same bytes as by file', () => {
  succeed('m.wasm', '-o', 'one.wasm');
  const piped = tool('wasm-instrument', ['-', '-o', '-'], { input: read('m.wasm'), encoding: null });
  assert.deepEqual([piped.status, piped.stderr.toString()], [0, '']);
  assert.deepEqual(piped.stdout, read('one.wasm'));
  for (const input of ['nonsense\n', '']) {
    const { status, stdout, stderr } = tool('wasm-instrument', ['-', '-o', '-'], { input });
    assert.deepEqual([status, stdout, stderr], [1, '', `wasm-instrument: ${NOT_WASM}\n`]);
  }
});

test('a full device is an error', { skip: !existsSync('/dev/full') }, () => {
  const full = openSync('/dev/full', 'w');
  const stdio = ['ignore', full, 'pipe'];
  const { status, stderr } = tool('wasm-instrument', ['empty.wasm', '-o', '-'], { stdio });
  closeSync(full);
  assert.deepEqual([status, stderr], [1, 'wasm-instrument: <stdout>: No space left on device\n']);
});

test('an output is made for who may read it by the umask', () => {
  const command = `umask 027; '${join(build, 'wasm-instrument')}' empty.wasm -o masked.wasm`;
  execFileSync('sh', ['-c', command], { cwd: folder });
  assert.equal(mode('masked.wasm'), 0o640);
});

test('instrumenting twice is an error, unless it is forced', () => {
  succeed('m.wasm', '-o', 'once.wasm');
  const { status, stderr } = instrument('once.wasm', '-o', 'twice.wasm');
  assert.match(stderr, /^wasm-instrument: once\.wasm: offset 0x[0-9a-f]+: already instrumented by wasm-instrument \S+\n$/);
  assert.deepEqual([status, existsSync(at('twice.wasm'))], [1, false]);
  succeed('once.wasm', '-o', 'twice.wasm', '--force', '--import-module', 'other');
});
