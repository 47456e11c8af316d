/** Times of modules' functions by stack, from profiles of V8 that contain the whole thread. */

import { Stack } from './sampler.mjs';

/** Returns the innermost stack of a module. */
function stackIn(module, callers) {
  for (let at = callers; at; at = at.outer) {
    if (at.module === module) return at.stack;
  }
  return module.stacks;
}

/**
 * Checks that the nodes are one tree with the first as its root. A crafted function name may have added some of
 * the nodes, which must not cause others to be visited more than once.
 */
export function checkTree(nodes) {
  const unseen = new Set(nodes.map(({ id }) => id));
  let isTree = unseen.size === nodes.length && unseen.delete(nodes[0]?.id);
  for (const { children = [] } of nodes) isTree &&= children.every((id) => unseen.delete(id));
  if (!isTree) throw new Error("V8's samples do not form a tree");
}

export class ModuleStacks {
  #modules = []; // {info, stacks, sampleCount}
  #chargesCallers;

  /** @param {boolean} chargesCallers charge what a module calls outside of modules to its function */
  constructor(chargesCallers = true) {
    this.#chargesCallers = chargesCallers;
  }

  /** Adds a module to look for in later samples. Returns {info, stacks, sampleCount}. */
  add(info) {
    const module = { info, stacks: new Stack(), sampleCount: 0 };
    this.#modules.push(module);
    return module;
  }

  get infos() {
    return this.#modules.map(({ info }) => info);
  }

  /** Forgets all samples. */
  reset() {
    for (const module of this.#modules) Object.assign(module, { stacks: new Stack(), sampleCount: 0 });
  }

  /**
   * @param {object[]} nodes of V8, a tree
   * @param {{owner?: [number, number]}[]} frames result of framesOf
   * @param {Map<number, {count: number, ns: number}>} sums result of sumSamples
   */
  addNodes(nodes, frames, sums) {
    const indices = new Map(nodes.map(({ id }, i) => [id, i]));
    const open = [[0, null]];
    while (open.length > 0) {
      const [i, callers] = open.pop();
      const { id, children = [] } = nodes[i];
      const { owner } = frames[i];
      const inside = owner ? this.#enter(owner, callers) : callers;
      const sum = owner || this.#chargesCallers ? sums.get(id) : undefined;
      if (sum && inside?.stack) {
        inside.stack.ns += sum.ns;
        inside.module.sampleCount += sum.count;
      }
      for (const child of children) open.push([indices.get(child), inside]);
    }
  }

  /**
   * Returns the position of a frame: its module, which is charged; the module's stack; and the next outer
   * position in another module. Hooks have no stack: their own time is left out.
   */
  #enter([number, index], callers) {
    const module = this.#modules[number];
    const outer = callers?.module === module ? callers.outer : callers;
    const isHook = index >= module.info.functionCount;
    return { module, stack: isHook ? null : stackIn(module, callers)?.child(index), outer };
  }
}
