/**
 * Samples a Node thread with V8's profiler, and separates the samples by module. V8 interrupts the program,
 * which reads no clock itself.
 */

import { checkTree, ModuleStacks } from './module_stacks.mjs';
import { edgesOf, framesOf, sumSamples } from './sampler.mjs';
import { ThreadStacks } from './thread_stacks.mjs';
import { openProfiler } from './v8_profiler.mjs';

const [STOPPED, RUNNING, PAUSED] = [0, 1, 2];
const LAST_SAMPLES = 1000;
const IDLE_SHARE = 0.95; // of LAST_SAMPLES

export class ThreadSampler {
  #profiler;
  #state = STOPPED;
  #isIdle = false;
  #isNext = false; // the profile began before another one ended
  #end = 0; // of the last profile, on V8's clock
  #modules = new ModuleStacks();

  /** The stacks of all functions, including JavaScript's. */
  stacks;

  /**
   * @param {object} [options]
   * @param {number} [options.interval] microseconds between samples
   * @param {boolean} [options.isHosted] see ThreadStacks
   */
  constructor({ interval, isHosted } = {}) {
    this.stacks = new ThreadStacks(isHosted);
    this.#profiler = openProfiler(interval);
  }

  /** Adds a module to look for in later samples. Returns {info, stacks, sampleCount}. */
  add(info) {
    this.stacks.add(info);
    return this.#modules.add(info);
  }

  start() {
    if (this.#state !== RUNNING) this.#isNext = false;
    if (this.#state === STOPPED) this.#profiler.start(this.#isIdle);
    if (this.#state === PAUSED) this.#profiler.resume(this.#isIdle);
    this.#state = RUNNING;
  }

  /** Stops sampling and adds the samples so far. */
  stop() {
    if (this.#state === STOPPED) return;
    this.start(); // after a pause
    this.#state = STOPPED;
    this.#addProfile(this.#profiler.stop());
  }

  /**
   * Like stop, for a short time. It costs less than stop, and excludes this thread's work on a profile from the
   * program's time.
   */
  pause() {
    if (this.#state !== RUNNING) return;
    this.#state = PAUSED;
    this.#addProfile(this.#profiler.pause());
  }

  /**
   * Samples a thread less often while it idles: each sample then represents more time. If the thread did not
   * idle recently, the interval stays short. Returns whether it is long now.
   */
  rest(isIdle) {
    if (this.#state !== RUNNING || isIdle === this.#isIdle) return this.#isIdle;
    const profile = this.#profiler.next(isIdle);
    this.#addProfile(profile);
    this.#isNext = true;
    this.#isIdle = isIdle;
    return isIdle && !hasIdled(profile) ? this.rest(false) : isIdle;
  }

  #addProfile(profile) {
    const { nodes, samples } = profile;
    checkTree(nodes);
    if (this.#isIdle && samples.length > 1) samples[0] = samples[1]; // of the code that started this, not of all time up to the next
    const edges = edgesOf(profile, this.#end);
    const sums = sumSamples(profile, edges);
    const frames = framesOf(nodes, this.#modules.infos);
    this.stacks.addProfile(profile, frames, sums, { edges, begin: this.#isNext ? this.#end : edges[0] });
    this.#end = edges.at(-1);
    this.#modules.addNodes(nodes, frames, sums);
  }
}

/** Whether the thread was idle in nearly all of the last samples. */
function hasIdled({ nodes, samples }) {
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id));
  const last = samples.slice(-LAST_SAMPLES);
  return last.filter((id) => idle.has(id)).length > IDLE_SHARE * last.length;
}
