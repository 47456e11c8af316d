/**
 * V8's CPU profiler, for the calling thread. Node has two interfaces to it, which return the same profile. Its
 * v8 module, from 24.12 on, costs half as much time as the inspector's protocol.
 */

/**
 * Microseconds. The cost of sampling and of fetching the samples is proportional to their number. This is 1,400
 * samples per second. More samples do not bring shares closer to the original program's. With one in 500 µs, the
 * shares of a program that uses memory.grow were sometimes off by several percentage points.
 */
const INTERVAL = 700;

/** Interval while the thread idles: each sample is a signal that wakes it for nothing. A multiple of INTERVAL. */
const IDLE_INTERVAL = 30 * INTERVAL;

const US_PER_MS = 1000;
const NS_PER_US = 1000;
const now = performance.now.bind(performance); // the program may replace it

/** Microseconds of a processor's time that this thread took; undefined: not known. */
function readCpuTime() {
  const { process } = globalThis;
  const usage = process.threadCpuUsage?.();
  if (usage) return usage.user + usage.system;
  try {
    const [nanoseconds] = process.getBuiltinModule('node:fs').readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ');
    return Number(nanoseconds) / NS_PER_US;
  } catch {
    return undefined; // not Linux
  }
}

/** When the last profile ended, and how long the thread had a processor until then. */
class Stopwatch {
  ended; // ms
  cpuTime; // microseconds, or NaN
  #begin;

  begin() {
    this.#begin = readCpuTime();
  }

  end() {
    const last = this.#begin;
    this.begin();
    this.ended = now();
    this.cpuTime = this.#begin - last;
  }
}

/**
 * Uses node:v8. V8 reads the shortest interval when the thread's first profile starts, and never again.
 * Starting a profile while no other is active walks the heap, which takes 20 ms. So the next profile starts
 * before the last one ends.
 */
class DirectProfiler {
  isRaw = true;
  watch = new Stopwatch();
  #v8;
  #handle;

  constructor(v8) {
    this.#v8 = v8;
    v8.setFlagsFromString(`--cpu-profiler-sampling-interval=${INTERVAL}`);
  }

  /** Versions of Node without options support only INTERVAL. */
  start(isIdle = false) {
    this.#start(isIdle);
    this.watch.begin(); // no sample shows V8's start
  }

  #start(isIdle) {
    this.#handle = this.#v8.startCpuProfile({ sampleInterval: (isIdle ? IDLE_INTERVAL : INTERVAL) / US_PER_MS });
  }

  stop() {
    this.watch.end();
    return this.#handle.stop();
  }

  next(isIdle) {
    const last = this.#handle;
    this.#start(isIdle);
    this.watch.end();
    return last.stop();
  }

  pause() {
    return this.next(true);
  }

  resume(isIdle) {
    const last = this.#handle;
    this.start(isIdle);
    last.stop();
  }
}

/** Uses a session of node:inspector with its own thread, which answers synchronously. */
class InspectedProfiler {
  isRaw = false;
  watch = new Stopwatch();
  #session;

  constructor(inspector) {
    this.#session = new inspector.Session();
    this.#session.connect();
    this.#post('Profiler.enable');
    this.#post('Profiler.setSamplingInterval', { interval: INTERVAL });
  }

  #post(method, parameters) {
    let answer;
    this.#session.post(method, parameters, (error, result) => (answer = { error, result }));
    if (answer?.error) throw new Error(`${method}: ${answer.error.message}`);
    return answer?.result;
  }

  start() {
    this.#post('Profiler.start');
    this.watch.begin(); // no sample shows V8's start
  }

  stop() {
    this.watch.end();
    return JSON.stringify(this.#post('Profiler.stop').profile);
  }

  next() {
    const profile = this.stop();
    this.start();
    return profile;
  }

  pause() {
    return this.stop();
  }

  resume() {
    this.start();
  }
}

/**
 * Samples a thread. Profiles are JSON in the format of the inspector's protocol.
 *
 * @typedef {object} ThreadProfiler
 * @property {boolean} isRaw V8 writes names and URLs without escapes
 * @property {{ended: number, cpuTime: number}} watch when the last profile ended, in ms, and the microseconds of a
 *   processor's time that the thread took until then since it began, or NaN
 * @property {(isIdle?: boolean) => void} start
 * @property {() => string} stop returns the profile since `start`
 * @property {(isIdle: boolean) => string} next like stop, and starts the next profile
 * @property {() => string} pause like stop; samples until `resume` are discarded
 * @property {(isIdle: boolean) => void} resume
 */

/** The host has no profiler. */
export class CannotSample extends Error {}

/**
 * @returns {ThreadProfiler}
 * @throws {CannotSample}
 */
export function openProfiler() {
  const host = ['Deno', 'Bun'].find((name) => name in globalThis); // their inspector answers too late
  if (host) throw new CannotSample(`${host} cannot be sampled; --clock instructions counts instructions there`);
  const builtin = (name) => globalThis.process?.getBuiltinModule?.(name);
  const v8 = builtin('node:v8');
  if (v8?.startCpuProfile) return new DirectProfiler(v8);
  const inspector = builtin('node:inspector');
  if (!inspector) throw new CannotSample('sampling needs Node 20.16 or newer');
  return new InspectedProfiler(inspector);
}
