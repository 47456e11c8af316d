/**
 * JavaScript programs that catch stack overflows: modules that are new at each of them, so that V8 compiles, and enters
 * the runtime, at each distance from the end of the stack. Their counts are those that the program counts itself.
 */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { assemble, at, read, run, tool } from './support.mjs';
import { readProfile } from './wperf.mjs';

const MODULES = 150;

assemble('deep', `(module
  (import "host" "nothing" (func $nothing))
  (global $n (export "n") (mut i64) (i64.const 0))
  (func $down (export "down") (param i32) (result i32)
    (global.set $n (i64.add (global.get $n) (i64.const 1)))
    (if (result i32) (local.get 0) (then (i32.add (i32.const 1) (call $down (i32.sub (local.get 0) (i32.const 1)))))
      (else (i32.const 0))))
  (func $leaf (param i32) (result i32) (local.get 0))
  (func $after (export "after") (param i32) (result i32) (call $leaf (call $down (local.get 0)))))`);

writeFileSync(at('overflow.mjs'), `
  import fs from 'node:fs';
  const bytes = fs.readFileSync(new URL('./deep.wasm', import.meta.url));
  let counted = 0n, overflows = 0, after = 0n;
  for (let i = 0; i < ${MODULES}; i++) {
    const own = Buffer.concat([bytes, Buffer.from([0, 3, 1, 65, i])]); // a custom section makes it another module
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(own), { host: { nothing() {} } });
    exports.down(1000 + i * 37 % 2000);
    try {
      exports.down(-1);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      overflows++;
    }
    exports.after(3);
    after += 2n; // with its leaf
    counted += exports.n.value;
  }
  console.log(overflows, String(counted + after));`);

for (const clock of ['none', 'sampled', 'instructions'])
  test(`stack overflows that the program catches, with the clock ${clock}`, () => {
    const { status, stdout, stderr } = tool('wasm-perf',
      ['record', '--clock', clock, '-o', 'overflow.wperf', '--', 'node', 'overflow.mjs'], { env: { ...process.env, WASM_PERF_CACHE: '' } });
    assert.equal(status, 0, stderr);
    const [overflows, counted] = stdout.trim().split(' ');
    assert.equal(Number(overflows), MODULES);
    const { stdout: report } = run(`${process.env.WI_BUILD}/wasm-perf`, ['report', '-f', 'json', 'overflow.wperf']);
    assert.equal(BigInt(JSON.parse(report).calls), BigInt(counted));
    assert(readProfile(read('overflow.wperf')).nodes.length > 3);
  });
