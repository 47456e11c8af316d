/** Functions that hooks would push over a limit of engines: they stay as they are, and who reads is told. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { readEmbedded } from '../js/embedded.mjs';
import { readProfile } from '../js/wperf.mjs';
import { tool } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';
import { at, embed, stacks } from './embed.mjs';

const times = (count, text) => Array.from({ length: count }, (_, i) => text(i)).join('');
const locals = (count) => `(local ${'i32 '.repeat(count)})`;

/** An exported $main calls $huge, which calls $inner; $inner calls $leaf twice. */
const around = (huge) => `(module
  (func $main (export "main") (call $huge))
  (func $huge ${huge})
  (func $inner (drop (call $leaf)) (drop (call $leaf)))
  (func $leaf (result i32) (i32.const 1)))`;

const CASES = {
  'locals': around(`${locals(49990)} (call $inner)`),
  'callees': around(`(call $inner) (if (i32.const 0) (then ${times(33000, (i) => `(call $f${i})`)}))`).replace(
    /\)$/, `${times(33000, (i) => `(func $f${i} (call $inner) (call $inner))`)})`),
  'a body': around(`(call $inner)
    (if (i32.const 0) (then ${'(call $inner)'.repeat(120000)}))`),
  'locals, and catches': around(`${locals(50000)}
    (block $caught (try_table (catch_all $caught) (call $inner)))`),
};

for (const [what, wat] of Object.entries(CASES)) {
  for (const clock of ['none', 'instructions']) {
    test(`${what}: named in a warning and in the report, ${clock}`, async () => {
      const { bytes, messages } = await embed(wat, '--clock', clock, '--recursion', 'full');
      const warnings = messages.split('\n').filter((line) => line.includes('no hooks'));
      assert.match(warnings.join('\n'), /^wasm-instrument: .*warning: no hooks in huge: they would exceed a limit of engines$/);
      const { exports } = (await WebAssembly.instantiate(bytes)).instance;
      exports.main();
      exports.main();
      const file = readEmbedded(exports);
      assert.deepEqual(stacks(readProfile(file).nodes), { 0: 2, '0;2': 2, '0;2;3': 4 });
      writeFileSync(at('out.wperf'), file);
      const { stdout, status } = spawnSync(tool('wasm-perf'), ['top', at('out.wperf')], { encoding: 'utf8' });
      assert.equal(status, 0);
      const effect = { none: 'their calls are not counted', instructions: 'neither their calls nor their instructions are counted' };
      assert(stdout.includes(`Not hooked, as hooks would exceed an engine limit: huge; ${effect[clock]}`), stdout);
    });
  }
}

test('many are counted, and the linked form names them, too', async () => {
  const wat = `(module ${times(12, (i) => `(func $huge${i} (export "huge${i}") ${locals(49990)} (call $f))`)}
    (func $f (drop (call $g))) (func $g (result i32) (i32.const 1)))`;
  const names = times(8, (i) => `huge${i}, `).slice(0, -2);
  const warning = `no hooks in ${names} and 4 others: they would exceed a limit of engines`;
  const { messages } = await embed(wat);
  assert(messages.includes(warning), messages);
  writeFileSync(at('full.wasm'), await parse(wat.replaceAll(locals(49990), locals(50000))));
  const command = ['--clock=instructions', at('full.wasm'), '-o', at('full.prof.wasm')];
  const { stderr } = spawnSync(tool('wasm-instrument'), command, { encoding: 'utf8' });
  assert(stderr.includes(warning), stderr);
});
