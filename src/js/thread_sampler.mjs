/**
 * Samples of a Node thread by V8's own profiler, separated by the modules that run on it. It interrupts the
 * program, so no clock is read in it. Needs Node, whose node:inspector leads to that profiler.
 */

import { Stack, countSamples, framesOf, intervalOf } from './sampler.mjs';

/**
 * Microseconds. Taking samples and handing them over at the end costs in proportion to their number. These are
 * 2,000 a second: with more, shares come no nearer to those of the program as it is, and with V8's own 1,000
 * those of a short program are rough.
 */
const INTERVAL = 500;

export class ThreadSampler {
  #session;
  #isRunning = false;
  #modules = []; // {info, stacks, sampleCount}

  /** @param {number} [interval] between two samples, in microseconds */
  constructor(interval = INTERVAL) {
    const inspector = globalThis.process?.getBuiltinModule?.('node:inspector');
    if (!inspector) throw new Error('sampling needs Node 20.16 or newer');
    this.#session = new inspector.Session();
    this.#session.connect();
    this.#post('Profiler.enable');
    this.#post('Profiler.setSamplingInterval', { interval });
    this.start();
  }

  /** A session with its own thread answers before it returns. */
  #post(method, parameters) {
    let answer;
    this.#session.post(method, parameters, (error, result) => (answer = { error, result }));
    if (answer?.error) throw new Error(`${method}: ${answer.error.message}`);
    return answer?.result;
  }

  /** From now on samples in this module are looked for. Returns what `of` wants. */
  add(info) {
    const module = { info, stacks: new Stack(), sampleCount: 0 };
    this.#modules.push(module);
    return module;
  }

  start() {
    this.#post('Profiler.start');
    this.#isRunning = true;
  }

  /** Nothing is sampled until `start`, so preparing does not count as the program's time. */
  stop() {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    const { profile } = this.#post('Profiler.stop');
    if (profile) this.#addProfile(profile);
  }

  disconnect() {
    this.#session.disconnect();
  }

  #addProfile(profile) {
    const { nodes } = profile;
    const interval = intervalOf(profile);
    const counts = countSamples(profile);
    const frames = framesOf(nodes, this.#modules.map(({ info }) => info));
    const indices = new Map(nodes.map(({ id }, i) => [id, i]));
    const open = [[0, null]];
    while (open.length > 0) {
      const [i, callers] = open.pop();
      const node = nodes[i];
      const { owner } = frames[i];
      const inside = owner ? this.#enter(owner, callers) : callers;
      const count = counts.get(node.id) ?? 0;
      if (count > 0 && inside?.stack) {
        inside.stack.ns += count * interval;
        inside.module.sampleCount += count;
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

/** The innermost stack of a module. */
function stackIn(module, callers) {
  for (let at = callers; at; at = at.outer) {
    if (at.module === module) return at.stack;
  }
  return module.stacks;
}
