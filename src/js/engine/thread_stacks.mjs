/**
 * Merges all V8 profiles of a thread into one tree of functions (JavaScript's, modules' and the engine's) with
 * their times, and encodes it as a .wperf file. wasm-perf adds the calls that modules counted.
 */

import { ownersOf } from './sampler.mjs';
import { TimeLine } from './time_line.mjs';
import { encodeNodes } from '../wperf/call_counts.mjs';
import { FUNCTION_ROOT, KINDS } from '../wperf/format.mjs';
import { encodeProfile } from '../wperf/profile_file.mjs';

const ROOT = 0;
const MICROSECOND = 1000; // ns
const FIRST_OTHER = 0x4000_0000; // functions outside of modules

const COLLECTOR = '(garbage collector)';
const PROFILER = '(profiler)';
const IS_TO_WASM = /^js-to-wasm(:|$)/;
const IS_TO_IMPORT = /^wasm-to-js(:|$)/;

const home = new URL('..', import.meta.url).href;
const isOurs = ({ url }) => url.startsWith(home);

/** The host of a module that is recorded by itself, in a bundle or not. Below the module's frames, the host's are imports. */
const IS_HOST = /\/(node_wasi|interruptible|standard_input)\.mjs$/;
const isHost = (callFrame) => isOurs(callFrame) && IS_HOST.test(callFrame.url);

/** Our functions that wait, and what for. V8 has no frames for most of the native functions below them. */
const WAITS = new Map([
  ['wait', 'Atomics.wait'],
  ['awaitInput', 'standard input'],
  ['sleep', 'poll_oneoff'],
  ['poll', 'poll_oneoff'],
]);
const isWait = (callFrame) => isOurs(callFrame) && WAITS.has(callFrame.functionName);

/** Whether a frame is that of Node's native function that waits for a child process. */
const isChild = ({ functionName, url }, caller) => url === '' && functionName === 'spawn' && caller?.name === 'spawnSync';

/**
 * Whether Node's loader of modules has called itself, which it does up to eight times from one module to the next,
 * also by way of diagnostics_channel.
 */
const IS_LOADER = /^node:internal\/modules\//;
const isLoading = ({ url }, caller) =>
  caller !== undefined && IS_LOADER.test(caller.url) && (IS_LOADER.test(url) || url === 'node:diagnostics_channel');

/** wasm-perf refines these kinds, see samples/v8_frame.c. */
function kindOf({ functionName, url }) {
  if (url.startsWith('wasm:')) return KINDS.wasm;
  if (url !== '') return KINDS.javascript;
  return functionName === COLLECTOR ? KINDS.collection : KINDS.native;
}

const nameless = (kind, name) => ({ kind, name, line: 0, column: 0, url: '' });

/** What leads from a module to other code. V8 does not name it. */
const IMPORT = nameless(KINDS.import, '');

/** Returns {kind, name, line, column, url} of a frame outside of modules; lines and columns from 1. */
function describe(callFrame, caller) {
  if (isOurs(callFrame)) return nameless(KINDS.wait, WAITS.get(callFrame.functionName));
  if (isChild(callFrame, caller)) return nameless(KINDS.wait, 'child process');
  const { functionName, url, lineNumber, columnNumber } = callFrame;
  if (url === '') return nameless(kindOf(callFrame), functionName);
  const [line, column] = [lineNumber, columnNumber].map((number) => Math.max(number, 0) + 1); // -1 in a script
  return { kind: kindOf(callFrame), name: functionName, line, column, url };
}

/**
 * Whose a frame is: the program's, one of our functions, one that calls nothing of the program, a hook, such as a
 * function of the runtime, or a wait.
 */
const [PROGRAM, OURS, WORK, HOOK, WAITING] = ['program', 'ours', 'work', 'hook', 'waiting'].map(Symbol);

/** Our functions that write profiles. Some are called as the program ends, before sampling does. */
const IS_WORK = /^(finish|flush)$/;

/** Functions of V8 and Node that only the profiler calls, from its own functions. */
const OF_PROFILER = new Set(['startCpuProfile', 'stop', 'parse', 'replace']);
const isForProfiler = ({ functionName, url }) => (url === '' || url.startsWith('node:')) && OF_PROFILER.has(functionName);

export class ThreadStacks {
  #isHosted;
  #functions = [FUNCTION_ROOT]; // parallel arrays, by node
  #parents = [ROOT];
  #times = [0];
  #children = [new Map()];
  #bases = []; // by module: [number of its first function, number of functions]
  #functionCount = 0; // of all modules
  #others = new Map(); // kind, name and place -> number
  #described = []; // by number minus FIRST_OTHER
  #sampleCount = 0;
  #timeLine = new TimeLine();

  /** @param {boolean} [isHosted] shows only a module, its imports and its waits: its host is ours */
  constructor(isHosted = false) {
    this.#isHosted = isHosted;
  }

  /** Adds a module. Modules are numbered in the order of these calls, as in the result of `framesOf`. */
  add({ functionCount }) {
    this.#bases.push([this.#functionCount, functionCount]);
    this.#functionCount += functionCount;
  }

  #child(parent, index) {
    const children = this.#children[parent];
    let node = children.get(index);
    if (node !== undefined) return node;
    node = this.#functions.push(index) - 1;
    this.#parents.push(parent);
    this.#times.push(0);
    this.#children.push(new Map());
    children.set(index, node);
    return node;
  }

  #other(description) {
    const key = JSON.stringify(Object.values(description));
    let number = this.#others.get(key);
    if (number !== undefined) return number;
    number = FIRST_OTHER + this.#described.push(description) - 1;
    this.#others.set(key, number);
    return number;
  }

  /** Returns the node for a V8 frame below `parent`. The frame is not ours. */
  #enter(callFrame, owner, parent) {
    const { functionName } = callFrame;
    if (functionName === '(root)' || IS_TO_WASM.test(functionName)) return parent;
    if (IS_TO_IMPORT.test(functionName)) {
      return this.#child(parent, this.#other(IMPORT));
    }
    const caller = this.#described[this.#functions[parent] - FIRST_OTHER];
    if (isLoading(callFrame, caller)) return parent;
    return this.#child(parent, owner ? this.#bases[owner[0]][0] + owner[1] : this.#other(describe(callFrame, caller)));
  }

  #isHook = (owner) => owner !== undefined && owner[1] >= this.#bases[owner[0]][1];

  #addTime(node, { count, ns, collected }) {
    this.#sampleCount += count;
    this.#times[node] += ns - collected;
    if (collected > 0) this.#times[this.#collector(node)] += collected;
  }

  #collector(node) {
    return this.#child(node, this.#other(nameless(KINDS.collection, COLLECTOR)));
  }

  /** Adds microseconds in which V8 completed a profile and took no samples. */
  #addProfiling(begin, end) {
    if (end <= begin) return;
    const node = this.#profiler(ROOT);
    this.#times[node] += (end - begin) * MICROSECOND;
    this.#timeLine.add(node, begin, end);
  }

  #profiler(node) {
    return this.#child(node, this.#other(nameless(KINDS.profiler, PROFILER)));
  }

  /**
   * @param {object} profile of V8; the nodes are a tree
   * @param {{owner?: [number, number]}[]} frames result of framesOf
   * @param {Map<number, {count: number, ns: number, collected: number}>} sums result of sumSamples
   * @param {object} times
   * @param {Float64Array} times.edges result of edgesOf
   * @param {number} times.begin when the thread became busy with the end of the last profile, until the first sample
   */
  addProfile(profile, frames, sums, { edges, begin }) {
    const places = this.#addNodes(profile.nodes, frames, sums);
    if (!this.#isHosted) this.#addProfiling(begin, edges[0]);
    const { owners, collects } = ownersOf(profile);
    owners.forEach((id, i) => {
      const place = places.get(id) ?? ROOT;
      const node = collects[i] && place !== ROOT ? this.#collector(place) : place;
      this.#timeLine.add(node, edges[i], edges[i + 1]);
    });
    this.#timeLine.trim();
  }

  /** Returns the node for a V8 frame of a module that is recorded by itself, or of what it called. */
  #enterHosted(callFrame, owner, parent) {
    const { functionName } = callFrame;
    if (owner === undefined && parent === ROOT) return ROOT;
    const isNamed = isHost(callFrame) && this.#functions[parent] === this.#other(IMPORT);
    if (isNamed) return this.#child(this.#parents[parent], this.#other(nameless(KINDS.import, functionName)));
    if (isWait(callFrame)) return this.#child(parent, this.#other(nameless(KINDS.wait, 'waiting')));
    const isShown = owner !== undefined || IS_TO_IMPORT.test(functionName);
    return isShown ? this.#enter(callFrame, owner, parent) : parent;
  }

  /**
   * Returns where V8's frame belongs: {node, place, as}. Its callees come below `node`, its time is that of `place`.
   *
   * @param {number} parent the node below which it is
   * @param {symbol} caller PROGRAM, OURS, WORK, HOOK or WAITING: what called it; `as` is what the frame itself is
   */
  #locate(callFrame, owner, parent, caller) {
    if (caller === WAITING) return { node: parent, place: parent, as: WAITING };
    const isOwn = isOurs(callFrame) && !isWait(callFrame) && !(this.#isHosted && isHost(callFrame));
    const isWork = caller === WORK || (isOwn && IS_WORK.test(callFrame.functionName));
    const isCalledByHook = caller === HOOK && owner === undefined && callFrame.url === '';
    const isHook = this.#isHook(owner) || isCalledByHook || (caller === OURS && isForProfiler(callFrame));
    if (isOwn || isHook || isWork) {
      const place = this.#isHosted && parent === ROOT ? ROOT : this.#profiler(parent);
      return { node: parent, place, as: isWork ? WORK : isHook ? HOOK : OURS };
    }
    const node = this.#isHosted ? this.#enterHosted(callFrame, owner, parent) : this.#enter(callFrame, owner, parent);
    return { node, place: node, as: isWait(callFrame) ? WAITING : PROGRAM };
  }

  /** Adds V8's nodes. Returns a map from V8's node ids to nodes, for nodes with samples. */
  #addNodes(nodes, frames, sums) {
    const places = new Map();
    const indices = new Map(nodes.map(({ id }, i) => [id, i]));
    const open = [[0, ROOT, PROGRAM]];
    while (open.length > 0) {
      const [i, parent, caller] = open.pop();
      const { id, callFrame, children = [] } = nodes[i];
      if (callFrame.functionName === COLLECTOR) continue; // charged to the function that was interrupted
      if (isOurs(callFrame) && callFrame.functionName === 'rewrite') continue; // before the program runs
      const sum = sums.get(id);
      const { node, place, as } = this.#locate(callFrame, frames[i].owner, parent, caller);
      if (sum && !(this.#isHosted && place === ROOT)) {
        places.set(id, place);
        this.#addTime(place, sum);
      }
      for (const child of children) open.push([indices.get(child), node, as]);
    }
    return places;
  }

  /**
   * Encodes a .wperf file.
   *
   * @param {object} facts
   * @param {string[]} files names of the modules' profiles
   * @param {{name: string, process: number, number: number}} thread
   */
  encode(facts, files, thread) {
    const described = this.#described.map((description, i) => [FIRST_OTHER + i, description]);
    const places = described.filter(([, { url }]) => url !== '');
    const tree = {
      uncounted: new Set(),
      functions: () => described.map(([number]) => number),
      encode: () => encodeNodes(this.#functions, this.#parents, this.#times),
    };
    return encodeProfile(
      {
        facts: { ...facts, clockReadCount: this.#sampleCount, firstGuest: FIRST_OTHER },
        unit: 'nanoseconds',
        tree,
        places: new Map(places.map(([number, { line, url }]) => [number, [line, url]])),
        columns: places.map(([number, { column }]) => [number, column]),
        kinds: described.filter(([, { kind }]) => kind !== KINDS.wasm).map(([number, { kind }]) => [number, kind]),
        threads: [this.#timeLine.encode(thread)],
        modules: this.#bases.map(([base, count], i) => [base, count, files[i]]),
      },
      (number) => this.#described[number - FIRST_OTHER].name,
    );
  }
}
