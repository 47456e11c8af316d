/** Where functions stand in the source, in profiles of JavaScript programs: file and line, as of a module that is recorded alone. */

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { assemble, at, read, run, tool } from '../js/support.mjs';

const clang = process.env.WI_CLANG ?? 'clang';
const { WI_WASM_LD = 'wasm-ld' } = process.env;

const source = `__attribute__((noinline)) static int inner(int n) {
  int sum = 0;
  for (volatile int i = 0; i < n; i++) sum += i;
  return sum;
}

__attribute__((export_name("outer"))) int outer(int n) {
  return inner(n) + inner(n / 2);
}
`;

function compile(name, text) {
  writeFileSync(at(`${name}.c`), text);
  // In two steps: clang that optimises and links runs the wasm-opt that it finds, which drops DWARF.
  const steps = [
    [clang, '--target=wasm32', '-g', '-O1', '-c', '-o', `${name}.o`, `${name}.c`],
    [WI_WASM_LD, '--no-entry', '-o', `${name}.wasm`, `${name}.o`],
  ];
  for (const [command, ...args] of steps) {
    const { status, stderr } = run(command, args);
    assert.equal(status, 0, stderr);
  }
}

/** The sections of a module: [bytes of one, its id, its name if it is a custom one]. */
function sectionsOf(bytes) {
  const sections = [];
  const number = (at) => {
    let value = 0;
    for (let shift = 0, i = at; ; shift += 7) {
      value |= (bytes[i] & 0x7f) << shift;
      if (bytes[i++] < 0x80) return [value, i];
    }
  };
  for (let start = 8; start < bytes.length;) {
    const [size, contents] = number(start + 1);
    const [length, text] = number(contents);
    const name = bytes[start] === 0 ? bytes.subarray(text, text + length).toString() : '';
    sections.push([bytes.subarray(start, contents + size), bytes[start], name]);
    start = contents + size;
  }
  return sections;
}

const moduleOf = (bytes, keeps) =>
  Buffer.concat([bytes.subarray(0, 8), ...sectionsOf(bytes).filter(([, id, name]) => keeps(id, name)).map(([section]) => section)]);

/** A program that runs modules: `load` is an expression for the bytes of one by its name. */
function writeProgram(name, load, modules) {
  writeFileSync(at(name), `import { readFileSync } from 'node:fs';
    for (const name of ${JSON.stringify(modules)}) {
      const { instance } = await WebAssembly.instantiate(${load});
      instance.exports.outer(1000);
    }`);
}

/** {function: 'file:line'} of what a command records. */
function placesOf(...words) {
  const { status, stderr } = tool('wasm-perf', ['record', '-o', 'places.wperf', ...words]);
  assert.equal(status, 0, stderr);
  const { functions } = JSON.parse(tool('wasm-perf', ['report', '-f', 'json', 'places.wperf']).stdout);
  return Object.fromEntries(functions.filter(({ host }) => !host).map(({ name, file, line }) => [name, file && `${file.replace(/.*\//, '')}:${line}`]));
}

const fromNode = (program) => placesOf('--', process.execPath, program);
const expected = (name) => ({ inner: `${name}.c:1`, outer: `${name}.c:7` });

compile('one', source);
compile('two', `\n\n${source.replace('n / 2', 'n / 3')}`); // code tells modules apart

test('a module that was read from a file', () => {
  writeProgram('reads.mjs', "readFileSync(name + '.wasm')", ['one']);
  assert.deepEqual(fromNode('reads.mjs'), expected('one'));
});

test('a module that is in no file', () => {
  writeProgram('inlined.mjs', `Buffer.from('${read('one.wasm').toString('base64')}', 'base64')`, ['one']);
  assert.deepEqual(fromNode('inlined.mjs'), expected('one'));
});

test('two modules', () => {
  writeProgram('both.mjs', "readFileSync(name + '.wasm')", ['one', 'two']);
  fromNode('both.mjs');
  const { functions } = JSON.parse(tool('wasm-perf', ['report', '-f', 'json', 'places.wperf']).stdout);
  const lines = functions.filter(({ name }) => name.startsWith('inner')).map(({ file, line }) => `${file?.replace(/.*\//, '')}:${line}`);
  assert.deepEqual(lines.sort(), ['one.c:1', 'two.c:3']);
});

/** Emscripten's -gseparate-dwarf: the module keeps its names and leads to a file beside it. */
function separate(name, hasCode) {
  const bytes = read('one.wasm');
  const text = (value) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
  const link = Buffer.concat([text('external_debug_info'), text(`${name}.debug.wasm`)]);
  const bare = moduleOf(bytes, (_, section) => !section.startsWith('.debug'));
  writeFileSync(at(`${name}.wasm`), Buffer.concat([bare, Buffer.from([0, link.length]), link]));
  writeFileSync(at(`${name}.debug.wasm`), moduleOf(bytes, (id) => hasCode || id !== 10));
}

for (const hasCode of [true, false])
  test(`a debug file ${hasCode ? 'with' : 'without'} the code`, () => {
    const name = hasCode ? 'whole' : 'bare';
    separate(name, hasCode);
    writeProgram('separate.mjs', "readFileSync(name + '.wasm')", [name]);
    assert.deepEqual(fromNode('separate.mjs'), expected('one'));
    assert.deepEqual(placesOf('--invoke=outer', `${name}.wasm`, '1000'), expected('one'));
  });

test('annotate opens the source that a source map names by a file: URL', () => {
  const bytes = read(assemble('url', '(module (func $answer (export "answer") (result i32) (i32.const 42)))'));
  const vlq = (value) => {
    let rest = value * 2, text = '';
    do {
      text += 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'[(rest % 32) + (rest >= 32 ? 32 : 0)];
      rest = Math.floor(rest / 32);
    } while (rest > 0);
    return text;
  };
  mkdirSync(at('folder'), { recursive: true });
  writeFileSync(at('folder/url.ts'), '// first\nexport const answer = () => 42;\n');
  const mappings = `${vlq(bytes.indexOf(Buffer.from([0x41, 42])))}A${vlq(1)}A`;
  writeFileSync(at('url.wasm.map'), JSON.stringify({ version: 3, sources: [pathToFileURL(at('folder/url.ts')).href], names: [], mappings }));
  const section = Buffer.from('\x10sourceMappingURL\x0curl.wasm.map', 'latin1');
  writeFileSync(at('url.wasm'), Buffer.concat([bytes, Buffer.from([0, section.length]), section]));
  const { status, stderr } = tool('wasm-perf', ['record', '--lines', '--invoke=answer', '-o', 'url.wperf', 'url.wasm']);
  assert.equal(status, 0, stderr);
  assert.match(tool('wasm-perf', ['annotate', 'answer', 'url.wperf']).stdout, /export const answer = \(\) => 42;/);
});
