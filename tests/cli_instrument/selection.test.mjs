/** Which functions patterns choose, in whitelists and options, and what is wrong with patterns. */

import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { assemble, at, folder, read } from '../js/support.mjs';
import { chosen, fail, instrument, module, succeed, whitelist } from './support.mjs';

module();
const [A, B, CPP, RUST] = ['a', 'b', '_ZN3foo3barEv', '_RNvCs1234_7mycrate3baz'];

const whitelists = [
  ['a name', 'a\n', [A]],
  ["an export's name", 'a_export\n', [A]],
  ['among comments, blanks and CRLF', '# a comment\r\n\r\n  b  \r\n', [B]],
  ['a demangled name of C++', 'foo::bar()\n', [CPP]],
  ['a glob of demangled names', 'foo::*\n', [CPP]],
  ['a demangled name of Rust', 'mycrate::baz\n', [RUST]],
  ['a regular expression', '/^(a|b)$/\n', [A, B]],
  ['indices, the last line without its end', '@0\n@3', [A, RUST]],
  ['a range of indices', '@1-2\n', [B, CPP]],
  ['numbers as reports write them', 'func[0]\nfunc[3] "a hint"\n', [A, RUST]],
  ['a glob of one character', '?\n', [A, B]],
  ['all but one', '*\n!b\n', [A, CPP, RUST]],
  ['all but one, where the first pattern takes away', '!b\n', [A, CPP, RUST]],
  ['one after all are taken away', '!*\nb\n', [B]],
  ['one after all are chosen and taken away', '*\n!*\na\n', [A]],
  ['none, as the last pattern that matches decides', 'a\na\n!a\n', []],
  ['none, where no pattern matches', 'idle\n', []],
  ['none, where there is no pattern', '\n# nothing\n', []],
];
for (const [what, text, names] of whitelists)
  test(`a whitelist chooses ${what}`, () => {
    assert.deepEqual(chosen('-w', whitelist(text)), names);
  });

test('a pattern of a template needs no return type', () => {
  assemble('template', '(module (func $_Z4fillIiEvPT_) (func $other))');
  for (const pattern of ['fill*', 'fill<int>(int*)', 'void fill*', '_Z4fill*'])
    assert.match(succeed('--only', pattern, '--list', 'template.wasm'), /\+ +_Z4fillIiEvPT_\n(?!.*\+ +other)/, pattern);
});

test('the patterns of all options form one list, in order', () => {
  assert.deepEqual(chosen('--exclude', 'a', '--only', 'a'), [A]);
  assert.deepEqual(chosen('--exclude', 'b', '--only', 'a'), [A]);
  assert.deepEqual(chosen('--only', '*', '--exclude', 'a'), [B, CPP, RUST]);
});

test('--list shows each function with its instructions and whether it is chosen', () => {
  const heading = '   index     instrs  ?  name\n';
  const row = (index, count, mark, name) =>
    `${String(index).padStart(8)}${String(count).padStart(11)}  ${mark}  ${name}\n`;
  const list = (marks) =>
    [A, B, CPP, RUST].map((name, i) => row(i, [1, 2, 0, 0][i], marks[i], name)).join('');
  assert.equal(succeed('m.wasm', '--list'), heading + list('++++'));
  const options = ['--only', '@1-2', '--min-instructions', '1'];
  assert.equal(succeed('m.wasm', '--list', ...options), heading + list('-+--'));
});

test('--list of a broken module fails and says why, whatever chooses', () => {
  writeFileSync(at('broken.wasm'), read('m.wasm').subarray(0, 20));
  fail('broken.wasm: offset 0xf: 5 bytes do not fit into the 4 that are left', '--list', 'broken.wasm');
  const body = [1, 3, 0, 0x27, 0xb];
  writeFileSync(at('opcode.wasm'), Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 10, 5, ...body]));
  const message = 'opcode.wasm: offset 0x17, function 0: unknown opcode 0x27';
  fail(message, '--list', 'opcode.wasm');
  fail(message, '--list', '--min-instructions', '1', 'opcode.wasm');
});

test('a faulty line of a whitelist is named by its offset, and nothing is written', () => {
  whitelist('a\n/[/\n');
  const before = readdirSync(folder);
  const message = "list.txt: offset 0x2: pattern '/[/': missing terminating ] for character class";
  fail(message, 'm.wasm', '-o', 'x.wasm', '-w', 'list.txt');
  fail('no_such_list: No such file or directory', 'm.wasm', '-o', 'x.wasm', '-w', 'no_such_list');
  assert.deepEqual(readdirSync(folder), before);
});

test('a regular expression that would grow or search without bound is refused', () => {
  const long = 'x'.repeat(60);
  assemble('long', `(module (func $aab) (func $${long}))`);
  const grows = '/(((a{1000}){1000}){1000}){1000}/';
  whitelist(`${grows}\n`, 'grows.txt');
  whitelist('/^(x+x+)+[yz]/\n', 'searches.txt');
  const before = readdirSync(folder);
  fail(`grows.txt: offset 0x0: pattern '${grows}': regular expression is too large`,
    'long.wasm', '-o', 'x.wasm', '-w', 'grows.txt');
  const message = `long.wasm: function 1 (${long}): pattern '/^(x+x+)+[yz]/': match limit exceeded`;
  fail(message, 'long.wasm', '-o', 'x.wasm', '-w', 'searches.txt');
  assert.equal(instrument('long.wasm', '--list', '-w', 'searches.txt').status, 1);
  assert.deepEqual(readdirSync(folder), before);
});

test('warns of patterns and choices that match nothing, unless -q is given', () => {
  const words = ['m.wasm', '-o', 'x.wasm', '--only', 'nothing'];
  const { status, stderr } = instrument(...words);
  assert.deepEqual([status, stderr], [0,
    "wasm-instrument: m.wasm: warning: pattern 'nothing' matches no function\n" +
    'wasm-instrument: m.wasm: warning: no function is selected\n']);
  assert.equal(succeed(...words, '-q'), '');
});

test('a template is found by its name, whatever it returns, even if the linker demangled it', () => {
  for (const [name, raw] of [['linked', 'std::vector<int, std::a<int> > fill<int>(int, int)'], ['mangled', '_Z4fillIiEvPT_']]) {
    assemble(name, '(module (func) (func $other))');
    const bytes = read(`${name}.wasm`);
    const list = Buffer.concat([Buffer.from([0, raw.length]), Buffer.from(raw), Buffer.from([1, 5]), Buffer.from('other')]);
    const names = Buffer.concat([Buffer.from([4]), Buffer.from('name'), Buffer.from([1, list.length + 1, 2]), list]);
    const end = bytes.lastIndexOf(Buffer.from('\x04name')) - 2;
    writeFileSync(at(`${name}.wasm`), Buffer.concat([bytes.subarray(0, end), Buffer.from([0, names.length]), names]));
    const rows = succeed('--list', '--only=fill*', `${name}.wasm`).split('\n').map((row) => row.slice(21, 22));
    assert.deepEqual(rows.slice(1, 3), ['+', '-'], name);
  }
});
