/**
 * Beside wzprof, the nearest profiler of memory: each row of the table in src/docs/measurements.md, as both say it
 * of the same module. Skipped without wzprof in $WZPROF; scripts/memory.sh builds it.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import * as compilers from '../real/compile.mjs';
import { parse } from '../support/wat.mjs';
import { at, compile, missingLibrary, selfBy, stacksBy, truthOf, wasmPerf } from './programs.mjs';

const { WZPROF } = process.env;
const skip = (!WZPROF && 'no wzprof') || missingLibrary();

/** Its exit code, and a function from a sample type to {function: what is below it}. */
function runWzprof(wasm, ...options) {
  const args = ['-memprofile', at('wzprof.pb'), ...options, wasm];
  const { status, stdout, stderr } = spawnSync(WZPROF, args, { encoding: 'utf8' });
  const sumsOf = (type) => {
    const top = ['tool', 'pprof', '-top', '-cum', '-nodefraction=0', '-unit=bytes', `-sample_index=${type}`, at('wzprof.pb')];
    const rows = spawnSync('go', top, { encoding: 'utf8' }).stdout.matchAll(/^ *\d+\S* +\S+ +\S+ +(\d+)(?:B|bytes)? +\S+ +(.*)$/gm);
    return Object.fromEntries(Array.from(rows, ([, sum, name]) => [name.replace(' (inline)', ''), Number(sum)]));
  };
  return { status, stdout, stderr, sumsOf };
}

const EXACT = ['-sample', '1'];
const program = skip ? null : compile('truth');

/** What the program says itself, and what our profile says in each value. */
function runOurs(wasm = program) {
  const stdout = wasmPerf('record', '--memory', '-o', at('ours.wperf'), wasm);
  return { stdout, of: (value) => selfBy(value, at('ours.wperf')) };
}

/** Compiled by one of tests/real, or a skipped test. */
async function build(t, compiler, source) {
  try {
    await compilers[compiler](join('../../memory/programs', source), at(`${source}.wasm`));
    return at(`${source}.wasm`);
  } catch (error) {
    if (!(error instanceof compilers.Missing)) throw error;
    t.skip(error.message);
    return null;
  }
}

test('by default: every allocation, not one in 19', { skip }, () => {
  const wzprof = runWzprof(program).sumsOf('alloc_objects');
  const { stdout, of } = runOurs();
  const wanted = truthOf(stdout).values.allocated_objects;
  assert.notEqual(wzprof.ask_small, wanted.ask_small);
  assert.deepEqual(of('allocated_objects'), wanted);
});

test('an allocation that fails is none', { skip }, () => {
  const { stdout, sumsOf } = runWzprof(program, ...EXACT);
  const wanted = truthOf(stdout).values.allocated_bytes;
  assert(sumsOf('alloc_space').ask_small > 2 ** 31);
  assert.equal(runOurs().of('allocated_bytes').ask_small, wanted.ask_small);
});

test('a block that was resized stays one object', { skip }, () => {
  const { stdout, sumsOf } = runWzprof(program, ...EXACT);
  const { allocated_objects: allocated, resized_objects: resized } = truthOf(stdout).values;
  assert(sumsOf('alloc_objects').ask_grown >= allocated.ask_grown + resized.ask_grown);
  const ours = runOurs();
  assert.equal(ours.of('allocated_objects').ask_grown, allocated.ask_grown);
  assert.equal(ours.of('resized_objects').ask_grown, resized.ask_grown);
});

test('posix_memalign and aligned_alloc', { skip }, async (t) => {
  const wzprof = runWzprof(program, ...EXACT).sumsOf('alloc_objects');
  assert.equal(wzprof.ask_aligned ?? 0, 0);
  assert.equal(runOurs().of('allocated_objects').ask_aligned, truthOf(runOurs().stdout).values.allocated_objects.ask_aligned);
  const wasm = await build(t, 'cxx', 'keeps.cc');
  if (!wasm) return;
  assert.equal(Object.keys(runWzprof(wasm, ...EXACT).sumsOf('alloc_space')).some((name) => name.startsWith('align(')), false);
  assert.equal(runOurs(wasm).of('allocated_bytes')['align(int)'], 10 * 128);
});

test('what is live at the end, also of aligned blocks', { skip }, () => {
  const { stdout, sumsOf } = runWzprof(program, ...EXACT, '-inuse');
  const wanted = truthOf(stdout).values.live_bytes;
  assert.equal(sumsOf('inuse_space').ask_small, wanted.ask_small);
  assert.notEqual(sumsOf('inuse_space').churn, Object.values(wanted).reduce((sum, n) => sum + n, 0));
  assert.deepEqual(runOurs().of('live_bytes'), wanted);
});

test('peak, temporary blocks, sizes, time line, growth of memory', { skip }, () => {
  runWzprof(program, ...EXACT, '-inuse');
  const raw = spawnSync('go', ['tool', 'pprof', '-raw', at('wzprof.pb')], { encoding: 'utf8' }).stdout;
  assert.equal(/^Samples:\n(.*)$/m.exec(raw)[1].trim(), 'alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes');
  const { stdout, of } = runOurs();
  const { values, sizes } = truthOf(stdout);
  for (const value of ['peak_bytes', 'temporary_objects']) assert.deepEqual(of(value), values[value]);
  const { memory } = JSON.parse(wasmPerf('report', '--format', 'json', at('ours.wperf')));
  assert.equal(memory.sizes.at(-1).allocated, sizes.findLast((n) => n > 0));
  assert(memory.timeline.length > 100);
  assert(Object.values(of('grown_pages')).length > 0);
});

test('Rust and C++: what is held', { skip }, async (t) => {
  for (const [compiler, source, held] of [['rust', 'keeps.rs', { 'keeps::keep': 104000 }], ['cxx', 'keeps.cc', { 'keep(int)': 100000 }]]) {
    const wasm = await build(t, compiler, source);
    if (!wasm) return;
    const [[name, bytes]] = Object.entries(held);
    assert.equal(runWzprof(wasm, ...EXACT, '-inuse').sumsOf('inuse_space')[name], bytes);
    runOurs(wasm);
    const ours = Object.entries(stacksBy('live_bytes', at('ours.wperf'))).filter(([stack]) => stack.split(';').includes(name));
    assert.equal(ours.reduce((sum, [, n]) => sum + n, 0), bytes);
  }
});

test('AssemblyScript', { skip }, async (t) => {
  const wasm = await build(t, 'assemblyScript', 'keeps.ts');
  if (!wasm) return;
  assert.deepEqual(runWzprof(wasm, ...EXACT).sumsOf('alloc_space'), {});
  assert.equal(Object.values(runOurs(wasm).of('live_bytes')).reduce((sum, n) => sum + n, 0), 52000);
});

test('Go', { skip }, async (t) => {
  const wasm = await build(t, 'go', 'keeps.go');
  if (!wasm) return;
  const { status, stderr } = runWzprof(wasm, ...EXACT);
  assert.notEqual(status, 0);
  assert.match(stderr, /invalid virtual memory read[^]*runtime\.mallocgc/);
  runOurs(wasm);
  const stacks = Object.entries(stacksBy('allocated_bytes', at('ours.wperf')));
  const bytes = stacks.find(([stack]) => stack.endsWith('main.keep'))[1];
  const slices = 3 * 8 * 1280; // more than append takes for 1,000 pointers, as it grows by powers of two and quarters
  assert(bytes >= 100000 && bytes < 100000 + slices, `${bytes} bytes`);
});

const refused = {
  'memories of 64 bits': `(module (memory (export "memory") i64 1)
    (func $malloc (param i64) (result i64) (i64.const 64))
    (func (export "_start") (drop (call $malloc (i64.const 100)))))`,
  'objects of a garbage collector': `(module (memory (export "memory") 1) (type $block (struct (field i64)))
    (func (export "_start") (drop (struct.new_default $block))))`,
};
for (const [what, wat] of Object.entries(refused))
  test(what, { skip }, async () => {
    writeFileSync(at('new.wasm'), await parse(wat));
    assert.notEqual(runWzprof(at('new.wasm'), ...EXACT).status, 0);
    const { of } = runOurs(at('new.wasm'));
    assert.equal(Object.values(of(what.startsWith('mem') ? 'live_bytes' : 'gc_objects'))[0], what.startsWith('mem') ? 100 : 1);
  });

test('a stripped module', { skip }, () => {
  copyFileSync(program, at('stripped.wasm'));
  assert.equal(spawnSync('llvm-strip', ['--strip-all', at('stripped.wasm')]).status, 0);
  assert.deepEqual(runWzprof(at('stripped.wasm'), ...EXACT).sumsOf('alloc_space'), {});
  assert(Object.values(runOurs(at('stripped.wasm')).of('grown_pages')).reduce((sum, n) => sum + n, 0) > 0);
});

test('allocators by other names', { skip }, async () => {
  const wat = `(module (memory (export "memory") 1)
    (func $arena_take (param i32) (result i32) (local.get 0))
    (func $use (export "_start") (drop (call $arena_take (i32.const 100)))))`;
  writeFileSync(at('arena.wasm'), await parse(wat));
  assert.deepEqual(runWzprof(at('arena.wasm'), ...EXACT).sumsOf('alloc_space'), {});
  wasmPerf('record', '--memory', '--allocator', 'arena_take=malloc', '-o', at('arena.wperf'), at('arena.wasm'));
  assert.deepEqual(selfBy('live_bytes', at('arena.wperf')), { use: 100 });
});
