/**
 * Keeps an instance's call tree correct if its host continues after an exception or a trap, or while a task
 * waits for a promise (JSPI). In a module with the embedded runtime, a slot determines the parent of the next
 * function entered. Code that is left midway leaves its slot behind.
 *
 * The program sees wrapped exports. The engine always gets its own functions.
 */

import { connectCallers, enter } from './callers.mjs';
import { hideSources, replaceAccessor, replaceConstructor, replaceMethod } from './disguise.mjs';
import { connectClock } from './host_functions.mjs';
import { isObject } from './realm.mjs';
import { isOfRuntime } from './reflection.mjs';
import { importKey } from './signatures.mjs';
import { noteOverflow } from './stack.mjs';

const isFunction = (value) => typeof value === 'function';

/** Saved before the program can replace them. */
const { getPrototypeOf, setPrototypeOf } = Reflect;
const { prototype: functionPrototype } = Function;

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
const instances = new Set(); // elements: slots, except of instances that share a tree and are not linked
let only; // the only instance's slots, if there is one

/** Returns the engine's function for a wrapper, and any other value as it is. */
export const unwrap = (value) => originalOf(value) ?? value;

/** Flag of a slot: it belongs to a task, which may end when the slot is no longer live. */
const FOR_TASK = 1;

/** Combines the slots of all instances, for a function that may enter any of them. */
const NONE = [];
const everySlot = {
  get: () => (instances.size === 0 ? NONE : [...instances].map((slots) => [slots, slots.get()])),
  set: (before) => before.forEach(([slots, slot]) => slots.set(slot)),
  setForTask: (before) => before.forEach(([slots, slot]) => slots.setForTask(slot)),
};
everySlot.linked = everySlot;

// ---- Instances that call each other directly ----

let areLinked = false; // an exception may cross several
let atLinking; // Map: the slots before calls that began before that, of instances that they did not enter

function link() {
  if (areLinked) return;
  areLinked = true;
  atLinking = new Map(everySlot.get());
}

/**
 * Follows an instance that others may reach directly, or that tasks enter: its slot may be left midway by a call that no
 * function of its own guards. It is kept as long as the thread.
 */
function follow(slots) {
  if (slots === everySlot || instances.has(slots)) return;
  if (slots.asks) asking.push(...slots.asks);
  instances.add(slots);
  only = undefined;
}

/** Like unwrap, for a value that the program gives to an instance, which may be another than the function's. */
function handOver(value) {
  const own = originalOf(value);
  if (!own) return value;
  follow(slotsOf(own));
  link();
  return own;
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

const { Table } = globalThis.WebAssembly ?? {};
const setInTable = Table?.prototype.set;
let anyTable; // detects functions of the engine

/** Whether the engine made the function. Tables accept only such functions. */
function isEngines(value) {
  anyTable ??= new Table({ initial: 1, element: 'anyfunc' });
  try {
    setInTable.call(anyTable, 0, value);
    setInTable.call(anyTable, 0, null);
    return true;
  } catch {
    return false;
  }
}

const isUnwrapped = (value) => isFunction(value) && !originalOf(value) && isEngines(value);

/** Returns an array of several results with wrappers, the same array: it belongs to the instance's realm. */
function receiveAll(values, owner) {
  for (let i = 0; i < values.length; i++) {
    if (isUnwrapped(values[i])) values[i] = receive(values[i], owner);
  }
  return values;
}

/**
 * Converts a value from the engine for the program: functions become wrappers, always the same one per
 * function. `owner` has the slots of the instance that it comes from, if they are known.
 */
export function receive(value, owner = everySlot) {
  if (Array.isArray(value)) return receiveAll(value, owner); // if it is the program's, it contains wrappers
  if (!isFunction(value)) return value;
  return wrapperOf(value) ?? (isUnwrapped(value) ? wrap(value, owner) : value);
}

// ---- Memory profiles, which ask who calls ----

const asking = []; // exports of those of `instances` that ask

/** The exports of the instances that ask and that a call of an export of `slots` may enter. */
function askingIn(slots) {
  if (slots === everySlot) return asking;
  if (!areLinked || !slots.asks) return slots.asks ?? NONE;
  return instances.has(slots) ? asking : [...asking, ...slots.asks];
}

/** Like handOver, for an argument of a call: most are numbers. */
const give = (value) => (isFunction(value) ? handOver(value) : value);

/**
 * The engine ignores arguments beyond its function's parameters. The first six have names, because an array of them would
 * cost more than the call: a program may make millions a second.
 */
function wrap(call, slots) {
  const wrapped = {
    wrapped(a, b, c, d, e, f, ...rest) {
      const wasLinked = areLinked;
      const entered = only ?? (wasLinked ? slots.linked : slots);
      const before = entered.get();
      try {
        const asked = askingIn(slots);
        const result =
          asked.length > 0
            ? enter(asked, call, [a, b, c, d, e, f, ...rest].map(give))
          : rest.length === 0
            ? call(give(a), give(b), give(c), give(d), give(e), give(f))
            : call(...[a, b, c, d, e, f, ...rest].map(give));
        if (wasLinked !== areLinked) endUnlinked(entered, before, false);
        return isFunction(result) || Array.isArray(result) ? receive(result, slots.owner) : result;
      } catch (error) {
        if (wasLinked !== areLinked) endUnlinked(entered, before, true);
        entered.set(before);
        noteOverflow(error);
        throw error;
      }
    },
  }.wrapped;
  return introduce(wrapped, call, slots);
}

/** Makes `wrapper` the only wrapper of the engine's function, and look like it. */
function introduce(wrapper, original, slots) {
  const { name, length } = original;
  Object.defineProperty(wrapper, 'length', { value: length });
  Object.defineProperty(wrapper, 'name', { value: name });
  const prototype = getPrototypeOf(original);
  if (prototype !== functionPrototype) setPrototypeOf(wrapper, prototype); // of another realm
  new Wrapper(wrapper, original);
  Wrapped.add(original, wrapper, slots);
  return wrapper;
}

/** The slots of an instance that shares its tree. It is not followed while others cannot reach it. */
class SharingSlots {
  constructor(get, set, asks) {
    this.get = get;
    this.set = set;
    this.asks = asks;
    this.rest = get();
  }

  setForTask(slot) {
    this.set(slot | FOR_TASK);
  }

  get owner() {
    return this;
  }

  get linked() {
    if (instances.has(this)) return everySlot;
    return { ...everySlot, get: () => [...everySlot.get(), [this, this.get()]] };
  }
}

/** Returns an instance's slots. An instance without a runtime may enter any instance, so it gets everySlot. */
function slotsIn(exports, shares) {
  const { wasm_perf_slot, wasm_perf_set_slot } = exports;
  if (!wasm_perf_slot || !wasm_perf_set_slot) return everySlot;
  const asks = connectCallers(exports) ? [exports] : undefined;
  connectClock(exports);
  if (shares) {
    only = undefined;
    return new SharingSlots(wasm_perf_slot, wasm_perf_set_slot, asks);
  }
  if (asks) asking.push(exports);
  const slots = {
    get: wasm_perf_slot,
    set: wasm_perf_set_slot,
    setForTask: (slot) => wasm_perf_set_slot(slot | FOR_TASK),
    rest: wasm_perf_slot(),
    linked: everySlot, // what a call enters that may reach other instances
    owner: everySlot, // of functions that come from it
    asks,
  };
  instances.add(slots);
  only = instances.size === 1 ? slots : undefined;
  return slots;
}

/** An instance with the exports that the program sees. A WeakMap of thousands of instances would slow down garbage collection. */
class Shown extends Extended {
  #exports;

  constructor(instance, exports) {
    super(instance);
    this.#exports = exports;
  }

  static exportsOf(instance) {
    return #exports in instance ? instance.#exports : undefined;
  }
}

function showExports(instance, isHidden, convert) {
  const own = instance.exports;
  const exports = Object.create(null);
  for (const name in own) {
    if (!isHidden(name)) exports[name] = convert(own[name]);
  }
  new Shown(instance, Object.freeze(exports));
}

/** Hides exports, and leaves the others as they are. */
export const hideExports = (instance, isHidden) => showExports(instance, isHidden, (value) => value);

const SHARED = new Set(['[object WebAssembly.Table]', '[object WebAssembly.Global]']);
const { toString } = Object.prototype;

/** Whether several instances may have functions in it. It may be of any realm. */
const isShared = (value) => SHARED.has(toString.call(value));

const owners = new WeakMap(); // exported table or global -> slots of an instance that shares its tree

/**
 * Replaces an instance's exports with wrappers. `isHidden` says which exports the program does not see. `added`: the imports
 * by which it shares its tree, after unwrapImports has seen them.
 */
export function guardExports(instance, isHidden = isOfRuntime, added = undefined) {
  const own = instance.exports;
  const slots = slotsIn(own, added !== undefined);
  showExports(instance, isHidden, (value) => {
    if (isFunction(value)) return wrapperOf(value) ?? wrap(value, slots);
    if (slots.owner === slots && isShared(value) && !owners.has(value)) owners.set(value, slots);
    return value;
  });
  if (linked.has(added)) follow(slots);
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
    const result = call.apply(this, args.map((value) => receive(value)));
    if (Array.isArray(result) && result.some(originalOf)) return result.map(handOver);
    return handOver(result);
  };
}

const linked = new WeakSet(); // added imports of instances that others reach directly

/**
 * Returns the import object with the engine's functions, so that the engine links modules directly.
 * `references`: the module's result of readReferenceImports; `added`: more imports, see sharing.mjs.
 */
export function unwrapImports(imports, references = new Set(), added = undefined) {
  if (imports === null || (typeof imports !== 'object' && typeof imports !== 'function')) return imports ?? added;
  if (added && references.size > 0) linked.add(added);
  // The proxies' targets are empty objects: a proxy must return a frozen target's own properties unchanged.
  const unwrapModule = (module, moduleName) =>
    new Proxy({}, {
      get(_, name) {
        const given = Reflect.get(module, name);
        const value = tasks.has(given) ? given : handOver(given);
        if (isShared(given)) {
          if (added) linked.add(added);
          if (owners.has(given)) follow(owners.get(given));
          link();
        }
        return references.has(importKey(moduleName, name)) ? translate(value) : value;
      },
    });
  return new Proxy({}, {
    get(_, name) {
      if (added && Object.hasOwn(added, name)) return added[name];
      const module = Reflect.get(imports, name);
      return isObject(module) ? unwrapModule(module, name) : module;
    },
  });
}

/** Makes methods pass the engine's functions on. */
const passOn = (original) => ({
  method(...args) {
    return original.apply(this, args.map(handOver));
  },
}.method);

/**
 * Makes methods that return values from the engine return wrappers. Functions in a table may be called by
 * JavaScript that catches exceptions: Emscripten's invoke_*, which then call exports before they return.
 */
const received = (original) => ({
  method(...args) {
    return receive(original.apply(this, args), owners.get(this));
  },
}.method);

const tasks = new WeakSet(); // functions of WebAssembly.promising, which also guard the calls of a module that imports them

const withHandedOver = (construct, args) => construct(...args.map(handOver));

/** Unwraps an exception's arguments: a tag, the values that it carries, and options. */
function unwrapPayload([tag, payload, ...rest]) {
  return [tag, typeof payload?.[Symbol.iterator] === 'function' ? Array.from(payload, handOver) : payload, ...rest];
}

/**
 * A task that calls a promising export continues without its caller, whose slot is restored. When the task
 * ends, its caller may have returned. A function that no instance exports may belong to any of them, so the
 * task's calls in the others may be attributed to the root.
 */
function promisingOf(original) {
  return (exported) => {
    const call = unwrap(exported);
    const promise = original(call);
    const known = wrapperOf(promise);
    if (known) return known;
    const slots = slotsOf(call) ?? everySlot;
    follow(slots);
    const begin = (...args) => {
      const before = everySlot.get(); // all are at rest if the task waits
      slots.setForTask(slots.get());
      try {
        const asked = askingIn(slots);
        const given = args.map(handOver);
        return asked.length > 0 ? enter(asked, promise, given) : promise(...given);
      } finally {
        everySlot.set(before);
      }
    };
    tasks.add(begin);
    return introduce(begin, promise, slots);
  };
}

/**
 * While an import waits, the event loop runs other code, whose calls come from the host. Newer engines wait for
 * any result, even if it is not a promise.
 */
function constructSuspending(construct, [call, ...rest]) {
  const waiting = (...args) => {
    const result = call(...args);
    restAll();
    return result;
  };
  return construct(typeof call === 'function' ? waiting : call, ...rest);
}

/** Patches WebAssembly so that instances show the exports that they should. Call it once, before the program runs. */
export function patchExports({ Instance, validate }) {
  hideSources(validate, originalOf);
  replaceAccessor(Instance?.prototype, 'exports', { get: (original) => ({
    exports() {
      return (isObject(this) ? Shown.exportsOf(this) : undefined) ?? original.call(this);
    },
  }.exports) });
}

/** Like patchExports, and for all other ways by which functions reach the program. */
export function patchReferences(target = globalThis.WebAssembly) {
  const { Table, Global, Exception } = target;
  patchExports(target);
  replaceMethod(Table?.prototype, 'get', received);
  replaceMethod(Exception?.prototype, 'getArg', received);
  for (const name of ['set', 'grow']) replaceMethod(Table?.prototype, name, passOn);
  replaceMethod(Global?.prototype, 'valueOf', received);
  replaceAccessor(Global?.prototype, 'value', { get: received, set: passOn });
  replaceConstructor(target, 'Table', withHandedOver);
  replaceConstructor(target, 'Global', withHandedOver);
  replaceConstructor(target, 'Exception', (construct, args) => construct(...unwrapPayload(args)));
  replaceMethod(target, 'promising', promisingOf);
  replaceConstructor(target, 'Suspending', constructSuspending);
}
