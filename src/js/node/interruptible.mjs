/**
 * Divides a WASI program's waits into slices. Between slices, the thread's watcher can reach it. So a signal
 * ends a program that sleeps or waits for input, and its profile is written.
 */

const SLICE = 100_000_000n; // ns
const CLOCK = 0; // kind of subscription
const REALTIME = 0;
const MONOTONIC = 1;
const SUBSCRIPTION_SIZE = 48;

/**
 * Returns {rest, isAbsolute} for the subscription at `at` if it waits for a clock for more than a slice;
 * otherwise null.
 */
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

/** Sleeps except for the last slice, which `poll` waits for. */
function sleepInSlices(view, at, { rest, isAbsolute }, poll) {
  const timeout = view.getBigUint64(at + 24, true);
  sleep(rest - SLICE);
  if (!isAbsolute) view.setBigUint64(at + 24, SLICE, true);
  const result = poll();
  view.setBigUint64(at + 24, timeout, true);
  return result;
}

const STDIN = 0;
const EAGAIN = 6;
const NONBLOCK = 4; // descriptor flag

/** Implements fd_read, and the flag that makes it wait, for a standard input whose reads do not wait. */
function patientCalls(calls, input) {
  let isWaiting = true;
  return {
    fd_read(fd, ...rest) {
      let result;
      while ((result = calls.fd_read(fd, ...rest)) === EAGAIN && fd === STDIN && isWaiting) input.awaitInput();
      return result;
    },
    fd_fdstat_set_flags(fd, flags) {
      if (fd !== STDIN) return calls.fd_fdstat_set_flags(fd, flags);
      isWaiting = (flags & NONBLOCK) === 0;
      return calls.fd_fdstat_set_flags(fd, flags | NONBLOCK);
    },
  };
}

/**
 * @param {object} calls of WASI, by name
 * @param {() => WebAssembly.Memory|undefined} memory the program's
 * @param {{awaitInput: () => void}|null} input result of standardInput; WASI uses its descriptor
 * @returns {object} the calls, with interruptible waits for standard input and for a single clock
 */
export function interruptible(calls, memory, input) {
  return {
    ...calls,
    ...(input && patientCalls(calls, input)),
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
