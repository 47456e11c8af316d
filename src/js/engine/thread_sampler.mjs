/**
 * Samples a thread with V8's profiler, which interrupts the program: it reads no clock itself. The profiles are
 * passed on as V8 wrote them; wasm-perf reads them afterwards (src/samples/v8_thread.c).
 */

import { openProfiler } from './v8_profiler.mjs';

const [STOPPED, RUNNING, PAUSED] = [0, 1, 2];
const LAST_SAMPLES = 1000;
const DIGITS = 12; // at most, of a sample with its comma
const IDLE_SHARE = 0.95; // of LAST_SAMPLES
const US_PER_MS = 1000;
const now = performance.now.bind(performance); // the program may replace it

export class ThreadSampler {
  #profiler;
  #keep;
  #state = STOPPED;
  #isIdle = false;
  #isNext = false; // the profile began before another one ended
  #compilations = 0; // that the program waits for
  #waitsSince; // ms
  #waits = []; // for compilations since the last profile: [begin, end] in ms

  /**
   * @param {(json: string, piece: {next: boolean, idle: boolean, raw: boolean, cpu?: number, compiling: number[]}) => void} keep
   *   called with each profile of V8. `next`: it began before the last one ended; `idle`: the thread idled, so samples
   *   are rare; `raw`: V8 wrote names and URLs without escapes; `cpu`: microseconds that the thread had of a processor;
   *   `compiling`: when the program waited for compilations, pairs of begin and end in microseconds after the
   *   profile's end
   */
  constructor(keep) {
    this.#keep = keep;
    this.#profiler = openProfiler();
  }

  start() {
    if (this.#state !== RUNNING) this.#isNext = false;
    if (this.#state === STOPPED) this.#profiler.start(this.#isIdle);
    if (this.#state === PAUSED) this.#profiler.resume(this.#isIdle);
    this.#state = RUNNING;
  }

  /** Stops sampling and passes on the samples so far. */
  stop() {
    if (this.#state === STOPPED) return;
    this.start(); // after a pause
    this.#state = STOPPED;
    this.#pass(this.#profiler.stop());
  }

  /**
   * Like stop, for a short time. It costs less than stop, and excludes this thread's work on a profile from the
   * program's time.
   */
  pause() {
    if (this.#state !== RUNNING) return;
    this.#state = PAUSED;
    this.#pass(this.#profiler.pause());
  }

  /**
   * Samples a thread less often while it idles: each sample then represents more time. If the thread did not
   * idle recently, the interval stays short. Returns whether it is long now.
   */
  rest(isIdle) {
    if (this.#state !== RUNNING || isIdle === this.#isIdle) return this.#isIdle;
    const json = this.#profiler.next(isIdle);
    this.#pass(json);
    this.#isNext = true;
    this.#isIdle = isIdle;
    return isIdle && !hasIdled(json) ? this.rest(false) : isIdle;
  }

  /** Call it when the program begins to wait for a compilation, and the result when that ends. */
  waitForCompilation() {
    if (this.#compilations++ === 0) this.#waitsSince = now();
    return () => {
      if (--this.#compilations === 0) this.#waits.push([this.#waitsSince, now()]);
    };
  }

  #takeWaits() {
    const { ended } = this.#profiler.watch;
    const waits = this.#waits;
    this.#waits = [];
    if (this.#compilations > 0) waits.push([this.#waitsSince, ended]);
    return waits.flat().map((time) => Math.round((time - ended) * US_PER_MS));
  }

  #pass(json) {
    const { isRaw, watch } = this.#profiler;
    const cpu = Number.isNaN(watch.cpuTime) ? undefined : Math.max(1, Math.round(watch.cpuTime));
    this.#keep(json, { next: this.#isNext, idle: this.#isIdle, raw: isRaw, cpu, compiling: this.#takeWaits() });
  }
}

/** Whether the thread was idle in nearly all of the last samples. Looks only where V8 writes them. */
function hasIdled(json) {
  const idle = json.lastIndexOf('"functionName":"(idle)"');
  const [id] = json.slice(json.lastIndexOf('"id":', idle) + '"id":'.length, idle).split(',', 1);
  const start = json.lastIndexOf('"samples":[') + '"samples":['.length;
  const end = json.indexOf(']', start);
  const last = json.slice(Math.max(start, end - LAST_SAMPLES * DIGITS), end).split(',').slice(-LAST_SAMPLES);
  return idle >= 0 && last.filter((sample) => sample === id).length > IDLE_SHARE * last.length;
}
