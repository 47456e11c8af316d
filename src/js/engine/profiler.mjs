/**
 * wasm_perf: profiles an instrumented module in a JavaScript engine, in Node or in a browser.
 *
 *     const profiler = await createProfiler({ runtime, module });
 *     const { instance } = await WebAssembly.instantiate(module, {
 *       ...imports,
 *       wasm_perf: profiler.imports,
 *     });
 *     const exports = profiler.wrapExports(instance.exports);
 *     ...
 *     const bytes = profiler.profile(); // a .wperf file; wasm-perf report shows it
 *
 * The runtime is a module of its own (wasm_perf.wasm), so that a hook costs one call from module
 * to module and JavaScript runs only to read the clock. A profiler belongs to one instance.
 */

import { CLOCKS, LINKED_CLOCKS, RECURSIONS } from '../wperf/format.mjs';
import { CallCounts, encodeProfile } from '../wperf/profile_file.mjs';
import { readMemory } from '../wperf/sections.mjs';
import { readModuleInfo } from './module_info.mjs';
import { decodeStacks, encodeStacks, writeTimes } from './sampler.mjs';
import { ThreadSampler } from './thread_sampler.mjs';

const HOOKS = [
  'perf_start',
  'perf_end',
  'perf_depth',
  'perf_unwind',
  'perf_start_at',
  'perf_end_at',
  'perf_unwind_at',
];
const DEFAULT_MODULE_NAME = 'wasm_perf';
const ENOSYS = 52; // WASI's errno
const NS_PER_SECOND = 1e9;

// Taken when this is loaded: a program or its tests may put a clock of their own in its place.
const monotonic = performance.now.bind(performance);

/**
 * The WASI functions that the runtime imports. Only the clock does anything: the rest writes
 * files, and here the profile is taken out of the runtime's memory.
 */
function runtimeImports(memory, now) {
  let words = new Uint32Array(0);
  const unsupported = () => ENOSYS;
  return {
    // Called twice per instrumented call. Two words cost half of what a BigInt does.
    clock_time_get(_id, _precision, address) {
      const ns = now() * 1e6;
      const high = Math.floor(ns / 0x1_0000_0000);
      if (words.length === 0) words = new Uint32Array(memory().buffer); // at first, and once grown
      words[address >>> 2] = ns - high * 0x1_0000_0000;
      words[(address >>> 2) + 1] = high;
      return 0;
    },
    environ_sizes_get: unsupported,
    environ_get: unsupported,
    fd_prestat_get: unsupported,
    fd_prestat_dir_name: unsupported,
    path_open: unsupported,
    fd_write: unsupported,
    fd_close: unsupported,
  };
}

async function instantiateRuntime(runtime, now) {
  let instance;
  const module =
    runtime instanceof WebAssembly.Module ? runtime : await WebAssembly.compile(runtime);
  instance = await WebAssembly.instantiate(module, {
    wasi_snapshot_preview1: runtimeImports(() => instance.exports.memory, now),
  });
  return instance.exports;
}

/** The number that a name stands for; `what` says of what it is one. */
function numberOf(what, numbers, name) {
  if (!Object.hasOwn(numbers, name)) throw new TypeError(`unknown ${what} '${name}'`);
  return numbers[name];
}

/** What self values are, as the file says it. */
const unitOf = ({ clock, ticksPerSecond }) => {
  if (clock === CLOCKS.instructions) return 'instructions';
  return ticksPerSecond === NS_PER_SECOND ? 'nanoseconds' : 'ticks';
};

class Profiler {
  #runtime;
  #clock;
  #nodeLimit;
  #recursion;
  #info = null;
  #times; // of another run
  #guards = new WeakMap(); // function -> the one that closes its frames
  #unguarded = new WeakMap(); // and back

  constructor(runtime, { module, clock, nodeLimit = 0, recursion = 'full', times }) {
    this.#runtime = runtime;
    this.#times = times;
    this.#clock = clock;
    this.#nodeLimit = nodeLimit;
    this.#recursion = numberOf('recursion', RECURSIONS, recursion);
    /** What to pass as the module's import `wasm_perf`. */
    this.imports = this.#makeImports();
    /** The name the module imports that under, where --import-module changed it. */
    this.importModule = DEFAULT_MODULE_NAME;
    if (module) this.addNames(module);
    else this.#configure(clock ?? 'wall');
  }

  #makeImports() {
    const hooks = Object.fromEntries(HOOKS.map((name) => [name, this.#runtime[name]]));
    return Object.freeze({ ...hooks, perf_flush() {} }); // there is no file to flush to
  }

  #configure(clock) {
    const number = numberOf('clock', CLOCKS, clock);
    if (!LINKED_CLOCKS.includes(clock)) throw new TypeError(`the linked runtime has no ${clock} clock`);
    if (this.#times) this.#checkTimes(clock);
    this.#runtime.perf_configure(number, this.#nodeLimit, this.#recursion);
  }

  #checkTimes(clock) {
    if (clock !== 'none') {
      throw new TypeError(`times of another run do not go with the clock '${clock}'`);
    }
    if (!this.#info) throw new TypeError('times of another run want the module that is profiled');
  }

  /**
   * Takes the names of the functions, and the clock unless one was asked for, from the bytes of the
   * instrumented module. For those who get the bytes after the profiler, but before the first call.
   *
   * @param {BufferSource} moduleBytes
   */
  addNames(moduleBytes) {
    this.#info = readModuleInfo(moduleBytes);
    const { marker } = this.#info;
    this.importModule = marker?.importModule ?? DEFAULT_MODULE_NAME;
    this.#configure(this.#clock ?? marker?.clock ?? 'wall');
  }

  /**
   * A snapshot: the complete bytes of a .wperf file. The profile goes on unchanged; frames that
   * are open are charged up to now. With a wall clock this takes a millisecond or so, to measure what
   * the hooks cost.
   *
   * @returns {Uint8Array}
   */
  profile() {
    const address = this.#runtime.perf_profile() >>> 0;
    const size = this.#runtime.perf_profile_size() >>> 0;
    const { facts, nodes } = readMemory(new Uint8Array(this.#runtime.memory.buffer, address, size));
    const { marker } = this.#info ?? {};
    facts.hostFunctionCount = marker?.firstImport;
    facts.functionCount = marker?.functionCount;
    facts.hookedFunctionCount = marker?.instrumentedCount;
    const tree = new CallCounts();
    tree.add(nodes);
    if (this.#times) writeTimes(decodeStacks(this.#times, this.#info.outputIndex), { facts, tree });
    return encodeProfile({ facts, unit: unitOf(facts), tree }, (index) => this.#info?.functionName(index));
  }

  /** Drops every node, frame and count. */
  reset() {
    this.#runtime.perf_reset();
  }

  /**
   * `exports` with its functions wrapped, and those that its tables give: frames that a call left
   * open are closed after it. It leaves some where it throws, and where an import that it called
   * indirectly, or as a tail call, swallowed an exception. Without it, the next calls are counted
   * below them. (Other tables than these take only unwrapped functions.)
   *
   * @param {WebAssembly.Exports} exports
   */
  wrapExports(exports) {
    const entries = Object.entries(exports);
    for (const [, value] of entries) {
      if (value instanceof WebAssembly.Table) this.#guardTable(value);
    }
    return Object.freeze(Object.fromEntries(entries.map(([name, value]) => [name, this.#guard(value)])));
  }

  /** JavaScript calls what a table holds and may swallow an exception, as Emscripten's invoke_* do. */
  #guardTable(table) {
    const { get, set, grow } = WebAssembly.Table.prototype;
    const unwrap = (value) => this.#unguarded.get(value) ?? value;
    table.get = (...args) => this.#guard(get.apply(table, args));
    table.set = (...args) => set.apply(table, args.map(unwrap));
    table.grow = (...args) => grow.apply(table, args.map(unwrap));
  }

  /** The same for the same function, as programs compare them; what is none stays as it is. */
  #guard(value) {
    if (typeof value !== 'function' || this.#unguarded.has(value)) return value;
    if (!this.#guards.has(value)) {
      const guard = this.#makeGuard(value);
      this.#guards.set(value, guard);
      this.#unguarded.set(guard, value);
    }
    return this.#guards.get(value);
  }

  #makeGuard(call) {
    const { perf_depth, perf_unwind } = this.#runtime;
    return (...args) => {
      const before = perf_depth();
      try {
        return call(...args);
      } finally {
        perf_unwind(before);
      }
    };
  }
}

/**
 * Creates a profiler for one instance of an instrumented module.
 *
 * @param {object} options
 * @param {BufferSource|WebAssembly.Module} options.runtime wasm_perf.wasm
 * @param {BufferSource} [options.module] the instrumented module: gives names and clock
 * @param {'wall'|'instructions'|'none'} [options.clock] default: what the module was instrumented
 *   for, else 'wall'
 * @param {Uint8Array} [options.times] what `sample` gave in a run of the same module before it was
 *   instrumented: the profile has the times of that run and the calls of this one. With the clock
 *   'none'
 * @param {number} [options.nodeLimit] distinct stacks to keep; new ones are then truncated. 0: default
 * @param {'full'|'fold'} [options.recursion] default: full, where recursive calls have frames of their
 *   own; fold counts them in the frame that their function has already
 * @param {() => number} [options.now] the wall clock, in milliseconds; default: performance.now
 * @returns {Promise<Profiler>}
 */
export async function createProfiler(options) {
  const runtime = await instantiateRuntime(options.runtime, options.now ?? monotonic);
  return new Profiler(runtime, options);
}

/**
 * Samples where the time goes in a module that is not instrumented, from now on and on this thread.
 * Only in Node, best started with --no-wasm-inlining: V8's profiler names the function into which it
 * inlined another for both.
 *
 * @param {BufferSource} moduleBytes
 * @param {object} [options]
 * @param {number} [options.sampleInterval] microseconds from one sample to the next; default: 700
 * @returns {{profile: () => Uint8Array}} the times so far, as a .wperf file that has no calls
 */
export function sample(moduleBytes, { sampleInterval } = {}) {
  const info = readModuleInfo(moduleBytes);
  const sampler = new ThreadSampler(sampleInterval);
  const samples = sampler.add(info);
  sampler.start();
  const profile = () => {
    sampler.stop();
    sampler.start();
    return encodeStacks(samples, info);
  };
  return { profile };
}
