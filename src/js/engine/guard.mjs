/**
 * Keeps the call tree of an instance right where its host goes on after an exception or a trap, or
 * while a task waits for a promise (JSPI): in a module that keeps its profile inside, a slot says where
 * the next function entered belongs, and what was left in the middle leaves it where it was.
 *
 * The program sees wrapped exports; wherever the engine wants its own functions, it gets them.
 */

import { importKey } from './signatures.mjs';
import { noteOverflow } from './stack.mjs';

const originals = new WeakMap(); // wrapped -> the engine's own
/**
 * The engine's own -> {wrapped: one for each, as programs compare them, slots: {get, set, rest} of the instance that
 * exported it first}. There may be tens of thousands: one map costs the collector half of what two do.
 */
const known = new WeakMap();
const instances = new Set(); // of slots
let areLinked = false; // some instances may call each other directly: an exception may cross several

/** The engine's own function for one of ours. */
export const unwrap = (value) => originals.get(value) ?? value;

/** Beside a slot: that of a task, which may end when it is no longer live. */
const FOR_TASK = 1;

/** The slots of all instances as those of one: for a function that may enter any. */
const everySlot = {
  get: () => [...instances].map((slots) => [slots, slots.get()]),
  set: (before) => before.forEach(([slots, slot]) => slots.set(slot)),
  setForTask: (before) => before.forEach(([slots, slot]) => slots.setForTask(slot)),
};

/** While a task waits, or the stack is empty otherwise: what is called next, the host calls. */
function restAll() {
  for (const slots of instances) slots.set(slots.rest);
}

const isFunction = (value) => typeof value === 'function';

const { set: setInTable } = globalThis.WebAssembly?.Table?.prototype ?? {};
let anyTable; // to ask the engine what a function is

/** Whether the engine has made the function: only such stand in tables of functions. */
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

const isUnwrapped = (value) => isFunction(value) && !originals.has(value) && isEngines(value);

/** What the program sees of a value that the engine hands out: always the same function for the same. */
export function receive(value) {
  // Several results, and no array of the program's: that has wrapped ones.
  if (Array.isArray(value)) return value.some(isUnwrapped) ? value.map(receive) : value;
  if (!isFunction(value) || instances.size === 0) return value;
  return known.get(value)?.wrapped ?? (isEngines(value) ? wrap(value, everySlot) : value);
}

function wrap(call, slots) {
  const { name, length } = call;
  const wrapped = {
    [name]: function (...args) {
      const entered = areLinked ? everySlot : slots;
      const before = entered.get();
      try {
        const result = call.apply(this, args.some(isFunction) ? args.map(unwrap) : args);
        return isFunction(result) || Array.isArray(result) ? receive(result) : result;
      } catch (error) {
        entered.set(before);
        noteOverflow(error);
        throw error;
      }
    },
  }[name];
  if (length > 0) Object.defineProperty(wrapped, 'length', { value: length, configurable: true });
  originals.set(wrapped, call);
  known.set(call, { wrapped, slots });
  return wrapped;
}

/** Puts wrapped exports in the place of an instance's own. */
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
  const exports = Object.create(null);
  for (const name in own) {
    if (name.startsWith('wasm_perf_')) continue; // the program knows nothing of them
    const value = own[name];
    exports[name] = isFunction(value) ? (known.get(value)?.wrapped ?? wrap(value, slots)) : value;
  }
  Object.defineProperty(instance, 'exports', {
    value: Object.freeze(exports),
    enumerable: true,
    configurable: true,
  });
}

/**
 * Runs what instantiates a module that still has its start function. If that throws, it may have left the slots of
 * instances whose functions it called in the middle. Where a promise tells so, the stack is empty.
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

/** A function of the program's that the engine calls with references: it sees wrapped ones. */
function translate(call) {
  if (!isFunction(call) || isEngines(call)) return call;
  return function (...args) {
    const result = call.apply(this, args.map(receive));
    if (Array.isArray(result) && result.some((item) => originals.has(item))) return result.map(unwrap);
    return unwrap(result);
  };
}

/**
 * The import object with the engine's own functions, so that modules are linked directly. `references`:
 * what readReferenceImports gives for the module.
 */
export function unwrapImports(imports, references = new Set()) {
  if (imports === null || typeof imports !== 'object') return imports;
  // Proxies of empty objects: a proxy of a frozen one may return nothing but its own properties.
  const unwrapModule = (module, moduleName) =>
    new Proxy({}, {
      get(_, name) {
        const given = Reflect.get(module, name);
        const value = unwrap(given);
        areLinked ||= value !== given || given instanceof WebAssembly.Table;
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

/** Replaces a method so that it gets the engine's own functions. */
function patchMethod(prototype, name) {
  const original = prototype?.[name];
  if (!original) return;
  const replacement = {
    [name](...args) {
      return original.apply(this, args.map(unwrap));
    },
  }[name];
  Object.defineProperty(replacement, 'length', { value: original.length, configurable: true });
  prototype[name] = replacement;
}

function patchConstructor(target, name, convert = (args) => args.map(unwrap)) {
  const original = target[name];
  if (!original) return;
  const replacement = new Proxy(original, {
    construct: (constructor, args, newTarget) =>
      Reflect.construct(constructor, convert(args), newTarget === replacement ? original : newTarget),
  });
  target[name] = replacement;
  original.prototype.constructor = replacement;
}

/** Arguments of an exception: a tag, the values that it carries, and options. */
function unwrapPayload([tag, payload, ...rest]) {
  return [tag, typeof payload?.[Symbol.iterator] === 'function' ? Array.from(payload, unwrap) : payload, ...rest];
}

/**
 * A method that hands out what the engine holds. What a table holds is called by JavaScript that swallows
 * exceptions: Emscripten's invoke_*, which then calls exports before it returns.
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
 * The task that calls a promising export goes on without its caller, whose slot is as it was. When the
 * task ends, its caller may have returned. A function that no instance exports may belong to any: then what the task
 * calls in the others may stand at the root.
 */
function patchPromising(target) {
  const original = target.promising;
  if (!original) return;
  target.promising = function promising(exported) {
    const call = unwrap(exported);
    const promise = original(call);
    const slots = known.get(call)?.slots ?? everySlot;
    return (...args) => {
      const before = everySlot.get(); // all are at rest where the task waits
      slots.setForTask(slots.get());
      try {
        return promise(...args.map(unwrap));
      } finally {
        everySlot.set(before);
      }
    };
  };
}

/**
 * An import that waits leaves the event loop to others, whose calls come from the host. Newer engines wait for any
 * result, also where it is no promise.
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

/** To be called once, before the program runs. */
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
        value.set.call(this, unwrap(item));
      },
    });
  }
  patchConstructor(target, 'Table');
  patchConstructor(target, 'Global');
  patchConstructor(target, 'Exception', unwrapPayload);
  patchPromising(target);
  patchSuspending(target);
}
