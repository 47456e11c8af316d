/**
 * Corners that a C program does not reach: memories of 64 bits, layers that are left by exceptions
 * and traps, frees that nobody can know, several instances, tail calls, resets.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';

import { tool } from '../support/tools.mjs';
import { parse, print } from '../support/wat.mjs';
import { at, factsOf, instantiate, selfBy, wasmPerf } from './programs.mjs';

const values = (profile, ...names) => names.map((name) => selfBy(name, profile));

/** An allocator that returns what the host says; functions that ask it. */
const asking = (pointer) => `(module
  (import "host" "answer" (func $answer (result ${pointer})))
  (memory (export "memory") ${pointer === 'i64' ? 'i64' : ''} 1)
  (func $malloc (param $size ${pointer}) (result ${pointer}) (call $answer))
  (func $calloc (param $count ${pointer}) (param $size ${pointer}) (result ${pointer})
    (local.set $size (${pointer}.const 1)) ;; compilers do such things
    (call $answer))
  (func $realloc (param $old ${pointer}) (param $size ${pointer}) (result ${pointer}) (call $answer))
  (func $posix_memalign (param $out ${pointer}) (param ${pointer} ${pointer}) (result i32)
    (local $block ${pointer})
    (if (${pointer}.eqz (local.tee $block (call $answer))) (then (return (i32.const 12))))
    (${pointer}.store (local.get $out) (local.get $block))
    (i32.const 0))
  (func $free (param $block ${pointer}))
  (func $ask (export "malloc") (param ${pointer}) (drop (call $malloc (local.get 0))))
  (func $ask_items (export "calloc") (param ${pointer} ${pointer})
    (drop (call $calloc (local.get 0) (local.get 1))))
  (func $ask_more (export "realloc") (param ${pointer} ${pointer})
    (drop (call $realloc (local.get 0) (local.get 1))))
  (func $ask_aligned (export "posix_memalign") (param $size ${pointer}) (param $out ${pointer})
    (drop (call $posix_memalign (local.get $out) (${pointer}.const 64) (local.get $size))))
  (func $give (export "free") (param ${pointer}) (call $free (local.get 0))))`;

test('a function without a name that only passes on to an allocator is one', async () => {
  const text = `(module
    (memory (export "memory") 1)
    (func $dlmalloc (param i32) (result i32) (i32.const 64))
    (func $wrapper (param i32) (result i32) (call $dlmalloc (local.get 0)))
    (func (param i32) (result i32) (call $dlmalloc (local.get 0)))
    (func (param i32) (result i32) (call $dlmalloc (i32.add (local.get 0) (i32.const 1))))
    (func $ask (param i32) (result i32) (call 2 (local.get 0)))
    (func (param i32) (result i32) (return (call $dlmalloc (local.get 0))))
    (func $call (result i32) (call 5 (i32.const 40000)))
    (func (export "run") (drop (call $wrapper (i32.const 10))) (drop (call $ask (i32.const 200)))
      (drop (call 3 (i32.const 3000))) (drop (call $call))))`;
  const { exports, save } = await instantiate(text, [], {});
  exports.run();
  assert.deepEqual(selfBy('allocated_bytes', save()), { wrapper: 10, ask: 200, 'func[3]': 3001, call: 40000 });
});

test("in a stripped module, what wasm-bindgen's exports call are allocators, whoever calls them", async () => {
  const copied = '(local i32) (local.set 2 (local.get 1))'; // Rust checks the alignment first
  const text = (body, alignment) => `(module
    (memory (export "memory") 1)
    (global (mut i32) (i32.const 16))
    (func (param i32 i32) (result i32)
      (global.set 0 (i32.add (global.get 0) (local.get 0))) (global.get 0))
    (func (param i32 i32 i32) nop)
    (func (param i32 i32 i32 i32) (result i32) (call 0 (local.get 3) (local.get 2)))
    (func (param i32 i32) (result i32) (call 0 (local.get 1) (local.get 0)))
    (func (export "__wbindgen_malloc") (param i32 i32) (result i32) ${body}
      (if (result i32) (i32.eqz (local.get 0)) (then (local.get 1))
        (else (if (result i32) (i32.gt_u (local.get 1) (i32.const 8))
          (then (call 3 (local.get ${alignment}) (local.get 0))) (else (call 0 (local.get 0) (local.get ${alignment})))))))
    (func (export "__wbindgen_realloc") (param i32 i32 i32 i32) (result i32)
      (call 2 (local.get 0) (local.get 1) (local.get 3) (local.get 2)))
    (func (export "__wbindgen_free") (param i32 i32 i32)
      (if (local.get 1) (then (call 1 (local.get 0) (local.get 1) (local.get 2)))))
    (func (export "run") (local i32)
      (local.set 0 (call 0 (i32.const 10) (i32.const 1)))
      (local.set 0 (call 2 (local.get 0) (i32.const 10) (i32.const 1) (i32.const 30)))
      (call 1 (local.get 0) (i32.const 30) (i32.const 1))
      (drop (call 0 (i32.const 200) (i32.const 1)))
      (drop (call 3 (i32.const 16) (i32.const 5000)))))`;
  for (const module of [text('', 1), text(copied, 2)]) {
    const { exports, save } = await instantiate(module, [], {});
    exports.run();
    exports.__wbindgen_malloc(7, 1);
    const profile = save();
    const [bytes, objects, live] = values(profile, 'allocated_bytes', 'allocated_objects', 'live_bytes');
    const host = (value) => ({ __wbindgen_malloc: value });
    assert.deepEqual(bytes, { run: 10 + 20 + 200 + 5000, ...host(7) });
    assert.deepEqual([objects, live], [{ run: 3, ...host(1) }, { run: 5200, ...host(7) }]);
    assert.doesNotMatch(wasmPerf('top', profile), /Only what JavaScript allocates/);
  }
});

test("wasm-bindgen's exports are allocators; a numbered one is what it passes on to", async () => {
  const text = `(module
    (memory (export "memory") 1)
    (global $next (mut i32) (i32.const 16))
    (func $take (param $size i32) (result i32)
      (global.set $next (i32.add (global.get $next) (local.get $size))) (global.get $next))
    (func $__rust_alloc (param i32 i32) (result i32) (call $take (local.get 0)))
    (func $__rust_dealloc (param i32 i32 i32) nop)
    (func $__wbindgen_malloc (export "__wbindgen_malloc") (param i32 i32) (result i32) (call $__rust_alloc (local.get 0) (local.get 1)))
    (func $__wbindgen_realloc (export "__wbindgen_realloc") (param i32 i32 i32 i32) (result i32) (call $take (local.get 2)))
    (func $__wbindgen_export_0 (export "__wbindgen_export_0") (param i32 i32) (result i32) (call $__rust_alloc (local.get 0) (local.get 1)))
    (func $__wbindgen_export_1 (export "__wbindgen_export_1") (param i32 i32) (result i32) (i32.add (local.get 0) (local.get 1)))
    (func $__wbindgen_free (export "__wbindgen_free") (param i32 i32 i32) (call $__rust_dealloc (local.get 0) (local.get 1) (local.get 2)))
    (func $run (export "run") (local $block i32)
      (local.set $block (call $__wbindgen_malloc (i32.const 10) (i32.const 1)))
      (local.set $block (call $__wbindgen_realloc (local.get $block) (i32.const 10) (i32.const 30) (i32.const 1)))
      (call $__wbindgen_free (local.get $block) (i32.const 30) (i32.const 1))
      (drop (call $__wbindgen_export_0 (i32.const 200) (i32.const 1)))
      (drop (call $__wbindgen_export_1 (i32.const 7000) (i32.const 1)))))`;
  const { exports, save } = await instantiate(text, [], {});
  exports.run();
  const [bytes, objects, live] = values(save(), 'allocated_bytes', 'allocated_objects', 'live_bytes');
  assert.deepEqual([bytes, objects, live], [{ run: 10 + 20 + 200 }, { run: 2 }, { run: 200 }]);
});

for (const [bits, of, far] of [['i32', Number, 0xfffffff0], ['i64', BigInt, 2 ** 40]])
  test(`each way to allocate, in a memory of ${bits}`, async () => {
    let next = 0;
    const host = { answer: () => of(next) };
    const { exports, save } = await instantiate(asking(bits), [], { host });
    const call = (name, answer, ...args) => {
      next = answer;
      exports[name](...args.map(of));
    };
    call('malloc', 16, 100);
    call('malloc', 0, 1000); // fails
    call('malloc', far, 7);
    call('calloc', 32, 3, 5);
    call('calloc', 0, 0x10000, 0x10000); // overflows
    call('posix_memalign', 48, 64, 8);
    call('posix_memalign', 0, 99, -1); // fails, and where it points to must not be looked at
    call('realloc', 16, 16, 150); // in place
    call('realloc', 0, 16, 5000); // fails
    call('realloc', 64, 32, 10); // moves and shrinks
    call('realloc', 80, 0, 20); // as malloc
    call('realloc', 0, 80, 0); // as free
    call('free', 0, far);
    call('free', 0, 0);
    call('free', 0, 4711); // nobody's
    const profile = save();
    const [objects, bytes, resized, live, liveBytes] = values(
      profile, 'allocated_objects', 'allocated_bytes', 'resized_objects', 'live_objects', 'live_bytes');
    assert.deepEqual(objects, { ask: 2, ask_items: 1, ask_more: 1, ask_aligned: 1 });
    assert.deepEqual(bytes, { ask: 107, ask_items: 15, ask_more: 50 + 20, ask_aligned: 64 });
    assert.deepEqual(resized, { ask_more: 2 });
    assert.deepEqual(live, { ask_more: 2, ask_aligned: 1 });
    assert.deepEqual(liveBytes, { ask_more: 160, ask_aligned: 64 });
    assert.equal(factsOf(profile).unknown_free_count, 1);
    const [peak] = values(profile, 'peak_bytes');
    assert.deepEqual(peak, { ask: 7, ask_more: 10 + 20 + 150, ask_aligned: 64 });
  });

test('a block whose free was not seen is gone when another one has its address', async () => {
  let next = 0;
  const { exports, save } = await instantiate(asking('i32'), [], { host: { answer: () => next } });
  for (next of [16, 32, 48]) exports.malloc(10);
  next = 32;
  exports.calloc(4, 5);
  next = 48;
  exports.realloc(16, 50);
  const [live, bytes] = values(save(), 'live_objects', 'live_bytes');
  assert.deepEqual([live, bytes], [{ ask_items: 1, ask_more: 1 }, { ask_items: 20, ask_more: 50 }]);
});

const layers = `(module
  (import "host" "act" (func $act (param i32)))
  (tag $bad)
  (func $malloc (param i32) (result i32)
    (call $act (local.get 0))
    (if (i32.eq (local.get 0) (i32.const 13)) (then (throw $bad)))
    (if (i32.eq (local.get 0) (i32.const 666)) (then (unreachable)))
    (i32.add (local.get 0) (i32.const 1000)))
  (func $free (param i32))
  (func $_Znwm (param i32) (result i32)
    (i32.add (call $malloc (i32.add (local.get 0) (i32.const 8))) (i32.const 8)))
  (func $_ZdlPv (param i32) (call $free (i32.sub (local.get 0) (i32.const 8))))
  (func $plain (export "plain") (param i32) (drop (call $malloc (local.get 0))))
  (func $object (export "object") (param i32) (drop (call $_Znwm (local.get 0))))
  (func $drop_object (export "drop_object") (param i32) (call $_ZdlPv (local.get 0)))
  (func $careful (export "careful") (param i32)
    (block $caught (try_table (catch_all $caught) (call $object (local.get 0))))))`;

const inner = (freed, more = '') => `(module
  (global $next (mut i32) (i32.const 16))
  (func $dlmalloc (param i32) (result i32)
    (global.set $next (i32.add (global.get $next) (i32.const 16)))
    (global.get $next))
  (func $dlfree (param i32) nop)
  (func $malloc (param i32) (result i32) (call $dlmalloc (local.get 0)))
  (func $realloc (param i32 i32) (result i32) (call $dlfree (local.get 0)) (call $dlmalloc (local.get 1)))
  (func $free (param i32) (call $dlfree ${freed}))
  (func $run (export "run")
    (drop (call $malloc (i32.const 10)))
    (call $free (call $realloc (call $malloc (i32.const 20)) (i32.const 30)))) ${more})`;

test('an allocator that only allocators call has no hooks of its own', async () => {
  const hooksIn = async (wat) => {
    const { exports, save } = await instantiate(wat);
    exports.run();
    const text = await print(readFileSync(at('out.wasm')));
    const isFollowed = (name) => / call /.test(new RegExp(`\\(func \\$${name} [^]*?\\n  \\)`).exec(text)[0]);
    const [live, objects] = values(save(), 'live_objects', 'allocated_objects');
    assert.deepEqual(objects, { run: 2 });
    return { live, names: ['dlmalloc', 'dlfree'].filter(isFollowed) };
  };
  const same = '(local.get 0)';
  assert.deepEqual(await hooksIn(inner(same)), { live: { run: 1 }, names: [] });
  assert.deepEqual(await hooksIn(inner('(i32.const 32)')), { live: {}, names: ['dlfree'] }, 'it frees two');
  const exported = '(export "dlfree" (func $dlfree)) (func (export "other") (drop (call $dlmalloc (i32.const 1))))';
  assert.deepEqual(await hooksIn(inner(same, exported)), { live: { run: 1 }, names: ['dlmalloc', 'dlfree'] });
});

test('only the outermost layer counts, also after exceptions and traps', async () => {
  const { exports, save } = await instantiate(layers, [], { host: { act() {} } });
  exports.object(50); // 1066
  exports.careful(5); // throws in malloc, below operator new
  const slot = exports.wasm_perf_slot();
  assert.throws(() => exports.object(658), WebAssembly.RuntimeError);
  exports.wasm_perf_set_slot(slot); // as hosts do that go on
  exports.plain(7); // is no inner layer of the one that was left
  exports.object(20); // 1036
  exports.drop_object(1036);
  const profile = save();
  assert.deepEqual(selfBy('allocated_objects', profile), { plain: 1, object: 2 });
  assert.deepEqual(selfBy('allocated_bytes', profile), { plain: 7, object: 70 });
  assert.deepEqual(selfBy('live_bytes', profile), { plain: 7, object: 50 });
  assert.equal(factsOf(profile).unknown_free_count, 0);
});

test('what an allocator frees by calling others counts as freed', async () => {
  let exports;
  const host = { act: (size) => size === 30 && exports.drop_object(1066) };
  const instance = await instantiate(layers, [], { host });
  ({ exports } = instance);
  exports.object(50);
  exports.plain(30); // a collector runs in it
  assert.deepEqual(selfBy('live_bytes', instance.save()), { plain: 30 });
});

for (const aligned of ['aligned_alloc', 'dlmemalign', 'internal_memalign'])
  test(`dlmalloc: ${aligned} counts what was asked for, and a block that grows is resized`, async () => {
    const wat = `(module
      (func $dlmalloc (param i32) (result i32) (i32.const 64))
      (func $dlrealloc (param i32 i32) (result i32) (local.get 0))
      (func $${aligned} (param $alignment i32) (param $size i32) (result i32)
        (call $dlmalloc (i32.add (i32.add (local.get $alignment) (local.get $size)) (i32.const 12))))
      (func $take (export "take") (drop (call $${aligned} (i32.const 64) (i32.const 100))))
      (func $grow (export "grow") (drop (call $dlrealloc (i32.const 64) (i32.const 300)))))`;
    const { exports, save } = await instantiate(wat);
    exports.take();
    exports.grow();
    assert.deepEqual(values(save(), 'allocated_bytes', 'resized_objects'), [{ take: 100, grow: 200 }, { grow: 1 }]);
  });

test('an address inside of a block frees it: an optimiser inlines aligned_alloc', async () => {
  const wat = `(module
    (func $dlmalloc (param i32) (result i32) (i32.const 16))
    (func $dlfree (export "dlfree") (param i32))
    (func (export "take") (drop (call $dlmalloc (i32.const 1164)))))`;
  const { exports, save } = await instantiate(wat);
  exports.take();
  exports.dlfree(16 + 1168); // behind it
  assert.equal(factsOf(save()).unknown_free_count, 1);
  exports.dlfree(64);
  assert.deepEqual(selfBy('live_bytes', save()), {});
  assert.equal(factsOf(save()).unknown_free_count, 1);
});

test('a block that comes back without having been freed is counted once', async () => {
  const host = { answer: () => 64 };
  const { exports, save } = await instantiate(asking('i32'), [], { host });
  exports.malloc(100);
  exports.malloc(10);
  assert.deepEqual(selfBy('live_bytes', save()), { ask: 10 });
});

test('after a reset what is live is live still, and the peak begins there', async () => {
  let next = 16;
  const { exports, save } = await instantiate(asking('i32'), [], { host: { answer: () => next } });
  exports.malloc(100);
  next = 32;
  exports.malloc(1000);
  exports.free(32);
  exports.wasm_perf_reset();
  next = 48;
  exports.calloc(2, 5);
  let profile = save();
  assert.deepEqual(selfBy('allocated_bytes', profile), { ask_items: 10 });
  assert.deepEqual(selfBy('peak_bytes', profile), { ask: 100, ask_items: 10 });
  exports.free(16);
  profile = save();
  assert.deepEqual(selfBy('live_bytes', profile), { ask_items: 10 });
  assert.deepEqual(selfBy('peak_bytes', profile), { ask: 100, ask_items: 10 });
});

test('an allocator that ends in a tail call leaves its place to the next', async () => {
  const wat = `(module
    (func $dlmalloc (param i32) (result i32) (i32.const 16))
    (func $malloc (param i32) (result i32) (return_call $dlmalloc (local.get 0)))
    (func $ask (export "ask") (drop (call $malloc (i32.const 24)))))`;
  const { exports, save } = await instantiate(wat);
  exports.ask();
  exports.ask();
  assert.deepEqual(selfBy('allocated_bytes', save()), { ask: 48 });
});

test('memory.grow is counted by who grows, in memories of either width', async () => {
  const wat = `(module
    (memory $small 1 3)
    (memory $large i64 1)
    (func $grow (export "grow") (param i32) (result i32) (memory.grow $small (local.get 0)))
    (func $grow_large (export "grow_large") (param i64) (result i64)
      (memory.grow $large (local.get 0))))`;
  const { exports, save } = await instantiate(wat, ['--only', 'nothing']);
  assert.equal(exports.grow(2), 1);
  assert.equal(exports.grow(1), -1); // there is a limit
  assert.equal(exports.grow(0), 3);
  assert.equal(exports.grow_large(5n), 1n);
  const profile = save();
  assert.deepEqual(selfBy('grown_pages', profile), { grow: 2, grow_large: 5 });
  assert.deepEqual(selfBy('refused_pages', profile), { grow: 1 });
  assert.match(wasmPerf('top', profile), /^Memory could not grow by 1 page \(65\.5 KB\): top --value refused_pages shows/m);
  assert.match(wasmPerf('top', profile), /^Memory grew from 131 KB to 590 KB, by 7 pages in 2 memories$/m);
  const { initial_bytes: initial, memories } = JSON.parse(wasmPerf('report', '--format', 'json', profile)).summary;
  assert.deepEqual([initial, memories], [2 * 65536, 2]);
});

test('the memories of several instances are added up, imported ones are not', async () => {
  const own = '(memory 256) (func $run (export "run") (drop (memory.grow (i32.const 4))))';
  const { exports, save } = await instantiate(`(module ${own})`);
  assert.match(wasmPerf('top', save()), /^Memory: 16\.8 MB, and never grew$/m);
  exports.run();
  wasmPerf('merge', '-o', at('sum.wperf'), save(), save(), save());
  assert.match(wasmPerf('top', at('sum.wperf')), /^Memory grew from 50\.3 MB to 51\.1 MB, by 12 pages in 3 memories$/m);
  const memory = new WebAssembly.Memory({ initial: 256 });
  const imported = await instantiate(`(module (import "host" "memory" ${own.replace('256)', '1))')})`, [], { host: { memory } });
  imported.exports.run();
  assert.match(wasmPerf('top', imported.save()), /^Memory grew by 262 KB in 4 pages$/m);
});

test('a layer of an allocator shows for whom it allocates', async () => {
  const { exports, save } = await instantiate(`(module
    (memory 1)
    (func $realloc (param i32 i32) (result i32) (i32.const 16))
    (func $xrealloc (param $size i32) (drop (call $realloc (i32.const 0) (local.get $size))))
    (func $grow (param $size i32) (call $xrealloc (i32.mul (local.get $size) (i32.const 2))))
    (func $parse (call $grow (i32.const 50)) (call $grow (i32.const 50)) (call $grow (i32.const 50)))
    (func $print (call $xrealloc (i32.const 25)) (call $xrealloc (i32.const 25)))
    (func (export "run") (call $parse) (call $parse) (call $print) (call $print)))`);
  exports.run();
  const rows = wasmPerf('top', '--value', 'allocated_bytes', save()).split('\n').filter((line) => line.startsWith('1') || line.startsWith('0') || line.startsWith(' '));
  assert.deepEqual(rows.map((row) => row.split('  ').slice(row.includes(' for ') ? -2 : -1).join('  ')).filter((row) => / for |parse|print|grow/.test(row)),
    ['xrealloc  for parse (86 %)', 'grow', 'parse', 'print']);
  assert.match(wasmPerf('top', '--value', 'resized_objects', save()), /^Nothing was counted/m);
  assert.doesNotMatch(wasmPerf('top', '--value', 'calls', save()), / for /);
});

test('memory that grew far more than blocks held is a finding', async () => {
  const wat = (name) => `(module
    (memory 1)
    (func $${name} (param i32) (result i32) (i32.const 16))
    (func $free (param i32))
    (func $run (export "run") (param $size i32) (param $pages i32)
      (drop (call $${name} (local.get $size)))
      (drop (memory.grow (local.get $pages)))))`;
  const finding = /^Memory grew by 6\.55 MB, far more than blocks held: only (.*) went through a known allocator\./m;
  for (const [size, pages, expected] of [[87, 100, '1 block'], [6_000_000, 100], [87, 10]]) {
    const { exports, save } = await instantiate(wat('malloc'));
    exports.run(size, pages);
    assert.equal(finding.exec(wasmPerf('top', save()))?.[1], expected);
  }
  const { exports, save } = await instantiate(wat('unknown'));
  exports.run(87, 100);
  assert.doesNotMatch(wasmPerf('top', save()), /far more/, 'that no allocator is known is what the report says');
});

test('bulk instructions are counted by their lengths, in memories, tables and arrays of any width', async () => {
  const wat = `(module
    (type $bytes (array (mut i8)))
    (type $references (array (mut funcref)))
    (import "env" "shared" (table $shared i64 16 funcref))
    (memory $small 1)
    (memory $large i64 1)
    (table $first 16 funcref (ref.null func))
    (table $wide i64 16 funcref)
    (data $data "0123456789abcdef")
    (elem $elements funcref (ref.null func) (ref.null func) (ref.null func) (ref.null func))
    (func (export "memory")
      (memory.copy $small $small (i32.const 100) (i32.const 200) (i32.const 1))
      (memory.fill $small (i32.const 100) (i32.const 7) (i32.const 20))
      (memory.init $small $data (i32.const 100) (i32.const 0) (i32.const 5)))
    (func (export "memory64")
      (memory.copy $large $large (i64.const 100) (i64.const 200) (i64.const 100))
      (memory.copy $small $large (i32.const 100) (i64.const 200) (i32.const 10))
      (memory.fill $large (i64.const 100) (i32.const 7) (i64.const 2000))
      (memory.init $large $data (i64.const 100) (i32.const 0) (i32.const 3)))
    (func (export "table")
      (table.copy $first $first (i32.const 0) (i32.const 1) (i32.const 2))
      (table.copy $wide $first (i64.const 0) (i32.const 1) (i32.const 10))
      (table.fill $first (i32.const 0) (ref.null func) (i32.const 4))
      (table.init $first $elements (i32.const 0) (i32.const 0) (i32.const 3)))
    (func (export "table64")
      (table.copy $wide $shared (i64.const 0) (i64.const 1) (i64.const 5))
      (table.fill $shared (i64.const 0) (ref.null func) (i64.const 6)))
    (func (export "array") (local $a (ref null $bytes)) (local $r (ref null $references))
      (local.set $a (array.new_default $bytes (i32.const 1000)))
      (local.set $r (array.new_default $references (i32.const 1000)))
      (array.copy $bytes $bytes (local.get $a) (i32.const 0) (local.get $a) (i32.const 1) (i32.const 300))
      (array.fill $bytes (local.get $a) (i32.const 0) (i32.const 7) (i32.const 40))
      (array.init_data $bytes $data (local.get $a) (i32.const 0) (i32.const 0) (i32.const 5))
      (array.init_elem $references $elements (local.get $r) (i32.const 0) (i32.const 0) (i32.const 4)))
    (func (export "trap") (memory.fill $small (i32.const 0) (i32.const 1) (i32.const 70000)))
    (func (export "none") (memory.fill $small (i32.const 0) (i32.const 1) (i32.const 0))))`;
  const shared = new WebAssembly.Table({ address: 'i64', initial: 16n, element: 'anyfunc' });
  const { exports, save } = await instantiate(wat, ['--only', 'nothing'], { env: { shared } });
  for (const name of ['memory', 'memory64', 'table', 'table64', 'array', 'none', 'memory']) exports[name]();
  assert.throws(exports.trap, WebAssembly.RuntimeError);
  const file = save();
  assert.deepEqual(selfBy('bulk_bytes', file), { memory: 2 * 26, memory64: 2113 });
  assert.deepEqual(selfBy('bulk_elements', file), { table: 19, table64: 11, array: 349 });
});

test('past the bound of the table blocks count as allocated, and the report says so', async () => {
  const wat = `(module
    (global $next (mut i32) (i32.const 16))
    (func $malloc (param i32) (result i32)
      (global.set $next (i32.add (global.get $next) (i32.const 16)))
      (global.get $next))
    (func $free (param i32))
    (func $ask (export "ask") (param $count i32)
      (loop $again
        (drop (call $malloc (i32.const 10)))
        (br_if $again (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))
    (func $give (export "give") (param i32) (call $free (local.get 0))))`;
  const { exports, save } = await instantiate(wat);
  const room = 0.75 * 2 ** 23;
  exports.ask(room + 1000);
  const profile = save();
  assert.deepEqual(values(profile, 'allocated_objects', 'live_objects', 'peak_bytes'),
    [{ ask: room + 1000 }, { ask: room }, { ask: 10 * room }]);
  assert.deepEqual([factsOf(profile).lost_block_count, factsOf(profile).lost_byte_count], [1000, 10_000]);
  assert.match(wasmPerf('top', profile),
    /^Not followed for lack of space: 1,000 blocks of 10\.0 KB; they count as allocated, not as live or peak$/m);
  exports.give(32); // the first, which makes room for one
  exports.ask(2);
  assert.deepEqual(selfBy('live_objects', save()), { ask: room });
  assert.equal(factsOf(save()).lost_block_count, 1001);
});

test('--allocator names others, and takes away', async () => {
  const wat = `(module
    (func $arena_take (param i32 i32) (result i32) (local.get 1))
    (func $malloc (param i32) (result i32) (local.get 0))
    (func $ask (export "ask")
      (drop (call $arena_take (i32.const 1) (i32.const 80)))
      (drop (call $malloc (i32.const 8)))))`;
  const options = ['--allocator', 'arena_*=context_malloc', '--allocator=malloc=none'];
  const { exports, save } = await instantiate(wat, options);
  exports.ask();
  assert.deepEqual(selfBy('live_bytes', save()), { ask: 80 });
});

test('--allocator takes the number of a function without a name, as reports write it', async () => {
  const wat = `(module (func (param i32) (result i32) (local.get 0))
    (func $ask (export "ask") (drop (call 0 (i32.const 80)))))`;
  const { exports, save } = await instantiate(wat, ['--allocator', 'func[0]=malloc']);
  exports.ask();
  assert.deepEqual(selfBy('live_bytes', save()), { ask: 80 });
});

test('warns that nothing frees: an optimiser inlines free, realloc and aligned_alloc', async () => {
  const allocate = '(func $dlmalloc (param i32) (result i32) (i32.const 8)) (func (export "f") (drop (call $dlmalloc (i32.const 1))))';
  const warningsOf = async (wat) => {
    writeFileSync(at('bare.wasm'), await parse(`(module ${wat})`));
    return spawnSync(tool('wasm-instrument'), ['--embed', '--memory', at('bare.wasm'), '-o', at('out.wasm')], { encoding: 'utf8' }).stderr;
  };
  assert.match(await warningsOf(allocate), /warning: no function frees memory\. If the program does, the compiler has inlined free, realloc/);
  assert.equal(await warningsOf(`${allocate} (func $dlfree (param i32))`), '');
  assert.equal(await warningsOf('(func (export "f"))'), '');
});

test('functions that only free are not taken for allocators', async () => {
  const { exports, save } = await instantiate('(module (func $free (export "free") (param i32)))');
  exports.free(8);
  assert.equal(factsOf(save()).allocator_count, 0);
  writeFileSync(at('frees.wasm'), await parse('(module (func $free (export "free") (param i32)))'));
  const { stderr } = spawnSync(tool('wasm-instrument'), ['--embed', '--memory', at('frees.wasm'), '-o', at('out.wasm')], { encoding: 'utf8' });
  assert.match(stderr, /warning: functions free memory, but none of a known name allocates it/);
});

test('a function that has the name and not the parameters is none', async () => {
  const wat = `(module
    (func $malloc (export "malloc") (param f64) (result i32) (i32.const 8))
    (func $free (export "free") (result i32) (i32.const 8)))`;
  const { exports, save } = await instantiate(wat);
  assert.equal(exports.malloc(1) + exports.free(), 16);
  assert.equal(factsOf(save()).allocator_count, 0);
});

test("a report says that a collector's frees are unknown", async () => {
  const text = `(module
    (func $take (param $size i32) (result i32) (i32.const 16))
    (func (export "run") (drop (call $take (i32.const 10)))))`;
  const live = /^Live at the end: unknown, since a garbage collector frees these blocks without a call$/m;
  for (const kind of ['gc_malloc', 'malloc']) {
    const { exports, save } = await instantiate(text, ['--allocator', `take=${kind}`]);
    exports.run();
    assert.equal(live.test(wasmPerf('top', save())), kind === 'gc_malloc');
  }
});
