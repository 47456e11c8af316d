/**
 * Adds times to a profile whose hooks only count calls: attributes each sample of V8's profiler to the call
 * tree node with its stack.
 */

import { FUNCTION_TRUNCATED } from '../wperf/format.mjs';

const MICROSECOND = 1000; // ns
const ROOT = 0; // node number
const NONE = -1;

/** Time that a thread spent per stack: a tree by function, like V8's, but of one module. */
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
 * Returns the boundaries of the intervals that the samples of a V8 profile represent: microseconds on V8's
 * clock, one more than samples. Each moment belongs to the nearest sample, as V8 may be late by many intervals.
 * The first and the last interval extend as far outwards as inwards. The time before the first interval is the
 * profiler's start.
 *
 * @param {object} profile
 * @param {number} [begin] end of the last profile, before which no interval begins: the two may overlap
 */
export function edgesOf({ timeDeltas, startTime, endTime }, begin = 0) {
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
  return edges.map((edge) => Math.max(edge, begin));
}

/**
 * Returns the node of each sample of a V8 profile, and whether garbage was being collected: {owners: ids,
 * collects: 0 or 1}. Collection has no stack, so it is attributed to the code that ran before, as in DevTools.
 */
function ownersOf({ nodes, samples }) {
  const isCollector = ({ callFrame }) => callFrame.functionName === '(garbage collector)';
  const collectors = new Set(nodes.filter(isCollector).map(({ id }) => id));
  const collects = Uint8Array.from(samples, (id) => (collectors.has(id) ? 1 : 0));
  let last;
  const owners = samples.map((id, i) => (collects[i] ? last : (last = id)));
  return { owners, collects };
}

/**
 * Sums a V8 profile's samples by node: {count, ns, collected}. `collected` is the part of `ns` spent on garbage
 * collection. Nodes without samples are left out.
 *
 * @param {object} profile
 * @param {Float64Array} [edges] result of edgesOf
 */
export function sumSamples(profile, edges = edgesOf(profile)) {
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

/** Glue between a module and JavaScript, which V8 attributes to the module. */
const isWrapper = ({ functionName }) => /^(js-to-wasm|wasm-to-js)(:|$)/.test(functionName);

/**
 * Returns the index of a frame's function if it belongs to the module. V8 reports where the function's code
 * begins.
 */
function functionOf({ functionName, lineNumber, columnNumber }, info) {
  const index = lineNumber === 0 ? info.functionAt(columnNumber) : undefined;
  if (index === undefined) return undefined;
  const isNumbered = /^wasm-function\[\d+\]$/.test(functionName); // otherwise it has a name
  return isNumbered && functionName !== `wasm-function[${index}]` ? undefined : index;
}

/** The distinct frames of a script. Thousands of nodes may share one. */
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

  /** Finds the module that contains the functions of all frames except wrappers. */
  resolve(infos) {
    const all = [...this.#places.values()].flatMap((place) => [...place.values()]);
    const frames = all.filter(({ callFrame }) => !isWrapper(callFrame));
    const module = infos.findIndex((info) => frames.every(({ callFrame }) => functionOf(callFrame, info) !== undefined));
    if (module < 0) return;
    for (const frame of frames) frame.owner = [module, functionOf(frame.callFrame, infos[module])];
  }
}

/**
 * Finds the nodes of a V8 profile that are functions of modules. Returns {owner} for each: [module number,
 * function index], or undefined. All frames of a module belong to one script. A script is matched with a module
 * if all its functions begin at offsets of that module's functions.
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

/** Finds nodes of a call tree by their stacks. The tree may have millions of nodes. */
class CallTree {
  #tree;
  #firstChild;
  #nextSibling;
  #mostCalled = null; // nodes by function; computed when first needed
  #counted; // functions that have hooks and were called; null: assume that for all functions
  #uncounted = new Map(); // parent -> function -> node added here

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

  /** Returns the node of the function with the most calls, on any stack. */
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

  /** Returns the function's node on the stack, into which its recursive calls may have been folded. */
  #ancestor(node, index) {
    for (; node !== ROOT; node = this.#tree.parentOf(node)) {
      if (this.#tree.functionOf(node) === index) return node;
    }
    return undefined;
  }

  /** Finds a grandchild: V8 omits the caller of a function whose own frame is incomplete. */
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
   * Finds the node of stacks beyond the node limit. The embedded runtime has one such node per function, and
   * the rest of its tree is complete. The linked runtime has one for all functions.
   */
  #truncated(index) {
    const all = this.#child(ROOT, FUNCTION_TRUNCATED);
    if (all === undefined || this.#firstChild[all] === NONE) return all;
    return this.#child(all, index);
  }

  /** Returns the node of an unhooked function below any node. */
  #uncountedChild(parent, index) {
    if (!this.#uncounted.has(parent)) this.#uncounted.set(parent, new Map());
    const children = this.#uncounted.get(parent);
    if (!children.has(index)) children.set(index, this.#tree.addUncounted(index, parent));
    return children.get(index);
  }

  /**
   * Returns the position of a function called from `position`: {place, caller}. `place` is the node that
   * receives its time, `caller` the node that counts its calls. They differ for unhooked functions, whose
   * stacks are added below the nearest hooked function. The hooked functions that they call are counted there,
   * too.
   */
  enter({ place, caller }, index) {
    if (this.#counted && !this.#counted.has(index))
      return { place: this.#uncountedChild(place, index), caller };
    const node = this.#find(caller, index);
    return { place: node, caller: node };
  }

  /**
   * Returns the node that counts calls of the function from `parent`. All but the first attempt are for stacks
   * that lost frames: beyond the node limit, because V8 keeps the innermost 255 frames, or because a goroutine
   * resumed with only its innermost frame on the stack. If a tree has no room left, a function without a node
   * is not hooked and is charged to its caller.
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

/**
 * Adds the times of stacks to a profile without times.
 *
 * @param {Stack} stacks
 * @param {{nodeCount: number, functionOf: Function, parentOf: Function, callsOf: Function, setSelf: Function,
 *   addUncounted?: Function}} tree
 * @param {?Set<number>} [counted] functions that have hooks and were called; null if all functions have hooks.
 *   The others get their own nodes from `addUncounted`
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
