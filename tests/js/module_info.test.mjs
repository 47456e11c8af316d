/** How functions are named, and that no malformed section can spoil it. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assemble, importHost, instrument, read, tool } from './support.mjs';

const { readMarker, readModuleInfo } = await importHost('engine/module_info.mjs');
const { exportForHost } = await importHost('engine/host_exports.mjs');

/* ---- Modules made byte by byte -------------------------------------------- */

const u32 = (n) => (n < 0x80 ? [n] : [(n & 0x7f) | 0x80, ...u32(n >>> 7)]);
const name = (text) => [...u32(Buffer.byteLength(text)), ...Buffer.from(text)];
const sized = (bytes) => [...u32(bytes.length), ...bytes];
const vector = (items) => [...u32(items.length), ...items.flat()];
const section = (id, bytes) => [id, ...sized(bytes)];
const custom = (title, bytes) => section(0, [...name(title), ...bytes]);
const moduleOf = (...sections) =>
  Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...sections.flat()]);

const functionNames = (...pairs) => [
  1,
  ...sized(vector(pairs.map(([i, n]) => [...u32(i), ...name(n)]))),
];
const types = section(1, vector([[0x60, 0, 0]]));
const marker = (first, count) =>
  custom('wasm_instrument', [
    1,
    ...name('0.1.0'),
    ...name('none'),
    ...name('probe'),
    ...u32(first),
    ...u32(count),
    ...u32(20),
    ...u32(19),
    ...name('--clock=none'),
  ]);

/** Imports of every kind around two of functions. */
const imports = section(
  2,
  vector([
    [...name('a'), ...name('table'), 1, 0x70, 0x01, 1, 2],
    [...name('a'), ...name('reftable'), 1, 0x63, 0xf0, 0x7e, 0x00, 1],
    [...name('a'), ...name('one'), 0, 0],
    [...name('a'), ...name('memory'), 2, 0x05, 1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
    [...name('a'), ...name('pages'), 2, 0x08, 1, 0],
    [...name('a'), ...name('global'), 3, 0x7f, 0],
    [...name('a'), ...name('tag'), 4, 0, 0],
    [...name('b'), ...name('two'), 0, 0],
  ]),
);
const exports = section(
  7,
  vector([
    [...name('first'), 0, 2],
    [...name('second'), 0, 2],
    [...name('memory'), 2, 3],
  ]),
);

const namesOf = (bytes, count) =>
  Array.from({ length: count }, (_, index) => readModuleInfo(bytes).functionName(index));

/* ---- Tests ---------------------------------------------------------------- */

test('an import is named as such; others by the name section, an export, the index; in this order', () => {
  const everything = moduleOf(types, imports, exports, custom('name', functionNames([4, 'named'])));
  assert.deepEqual(namesOf(everything, 5), ['a.one', 'b.two', 'first', 'func[3]', 'named']);
  const all = custom('name', functionNames([0, 'x'], [2, 'y']));
  assert.deepEqual(namesOf(moduleOf(types, imports, exports, all), 3), ['a.one', 'b.two', 'y']);
});

test('the other parts of the name section are passed over', () => {
  const own = [0, ...sized(name('module'))];
  const locals = [2, ...sized(vector([[0, ...vector([[0, ...name('local')]])]]))];
  const bytes = custom('name', [...own, ...locals, ...functionNames([0, 'function'])]);
  assert.deepEqual(namesOf(moduleOf(bytes), 2), ['function', 'func[1]']);
});

test('the index in a name is the one before the module was instrumented', () => {
  const bytes = moduleOf(types, marker(2, 3));
  assert.deepEqual(namesOf(bytes, 8).slice(5), ['func[2]', 'func[3]', 'func[4]']);
  assert.deepEqual(namesOf(bytes, 2), ['func[0]', 'func[1]']);
});

test('the marker is read; one of another format is not', () => {
  assert.deepEqual(readModuleInfo(moduleOf(marker(2, 300))).marker, {
    version: '0.1.0',
    clock: 'none',
    importModule: 'probe',
    firstImport: 2,
    importCount: 300,
    functionCount: 20,
    instrumentedCount: 19,
    options: '--clock=none',
  });
  assert.equal(readMarker(moduleOf(imports, marker(2, 300))).firstImport, 2);
  assert.equal(readMarker(moduleOf(imports)), null);
  assert.equal(readModuleInfo(moduleOf()).marker, null);
  const [id, size, ...contents] = marker(2, 3);
  contents[1 + 'wasm_instrument'.length] = 2;
  assert.equal(readModuleInfo(moduleOf([id, size, ...contents])).marker, null);
  assert.equal(readModuleInfo(moduleOf(custom('wasm_instrument', [1, 0]))).marker, null);
});

test('a section that makes no sense costs what comes after the fault in it, no more', () => {
  const good = functionNames([3, 'good']);
  const cut = (bytes, count) => bytes.slice(0, bytes.length - count);
  const endless = [0xff, 0xff, 0xff, 0xff, 0x7f];
  const faulty = [
    [...good, 1], // a subsection without a size
    [...good, 1, ...endless], // one that is larger than the section
    [...good, 1, ...sized([...u32(2), ...u32(4), ...name('?').slice(0, 1)])],
    [...good, 1, ...sized([...endless, ...u32(3), ...name('good')])], // a count without items
    [...good, 1, ...sized([1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00, ...name('?')])], // overlong
  ];
  for (const bytes of faulty) {
    const module = moduleOf(types, imports, custom('name', bytes), exports);
    assert.deepEqual(namesOf(module, 4), ['a.one', 'b.two', 'first', 'good']);
  }
  const cutExport = section(7, [1, ...name('?'), 0]); // its index would be the next section's id
  assert.deepEqual(namesOf(moduleOf(types, cutExport, custom('', [])), 1), ['func[0]']);
  const truncated = moduleOf(types, imports, exports, cut(custom('name', good), 2));
  assert.deepEqual(namesOf(truncated, 4), ['a.one', 'b.two', 'first', 'func[3]']);
});

test('invalid UTF-8 is replaced only in the name that contains it', () => {
  const bytes = [
    1,
    ...sized(
      vector([
        [0, 2, 0x61, 0xff],
        [1, ...name('b')],
      ]),
    ),
  ];
  assert.deepEqual(namesOf(moduleOf(custom('name', bytes)), 2), ['a\ufffd', 'b']);
});

test('names are read after the module is gone', () => {
  const bytes = moduleOf(types, imports, exports, custom('name', functionNames([4, 'named'])));
  const info = readModuleInfo(bytes);
  bytes.fill(0);
  assert.deepEqual([0, 2, 4].map((index) => info.functionName(index)), ['a.one', 'first', 'named']);
});

test('functions are imported ones and those with a body', () => {
  const code = section(10, vector([[0, 0x0b], [0, 0x01, 0x0b], [0, 0x0b]].map(sized)));
  const { importCount, functionCount } = readModuleInfo(moduleOf(imports, code));
  assert.deepEqual([importCount, functionCount], [2, 5]);
  assert.equal(readModuleInfo(moduleOf(imports, code, marker(2, 3))).functionCount, 2 + 20); // without hooks
});

test('of several names for one function the first stands', () => {
  const twice = custom('name', [...functionNames([0, 'a'], [0, 'b']), ...functionNames([0, 'c'])]);
  assert.deepEqual(namesOf(moduleOf(twice), 1), ['a']);
});

/** Index and name of each function, as the tool itself names them. */
function listedNames(file) {
  const lines = tool('wasm-instrument', ['--list', file]).stdout.trim().split('\n').slice(1);
  return lines.map((line) => line.match(/^ *(\d+) +\d+ +[-+] +(.*)$/).slice(1));
}

test('the tool gives the same names, before and after instrumenting', () => {
  const module = `(module (import "m" "f" (func)) (func $local (call 0)) (func (export "e") (call 1))
    (func (call 2)) (memory 1))`;
  for (const names of [true, false]) {
    assemble('same', module, { names });
    for (const file of ['same.wasm', instrument('same')]) {
      const info = readModuleInfo(read(file));
      const listed = listedNames(file);
      assert.equal(listed.length, 3);
      for (const [index, name] of listed) assert.equal(info.functionName(Number(index)), name);
    }
  }
});

test('whatever happens to one byte of a real module, names can be asked for', () => {
  assemble('names', '(module (import "m" "f" (func)) (func $local) (func (export "e") (call 1)))');
  const bytes = read(instrument('names'));
  for (let offset = 8; offset < bytes.length; offset++) {
    for (const value of [0x00, 0x7f, 0x80, 0xff]) {
      const damaged = Uint8Array.from(bytes);
      damaged[offset] = value;
      for (const text of namesOf(damaged, 4)) assert.equal(typeof text, 'string');
    }
  }
});

test('bytes that are not a module are refused', () => {
  for (const bytes of [new Uint8Array(0), new Uint8Array(100), Uint8Array.from([0, 0x61, 0x73])]) {
    assert.throws(() => readModuleInfo(bytes), /not a WebAssembly module/);
  }
});

/* ---- Start functions -------------------------------------------------------- */

test('a start function becomes an export; a module cut short is the engine\'s to refuse', () => {
  assemble('started', `(module (global $g (export "g") (mut i32) (i32.const 0))
    (func $start (global.set $g (i32.const 7))) (start $start))`);
  const bytes = read('started.wasm');
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(exportForHost(bytes)));
  assert.equal(exports.g.value, 0);
  exports.wasm_perf_start();
  assert.equal(exports.g.value, 7);
  for (let size = 8; size < bytes.length; size++) {
    const cut = bytes.subarray(0, size);
    assert.equal(WebAssembly.validate(exportForHost(cut)), WebAssembly.validate(cut));
  }
  const openEnded = Buffer.concat([bytes, Buffer.from([0, 0x80])]); // a custom section's size has no end
  assert.equal(exportForHost(openEnded), openEnded);
});
