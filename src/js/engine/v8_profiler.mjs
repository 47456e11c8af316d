/**
 * V8's own CPU profiler, of the thread that calls. Node leads to it in two ways, which give the same profile: through its
 * module v8, from 24.12 on, it takes half the time that it takes through the inspector's protocol.
 */

/**
 * Microseconds. Taking samples and handing them over at the end costs in proportion to their number. These are 1,400 a
 * second: with more, shares come no nearer to those of the program as it is, and with one in 500 those of a program
 * of memory.grow were off by several points at times.
 */
const INTERVAL = 700;

/** The same while the thread idles, where samples are signals that wake it for nothing. A multiple of the other. */
const IDLE_INTERVAL = 30 * INTERVAL;

const US_PER_MS = 1000;

/** A function's name, and a URL, up to what V8 writes after it. */
const TEXTS = [
  /("functionName":)"(.*?)"(?=,"(?:lineNumber|scriptId|url)":)/gs,
  /("url":)"(.*?)"(?=\}|,"(?:lineNumber|columnNumber)":)/gs,
];

/**
 * What V8 wrote as JSON. It escapes nothing in the names of functions, those of regular expressions and of modules among
 * them, nor in URLs. So these are quoted before anything is parsed, and what a name still makes of the rest is checked
 * where it is used.
 */
function parseProfile(text) {
  const quote = (_, key, value) => key + JSON.stringify(value);
  return JSON.parse(TEXTS.reduce((quoted, field) => quoted.replace(field, quote), text));
}

/**
 * Through node:v8. V8 reads the shortest interval when the thread's first profile starts, and never again. It walks the
 * heap when it starts one while there is no other, which takes 20 ms: so one profile ends after the next has begun.
 */
class DirectProfiler {
  #v8;
  #handle;

  constructor(v8) {
    this.#v8 = v8;
    v8.setFlagsFromString(`--cpu-profiler-sampling-interval=${INTERVAL}`);
  }

  /** Versions of Node that take no options have this interval only. */
  start(isIdle = false) {
    this.#handle = this.#v8.startCpuProfile({ sampleInterval: (isIdle ? IDLE_INTERVAL : INTERVAL) / US_PER_MS });
  }

  stop() {
    return parseProfile(this.#handle.stop());
  }

  next(isIdle) {
    const last = this.#handle;
    this.start(isIdle);
    return parseProfile(last.stop());
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

/** Through a session of node:inspector with its own thread, which answers before it returns. */
class InspectedProfiler {
  #session;

  constructor(inspector, interval) {
    this.#session = new inspector.Session();
    this.#session.connect();
    this.#post('Profiler.enable');
    this.#post('Profiler.setSamplingInterval', { interval });
  }

  #post(method, parameters) {
    let answer;
    this.#session.post(method, parameters, (error, result) => (answer = { error, result }));
    if (answer?.error) throw new Error(`${method}: ${answer.error.message}`);
    return answer?.result;
  }

  start() {
    this.#post('Profiler.start');
  }

  stop() {
    return this.#post('Profiler.stop').profile;
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
 * What samples a thread; profiles are in the form of the inspector's protocol.
 *
 * @typedef {object} ThreadProfiler
 * @property {(isIdle?: boolean) => void} start
 * @property {() => object} stop gives the profile since `start`
 * @property {(isIdle: boolean) => object} next the same, and starts another one
 * @property {() => object} pause the same; what is sampled until `resume` is in no profile
 * @property {(isIdle: boolean) => void} resume
 */

/**
 * @param {number} [interval] microseconds from one sample to the next; default: 700
 * @returns {ThreadProfiler}
 */
export function openProfiler(interval) {
  const host = ['Deno', 'Bun'].find((name) => name in globalThis); // whose inspector answers too late
  if (host) throw new Error(`${host} cannot be sampled; --clock instructions counts instructions there`);
  const builtin = (name) => globalThis.process?.getBuiltinModule?.(name);
  const v8 = builtin('node:v8');
  if (interval === undefined && v8?.startCpuProfile) return new DirectProfiler(v8);
  const inspector = builtin('node:inspector');
  if (!inspector) throw new Error('sampling needs Node 20.16 or newer');
  return new InspectedProfiler(inspector, interval ?? INTERVAL);
}
