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
  ['a name in front of a remark', 'a  # the hot one\nb\t#\n', [A, B]],
  ['names with a number sign, which begins a remark only between blanks', 'a#b\na #b\na# b\n', []],
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
  const heading = '   index     instrs  hook  name\n';
  const row = (index, count, mark, name) =>
    `${String(index).padStart(8)}${String(count).padStart(11)}     ${mark}  ${name}\n`;
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

test('a faulty line of a whitelist is named by its number, and nothing is written', () => {
  whitelist('a\n/[/\n');
  const before = readdirSync(folder);
  const message = "list.txt: line 2: pattern '/[/': missing terminating ] for character class";
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
  fail(`grows.txt: line 1: pattern '${grows}': regular expression is too large`,
    'long.wasm', '-o', 'x.wasm', '-w', 'grows.txt');
  const message = `long.wasm: function 1 (${long}): pattern '/^(x+x+)+[yz]/': match limit exceeded`;
  fail(message, 'long.wasm', '-o', 'x.wasm', '-w', 'searches.txt');
  assert.equal(instrument('long.wasm', '--list', '-w', 'searches.txt').status, 1);
  assert.deepEqual(readdirSync(folder), before);
});

test('says once that nothing is selected, and why, unless -q is given', () => {
  const words = ['m.wasm', '-o', 'x.wasm', '--only', 'nothing'];
  const { status, stderr } = instrument(...words);
  assert.deepEqual([status, stderr], [0,
    "wasm-instrument: m.wasm: warning: no function is selected: pattern 'nothing' matches no function\n"]);
  assert.equal(succeed(...words, '-q'), '');
});

/** The messages of wasm-instrument about m.wasm, with these options, and its exit code. */
function messages(...options) {
  const { status, stderr } = instrument('m.wasm', '-o', 'x.wasm', ...options);
  return [status, ...stderr.trimEnd().split('\n').map((line) => line.replace('wasm-instrument: m.wasm: ', ''))];
}

test('where a name matches nothing, the nearest one is suggested', () => {
  const cases = [['a_exprot', 'a_export'], ['foo::bra', 'foo::bar()'], ['mycrate::bza', 'mycrate::baz'], ['part:mycrat', 'part:mycrate']];
  for (const [pattern, meant] of cases)
    assert.deepEqual(messages('--only', 'b', '--only', pattern),
      [0, `warning: pattern '${pattern}' matches no function; did you mean '${meant}'?`]);
  for (const pattern of ['a_exprot*', '/a_exprot/', 'entirely_different', '@9'])
    assert.deepEqual(messages('--only', 'b', '--only', pattern), [0, `warning: pattern '${pattern}' matches no function`]);
});

test('several patterns without a match are named one by one, and that nothing is selected once', () => {
  assert.deepEqual(messages('--only', 'x', '--only', 'y'), [0, "warning: pattern 'x' matches no function",
    "warning: pattern 'y' matches no function", 'warning: no function is selected']);
  const empty = 'warning: no function is selected: the whitelist contains no pattern';
  assert.deepEqual(messages('-w', whitelist('# nothing\n')), [0, empty]);
  assert.deepEqual(messages('--min-instructions', '100'), [0, 'warning: no function is selected']);
});

test('--strict fails where a pattern matches nothing and where nothing is selected, and writes nothing', () => {
  const before = readdirSync(folder);
  const none = 'm.wasm: no function is selected';
  const cases = [
    ["m.wasm: pattern 'a_exprot' matches no function; did you mean 'a_export'?", '--only', 'b', '--only', 'a_exprot'],
    [`${none}: pattern 'nothing' matches no function`, '--only', 'nothing'],
    [`${none}: the whitelist contains no pattern`, '-w', whitelist('')],
    [none, '--only', 'b', '--exclude', '*'],
    [none, '--min-instructions', '100'],
  ];
  for (const [message, ...options] of cases)
    for (const action of [['-o', 'new.wasm'], ['--list']])
      fail(message, 'm.wasm', '--strict', ...action, ...options);
  assert.deepEqual(readdirSync(folder).filter((name) => name !== 'list.txt'), before.filter((name) => name !== 'list.txt'));
  succeed('m.wasm', '--strict', '-o', 'x.wasm', '--only', 'b');
});

test('part: chooses by crate, namespace, package or prefix', () => {
  assert.deepEqual(chosen('--only', 'part:foo'), [CPP]);
  assert.deepEqual(chosen('--only', 'part:my*'), [RUST]);
  assert.deepEqual(chosen('--exclude', 'part:foo'), [A, B, RUST]);
  assert.deepEqual(chosen('-w', whitelist('*\n!part:foo  # not ours\n!part:mycrate\n')), [A, B]);
  const { status, stderr } = instrument('m.wasm', '--list', '--only', 'part:');
  assert.deepEqual([status, stderr.split('\n')[0]], [2, "wasm-instrument: pattern 'part:': wants a name after the colon"]);
});

/** Writes mapped.wasm, whose function `one` is of src/lib/one.c and `two` of src/two.c, by a source map. */
function mapped() {
  assemble('mapped', '(module (func $one nop) (func $two nop nop))');
  const bytes = read('mapped.wasm');
  const body = bytes.indexOf(Buffer.from([0, 1, 0xb])); // no locals, nop, end
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const vlq = (value) => {
    let text = '';
    for (value <<= 1; text === '' || value; value >>= 5) text += digits[(value & 31) | (value > 31 ? 32 : 0)];
    return text;
  };
  const mappings = `${vlq(body)}AAA,${vlq(4)}CAA`;
  writeFileSync(at('mapped.map'), JSON.stringify({ version: 3, sources: ['src/lib/one.c', 'src/two.c'], names: [], mappings }));
  return ['mapped.wasm', '--source-map', 'mapped.map'];
}

test('file: chooses by source file, from a source map', () => {
  const words = mapped();
  const rows = (pattern) => succeed(...words, '--list', '--only', pattern).split('\n').map((row) => row.trim().split(/\s+/));
  const names = (pattern) => rows(pattern).filter((cells) => cells[2] === '+').map((cells) => cells[3]);
  assert.deepEqual(names('file:one.c'), ['one']);
  assert.deepEqual(names('file:lib/one.c'), ['one']);
  assert.deepEqual(names('file:lib/*'), ['one']);
  assert.deepEqual(names('file:src/*'), ['one', 'two']);
  const { stderr } = instrument(...words, '--list', '--only', 'file:tow.c');
  assert.equal(stderr, "wasm-instrument: mapped.wasm: warning: no function is selected: pattern 'file:tow.c' matches no function; did you mean 'file:two.c'?\n");
  assert.match(instrument(...words, '-o', 'x.wasm', '--only', 'file:two.c', '-v').stderr, /1 of 2 functions/);
  assert.deepEqual(messages('--only', 'file:one.c'), [0, "warning: no function is selected: pattern 'file:one.c' matches no function: " +
    'the module has neither debug information nor a source map']);
});

test('a template is found by its name, whatever it returns, even if the linker demangled it', () => {
  for (const [name, raw] of [['linked', 'std::vector<int, std::a<int> > fill<int>(int, int)'], ['mangled', '_Z4fillIiEvPT_']]) {
    assemble(name, '(module (func) (func $other))');
    const bytes = read(`${name}.wasm`);
    const list = Buffer.concat([Buffer.from([0, raw.length]), Buffer.from(raw), Buffer.from([1, 5]), Buffer.from('other')]);
    const names = Buffer.concat([Buffer.from([4]), Buffer.from('name'), Buffer.from([1, list.length + 1, 2]), list]);
    const end = bytes.lastIndexOf(Buffer.from('\x04name')) - 2;
    writeFileSync(at(`${name}.wasm`), Buffer.concat([bytes.subarray(0, end), Buffer.from([0, names.length]), names]));
    const rows = succeed('--list', '--only=fill*', `${name}.wasm`).split('\n').map((row) => row.slice(24, 25));
    assert.deepEqual(rows.slice(1, 3), ['+', '-'], name);
  }
});
