/**
 * Times for a profile whose hooks only count calls (wasm-instrument --clock sampled): V8's own
 * sampling profiler notes where this thread stands, and each sample goes to the node of the call
 * tree that has its stack. It interrupts the program, so no clock is read in it. Needs Node, whose
 * node:inspector leads to that profiler.
 */

/** The option of Node that keeps V8 from inlining one function of a module into another. */
export const NO_INLINING = '--no-wasm-inlining';

const MICROSECOND = 1000; // ns
const MILLISECOND = 1e6; // ns

// Of struct wasm_perf_node and its reserved functions, see include/wasm_perf/format.h.
const NODE = { function: 0, parent: 4, callCount: 8, self: 16 };
const FUNCTION_TRUNCATED = 0xfffffffe;
const ROOT = 0;
const NONE = -1;

/** How often the thread stood where: a tree by function, like V8's but of one module. */
class Stack {
  children = new Map(); // by function
  ns = 0;
  sampleCount = 0;

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
function intervalOf({ samples, timeDeltas, startTime, endTime }) {
  return ((endTime - startTime - timeDeltas[0]) * MICROSECOND) / samples.length;
}

/**
 * Which frames of a V8 profile are functions of the module: {callFrame} -> index, or undefined. V8
 * tells where a function's code begins in the module, and to the frames of a module belongs one
 * script, which is ours if all of its functions begin where ours do.
 */
function frameReader(nodes, info) {
  const isWrapper = ({ functionName }) => /^(js-to-wasm|wasm-to-js):/.test(functionName);
  const indexOf = ({ functionName, lineNumber, columnNumber }) => {
    const index = lineNumber === 0 ? info.functionAt(columnNumber) : undefined;
    const number = /^wasm-function\[(\d+)\]$/.exec(functionName)?.[1] ?? index;
    return Number(number) === index ? index : undefined;
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

/** The nodes of a call tree in a .wperf file, and how to find them by their stacks. */
class CallTree {
  #view;
  #offset;
  #size;
  #firstChild;
  #nextSibling;
  #mostCalled = new Map(); // by function

  constructor(view, { offset, size, count }) {
    this.#view = view;
    this.#offset = offset;
    this.#size = size;
    this.#firstChild = new Int32Array(count).fill(NONE);
    this.#nextSibling = new Int32Array(count).fill(NONE);
    for (let node = count - 1; node > ROOT; node--) {
      const parent = this.#parent(node);
      this.#nextSibling[node] = this.#firstChild[parent];
      this.#firstChild[parent] = node;
      const best = this.#mostCalled.get(this.#function(node));
      if (!(this.#calls(best ?? ROOT) > this.#calls(node))) {
        this.#mostCalled.set(this.#function(node), node);
      }
    }
  }

  #at(node, field) {
    return this.#offset + node * this.#size + field;
  }

  #function(node) {
    return this.#view.getUint32(this.#at(node, NODE.function), true);
  }

  #parent(node) {
    return this.#view.getUint32(this.#at(node, NODE.parent), true);
  }

  #calls(node) {
    return this.#view.getBigUint64(this.#at(node, NODE.callCount), true);
  }

  setSelf(node, ns) {
    this.#view.setBigUint64(this.#at(node, NODE.self), BigInt(Math.round(ns)), true);
  }

  *#children(parent) {
    for (let node = this.#firstChild[parent]; node !== NONE; node = this.#nextSibling[node]) {
      yield node;
    }
  }

  #child(parent, index) {
    for (const node of this.#children(parent)) if (this.#function(node) === index) return node;
    return undefined;
  }

  /** Recursion may be folded into the frame that the function has already. */
  #ancestor(node, index) {
    for (; node !== ROOT; node = this.#parent(node)) if (this.#function(node) === index) return node;
    return undefined;
  }

  /** V8 misses the caller of a function whose own frame is not complete. */
  #grandchild(parent, index) {
    let best;
    for (const child of this.#children(parent)) {
      const node = this.#child(child, index);
      if (node !== undefined && (best === undefined || this.#calls(node) > this.#calls(best))) {
        best = node;
      }
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

/** The times of `stacks` by node of the tree, and the number of samples. */
function distribute(stacks, tree) {
  const times = new Map();
  let sampleCount = 0;
  const open = [[stacks, ROOT]];
  while (open.length > 0) {
    const [stack, node] = open.pop();
    if (node !== ROOT && stack.sampleCount > 0) {
      times.set(node, (times.get(node) ?? 0) + stack.ns);
      sampleCount += stack.sampleCount;
    }
    for (const [index, child] of stack.children) open.push([child, tree.find(node, index)]);
  }
  return { times, sampleCount };
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

  /**
   * @param {ModuleInfo} info of the instrumented module
   * @param {number} interval between two samples, in microseconds
   */
  constructor(info, interval) {
    const inspector = globalThis.process?.getBuiltinModule?.('node:inspector');
    if (!inspector) throw new Error('the sampled clock needs Node: nothing else can sample');
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
    this.#session.post(method, parameters, (error, result) => {
      if (error) throw new Error(`${method}: ${error.message}`);
      answer = result;
    });
    return answer;
  }

  #collect() {
    const { profile } = this.#post('Profiler.stop');
    this.#post('Profiler.start');
    return profile;
  }

  reset() {
    this.#collect();
    this.#stacks = new Stack();
  }

  #add({ nodes, ...profile }) {
    const interval = intervalOf(profile);
    const functionOf = frameReader(nodes, this.#info);
    const byId = new Map(nodes.map((node) => [node.id, node]));
    const open = [[nodes[0], this.#stacks]];
    while (open.length > 0) {
      const [node, caller] = open.pop();
      const index = functionOf(node.callFrame);
      const isHook = index >= this.#info.functionCount;
      const stack = isHook ? nowhere : index === undefined ? caller : caller.child(index);
      stack.ns += node.hitCount * interval;
      stack.sampleCount += node.hitCount;
      for (const id of node.children ?? []) open.push([byId.get(id), stack]);
    }
  }

  /**
   * Writes times into the nodes of a .wperf file, which has none.
   *
   * @param {DataView} view of the file
   * @param {{offset: number, size: number, count: number}} nodes where they are, in bytes
   * @returns {number} samples in functions of the module
   */
  writeTimes(view, nodes) {
    this.#add(this.#collect());
    const tree = new CallTree(view, nodes);
    const { times, sampleCount } = distribute(this.#stacks, tree);
    for (const [node, ns] of times) tree.setSelf(node, ns);
    return sampleCount;
  }
}

const BATCH_COUNT = 40;
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
