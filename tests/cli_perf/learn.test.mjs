/** wasm-perf symbols learn: names for functions of libraries, told by their code alone. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { assemble, at, read, tool } from '../js/support.mjs';
import { readNames, strip } from '../matching/module.mjs';

/** Code with constants that no address is; `count` pairs of instructions. */
function body(seed, count = 30) {
  let state = [...seed].reduce((sum, c) => (Math.imul(sum, 31) + c.charCodeAt(0)) >>> 0, 7);
  const next = () => ((state = (Math.imul(state, 1103515245) + 12345) >>> 0) >>> 2) + 0x10000000;
  return Array.from({ length: count }, () => `local.get 0 i32.const ${next()} i32.xor i32.const ${next()} i32.mul local.set 0`).join('\n');
}

const one = ({ name, code = body(name), calls = [] }) =>
  `(func $${name} (param i32) (result i32) ${calls.map((each) => `(drop (call $${each} (local.get 0)))`).join(' ')} ${code} local.get 0)`;

/** Functions {name, code, calls} behind an import and a function more, so that no index is the same. */
const program = (own, functions) =>
  `(module (import "env" "${own}" (func $import (param i32))) ${[{ name: own }, ...functions].map(one).join('\n')} (export "main" (func $${own})))`;

const library = Array.from({ length: 6 }, (_, i) => ({ name: `library${i}`, calls: i > 2 ? ['library0'] : [] }));

function symbols(...args) {
  const { status, stdout, stderr } = tool('wasm-perf', ['symbols', ...args]);
  return { status, stderr, lines: stdout.split('\n').slice(0, -1).map((line) => line.split('\t')) };
}

test('what two programs have in common is a library: it is named in a third, and nothing else is', () => {
  assemble('one', program('one', [...library, { name: 'mine' }]));
  assemble('two', program('two', [{ name: 'yours' }, ...[...library].reverse()]));
  assemble('three', program('three', [{ name: 'mine' }, ...library.slice(2), ...library.slice(0, 2)]), { names: false });
  assert.deepEqual(symbols('learn', '-o', 'some.names', 'one.wasm', 'two.wasm'), { status: 0, stderr: '', lines: [] });
  const { status, lines } = symbols('three.wasm', 'some.names');
  assert.equal(status, 0);
  const expected = [...library.slice(2), ...library.slice(0, 2)].map(({ name }, i) => [String(3 + i), name, '0.990']);
  assert.deepEqual(lines, expected);
  assert.deepEqual(symbols('three.wasm').lines, []);
});

test('of one module all functions are learnt, but none that is short', () => {
  assemble('one', program('one', [...library, { name: 'short', code: body('short', 2) }]));
  symbols('learn', '-o', 'one.names', 'one.wasm');
  const text = String(read('one.names'));
  assert.match(text, /^wasm-perf signatures 1\n(library\d\t[0-9a-f]{12}\n){6}one\t[0-9a-f]{12}\n$/);
});

test('code that has two names has none, unless one is an alias of the other', () => {
  const named = (...names) => names.map((name, i) => ({ name, code: body(`code${i}`) }));
  assemble('one', program('one', named('first', 'malloc', 'same')));
  assemble('two', program('two', named('second', 'dlmalloc', 'same')));
  symbols('learn', '-o', 'two.names', 'one.wasm', 'two.wasm');
  assert.deepEqual([...String(read('two.names')).matchAll(/^(\w+)\t/gm)].map(([, name]) => name), ['malloc', 'same']);
});

test('of functions with the same code in the module none is named', () => {
  assemble('one', program('one', library));
  symbols('learn', '-o', 'one.names', 'one.wasm');
  const twins = Array.from({ length: 1000 }, (_, i) => ({ name: `twin${i}`, code: body('library1') }));
  assemble('three', program('three', [...library, ...twins]), { names: false });
  assert.deepEqual(symbols('three.wasm', 'one.names').lines.map(([, name]) => name), ['library0', 'library2', 'library3', 'library4', 'library5']);
});

test('a build of the module comes before signatures', () => {
  assemble('one', program('one', library));
  symbols('learn', '-o', 'one.names', 'one.wasm');
  const renamed = library.map((each) => ({ ...each, name: each.name.replace('library', 'build'), code: body(each.name), calls: each.calls.map(() => 'build0') }));
  assemble('build', program('one', renamed));
  assemble('in', program('one', library), { names: false });
  for (const files of [['one.names', 'build.wasm'], ['build.wasm', 'one.names']])
    assert(symbols('in.wasm', ...files).lines.slice(1).every(([, name]) => name.startsWith('build')), files.join());
});

test('files of signatures are taken by wasm-instrument, record and report', () => {
  const command = `(module ${library.map(one).join('\n')}
    (func (export "_start") ${library.map(({ name }) => `(drop (call $${name} (i32.const 1)))`).join(' ')}) (memory (export "memory") 1))`;
  assemble('one', program('one', library));
  symbols('learn', '-o', 'one.names', 'one.wasm');
  assemble('in', command, { names: false });
  const list = tool('wasm-instrument', ['--list', '--names', 'one.names', 'in.wasm']).stdout;
  assert.equal([...list.matchAll(/~library\d\n/g)].length, 6);
  assert.equal(tool('wasm-perf', ['record', '--clock=none', '-o', 'later.wperf', 'in.wasm']).status, 0);
  tool('wasm-perf', ['record', '--clock=none', '--symbols', 'one.names', '-o', 'direct.folded', 'in.wasm']);
  const { stdout, stderr } = tool('wasm-perf', ['report', '-f', 'folded', '--symbols', 'one.names', 'later.wperf']);
  assert.equal(stderr, '');
  for (const text of [stdout, read('direct.folded')]) assert.match(String(text), /^_start;~library5;~library0 1$/m);
});

test('a damaged file is an error with its place; learning needs modules with names and a file to write', () => {
  assemble('in', program('one', library), { names: false });
  const start = 'wasm-perf signatures 1\n';
  for (const line of ['name', 'name\t', 'name\t0123456789a', 'name\t0123456789abc', 'name\t0123456789ab\t', '\t0123456789ab\n', `${'n'.repeat(300)}\t0123456789ab\n`, 'a\0b\t0123456789ab\n', 'name\t0123456789AB\n']) {
    writeFileSync(at('bad.names'), `${start}good\t0123456789ab\n${line}`);
    const { status, stderr, lines } = symbols('in.wasm', 'bad.names');
    assert.deepEqual([status, lines], [1, []], line);
    assert.match(stderr, /^wasm-perf: bad\.names: offset 0x29: /, line);
  }
  const nothing = symbols('learn', '-o', 'none.names', 'in.wasm');
  assert.deepEqual([nothing.status, nothing.stderr.split(':')[0]], [1, 'wasm-perf']);
  assert.throws(() => readFileSync(at('none.names')));
  for (const args of [['learn'], ['learn', 'in.wasm'], ['learn', '-o', 'a.names'], ['-o', 'a.names', 'in.wasm'], []])
    assert.equal(symbols(...args).status, 2, args.join(' '));
});

const clang = spawnSync('clang', ['--print-file-name=libc.a', '--target=wasm32-wasi'], { encoding: 'utf8' });
const hasLibrary = clang.status === 0 && spawnSync('clang', ['--target=wasm32-wasi', '-x', 'c', '-', '-o', at('probe.wasm')], { input: 'int main(void) { return 0; }' }).status === 0;

test("a program's C library is named without another build, and no name is wrong", { skip: !hasLibrary && 'no C library for WASI' }, () => {
  const source = '#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint main(int c, char **v) { char *p = strdup(v[0]); qsort(p, strlen(p), 1, (int (*)(const void *, const void *))strcmp); return printf("%s %g\\n", realloc(p, 99), strtod(v[c - 1], 0)); }';
  // In two steps: clang that optimises and links runs the wasm-opt that it finds, which takes the names away.
  assert.equal(spawnSync('clang', ['--target=wasm32-wasi', '-O2', '-w', '-x', 'c', '-c', '-', '-o', at('app.o')], { input: source }).status, 0);
  assert.equal(spawnSync('clang', ['--target=wasm32-wasi', at('app.o'), '-o', at('app.wasm')]).status, 0);
  const bytes = read('app.wasm');
  writeFileSync(at('stripped.wasm'), strip(bytes));
  const { lines } = symbols('stripped.wasm'), { names } = readNames(bytes);
  for (const [index, name] of lines) assert(names.get(Number(index)).endsWith(name), `${names.get(Number(index))} is called ${name}`);
  const given = lines.map(([, name]) => name);
  for (const name of ['printf_core', 'malloc', 'realloc']) assert(given.some((each) => each.endsWith(name)), name);
});
