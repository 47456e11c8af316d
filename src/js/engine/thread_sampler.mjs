/**
 * Samples of a Node thread by V8's own profiler, separated by the modules that run on it. It interrupts the
 * program, so no clock is read in it.
 */

import { Stack, framesOf, sumSamples } from './sampler.mjs';
import { ThreadStacks } from './thread_stacks.mjs';
import { openProfiler } from './v8_profiler.mjs';

const [STOPPED, RUNNING, PAUSED] = [0, 1, 2];
const LAST_SAMPLES = 1000;
const IDLE_SHARE = 0.95; // of them

export class ThreadSampler {
  #profiler;
  #state = STOPPED;
  #isIdle = false;
  #modules = []; // {info, stacks, sampleCount}

  /** Those of all functions. */
  stacks = new ThreadStacks();

  /** @param {number} [interval] between two samples, in microseconds */
  constructor(interval) {
    this.#profiler = openProfiler(interval);
  }

  /** From now on samples in this module are looked for. Returns what `of` wants. */
  add(info) {
    const module = { info, stacks: new Stack(), sampleCount: 0 };
    this.#modules.push(module);
    this.stacks.add(info);
    return module;
  }

  start() {
    if (this.#state === STOPPED) this.#profiler.start(this.#isIdle);
    if (this.#state === PAUSED) this.#profiler.resume(this.#isIdle);
    this.#state = RUNNING;
  }

  /** Takes in what was sampled. Nothing is sampled any more, until `start`. */
  stop() {
    if (this.#state === STOPPED) return;
    this.start(); // after a pause
    this.#state = STOPPED;
    this.#addProfile(this.#profiler.stop());
  }

  /** The same for a moment: it costs less, and what this thread does to prepare a profile is not the program's time. */
  pause() {
    if (this.#state !== RUNNING) return;
    this.#state = PAUSED;
    this.#addProfile(this.#profiler.pause());
  }

  /**
   * Takes fewer samples of a thread that idles, each of which stands for more time; if it did not idle lately, as many as
   * before. Returns whether they are fewer now.
   */
  rest(isIdle) {
    if (this.#state !== RUNNING || isIdle === this.#isIdle) return this.#isIdle;
    const profile = this.#profiler.next(isIdle);
    this.#addProfile(profile);
    this.#isIdle = isIdle;
    return isIdle && !hasIdled(profile) ? this.rest(false) : isIdle;
  }

  #addProfile(profile) {
    const { nodes, samples } = profile;
    checkTree(nodes);
    if (this.#isIdle && samples.length > 1) samples[0] = samples[1]; // it is of whoever started this, not of all the time until the next
    const sums = sumSamples(profile);
    const frames = framesOf(nodes, this.#modules.map(({ info }) => info));
    this.stacks.addProfile(profile, frames, sums);
    const indices = new Map(nodes.map(({ id }, i) => [id, i]));
    const open = [[0, null]];
    while (open.length > 0) {
      const [i, callers] = open.pop();
      const node = nodes[i];
      const { owner } = frames[i];
      const inside = owner ? this.#enter(owner, callers) : callers;
      const sum = sums.get(node.id);
      if (sum && inside?.stack) {
        inside.stack.ns += sum.ns;
        inside.module.sampleCount += sum.count;
      }
      for (const id of node.children ?? []) open.push([indices.get(id), inside]);
    }
  }

  /**
   * Where the program is below that frame: in which module, whose time it is, at which of its stacks, and where
   * in the others, outwards, each once in a row. The hooks' own time is left out: they have no stack.
   */
  #enter([number, index], callers) {
    const module = this.#modules[number];
    const outer = callers?.module === module ? callers.outer : callers;
    const isHook = index >= module.info.functionCount;
    return { module, stack: isHook ? null : stackIn(module, callers)?.child(index), outer };
  }
}

/**
 * Whether the nodes are one tree below the first: a function's name may have written some of them, which must not have
 * others visited more than once.
 */
function checkTree(nodes) {
  const unseen = new Set(nodes.map(({ id }) => id));
  let isTree = unseen.size === nodes.length && unseen.delete(nodes[0]?.id);
  for (const { children = [] } of nodes) isTree &&= children.every((id) => unseen.delete(id));
  if (!isTree) throw new Error('what V8 sampled is no tree');
}

/** Whether the thread did nothing when the last samples were taken. */
function hasIdled({ nodes, samples }) {
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id));
  const last = samples.slice(-LAST_SAMPLES);
  return last.filter((id) => idle.has(id)).length > IDLE_SHARE * last.length;
}

/** The innermost stack of a module. */
function stackIn(module, callers) {
  for (let at = callers; at; at = at.outer) {
    if (at.module === module) return at.stack;
  }
  return module.stacks;
}
