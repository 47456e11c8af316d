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
function nativeTrace(shape, clock, nodeLimit, step = 1) {
  const paths = [join(folder, 'events'), join(folder, 'profile')];
  execFileSync(process.env.WI_TRACE, [shape, clock, nodeLimit, ...paths, step].map(String));
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

/** The wall clock of trace.c; `event` is the one under way. */
const scriptedClock = (event, step) => {
  const time = 40n * BigInt(event.index) + event.now / 2n;
  return time - (time % step);
};

function replayHybrid(events, nodeLimit, step) {
  const event = { index: 0, now: 0n };
  const runtime = instantiate((memory) => clockHost(memory, () => scriptedClock(event, step)));
  runtime.perf_configure(CLOCK.hybrid, nodeLimit);
  let index = 0;
  const at = (now) => Object.assign(event, { index: index++, now });
  replay(events, {
    start: (argument, now) => (at(now), runtime.perf_start_at(argument, now)),
    end: (now) => (at(now), runtime.perf_end_at(now)),
    unwind: (argument, now) => (at(now), runtime.perf_unwind_at(argument, now)),
    reset: (now) => (at(now), runtime.perf_reset()),
  });
  return profileBytes(runtime);
}

for (const [shape, limit] of [
  ['busy', 1000],
  ['wide', 0],
  ['deep', 0],
  ['short', 0],
]) {
  for (const step of [1n, 100_000n, 50_000_000n]) {
    test(`${shape}, limit ${limit}, clock hybrid in steps of ${step} ns`, () => {
      const { events, profile } = nativeTrace(shape, CLOCK.hybrid, limit, step);
      const bytes = replayHybrid(events, limit, step);
      assert(bytes.equals(profile));
      const { header, nodes } = parseProfile(bytes);
      assert(header.clockReadCount > 0n);
      assert(step > 1n || shape === 'short' || nodes.some(({ self }) => self > 0n));
    });
  }
}

test('traces do what they are for', () => {
  const shapes = (name, limit) => parseProfile(nativeTrace(name, CLOCK.instructions, limit).profile);
  assert(shapes('wide', 0).header.nodeCount > 300_000);
  assert(shapes('deep', 0).header.openFrameCount > 1 << 20);
  const folded = shapes('wide', 1 << 17);
  assert(folded.header.foldedCallCount > 100_000n);
  assert.equal(folded.header.nodeCount, 1 << 17);
  assert(totalCalls(folded) > 700_000n);
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
