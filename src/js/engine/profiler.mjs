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
 * The runtime is a separate module (wasm_perf.wasm), so a hook costs one call between modules, and JavaScript
 * runs only to read the clock. Each instance needs its own profiler.
 */

import { encodeMemory } from '../wperf/file.mjs';
import { CLOCKS, LINKED_CLOCKS, RECURSIONS } from '../wperf/format.mjs';
import { readModuleInfo } from './module_info.mjs';

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

// Saved when this file is loaded: a program or its tests may replace the clock later.
const monotonic = performance.now.bind(performance);

/**
 * The WASI functions that the runtime imports. Only the clock is implemented. The others would write files;
 * here the profile is read from the runtime's memory.
 */
function runtimeImports(memory, now) {
  let words = new Uint32Array(0);
  const unsupported = () => ENOSYS;
  return {
    // Called twice per instrumented call. Two words cost half as much as a BigInt.
    clock_time_get(_id, _precision, address) {
      const ns = now() * 1e6;
      const high = Math.floor(ns / 0x1_0000_0000);
      if (words.length === 0) words = new Uint32Array(memory().buffer); // at first, and after the memory has grown
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

/** Looks up a name in `numbers`; `what` names the kind of name in the error. */
function numberOf(what, numbers, name) {
  if (!Object.hasOwn(numbers, name)) throw new TypeError(`unknown ${what} '${name}'`);
  return numbers[name];
}

/** Hooks pass the number of instructions or they do not; calls can be counted with both. */
function checkHooks(hooks, clock) {
  if (clock === 'none' || (hooks === 'instructions') === (clock === 'instructions')) return;
  throw new TypeError(`the module's hooks are for the clock '${hooks}', which does not fit the clock '${clock}'`);
}

/** The unit of self values in the file. */
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
  #guards = new WeakMap(); // function -> wrapper that closes its frames
  #unguarded = new WeakMap(); // wrapper -> function

  constructor(runtime, { module, clock, nodeLimit = 0, recursion = 'full' }) {
    this.#runtime = runtime;
    this.#clock = clock;
    this.#nodeLimit = nodeLimit;
    this.#recursion = numberOf('recursion', RECURSIONS, recursion);
    /** The module's import `wasm_perf`. */
    this.imports = this.#makeImports();
    /** The name under which the module imports them; --import-module changes it. */
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
    this.#runtime.perf_configure(number, this.#nodeLimit, this.#recursion);
  }

  /**
   * Reads the function names from the instrumented module's bytes, and the clock unless the options set it. For
   * callers that get the bytes after creating the profiler, but before the first call.
   *
   * @param {BufferSource} moduleBytes
   */
  addNames(moduleBytes) {
    this.#info = readModuleInfo(moduleBytes);
    const { marker } = this.#info;
    this.importModule = marker?.importModule ?? DEFAULT_MODULE_NAME;
    if (marker && this.#clock) checkHooks(marker.clock, this.#clock);
    this.#configure(this.#clock ?? marker?.clock ?? 'wall');
  }

  /**
   * Returns a snapshot of the profile, the contents of a .wperf file. Profiling continues unchanged; open
   * frames are charged up to now.
   *
   * @param {object} [facts] to add, by the names of format.mjs
   * @returns {Uint8Array}
   */
  profile(facts = {}) {
    const address = this.#runtime.perf_profile() >>> 0;
    const size = this.#runtime.perf_profile_size() >>> 0;
    const { marker } = this.#info ?? {};
    const more = {
      hostFunctionCount: marker?.firstImport,
      functionCount: marker?.functionCount,
      hookedFunctionCount: marker?.instrumentedCount,
      ...facts,
    };
    const bytes = new Uint8Array(this.#runtime.memory.buffer, address, size);
    return encodeMemory(bytes, more, unitOf, (index) => this.#info?.functionName(index));
  }

  /** Discards all nodes, frames and counts. */
  reset() {
    this.#runtime.perf_reset();
  }

  /**
   * Returns `exports` with wrapped functions, also for functions in its tables. The wrapper closes frames that
   * a call leaves open: if it throws, or if an import that it called indirectly, or as a tail call, caught an
   * exception. Without it, later calls are counted below those frames. Other tables accept only unwrapped
   * functions.
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

  /** JavaScript calls functions from a table and may catch their exceptions, like Emscripten's invoke_*. */
  #guardTable(table) {
    const { get, set, grow } = WebAssembly.Table.prototype;
    const unwrap = (value) => this.#unguarded.get(value) ?? value;
    table.get = (...args) => this.#guard(get.apply(table, args));
    table.set = (...args) => set.apply(table, args.map(unwrap));
    table.grow = (...args) => grow.apply(table, args.map(unwrap));
  }

  /**
   * Wraps a function. Returns the same wrapper each time, because programs compare functions, and other values
   * as they are.
   */
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
 * @param {BufferSource} [options.module] the instrumented module, for names and the clock
 * @param {'wall'|'instructions'|'none'} [options.clock] default: the clock that the module was instrumented for,
 *   otherwise 'wall'
 * @param {number} [options.nodeLimit] number of distinct stacks to keep; later ones are truncated. 0: default
 * @param {'full'|'fold'} [options.recursion] default: full, which gives each recursive call its own frame; fold
 *   counts it in the existing frame of its function
 * @param {() => number} [options.now] the wall clock, in milliseconds; default: performance.now
 * @returns {Promise<Profiler>}
 */
export async function createProfiler(options) {
  const runtime = await instantiateRuntime(options.runtime, options.now ?? monotonic);
  return new Profiler(runtime, options);
}
