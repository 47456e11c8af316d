/** Samples a thread for the times of one module. */

import { checkTree, ModuleStacks } from './module_stacks.mjs';
import { edgesOf, framesOf, sumSamples } from './sampler.mjs';
import { ThreadSampler } from './thread_sampler.mjs';
import { parseProfile } from './v8_profiler.mjs';

export class ModuleSampler {
  #sampler;
  #infos;
  #modules = new ModuleStacks();
  #end = 0; // of the last profile, on V8's clock

  /** {stacks, sampleCount} so far */
  samples;
  #others; // likewise, of each other module

  /**
   * @param {number} [interval] microseconds between samples
   * @param {object[]} [others] modules whose time is not the module's, although it calls them
   */
  constructor(info, interval, others = []) {
    this.#infos = [info, ...others];
    [this.samples, ...this.#others] = this.#infos.map((one) => this.#modules.add(one));
    this.#sampler = new ThreadSampler((json, piece) => this.#add(parseProfile(json, piece.raw)), interval);
  }

  /** Nanoseconds so far in the other modules. */
  get otherTime() {
    const timeIn = (stack) => [...stack.children.values()].reduce((sum, child) => sum + timeIn(child), stack.ns);
    return Math.round(this.#others.reduce((sum, { stacks }) => sum + timeIn(stacks), 0));
  }

  start() {
    this.#sampler.start();
  }

  /** Stops sampling and adds the samples so far. */
  stop() {
    this.#sampler.stop();
  }

  #add(profile) {
    checkTree(profile.nodes);
    const edges = edgesOf(profile, this.#end);
    this.#modules.addNodes(profile.nodes, framesOf(profile.nodes, this.#infos), sumSamples(profile, edges));
    this.#end = edges.at(-1);
  }
}
