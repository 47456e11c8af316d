/** What reaches the terminal: text of others as one line that shows what it is, and what -v tells. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { assemble, at, read, tool } from '../js/support.mjs';
import { instrument, module, succeed } from './support.mjs';

module();

test('a name with a NUL in it or bytes that are not UTF-8 is kept in the output, and said', () => {
  const names = Buffer.concat([
    Buffer.from([0, 0x12, 4]), Buffer.from('name'), Buffer.from([1, 0xb, 2, 0, 3]), Buffer.from('a\0b'),
    Buffer.from([1, 3]), Buffer.from('c\xffd', 'latin1'),
  ]);
  const code = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 3, 2, 0, 0, 10, 7, 2, 2, 0, 0xb, 2, 0, 0xb]);
  writeFileSync(at('names.wasm'), Buffer.concat([code, names]));
  const rows = (first, count) =>
    '   index     instrs  hook  name\n' +
    ['a\ufffdb', 'c\\xffd'].map((name, i) => `       ${first + i}          ${count}     +  ${name}\n`).join('');
  assert.equal(succeed('--list', 'names.wasm'), rows(0, 0));
  for (const options of [['-o', 'out.wasm'], ['--embed', '-o', 'embedded.wasm']]) {
    const { status, stderr } = instrument('names.wasm', ...options);
    const warning = '2 function names with NUL or invalid UTF-8: kept, but shown cleaned';
    assert.deepEqual([status, stderr], [0, `wasm-instrument: names.wasm: warning: ${warning}\n`]);
    assert.match(read(options.at(-1)).toString('latin1'), /\x03a\0b.\x03c\xffd/s);
  }
  assert.equal(succeed('--list', 'out.wasm'), rows(2, 3));
});

test('names in modules are shown as one line', () => {
  assemble('hostile',
    '(module (func $f (export "f")) (func (export "\\c2\\9b31m\\e2\\80\\aetxt\\e2\\80\\8b\\f3\\a0\\81\\81\\1b]0;T\\07\\0aok")))');
  assert.equal(succeed('--list', 'hostile.wasm'),
    '   index     instrs  hook  name\n' +
    '       0          0     +  f\n' +
    '       1          0     +  \\u{9b}31m\\u{202e}txt\\u{200b}\\u{e0041}\\u{1b}]0;T\\u{7}\\u{a}ok\n');
});

test('names of files and sections are shown as one line', () => {
  const name = 'a\x1b]0;T\x07\nb.wasm';
  const section = Buffer.from('\x00\x11\x10.debug_\x1b]0;T\x07\n\xc2\x9b', 'latin1');
  writeFileSync(at(name), Buffer.concat([read('m.wasm'), section]));
  const { status, stderr } = instrument(name, '-o', 'x.wasm');
  assert.deepEqual([status, stderr], [0,
    'wasm-instrument: a\\u{1b}]0;T\\u{7}\\u{a}b.wasm: warning: dropped, because the code moved: ' +
    '.debug_\\u{1b}]0;T\\u{7}\\u{a}\\u{9b}\n']);
});

test('words of the command line are shown as one line', () => {
  const ESCAPE = '\x1b[2J';
  const SHOWN = '\\u{1b}[2J';
  const cases = [
    ['wasm-instrument', [`no${ESCAPE}`, '-o', 'x.wasm'], 1, `no${SHOWN}: No such file or directory`],
    ['wasm-instrument', [`--no${ESCAPE}`], 2, `unrecognized option '--no${SHOWN}'`],
    ['wasm-instrument', ['--clock', `no${ESCAPE}`], 2,
      `--clock wants auto, none, wall, instructions or sampled, not 'no${SHOWN}'`],
    ['wasm-instrument', ['--only', '@\u202e\x1b', 'm.wasm', '-o', 'x.wasm'], 2,
      "pattern '@\\u{202e}\\u{1b}': @ wants a function index"],
    ['wasm-instrument', ['-q', '--only', '/(\x1b/', 'm.wasm', '-o', 'x.wasm'], 2,
      "pattern '/(\\u{1b}/': missing closing parenthesis"],
    ['wasm-perf', [`re${ESCAPE}`], 2, `unknown command 're${SHOWN}'`],
    ['wasm-perf', ['report', 'no\nwasm-perf: all is well'], 1,
      'no\\u{a}wasm-perf: all is well: No such file or directory'],
  ];
  for (const [command, words, code, message] of cases) {
    const { status, stdout, stderr } = tool(command, words);
    const help = code === 2 ? `Try '${command} --help'.\n` : '';
    assert.deepEqual([status, stdout, stderr], [code, '', `${command}: ${message}\n${help}`]);
  }
});

test('-v tells what was done', () => {
  const { status, stdout, stderr } = instrument('m.wasm', '-o', 'x.wasm', '-v');
  assert.match(stdout + stderr,
    /^wasm-instrument: m\.wasm: 4 of 4 functions instrumented, 2 imports added, \d+ -> \d+ bytes \(\+[\d.]+ %\), read by wabt, [\d.]+ ms of CPU\n$/);
  assert.equal(status, 0);
});

test('--stderr: warns that a module will write nothing', () => {
  const write = '(import "wasi_snapshot_preview1" "fd_write" (func (param i32 i32 i32 i32) (result i32)))';
  assemble('reactor', `(module ${write} (memory (export "memory") 1) (func (export "_initialize")))`);
  assemble('command', `(module ${write} (memory (export "memory") 1) (func (export "_start")))`);
  const { status, stderr } = instrument('reactor.wasm', '--embed', '--stderr', '-o', 'out.wasm');
  assert.equal(status, 0);
  assert.match(stderr, /^wasm-instrument: reactor\.wasm: warning: --stderr has no effect: the module is not a WASI command, /);
  assert.equal(instrument('command.wasm', '--embed', '--stderr', '-o', 'out.wasm').stderr, '');
});

// ---- Profiles that would be lost without a word ---------------------------------------------

const WASI = '(import "wasi_snapshot_preview1" "sched_yield" (func $yield (result i32)))';
const MEMORY = '(memory (export "memory") 1)';
const WORK = '(func $work (drop (i32.const 1))) (func $more (call $work) (call $work))';

/** {what: [module, options, warning; none if it is right]} */
const losses = {
  'exports that may be called after _start': [
    `(module ${WASI} ${MEMORY} ${WORK} (func (export "_start") (call $more)) (func (export "handle") (call $more)))`,
    ['--embed'], /the profile that the module writes is of _start only/],
  'exports that the toolchain adds': [
    `(module ${WASI} ${MEMORY} ${WORK} (func (export "_start") (call $more)) (func (export "malloc") (call $more))
      (func (export "__main_void") (call $more)))`, ['--embed']],
  'exports of a module whose host reads it': [
    `(module ${WASI} ${MEMORY} ${WORK} (func (export "_start") (call $more)) (func (export "handle") (call $more)))`,
    ['--embed', '--no-file']],
  'a command without WASI': [
    `(module ${MEMORY} ${WORK} (func (export "_start") (call $more)))`,
    ['--embed'], /the module cannot write its profile when it ends, as it imports nothing of wasi_snapshot_preview1/],
  'a command whose memory has another name': [
    `(module ${WASI} (memory (export "mem") 1) ${WORK} (func (export "_start") (call $more)))`,
    ['--embed'], /or exports no memory named memory/],
  'a default export': [`(module ${WASI} ${MEMORY} ${WORK} (func (export "") (call $more)))`, ['--embed']],
  'a library': [`(module ${MEMORY} ${WORK} (func (export "handle") (call $more)))`, ['--embed']],
  '--flush of a library': [
    `(module ${MEMORY} ${WORK} (func (export "handle") (call $more)))`,
    ['--flush'], /--flush has no effect: the module exports no _start and imports no proc_exit/],
  '--flush of a command': [`(module ${MEMORY} ${WORK} (func (export "_start") (call $more)))`, ['--flush']],
};

for (const [what, [text, options, warning]] of Object.entries(losses))
  test(`a profile that would be lost: ${what}`, () => {
    assemble('losing', text);
    const { status, stderr } = instrument('losing.wasm', ...options, '-o', 'losing.prof.wasm');
    assert.equal(status, 0, stderr);
    if (warning) assert.match(stderr, warning);
    else assert.equal(stderr, '');
  });

test('a default export writes the profile as _start does', () => {
  assemble('default', losses['a default export'][0]);
  succeed('--embed', 'default.wasm', '-o', 'default.prof.wasm');
  assert(WebAssembly.Module.imports(new WebAssembly.Module(read('default.prof.wasm'))).some(({ name }) => name === 'path_open'));
});

test('--memory is refused if only a guest has functions', () => {
  for (const [guest, status] of [['python', 2], ['both', 0]]) {
    const result = instrument('--embed', '--clock=none', '--memory', `--guest=${guest}`, 'm.wasm', '-o', 'x.wasm');
    assert.equal(result.status, status, result.stderr);
    if (status !== 0) assert.match(result.stderr, /^wasm-instrument: --memory needs the module's own functions: --guest both\n/);
  }
});
