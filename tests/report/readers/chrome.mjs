/** Reads trace events, strictly; speedscope, which reads them as well, has to agree. */

import assert from 'node:assert/strict';
import { Spans, compareRounded, fitsDoubles, parseExactly, print, scaled } from './reader.mjs';
import { importProfiles, isBounded } from './speedscope_app.mjs';

/** speedscope hands all events to one call, for which an engine's stack has to have room. */
const MAX_EVENTS = 50_000;

const { traceEvents, otherData } = parseExactly();
const decimals = otherData.unit === 'nanoseconds' ? 3 : 0;
assert.equal(otherData.scale === undefined, decimals === 3);
const spans = new Spans();
const metadata = [];
for (const event of traceEvents) {
  assert.deepEqual([event.pid.number, event.tid.number], ['1', '1']);
  if (event.ph === 'M') {
    metadata.push(event.name);
    assert.equal(typeof event.args.name, 'string');
  } else if (event.ph === 'B') {
    assert(['wasm', 'host'].includes(event.cat));
    spans.open(event.name, scaled(event.ts, decimals), scaled(event.args.calls));
  } else {
    assert.equal(event.ph, 'E');
    spans.close(event.name, scaled(event.ts, decimals));
  }
}
assert.deepEqual(metadata, ['process_name', 'thread_name']);
const functions = spans.sum();
const isReadable = functions.size > 0 && traceEvents.length < MAX_EVENTS;
if (isReadable && fitsDoubles(functions) && isBounded(spans.parents)) {
  // Arguments are part of a frame's name there, so only what a frame has itself can be compared.
  const [{ functions: imported }] = await importProfiles((name) => name.replace(/ \{"calls":\d+\}$/, ''));
  for (const sums of imported.values()) delete sums.total;
  compareRounded(functions, imported, decimals);
}
print(functions);
