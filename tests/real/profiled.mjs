// For the runners beside this file: makes WebAssembly profile the module it is given, whatever
// package instantiates it, and counts by itself how often the host enters that module. A module
// that oracle.mjs made has its calls counted instead.
import { readFileSync, writeFileSync } from 'node:fs';

import { embeddedProfiler } from '../js/embedded.mjs';
import { tool } from '../support/tools.mjs';

// Before anything is waited for: then the runners put a clock of their own in its place.
const now = performance.now.bind(performance);
const { createProfiler } = await import(tool('js/engine/profiler.mjs'));

const HOOKS = 'wasm_perf';
const ORACLE = 'oracle';
// More nodes than any of the programs needs, so that none may fold; for the benchmark, as users have it.
const asUsersHaveIt = process.env.WI_PROFILER_OPTIONS;
const options = asUsersHaveIt ? JSON.parse(asUsersHaveIt) : { nodeLimit: 12 << 20 };

const imports = (module, from) =>
  WebAssembly.Module.imports(module).some((wanted) => wanted.module === from);

const isEmbedded = (module) =>
  WebAssembly.Module.exports(module).some(({ name }) => name === 'wasm_perf_profile');
const isProfiled = (module) => imports(module, HOOKS) || isEmbedded(module);

/** Counts calls from outside while no other is under way, by handing out wrapped functions. */
class EntryCounter {
  entries = 0;
  #inside = 0;
  #wrapped = new WeakMap();
  #plain = new WeakMap();

  /** What to use for `value`, which is called by way of `call`. */
  wrap(value, call = value) {
    if (typeof value !== 'function' || this.#plain.has(value)) return value;
    if (!this.#wrapped.has(value)) {
      const wrapped = (...args) => this.#call(call, args);
      this.#wrapped.set(value, wrapped);
      this.#plain.set(wrapped, value);
    }
    return this.#wrapped.get(value);
  }

  /** What the engine wants where it asks for a function of WebAssembly. */
  unwrap(value) {
    return this.#plain.get(value) ?? value;
  }

  /** As those who use a profiler do, but for what they get out of tables. */
  wrapInstance({ exports }, profiler) {
    const guarded = profiler.wrapExports(exports);
    const wrap = ([name, value]) => [name, this.wrap(value, guarded[name])];
    return Object.create(WebAssembly.Instance.prototype, {
      exports: { value: Object.freeze(Object.fromEntries(Object.entries(exports).map(wrap))) },
    });
  }

  /** Imports by name may be made on demand, so they are not to be listed. */
  unwrapImports(imports) {
    const plain = (values) =>
      new Proxy(values, { get: (object, name) => this.unwrap(object[name]) });
    return Object.fromEntries(Object.entries(imports).map(([name, values]) => [name, plain(values)]));
  }

  #call(call, args) {
    if (this.#inside++ === 0) this.entries++;
    try {
      return call(...args);
    } finally {
      --this.#inside;
    }
  }
}

/** Makes every way to an instance or to one of its functions go by the counter. */
function patchEngine(counter, additions, profiler) {
  const { instantiate, Instance, Table, promising } = WebAssembly;
  const complete = (wanted = {}) => ({ ...counter.unwrapImports(wanted), ...additions });
  const result = (instance, module) =>
    profiler && isProfiled(module) ? counter.wrapInstance(instance, profiler) : instance;

  WebAssembly.instantiate = async (source, wanted) => {
    const isModule = source instanceof WebAssembly.Module;
    const module = isModule ? source : await WebAssembly.compile(source);
    const instance = result(await instantiate(module, complete(wanted)), module);
    return isModule ? instance : { module, instance };
  };
  WebAssembly.Instance = new Proxy(Instance, {
    construct: (target, [module, wanted]) => result(new target(module, complete(wanted)), module),
  });
  const { get, set } = Table.prototype;
  Table.prototype.get = function (index) {
    return counter.wrap(get.call(this, index));
  };
  Table.prototype.set = function (index, ...value) {
    set.call(this, index, ...value.map((item) => counter.unwrap(item)));
  };
  if (promising) WebAssembly.promising = (call) => counter.wrap(promising(counter.unwrap(call)));
}

/** The indices of the functions on the stack, outermost first, as the engine sees them. */
function functionsOnStack() {
  const frames = new Error().stack.matchAll(/wasm-function\[(\d+)\]/g);
  return Array.from(frames, ([, index]) => index - 1).reverse(); // after the oracle's own import
}

/** What a module that oracle.mjs made imports from it; `counts` has the calls of each function or stack. */
function makeOracle() {
  const counts = {};
  const count = (key) => (counts[key] = (counts[key] ?? 0) + 1);
  const called = [0, 0, 0]; // the last functions
  const hooks = {
    by_function(index) {
      count(index);
      called.shift();
      called.push(index);
    },
    by_stack: () => count(functionsOnStack().join(';')),
    // Called by the last of them; what called that, maybe by way of `via`, is not called but begins anew.
    restart(via) {
      counts[called[1] === via ? called[0] : called[1]]--;
    },
  };
  Error.stackTraceLimit = Infinity;
  return { counts, hooks };
}

/** Of a module that oracle.mjs made: the counts, as JSON. */
function countCalls(path) {
  const { counts, hooks } = makeOracle();
  patchEngine(new EntryCounter(), { [ORACLE]: hooks });
  return () => writeFileSync(path, JSON.stringify(counts));
}

/** The same of one that has its own profile inside, too: beside that, in `path`.counts. */
function countBoth(path) {
  const { counts, hooks } = makeOracle();
  const profiler = embeddedProfiler();
  patchEngine(new EntryCounter(), { [ORACLE]: hooks }, profiler);
  return () => {
    writeFileSync(path, profiler.profile());
    writeFileSync(`${path}.counts`, JSON.stringify(counts));
  };
}

const linkedProfiler = (module) =>
  createProfiler({ runtime: readFileSync(tool('wasm_perf.wasm')), module, now, ...options });

/**
 * Profiles the module of `bytes`. Returns a function that writes the profile to `path`, and
 * beside it, in `path`.entries, how often the host entered the module.
 */
export async function profileModule(bytes, path) {
  const module = new WebAssembly.Module(bytes);
  if (imports(module, ORACLE)) return (isEmbedded(module) ? countBoth : countCalls)(path);
  const profiler = isEmbedded(module) ? embeddedProfiler() : await linkedProfiler(bytes);
  const counter = new EntryCounter();
  patchEngine(counter, isEmbedded(module) ? {} : { [HOOKS]: profiler.imports }, profiler);
  return () => {
    writeFileSync(path, profiler.profile());
    writeFileSync(`${path}.entries`, String(counter.entries));
  };
}
