/**
 * Times for a profile whose hooks only count calls: V8's own sampling profiler notes where this thread
 * stands, and each sample goes to the node of the call tree that has its stack. It interrupts the
 * program, so no clock is read in it. Needs Node, whose node:inspector leads to that profiler.
 *
 * What is sampled is the instrumented module (wasm-instrument --clock sampled) or, in a run of its
 * own, the module as it was.
 */

import {
  CLOCKS,
  FUNCTION_TRUNCATED,
  HEADER,
  NS_PER_SECOND,
  Tree,
  encodeTree,
  isInMemoryForm,
  withNames,
} from './wperf.mjs';
import { addUp } from './profile_file.mjs';

/** The option of Node that keeps V8 from inlining one function of a module into another. */
export const NO_INLINING = '--no-wasm-inlining';

const MICROSECOND = 1000; // ns
const MILLISECOND = 1e6; // ns
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

/** Takes what belongs to nobody: the hooks' own samples. */
const nowhere = new (class extends Stack {
  child() {
    return this;
  }
})();

/**
 * What a sample of a V8 profile stands for, in nanoseconds: all alike, as V8 is late for reasons that
 * have nothing to do with where the program is. Starting to sample takes the time before the first.
 */
export function intervalOf({ samples, timeDeltas, startTime, endTime }) {
  if (samples.length === 0) return 0;
  return ((endTime - startTime - timeDeltas[0]) * MICROSECOND) / samples.length;
}

/**
 * The number of samples of each node of a V8 profile. Garbage collecting has no stack there: it goes
 * on where the program was before, as DevTools shows it, too.
 */
export function countSamples({ nodes, samples }) {
  const isCollector = ({ callFrame }) => callFrame.functionName === '(garbage collector)';
  const collectors = new Set(nodes.filter(isCollector).map((node) => node.id));
  const counts = new Map();
  let last;
  for (const id of samples) {
    if (!collectors.has(id)) last = id;
    counts.set(last, (counts.get(last) ?? 0) + 1);
  }
  return counts;
}

/**
 * Which frames of a V8 profile are functions of the module: {callFrame} -> index, or undefined. V8
 * tells where a function's code begins in the module, and to the frames of a module belongs one
 * script, which is ours if all of its functions begin where ours do.
 */
export function frameReader(nodes, info) {
  const isWrapper = ({ functionName }) => /^(js-to-wasm|wasm-to-js)(:|$)/.test(functionName);
  const indexOf = ({ functionName, lineNumber, columnNumber }) => {
    const index = lineNumber === 0 ? info.functionAt(columnNumber) : undefined;
    const isNumbered = /^wasm-function\[\d+\]$/.test(functionName); // else it has a name
    return isNumbered && functionName !== `wasm-function[${index}]` ? undefined : index;
  };
  const isOurs = new Map(); // by script
  for (const { callFrame } of nodes) {
    if (isWrapper(callFrame)) continue;
    const before = isOurs.get(callFrame.scriptId) ?? true;
    isOurs.set(callFrame.scriptId, before && indexOf(callFrame) !== undefined);
  }
  return (callFrame) =>
    isOurs.get(callFrame.scriptId) && !isWrapper(callFrame) ? indexOf(callFrame) : undefined;
}

/** How to find the nodes of a call tree by their stacks. */
class CallTree {
  #tree;
  #firstChild;
  #nextSibling;
  #mostCalled = new Map(); // by function

  constructor(tree) {
    this.#tree = tree;
    this.#firstChild = new Int32Array(tree.nodeCount).fill(NONE);
    this.#nextSibling = new Int32Array(tree.nodeCount).fill(NONE);
    for (let node = tree.nodeCount - 1; node > ROOT; node--) {
      const parent = tree.parentOf(node);
      this.#nextSibling[node] = this.#firstChild[parent];
      this.#firstChild[parent] = node;
      const index = tree.functionOf(node);
      const best = this.#mostCalled.get(index);
      if (best === undefined || tree.callsOf(best) <= tree.callsOf(node)) {
        this.#mostCalled.set(index, node);
      }
    }
  }

  *#children(parent) {
    for (let node = this.#firstChild[parent]; node !== NONE; node = this.#nextSibling[node]) {
      yield node;
    }
  }

  #child(parent, index) {
    for (const node of this.#children(parent)) {
      if (this.#tree.functionOf(node) === index) return node;
    }
    return undefined;
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
    for (const child of this.#children(parent)) {
      const node = this.#child(child, index);
      if (node === undefined) continue;
      if (best === undefined || this.#tree.callsOf(node) > this.#tree.callsOf(best)) best = node;
    }
    return best;
  }

  /**
   * The node in which a call of that function by the one of `parent` is counted. The rest is for
   * stacks that lost frames: past the node limit, or because V8 keeps the 255 innermost. A function that
   * is nowhere has no hooks: what it does counts for its caller.
   */
  find(parent, index) {
    return (
      this.#child(parent, index) ??
      this.#ancestor(parent, index) ??
      this.#grandchild(parent, index) ??
      this.#child(ROOT, FUNCTION_TRUNCATED) ??
      this.#mostCalled.get(index) ??
      parent
    );
  }
}

/** Makes a tree one of the sampled clock. */
function setSampled(tree, sampleCount) {
  tree.setU32(HEADER.clock, CLOCKS.sampled);
  tree.setU64(HEADER.ticksPerSecond, NS_PER_SECOND);
  tree.setU64(HEADER.clockReadCount, BigInt(sampleCount));
}

/**
 * Writes the times of stacks into the nodes of a tree, which has none.
 *
 * @param {{stacks: Stack, sampleCount: number}} samples of the host and all that it called
 * @param {Tree} tree
 */
export function writeTimes({ stacks, sampleCount }, tree) {
  setSampled(tree, sampleCount);
  placeTimes(stacks, tree);
}

/**
 * The same without the header.
 *
 * @param {Stack} stacks
 * @param {{nodeCount: number, functionOf: Function, parentOf: Function, callsOf: Function, setSelf: Function}} tree
 */
export function placeTimes(stacks, tree) {
  const callTree = new CallTree(tree);
  const times = new Map();
  const open = [[stacks, ROOT]];
  while (open.length > 0) {
    const [stack, node] = open.pop();
    if (node !== ROOT) times.set(node, (times.get(node) ?? 0) + stack.ns);
    for (const [index, child] of stack.children) open.push([child, callTree.find(node, index)]);
  }
  for (const [node, ns] of times) tree.setSelf(node, BigInt(Math.round(ns)));
}

/** The stacks as a .wperf file, in which nothing is called. */
export function encodeStacks({ stacks, sampleCount }, info) {
  const nodes = [];
  const open = [[stacks, ROOT]];
  while (open.length > 0) {
    const [stack, parent] = open.pop();
    for (const [index, child] of stack.children) {
      nodes.push({ function: index, parent, self: BigInt(Math.round(child.ns)) });
      open.push([child, nodes.length]);
    }
  }
  const bytes = withNames(encodeTree(nodes), (index) => info.functionName(index));
  const tree = new Tree(bytes);
  setSampled(tree, sampleCount);
  tree.setU32(HEADER.hostFunctionCount, info.importCount);
  return bytes;
}

/** Clock, samples and tree of a file of either version: the command writes what it read anew. */
function readTimes(bytes) {
  if (isInMemoryForm(bytes)) {
    const tree = new Tree(bytes);
    const sampleCount = Number(tree.u64(HEADER.clockReadCount));
    return { clock: tree.u32(HEADER.clock), sampleCount, tree };
  }
  const { facts, tree } = addUp([bytes]);
  return { clock: facts.clock, sampleCount: facts.clockReadCount ?? 0, tree };
}

/**
 * What encodeStacks made, back; `indexOf` turns the index of a function into the one that it has in
 * the module that is profiled.
 */
export function decodeStacks(bytes, indexOf) {
  const { clock, sampleCount, tree } = readTimes(bytes);
  if (clock !== CLOCKS.sampled) throw new TypeError('the times are not of a run that was sampled');
  const stacks = [new Stack()];
  for (let node = 1; node < tree.nodeCount; node++) {
    stacks[node] = stacks[tree.parentOf(node)].child(indexOf(tree.functionOf(node)));
    stacks[node].ns = Number(tree.selfOf(node));
  }
  return { stacks: stacks[ROOT], sampleCount };
}

/**
 * Samples the stacks of the thread that makes it, from then on. V8 inlines small functions, and then
 * its profiler names the function into which it did for both: programs run with NO_INLINING have true
 * times of each.
 */
export class Sampler {
  #session;
  #info;
  #stacks = new Stack();
  #sampleCount = 0;

  /**
   * @param {ModuleInfo} info of the module that will run
   * @param {number} [interval] between two samples, in microseconds
   */
  constructor(info, interval = 100) {
    const inspector = globalThis.process?.getBuiltinModule?.('node:inspector');
    if (!inspector) throw new Error('samples are taken by Node 20.16 and newer, and nothing else');
    this.#info = info;
    this.#session = new inspector.Session();
    this.#session.connect();
    this.#post('Profiler.enable');
    this.#post('Profiler.setSamplingInterval', { interval });
    this.#post('Profiler.start');
  }

  /** A session with its own thread answers before it returns. */
  #post(method, parameters) {
    let answer;
    this.#session.post(method, parameters, (error, result) => (answer = { error, result }));
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  }

  #collect() {
    const { profile } = this.#post('Profiler.stop');
    this.#post('Profiler.start');
    return profile;
  }

  reset() {
    this.#collect();
    this.#stacks = new Stack();
    this.#sampleCount = 0;
  }

  #add(profile) {
    const { nodes } = profile;
    const interval = intervalOf(profile);
    const counts = countSamples(profile);
    const functionOf = frameReader(nodes, this.#info);
    const byId = new Map(nodes.map((node) => [node.id, node]));
    const open = [[nodes[0], this.#stacks]];
    while (open.length > 0) {
      const [node, caller] = open.pop();
      const index = functionOf(node.callFrame);
      const isHook = index >= this.#info.functionCount;
      const stack = isHook ? nowhere : index === undefined ? caller : caller.child(index);
      const count = counts.get(node.id) ?? 0;
      stack.ns += count * interval;
      if (stack !== nowhere && stack !== this.#stacks) this.#sampleCount += count;
      for (const id of node.children ?? []) open.push([byId.get(id), stack]);
    }
  }

  /**
   * All so far.
   *
   * @returns {{stacks: Stack, sampleCount: number}} the host with what it called, and the samples in
   *   functions of the module
   */
  read() {
    this.#add(this.#collect());
    return { stacks: this.#stacks, sampleCount: this.#sampleCount };
  }
}

const BATCH_COUNT = 120;
const BATCH_CALL_COUNT = 20_000;

/**
 * What the hooks of a call cost in nanoseconds, by functions that the module has for this, and by
 * how much that varied.
 */
export function measureHooks({ wasm_perf_measure_work, wasm_perf_measure_hooked_work }, now) {
  const time = (measure) => {
    const start = now();
    measure(BATCH_CALL_COUNT);
    return ((now() - start) * MILLISECOND) / BATCH_CALL_COUNT;
  };
  const plain = [];
  const hooked = [];
  for (let i = 0; i < BATCH_COUNT; i++) {
    plain.push(time(wasm_perf_measure_work));
    hooked.push(time(wasm_perf_measure_hooked_work));
  }
  // What else the machine does only adds, and the first batches are not compiled well yet.
  const least = Math.max(0, Math.min(...hooked) - Math.min(...plain));
  const middle = hooked.toSorted((a, b) => a - b)[BATCH_COUNT >> 1];
  return { cost: least, error: middle - Math.min(...hooked) };
}
