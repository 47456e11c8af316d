/** One trace, native and as a module: the same bytes, down to the lookup cache. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CLOCK, clockHost, instantiate, parseProfile, profileBytes, totalCalls } from './support.mjs';

const [START, END, UNWIND, RESET] = [0, 1, 2, 3];
const EVENT_SIZE = 16;

const folder = mkdtempSync(join(tmpdir(), 'wasm_perf-identity-'));
after(() => rmSync(folder, { recursive: true }));

/** {events, profile}: a trace and what the native library made of it. */
function nativeTrace(shape, clock, nodeLimit) {
  const paths = [join(folder, 'events'), join(folder, 'profile')];
  execFileSync(process.env.WI_TRACE, [shape, clock, nodeLimit, ...paths].map(String));
  const [events, profile] = paths.map((path) => readFileSync(path));
  return { events, profile };
}

function replay(events, { start, end, unwind, reset }) {
  for (let at = 0; at < events.length; at += EVENT_SIZE) {
    const argument = events.readUint32LE(at + 4);
    const now = events.readBigUint64LE(at + 8);
    switch (events.readUint32LE(at)) {
      case START: start(argument, now); break;
      case END: end(now); break;
      case UNWIND: unwind(argument, now); break;
      case RESET: reset(now); break;
      default: assert.fail('an unknown event');
    }
  }
}

function replayWithModuleClock(runtime, events) {
  replay(events, {
    start: runtime.perf_start_at,
    end: runtime.perf_end_at,
    unwind: runtime.perf_unwind_at,
    reset: runtime.perf_reset,
  });
}

for (const [shape, limits] of [
  ['busy', [0, 1000, 2]],
  ['wide', [0, 1 << 17]],
  ['deep', [0, 5]],
  ['short', [0]],
]) {
  for (const nodeLimit of limits) {
    for (const clock of ['instructions', 'none']) {
      test(`${shape}, limit ${nodeLimit}, clock ${clock}`, () => {
        const { events, profile } = nativeTrace(shape, CLOCK[clock], nodeLimit);
        const runtime = instantiate();
        runtime.perf_configure(CLOCK[clock], nodeLimit);
        replayWithModuleClock(runtime, events);
        assert(profileBytes(runtime).equals(profile));
      });
    }
  }
}

test('traces do what they are for', () => {
  const shapes = (name, limit) => parseProfile(nativeTrace(name, CLOCK.instructions, limit).profile);
  assert(shapes('wide', 0).header.nodeCount > 300_000);
  assert(shapes('deep', 0).header.openFrameCount > 1 << 20);
  const truncated = shapes('wide', 1 << 17);
  assert(truncated.header.truncatedCallCount > 100_000n);
  assert.equal(truncated.header.nodeCount, 1 << 17);
  assert(totalCalls(truncated) > 700_000n);
});

test('a wall clock charges as the module does', () => {
  const { events, profile } = nativeTrace('wide', CLOCK.instructions, 0);
  let time = 0n;
  const runtime = instantiate((memory) => clockHost(memory, () => time));
  runtime.perf_configure(CLOCK.wall, 0);
  replay(events, {
    start: (argument, now) => ((time = now), runtime.perf_start(argument)),
    end: (now) => ((time = now), runtime.perf_end()),
    unwind: (argument, now) => ((time = now), runtime.perf_unwind(argument)),
    reset: runtime.perf_reset,
  });
  const bytes = profileBytes(runtime);
  assert.equal(parseProfile(bytes).header.ticksPerSecond, 1_000_000_000n);
  bytes.writeUint32LE(CLOCK.instructions, 28);
  bytes.writeBigUint64LE(0n, 32);
  assert(bytes.equals(profile));
});
