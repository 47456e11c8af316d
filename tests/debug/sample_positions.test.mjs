// V8's samples tell no position within a function of WebAssembly: whatever ran, its ticks are of "line" 1,
// and the column is the function's own offset. So times by line cannot be had of them; where this fails,
// they can.
import assert from 'node:assert/strict';
import { Session } from 'node:inspector/promises';
import { test } from 'node:test';

import { parse } from '../support/wat.mjs';

// Two loops, one after the other, in one function.
const loop = (local) => `(loop
  (local.set ${local} (i32.add (local.get ${local}) (i32.const 1)))
  (br_if 0 (i32.lt_u (local.get ${local}) (i32.const 200000000))))`;
const text = `(module (func $spin (export "spin") (local i32 i32)
  ${loop(0)}
  ${loop(1)}))`;

test('ticks of a function have one position', async () => {
  const { instance } = await WebAssembly.instantiate(await parse(text));
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 500 });
  await session.post('Profiler.start');
  instance.exports.spin();
  const { profile } = await session.post('Profiler.stop');
  const nodes = profile.nodes.filter(({ callFrame }) => /spin/.test(callFrame.functionName) && callFrame.url.startsWith('wasm:'));
  const ticks = nodes.flatMap(({ positionTicks }) => positionTicks ?? []);
  assert(ticks.reduce((sum, tick) => sum + tick.ticks, 0) > 10);
  assert.deepEqual([...new Set(ticks.map(({ line }) => line))], [1]);
  assert.equal(new Set(nodes.map(({ callFrame }) => callFrame.columnNumber)).size, 1);
});
