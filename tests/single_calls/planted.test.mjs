/** A planted cause is what `wasm-perf calls` names first: functions of random programs that one call in many calls more. */

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { readEmbedded } from '../js/embedded.mjs';
import { noWasmtime, temporaryFolder, tool } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';
import { callsOf } from './calls_section.mjs';

const folder = temporaryFolder();
const at = (name) => join(folder, name);
const wasmPerf = (...args) => execFileSync(tool('wasm-perf'), args, { encoding: 'utf8' });

const PARTS = 7;
const ROUNDS = 400;

/** Numbers below `limit`, the same in every run. */
function generator(seed) {
  let state = seed * 7919 + 1;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** `render` calls each part a few times, and in one round of many the planted part 50 times more. */
function writeProgram(random) {
  const planted = random(PARTS);
  const parts = Array.from({ length: PARTS }, (_, i) => `(func $part${i} (local $i i32)
    (local.set $i (i32.const ${2 + random(30)}))
    (loop $again (br_if $again (local.tee $i (i32.sub (local.get $i) (i32.const 1))))))`);
  const calls = Array.from({ length: 2 * PARTS }, () => `(call $part${random(PARTS)})`);
  const wat = `(module ${parts.join('\n')}
    (func $more (local $i i32) (local.set $i (i32.const 50))
      (loop $again (call $part${planted}) (br_if $again (local.tee $i (i32.sub (local.get $i) (i32.const 1))))))
    (func $render (export "render") (param $round i32)
      ${calls.join('\n')}
      (if (i32.eq (i32.rem_u (local.get $round) (i32.const 100)) (i32.const ${random(100)})) (then (call $more)))))`;
  return { planted: `part${planted}`, wat };
}

async function instrument(wat, ...options) {
  writeFileSync(at('in.wasm'), await parse(wat));
  execFileSync(tool('wasm-instrument'), ['-q', '--embed', ...options, at('in.wasm'), '-o', at('out.wasm')]);
}

test('what the slowest call did more of comes first, in 20 of 20 programs', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const { planted, wat } = writeProgram(generator(seed));
    await instrument(wat, '--calls', '--clock=instructions');
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(at('out.wasm'))));
    for (let round = 0; round < ROUNDS; round++) exports.render(round);
    writeFileSync(at('out.wperf'), readEmbedded(exports));
    const text = wasmPerf('calls', '--call', 'worst', '--against', 'median', at('out.wperf'));
    const first = /^ *[\d,]+ .* (\w+)$/m.exec(text)[1];
    assert.equal(first, planted, `seed ${seed}: ${text}`);
  }
});

const TURNS = '(local $i i32) (loop $again (br_if $again (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 99999))))';

/** 20 calls were timed, of which 10 are kept: 100,000 turns take more than 1 µs. */
function checkTimes(file, expected) {
  const { measures, kept } = callsOf(readFileSync(file));
  assert.deepEqual(measures, expected);
  assert(kept.length >= 10 && kept.every(({ values }) => values[0] > 1000n));
}

test('calls in a JavaScript host have the time of its clock', async () => {
  writeFileSync(at('app.wasm'), await parse(`(module (func (export "render") ${TURNS}))`));
  writeFileSync(at('app.mjs'), `import { readFileSync } from 'node:fs';
    const { instance } = await WebAssembly.instantiate(readFileSync(${JSON.stringify(at('app.wasm'))}));
    for (let i = 0; i < 20; i++) instance.exports.render();`);
  wasmPerf('record', '--calls', '-o', at('app.wperf'), '--', process.execPath, at('app.mjs'));
  checkTimes(at('app.wperf'), ['time']);
});

test('the clock is the profiler\'s, in whatever it is that Node has it', async () => {
  writeFileSync(at('short.wasm'), await parse('(module (func (export "render")))'));
  writeFileSync(at('short.mjs'), `import { readFileSync } from 'node:fs';
    const { instance } = await WebAssembly.instantiate(readFileSync(${JSON.stringify(at('short.wasm'))}));
    for (const end = Date.now() + 500; Date.now() < end; ) for (let i = 0; i < 1000; i++) instance.exports.render();`);
  wasmPerf('record', '--calls', '-o', at('short.wperf'), '--', process.execPath, at('short.mjs'));
  const callees = wasmPerf('report', '--format', 'folded', at('short.wperf')).split('\n')
    .flatMap((line) => (/;render.*;(.*) \d+$/.exec(line)?.[1] ?? []));
  // Where V8 has inlined the hooks, crossing the border is an import's.
  assert.deepEqual(callees.filter((name) => !/garbage|^imports$/.test(name)), []);
});

test('record says if no call was measured', () => {
  const { status, stderr } = spawnSync(tool('wasm-perf'),
    ['record', '--calls-of=nowhere', '-o', at('none.wperf'), '--', process.execPath, at('app.mjs')], { encoding: 'utf8' });
  assert.equal(status, 0);
  assert.match(stderr, /^wasm-perf: warning: no calls were measured: /);
});

test("a WASI command asks WASI's clock, and gives the piece of its memory back", { skip: noWasmtime }, async () => {
  await instrument(`(module
    (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
    (memory (export "memory") 1) (data (i32.const 0) "\\01\\02\\03\\04\\05\\06\\07\\08")
    (func $render ${TURNS})
    (func (export "_start") ${'(call $render)'.repeat(20)}
      (if (i64.ne (i64.load (i32.const 0)) (i64.const 0x0807060504030201)) (then (call $exit (i32.const 3))))))`, '--calls-of=render');
  const { status, stderr } = spawnSync('wasmtime', ['run', '--dir=.', at('out.wasm')], { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  checkTimes(at('in.wperf'), ['time', 'instructions']);
});
