/**
 * Keeps an instance's call tree correct if its host continues after an exception or a trap, or while a task
 * waits for a promise (JSPI). In a module with the embedded runtime, a slot determines the parent of the next
 * function entered. Code that is left midway leaves its slot behind.
 *
 * The program sees wrapped exports. The engine always gets its own functions.
 */

import { importKey } from './signatures.mjs';
import { noteOverflow } from './stack.mjs';

const isFunction = (value) => typeof value === 'function';

/** Makes subclasses add their private fields to a given object. */
class Extended {
  constructor(object) {
    return object;
  }
}

/**
 * What we know about a function. Programs do not see private fields. There may be tens of thousands of functions, and
 * WeakMaps of them would cost more, above all in garbage collection.
 */
class Wrapper extends Extended {
  #original;

  constructor(wrapper, original) {
    super(wrapper);
    this.#original = original;
  }

  /** Returns the engine's function for a wrapper, and undefined for anything else. */
  static originalOf(value) {
    return isFunction(value) && #original in value ? value.#original : undefined;
  }
}

class Wrapped extends Extended {
  #wrapper; // one per function, because programs compare functions
  #slots; // {get, set, rest} of the instance that exported it first

  constructor(original, wrapper, slots) {
    super(original);
    this.#wrapper = wrapper;
    this.#slots = slots;
  }

  /** What is known about functions that the program has frozen: private fields cannot be added to them in all engines. */
  static #frozen = new WeakMap();

  static add(original, wrapper, slots) {
    if (Object.isExtensible(original)) new Wrapped(original, wrapper, slots);
    else Wrapped.#frozen.set(original, new Wrapped({}, wrapper, slots));
  }

  static #of = (original) => (#wrapper in original ? original : Wrapped.#frozen.get(original));

  /** Returns the wrapper of a function of the engine, or undefined. */
  static wrapperOf(original) {
    return Wrapped.#of(original)?.#wrapper;
  }

  static slotsOf(original) {
    return Wrapped.#of(original)?.#slots;
  }
}

const { originalOf } = Wrapper;
const { wrapperOf, slotsOf } = Wrapped;
const instances = new Set(); // elements: slots
let only; // the only instance's slots, if there is one

/** Returns the engine's function for a wrapper, and any other value as it is. */
export const unwrap = (value) => originalOf(value) ?? value;

/** Flag of a slot: it belongs to a task, which may end when the slot is no longer live. */
const FOR_TASK = 1;

/** Combines the slots of all instances, for a function that may enter any of them. */
const everySlot = {
  get: () => [...instances].map((slots) => [slots, slots.get()]),
  set: (before) => before.forEach(([slots, slot]) => slots.set(slot)),
  setForTask: (before) => before.forEach(([slots, slot]) => slots.setForTask(slot)),
};

// ---- Instances that call each other directly ----

let areLinked = false; // an exception may cross several
let atLinking; // Map: the slots before calls that began before that, of instances that they did not enter

function link() {
  if (areLinked) return;
  areLinked = true;
  atLinking = new Map(everySlot.get());
}

/** Like unwrap, for a value that the program gives to an instance, which may be another than the function's. */
function handOver(value) {
  const own = originalOf(value);
  if (own) link();
  return own ?? value;
}

/** Ends a call that began before instances were linked, with the slots that it entered as they were before. */
function endUnlinked(entered, before, isUnwound) {
  if (isUnwound) everySlot.set([...atLinking]);
  for (const [slots, slot] of entered === everySlot ? before : [[entered, before]]) atLinking.set(slots, slot);
}

/** Resets all slots while the stack is empty, for example while a task waits: the host makes the next call. */
function restAll() {
  for (const slots of instances) slots.set(slots.rest);
}

const { set: setInTable } = globalThis.WebAssembly?.Table?.prototype ?? {};
let anyTable; // detects functions of the engine

/** Whether the engine made the function. Tables accept only such functions. */
function isEngines(value) {
  anyTable ??= new WebAssembly.Table({ initial: 1, element: 'anyfunc' });
  try {
    setInTable.call(anyTable, 0, value);
    setInTable.call(anyTable, 0, null);
    return true;
  } catch {
    return false;
  }
}

const isUnwrapped = (value) => isFunction(value) && !originalOf(value) && isEngines(value);

/**
 * Converts a value from the engine for the program: functions become wrappers, always the same one per
 * function.
 */
export function receive(value) {
  // An array contains multiple results, unless it is the program's, which contains wrappers.
  if (Array.isArray(value)) return value.some(isUnwrapped) ? value.map(receive) : value;
  if (!isFunction(value) || instances.size === 0) return value;
  return wrapperOf(value) ?? (isEngines(value) ? wrap(value, everySlot) : value);
}

/** Like handOver, for an argument of a call: most are numbers. */
const give = (value) => (isFunction(value) ? handOver(value) : value);

/**
 * The engine ignores arguments beyond its function's parameters. The first six have names, because an array of them would
 * cost more than the call: a program may make millions a second.
 */
function wrap(call, slots) {
  const { name, length } = call;
  const wrapped = {
    [name](a, b, c, d, e, f, ...rest) {
      const wasLinked = areLinked;
      const entered = only ?? (wasLinked ? everySlot : slots);
      const before = entered.get();
      try {
        const result =
          rest.length === 0
            ? call(give(a), give(b), give(c), give(d), give(e), give(f))
            : call(...[a, b, c, d, e, f, ...rest].map(give));
        if (wasLinked !== areLinked) endUnlinked(entered, before, false);
        return isFunction(result) || Array.isArray(result) ? receive(result) : result;
      } catch (error) {
        if (wasLinked !== areLinked) endUnlinked(entered, before, true);
        entered.set(before);
        noteOverflow(error);
        throw error;
      }
    },
  }[name];
  Object.defineProperty(wrapped, 'length', { value: length, configurable: true });
  new Wrapper(wrapped, call);
  Wrapped.add(call, wrapped, slots);
  return wrapped;
}

/** Replaces an instance's exports with wrappers. */
export function guardExports(instance) {
  const own = instance.exports;
  const { wasm_perf_slot, wasm_perf_set_slot } = own;
  if (!wasm_perf_slot || !wasm_perf_set_slot) return;
  const slots = {
    get: wasm_perf_slot,
    set: wasm_perf_set_slot,
    setForTask: (slot) => wasm_perf_set_slot(slot | FOR_TASK),
    rest: wasm_perf_slot(),
  };
  instances.add(slots);
  only = instances.size === 1 ? slots : undefined;
  const exports = Object.create(null);
  for (const name in own) {
    if (name.startsWith('wasm_perf_')) continue; // hidden from the program
    const value = own[name];
    exports[name] = isFunction(value) ? (wrapperOf(value) ?? wrap(value, slots)) : value;
  }
  Object.defineProperty(instance, 'exports', {
    value: Object.freeze(exports),
    enumerable: true,
    configurable: true,
  });
}

/**
 * Runs `instantiate` for a module that still has its start function. If that function throws, the slots of
 * instances that it called may have been left midway. If a promise reports the failure, the stack is empty.
 */
export function guardInstantiation(instantiate) {
  const before = everySlot.get();
  let made;
  try {
    made = instantiate();
  } catch (error) {
    everySlot.set(before);
    throw error;
  }
  if (Object.prototype.toString.call(made) === '[object Promise]') made.catch(restAll);
  return made;
}

/** Wraps a function of the program that the engine passes references to: it receives wrappers. */
function translate(call) {
  if (!isFunction(call) || isEngines(call)) return call;
  return function (...args) {
    const result = call.apply(this, args.map(receive));
    if (Array.isArray(result) && result.some(originalOf)) return result.map(handOver);
    return handOver(result);
  };
}

/**
 * Returns the import object with the engine's functions, so that the engine links modules directly.
 * `references`: the module's result of readReferenceImports.
 */
export function unwrapImports(imports, references = new Set()) {
  if (imports === null || typeof imports !== 'object') return imports;
  // The proxies' targets are empty objects: a proxy must return a frozen target's own properties unchanged.
  const unwrapModule = (module, moduleName) =>
    new Proxy({}, {
      get(_, name) {
        const given = Reflect.get(module, name);
        const value = handOver(given);
        if (given instanceof WebAssembly.Table || given instanceof WebAssembly.Global) link();
        return references.has(importKey(moduleName, name)) ? translate(value) : value;
      },
    });
  return new Proxy({}, {
    get(_, name) {
      const module = Reflect.get(imports, name);
      const isObject = (typeof module === 'object' && module !== null) || typeof module === 'function';
      return isObject ? unwrapModule(module, name) : module;
    },
  });
}

/** Replaces a method by one that passes the engine's functions on. */
function patchMethod(prototype, name) {
  const original = prototype?.[name];
  if (!original) return;
  const replacement = {
    [name](...args) {
      return original.apply(this, args.map(handOver));
    },
  }[name];
  Object.defineProperty(replacement, 'length', { value: original.length, configurable: true });
  prototype[name] = replacement;
}

function patchConstructor(target, name, convert = (args) => args.map(handOver)) {
  const original = target[name];
  if (!original) return;
  const replacement = new Proxy(original, {
    construct: (constructor, args, newTarget) =>
      Reflect.construct(constructor, convert(args), newTarget === replacement ? original : newTarget),
  });
  target[name] = replacement;
  original.prototype.constructor = replacement;
}

/** Unwraps an exception's arguments: a tag, the values that it carries, and options. */
function unwrapPayload([tag, payload, ...rest]) {
  return [tag, typeof payload?.[Symbol.iterator] === 'function' ? Array.from(payload, handOver) : payload, ...rest];
}

/**
 * Wraps the result of a method that returns values from the engine. Functions in a table may be called by
 * JavaScript that catches exceptions: Emscripten's invoke_*, which then call exports before they return.
 */
function patchGetter(prototype, name) {
  const original = prototype?.[name];
  if (!original) return;
  const replacement = {
    [name](...args) {
      return receive(original.apply(this, args));
    },
  }[name];
  Object.defineProperty(replacement, 'length', { value: original.length, configurable: true });
  prototype[name] = replacement;
}

/**
 * A task that calls a promising export continues without its caller, whose slot is restored. When the task
 * ends, its caller may have returned. A function that no instance exports may belong to any of them, so the
 * task's calls in the others may be attributed to the root.
 */
function patchPromising(target) {
  const original = target.promising;
  if (!original) return;
  target.promising = function promising(exported) {
    const call = unwrap(exported);
    const promise = original(call);
    const slots = slotsOf(call) ?? everySlot;
    return (...args) => {
      const before = everySlot.get(); // all are at rest if the task waits
      slots.setForTask(slots.get());
      try {
        return promise(...args.map(handOver));
      } finally {
        everySlot.set(before);
      }
    };
  };
}

/**
 * While an import waits, the event loop runs other code, whose calls come from the host. Newer engines wait for
 * any result, even if it is not a promise.
 */
function patchSuspending(target) {
  const original = target.Suspending;
  if (!original) return;
  const replacement = new Proxy(original, {
    construct(constructor, [call, ...rest], newTarget) {
      const waiting =
        typeof call === 'function'
          ? function (...args) {
              const result = call.apply(this, args);
              restAll();
              return result;
            }
          : call;
      return Reflect.construct(constructor, [waiting, ...rest], newTarget === replacement ? original : newTarget);
    },
  });
  target.Suspending = replacement;
  original.prototype.constructor = replacement;
}

/** Patches WebAssembly. Call it once, before the program runs. */
export function patchReferences(target = globalThis.WebAssembly) {
  patchGetter(target.Table?.prototype, 'get');
  patchGetter(target.Exception?.prototype, 'getArg');
  for (const name of ['set', 'grow']) patchMethod(target.Table?.prototype, name);
  const value = target.Global && Object.getOwnPropertyDescriptor(target.Global.prototype, 'value');
  if (value?.set) {
    Object.defineProperty(target.Global.prototype, 'value', {
      ...value,
      get() {
        return receive(value.get.call(this));
      },
      set(item) {
        value.set.call(this, handOver(item));
      },
    });
  }
  patchConstructor(target, 'Table');
  patchConstructor(target, 'Global');
  patchConstructor(target, 'Exception', unwrapPayload);
  patchPromising(target);
  patchSuspending(target);
}
