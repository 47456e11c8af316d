/**
 * WASI's sleep, in slices: between two of them the thread's watcher can reach it, so that a signal ends
 * a program that sleeps, and its profile is kept.
 */

const SLICE = 100_000_000n; // ns
const CLOCK = 0; // the kind of subscription
const REALTIME = 0;
const MONOTONIC = 1;
const SUBSCRIPTION_SIZE = 48;

/** The subscription at that address, if it is to a clock and its end is far: {rest, isAbsolute}. */
function longSleep(view, at) {
  if (at + SUBSCRIPTION_SIZE > view.byteLength || view.getUint8(at + 8) !== CLOCK) return null;
  const id = view.getUint32(at + 16, true);
  const timeout = view.getBigUint64(at + 24, true);
  const isAbsolute = (view.getUint16(at + 40, true) & 1) !== 0;
  const now = id === MONOTONIC ? process.hrtime.bigint() : BigInt(Date.now()) * 1_000_000n;
  const rest = isAbsolute ? timeout - now : timeout;
  return rest > SLICE && (id === MONOTONIC || id === REALTIME) ? { rest, isAbsolute } : null;
}

function sleep(delay) {
  const lock = new Int32Array(new SharedArrayBuffer(4));
  const end = process.hrtime.bigint() + delay;
  for (let rest = delay; rest > 0n; rest = end - process.hrtime.bigint()) {
    Atomics.wait(lock, 0, 0, Number(rest < SLICE ? rest : SLICE) / 1e6);
  }
}

/** Sleeps but for the last slice, which it leaves to `poll`. */
function sleepInSlices(view, at, { rest, isAbsolute }, poll) {
  const timeout = view.getBigUint64(at + 24, true);
  sleep(rest - SLICE);
  if (!isAbsolute) view.setBigUint64(at + 24, SLICE, true);
  const result = poll();
  view.setBigUint64(at + 24, timeout, true);
  return result;
}

/**
 * @param {object} calls of WASI, by name
 * @param {() => WebAssembly.Memory|undefined} memory the program's
 * @returns {object} the same, but that what waits for a single clock can be interrupted
 */
export function interruptible(calls, memory) {
  return {
    ...calls,
    poll_oneoff(subscriptions, events, count, eventCount) {
      const poll = () => calls.poll_oneoff(subscriptions, events, count, eventCount);
      const buffer = count === 1 && memory()?.buffer;
      if (!buffer) return poll();
      const view = new DataView(buffer);
      const long = longSleep(view, subscriptions >>> 0);
      return long ? sleepInSlices(view, subscriptions >>> 0, long, poll) : poll();
    },
  };
}
