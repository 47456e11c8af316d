/**
 * Times for a profile whose hooks only count calls: what V8's own sampling profiler saw, each sample
 * at the node of the call tree that has its stack. thread_sampler.mjs takes the samples, of this run or
 * of one of the module as it was.
 */

import { CLOCKS, FUNCTION_ROOT, FUNCTION_TRUNCATED } from '../wperf/format.mjs';
import { addUp, encodeNodes, encodeProfile } from '../wperf/profile_file.mjs';

const MICROSECOND = 1000; // ns
const NS_PER_SECOND = 1e9;
const ROOT = 0; // the node
const NONE = -1;

/** How long the thread stood where: a tree by function, like V8's but of one module. */
export class Stack {
  children = new Map(); // by function
  ns = 0;

  child(index) {
    let child = this.children.get(index);
    if (!child) this.children.set(index, (child = new Stack()));
    return child;
  }
}

/**
 * Where what each sample of a V8 profile stands for begins, and at last where it ends: microseconds on V8's clock. Each
 * moment belongs to the sample that is nearest, as V8 may be late by many intervals; the first and the last reach as far
 * on their outer sides as on their inner. Starting to sample takes the time before the first.
 */
export function edgesOf({ timeDeltas, startTime, endTime }) {
  const count = timeDeltas.length;
  const edges = new Float64Array(count + 1);
  let at = startTime;
  timeDeltas.forEach((delta, i) => {
    const span = Math.max(delta, 0);
    edges[i] = at + Math.floor(span / 2);
    at += span;
  });
  const [second = 0, last = 0] = [timeDeltas[1], timeDeltas[count - 1]];
  if (count > 0) edges[0] = Math.max(startTime, startTime + Math.max(timeDeltas[0], 0) - Math.ceil(Math.max(second, 0) / 2));
  edges[count] = count === 1 ? endTime : Math.min(endTime, at + Math.ceil(Math.max(last, 0) / 2));
  if (count > 0) edges[count] = Math.max(edges[count], edges[count - 1]);
  return edges;
}

/**
 * Which node each sample of a V8 profile is of, {owners: ids, collects: 1 where garbage is collected}. Collecting has no
 * stack there: it goes on where the program was before, as DevTools shows it, too.
 */
export function ownersOf({ nodes, samples }) {
  const isCollector = ({ callFrame }) => callFrame.functionName === '(garbage collector)';
  const collectors = new Set(nodes.filter(isCollector).map(({ id }) => id));
  const collects = Uint8Array.from(samples, (id) => (collectors.has(id) ? 1 : 0));
  let last;
  const owners = samples.map((id, i) => (collects[i] ? last : (last = id)));
  return { owners, collects };
}

/** {count, ns, collected} of the samples of each node of a V8 profile that has some; `collected` is a part of the time. */
export function sumSamples(profile) {
  const edges = edgesOf(profile);
  const { owners, collects } = ownersOf(profile);
  const sums = new Map();
  owners.forEach((id, i) => {
    let sum = sums.get(id);
    if (!sum) sums.set(id, (sum = { count: 0, ns: 0, collected: 0 }));
    const ns = (edges[i + 1] - edges[i]) * MICROSECOND;
    sum.count++;
    sum.ns += ns;
    if (collects[i]) sum.collected += ns;
  });
  return sums;
}

/** Between a module and JavaScript; V8 counts it as a part of the module. */
const isWrapper = ({ functionName }) => /^(js-to-wasm|wasm-to-js)(:|$)/.test(functionName);

/** Which function of the module the frame is of, if it is of that module. V8 tells where its code begins. */
function functionOf({ functionName, lineNumber, columnNumber }, info) {
  const index = lineNumber === 0 ? info.functionAt(columnNumber) : undefined;
  if (index === undefined) return undefined;
  const isNumbered = /^wasm-function\[\d+\]$/.test(functionName); // else it has a name
  return isNumbered && functionName !== `wasm-function[${index}]` ? undefined : index;
}

/** The frames of a script, each once though thousands of nodes have it. */
class Frames {
  #places = new Map(); // column -> name -> {callFrame, owner}

  add(callFrame) {
    const { columnNumber, functionName } = callFrame;
    let place = this.#places.get(columnNumber);
    if (!place) this.#places.set(columnNumber, (place = new Map()));
    let frame = place.get(functionName);
    if (!frame) place.set(functionName, (frame = { callFrame, owner: undefined }));
    return frame;
  }

  /** Finds the module of which all of them are functions, but for wrappers. */
  resolve(infos) {
    const all = [...this.#places.values()].flatMap((place) => [...place.values()]);
    const frames = all.filter(({ callFrame }) => !isWrapper(callFrame));
    const module = infos.findIndex((info) => frames.every(({ callFrame }) => functionOf(callFrame, info) !== undefined));
    if (module < 0) return;
    for (const frame of frames) frame.owner = [module, functionOf(frame.callFrame, infos[module])];
  }
}

/**
 * Which nodes of a V8 profile are functions of modules: of each {owner: [the module's number, index]}, or an owner
 * of undefined. To the frames of a module belongs one script, which is that module's if all of its functions
 * begin where the module's do.
 */
export function framesOf(nodes, infos) {
  const scripts = new Map();
  const frames = nodes.map(({ callFrame }) => {
    let script = scripts.get(callFrame.scriptId);
    if (!script) scripts.set(callFrame.scriptId, (script = new Frames()));
    return script.add(callFrame);
  });
  for (const script of scripts.values()) script.resolve(infos);
  return frames;
}

/** How to find the nodes of a call tree by their stacks. It may have millions. */
class CallTree {
  #tree;
  #firstChild;
  #nextSibling;
  #mostCalled = null; // nodes by function; made when they are first needed
  #counted; // the functions that have hooks and were called; null: all that matter
  #uncounted = new Map(); // nodes made here: by parent, by function

  constructor(tree, counted) {
    const { nodeCount } = tree;
    this.#tree = tree;
    this.#counted = counted;
    this.#firstChild = new Int32Array(nodeCount).fill(NONE);
    this.#nextSibling = new Int32Array(nodeCount).fill(NONE);
    for (let node = nodeCount - 1; node > ROOT; node--) {
      const parent = tree.parentOf(node);
      this.#nextSibling[node] = this.#firstChild[parent];
      this.#firstChild[parent] = node;
    }
  }

  #child(parent, index) {
    let node = this.#firstChild[parent];
    while (node !== NONE && this.#tree.functionOf(node) !== index) node = this.#nextSibling[node];
    return node === NONE ? undefined : node;
  }

  /** The node of a function anywhere, of several the one with most calls. */
  #anywhere(index) {
    this.#mostCalled ??= this.#findMostCalled();
    return this.#mostCalled[index];
  }

  #findMostCalled() {
    const tree = this.#tree;
    const nodes = []; // by function
    const most = [];
    for (let node = ROOT + 1; node < tree.nodeCount; node++) {
      const index = tree.functionOf(node);
      if (index >= FUNCTION_TRUNCATED || most[index] >= tree.callsOf(node)) continue;
      nodes[index] = node;
      most[index] = tree.callsOf(node);
    }
    return nodes;
  }

  /** Recursion may be folded into the frame that the function has already. */
  #ancestor(node, index) {
    for (; node !== ROOT; node = this.#tree.parentOf(node)) {
      if (this.#tree.functionOf(node) === index) return node;
    }
    return undefined;
  }

  /** V8 misses the caller of a function whose own frame is not complete. */
  #grandchild(parent, index) {
    let best;
    for (let child = this.#firstChild[parent]; child !== NONE; child = this.#nextSibling[child]) {
      const node = this.#child(child, index);
      if (node === undefined) continue;
      if (best === undefined || this.#tree.callsOf(node) > this.#tree.callsOf(best)) best = node;
    }
    return best;
  }

  /**
   * Where stacks past the node limit are: the embedded form has a node for each function with any of
   * them, so others are where they always are; the linked form has one node for all.
   */
  #truncated(index) {
    const all = this.#child(ROOT, FUNCTION_TRUNCATED);
    if (all === undefined || this.#firstChild[all] === NONE) return all;
    return this.#child(all, index);
  }

  /** The node of a function without hooks below one of any function. */
  #uncountedChild(parent, index) {
    if (!this.#uncounted.has(parent)) this.#uncounted.set(parent, new Map());
    const children = this.#uncounted.get(parent);
    if (!children.has(index)) children.set(index, this.#tree.addUncounted(index, parent));
    return children.get(index);
  }

  /**
   * Where the time of a function goes that was called from `place`, and where a call of it is counted, by
   * the one of the node `caller`: {place, caller}, which differ where functions have no hooks. These stand
   * with their stacks below the nearest that has; what they call with hooks is counted there, too.
   */
  enter({ place, caller }, index) {
    if (this.#counted && !this.#counted.has(index))
      return { place: this.#uncountedChild(place, index), caller };
    const node = this.#find(caller, index);
    return { place: node, caller: node };
  }

  /**
   * The node in which a call of that function by the one of `parent` is counted. The rest is for
   * stacks that lost frames: past the node limit, because V8 keeps the 255 innermost, or because a
   * goroutine went on with only its innermost frame on the stack. Where a tree has room for no more, a
   * function that is nowhere has no hooks: what it does counts for its caller.
   */
  #find(parent, index) {
    return (
      this.#child(parent, index) ??
      this.#ancestor(parent, index) ??
      this.#grandchild(parent, index) ??
      this.#truncated(index) ??
      this.#anywhere(index) ??
      parent
    );
  }
}

/** Facts of a profile whose times were sampled; engines were told to inline nothing. */
const factsOf = ({ sampleCount }) => ({
  clock: CLOCKS.sampled,
  ticksPerSecond: NS_PER_SECOND,
  clockReadCount: sampleCount,
  uninlined: 1,
});

/**
 * Writes the times of stacks into a profile, which has none.
 *
 * @param {{stacks: Stack, sampleCount: number}} samples of the host and all that it called
 * @param {{facts: object, tree: CallCounts}} profile
 */
export function writeTimes(samples, { facts, tree }) {
  Object.assign(facts, factsOf(samples));
  placeTimes(samples.stacks, tree);
}

/**
 * The same without the facts.
 *
 * @param {Stack} stacks
 * @param {{nodeCount: number, functionOf: Function, parentOf: Function, callsOf: Function, setSelf: Function,
 *   addUncounted?: Function}} tree
 * @param {?Set<number>} [counted] the functions that have hooks and were called, where others have none:
 *   these get nodes of their own, by `addUncounted`
 */
export function placeTimes(stacks, tree, counted = null) {
  const callTree = new CallTree(tree, counted);
  const times = new Map();
  const open = [[stacks, { place: ROOT, caller: ROOT }]];
  while (open.length > 0) {
    const [stack, position] = open.pop();
    const { place } = position;
    if (place !== ROOT) times.set(place, (times.get(place) ?? 0) + stack.ns);
    for (const [index, child] of stack.children) open.push([child, callTree.enter(position, index)]);
  }
  for (const [node, ns] of times) tree.setSelf(node, Math.round(ns));
}

/** The stacks as a .wperf file, in which nothing is called. */
export function encodeStacks(samples, info) {
  const [functions, parents, times] = [[FUNCTION_ROOT], [ROOT], [0]];
  const open = [[samples.stacks, ROOT]];
  while (open.length > 0) {
    const [stack, parent] = open.pop();
    for (const [index, child] of stack.children) {
      open.push([child, functions.push(index) - 1]);
      parents.push(parent);
      times.push(child.ns);
    }
  }
  const facts = { ...factsOf(samples), hostFunctionCount: info.importCount };
  const occurring = [...new Set(functions.slice(1))].sort((a, b) => a - b);
  const tree = {
    uncounted: new Set(),
    functions: () => occurring,
    encode: () => encodeNodes(functions, parents, times),
  };
  return encodeProfile({ facts, unit: 'nanoseconds', tree }, (index) => info.functionName(index));
}

/**
 * What encodeStacks made, back; `indexOf` turns the index of a function into the one that it has in
 * the module that is profiled.
 */
export function decodeStacks(bytes, indexOf) {
  const { facts, tree } = addUp([bytes]);
  if (facts.clock !== CLOCKS.sampled) throw new TypeError('the times are not of a run that was sampled');
  const stacks = [new Stack()];
  for (let node = 1; node < tree.nodeCount; node++) {
    stacks[node] = stacks[tree.parentOf(node)].child(indexOf(tree.functionOf(node)));
    stacks[node].ns = tree.selfOf(node);
  }
  return { stacks: stacks[ROOT], sampleCount: facts.clockReadCount ?? 0 };
}
