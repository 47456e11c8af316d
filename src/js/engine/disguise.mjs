/**
 * Makes our functions look like the engine's functions that they replace: name, length, prototypes, attributes of
 * properties, and source text. This also holds for the functions of another realm, such as a context of node:vm.
 */

/** Saved before the program can replace them. */
const { apply, getPrototypeOf, ownKeys, setPrototypeOf } = Reflect;
const { defineProperty, getOwnPropertyDescriptor } = Object;

/** Its stack begins with this file, which may be bundled with others. */
export const trace = new Error();

/** Sets a property until the returned function is called. */
export function override(target, name, value) {
  const saved = getOwnPropertyDescriptor(target, name);
  defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
  return () => (saved ? defineProperty(target, name, saved) : delete target[name]);
}

const originals = new WeakMap(); // replacement -> original

/** Makes a new function without own properties look like `original`. Returns it. */
export function disguise(replacement, original) {
  defineProperty(replacement, 'length', { value: original.length });
  defineProperty(replacement, 'name', { value: original.name });
  const prototype = getPrototypeOf(original);
  if (getPrototypeOf(replacement) !== prototype) setPrototypeOf(replacement, prototype);
  originals.set(replacement, original);
  return replacement;
}

/**
 * Replaces a method. `make` returns the replacement, a function without `prototype`. Does nothing if the engine does not
 * have the method.
 */
export function replaceMethod(target, name, make) {
  const descriptor = target && getOwnPropertyDescriptor(target, name);
  if (typeof descriptor?.value !== 'function') return;
  defineProperty(target, name, { ...descriptor, value: disguise(make(descriptor.value), descriptor.value) });
}

/** Replaces the functions of an accessor; `make` has one function for each: {get, set}. */
export function replaceAccessor(target, name, make) {
  const descriptor = target && getOwnPropertyDescriptor(target, name);
  if (!descriptor?.get) return;
  const changed = { ...descriptor };
  for (const kind of ['get', 'set']) {
    const original = descriptor[kind];
    if (original && make[kind]) changed[kind] = disguise(make[kind](original), original);
  }
  defineProperty(target, name, changed);
}

/**
 * Replaces a class. Subclasses and `instanceof` keep working.
 *
 * @param {(construct: (...args: unknown[]) => object, args: unknown[]) => object} make returns the object, which
 *   `construct` creates as the engine does
 */
export function replaceConstructor(target, name, make) {
  const descriptor = target && getOwnPropertyDescriptor(target, name);
  if (typeof descriptor?.value !== 'function') return;
  const original = descriptor.value;
  function replacement(...args) {
    if (!new.target) return apply(original, this, args); // throws
    const newTarget = new.target === replacement ? original : new.target;
    return make((...changed) => Reflect.construct(original, changed, newTarget), args);
  }
  disguise(replacement, original);
  for (const key of ownKeys(original)) {
    if (key !== 'length' && key !== 'name') defineProperty(replacement, key, getOwnPropertyDescriptor(original, key));
  }
  defineProperty(target, name, { ...descriptor, value: replacement });
  const { prototype } = original;
  defineProperty(prototype, 'constructor', { ...getOwnPropertyDescriptor(prototype, 'constructor'), value: replacement });
}

const disguised = new WeakSet(); // prototypes of functions
const ASK = Symbol.for('wasm-perf.patches'); // `toString` of it returns `patches`
const patches = new WeakMap(); // target -> patch

/** Returns the map of this or another copy of this file, by which the realm of `native` is patched, or undefined. */
export function patchesOf(native) {
  try {
    return apply(getPrototypeOf(native).toString, ASK, []);
  } catch {
    return undefined;
  }
}

/**
 * Makes what Function.prototype tells of our functions be what it tells of the originals, above all the source text, in the
 * realm of the engine's function `native`. `originalOf` knows more replacements.
 */
export function hideSources(native, originalOf = () => undefined) {
  const prototype = getPrototypeOf(native);
  if (disguised.has(prototype)) return;
  disguised.add(prototype);
  const meant = (value) => originalOf(value) ?? originals.get(value) ?? value;
  replaceMethod(prototype, 'toString', (original) => ({
    toString() {
      return this === ASK ? patches : apply(original, meant(this), []);
    },
  }.toString));
  const onOriginal = (original) => ({
    accessor(...args) {
      return apply(original, meant(this), args);
    },
  }.accessor);
  for (const name of ['caller', 'arguments']) replaceAccessor(prototype, name, { get: onOriginal, set: onOriginal });
}
