/**
 * Objects that a garbage collector frees: counted by stack and type, with every instruction that makes
 * them, under the names that the module has for its types, also where there is no room for more nodes.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';

import { tool } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';
import { at, instantiate, selfBy, stacksBy, wasmPerf } from './programs.mjs';

const WAT = `(module
  (type $point (struct (field i32) (field (mut f64)) (field i8) (field (mut (ref null $point)))))
  (type $bytes (array (mut i8)))
  (type $links (sub (array (ref null $point))))
  (elem $points (ref null $point) (ref.null $point) (ref.null $point) (ref.null $point))
  (data $text "hello, world")
  (func $make (param $n i32) (result (ref $point))
    (struct.new $point (local.get $n) (f64.const 1) (i32.const 2) (ref.null $point)))
  (func $many (export "many") (param $n i32)
    (loop $again
      (drop (call $make (local.get $n)))
      (br_if $again (local.tee $n (i32.sub (local.get $n) (i32.const 1))))))
  (func $once (export "once") (drop (struct.new_default $point)) (drop (call $make (i32.const 1))))
  (func $bytes (export "bytes") (param $n i32)
    (drop (array.new $bytes (i32.const 7) (local.get $n)))
    (drop (array.new_default $bytes (local.get $n)))
    (drop (array.new_data $bytes $text (i32.const 1) (i32.const 5))))
  (func $links (export "links")
    (drop (array.new_fixed $links 2 (ref.null $point) (struct.new_default $point)))
    (drop (array.new_elem $links $points (i32.const 0) (i32.const 3)))))`;

const [POINT, BYTES, LINKS] = [8 + 4 + 8 + 1 + 4, 12, 12];

test('every instruction that makes an object counts by stack and type', async () => {
  const { exports, save } = await instantiate(WAT);
  exports.many(10);
  exports.once();
  exports.bytes(100);
  exports.links();
  const profile = save();
  assert.deepEqual(stacksBy('gc_objects', profile), {
    'many;make;struct point': 10,
    'once;struct point': 1,
    'once;make;struct point': 1,
    'bytes;array bytes': 3,
    'links;array links': 2,
    'links;struct point': 1,
  });
  assert.deepEqual(stacksBy('gc_bytes', profile), {
    'many;make;struct point': 10 * POINT,
    'once;struct point': POINT,
    'once;make;struct point': POINT,
    'bytes;array bytes': 3 * BYTES + 100 + 100 + 5,
    'links;array links': 2 * LINKS + 4 * 2 + 4 * 3,
    'links;struct point': POINT,
  });
  assert.deepEqual(selfBy('calls', profile), { make: 11, many: 1, once: 1, bytes: 1, links: 1 });
  assert.match(wasmPerf('top', profile), /^Made for the garbage collector: 18 objects, about 610 B; what it freed is unknown$/m);
});

test('an array type without a name has the name of its items', async () => {
  const { exports, save } = await instantiate(`(module
    (type (array (mut i16))) (type (array (mut (ref null 0)))) (type (struct (field i64)))
    (func (export "make")
      (drop (array.new_default 0 (i32.const 3)))
      (drop (array.new_default 1 (i32.const 2)))
      (drop (struct.new_default 2))))`);
  exports.make();
  assert.deepEqual(selfBy('gc_objects', save()), { 'array i16': 1, 'array ref': 1, 'struct 2': 1 });
});

test('what traps was not made', async () => {
  const { exports, save } = await instantiate(WAT);
  assert.throws(() => exports.bytes(-1), WebAssembly.RuntimeError);
  assert.deepEqual(selfBy('gc_objects', save()), {});
});

test('functions that nobody has chosen count what they make', async () => {
  const { exports, save } = await instantiate(WAT, ['--only', 'nothing', '--clock', 'instructions']);
  exports.many(3);
  assert.deepEqual(selfBy('gc_objects', save()), { 'struct point': 3 });
});

test('types have nodes even if the tree is full', async () => {
  const { exports, save } = await instantiate(WAT, ['--node-limit', '2']);
  exports.many(3);
  exports.bytes(1);
  assert.deepEqual(selfBy('gc_objects', save()), { 'array bytes': 3, 'struct point': 3 });
});

test('after a reset', async () => {
  const { exports, save } = await instantiate(WAT);
  exports.many(3);
  exports.wasm_perf_reset();
  exports.links();
  assert.deepEqual(selfBy('gc_objects', save()), { 'array links': 2, 'struct point': 1 });
});

test('a program of JavaScript: two instances are added up, without names of functions, too', async () => {
  const stripped = WAT.replaceAll(/\(func \$(?=\w+ \(export)/g, '(func $_');
  writeFileSync(at('gc.wasm'), await parse(stripped));
  writeFileSync(at('gc.mjs'), `import { readFileSync } from 'node:fs';
    for (const n of [1, 2]) {
      const { instance } = await WebAssembly.instantiate(readFileSync(${JSON.stringify(at('gc.wasm'))}));
      instance.exports.many(n);
    }`);
  const output = ['--', process.execPath, at('gc.mjs')];
  wasmPerf('record', '--memory', '-o', at('gc.wperf'), ...output);
  assert.deepEqual(selfBy('gc_objects', at('gc.wperf')), { 'struct point': 3 });
  wasmPerf('merge', at('gc.wperf'), at('gc.wperf'), '-o', at('two.wperf'));
  assert.deepEqual(selfBy('gc_objects', at('two.wperf')), { 'struct point': 6 });
});

test('a type that cannot be made is an error', async () => {
  const wat = '(module (type $s (struct)) (func (export "f") (drop (struct.new $s))))';
  const bytes = await parse(wat);
  const place = bytes.lastIndexOf(0xfb);
  for (const [type, text] of [[1, /type 1 is neither a struct nor an array/], [9, /type 9 /]]) {
    bytes[place + 2] = type;
    writeFileSync(at('bad.wasm'), bytes);
    const args = ['--embed', '--memory', at('bad.wasm'), '-o', at('bad.out.wasm')];
    const { status, stderr } = spawnSync(tool('wasm-instrument'), args, { encoding: 'utf8' });
    assert.equal(status, 1);
    assert.match(stderr, text);
    assert.match(stderr, new RegExp(`offset 0x${place.toString(16)}, function 0`));
  }
});
