/**
 * A WebAssembly namespace makes objects of its own realm: a context of node:vm has its own Promise and Object. Gives our
 * results the realm that the engine's have.
 */

/** Whether a value is what the language calls an object: a function is one, too. */
export const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

/** Returns the realm's Promise: the engine rejects a call without arguments. */
function promiseOf({ instantiate }) {
  const promise = instantiate();
  promise.catch(() => {});
  return promise.constructor;
}

export class Realm {
  #objectPrototype;
  #promise;

  /** @param {object} target the WebAssembly namespace, not patched yet */
  constructor(target) {
    const isOurs = Object.getPrototypeOf(target) === Object.prototype;
    this.#objectPrototype = Object.getPrototypeOf(target);
    this.#promise = isOurs || !target.instantiate ? Promise : promiseOf(target);
  }

  /** Returns a copy of a result object. */
  object(properties) {
    return Object.assign(Object.create(this.#objectPrototype), properties);
  }

  /** Returns a promise of the same result. */
  promise(ours) {
    if (this.#promise === Promise) return ours;
    return new this.#promise((resolve, reject) => {
      settle(ours, resolve, reject);
    });
  }
}

/** Ignores the program's changes of Promise.prototype. */
async function settle(promise, resolve, reject) {
  try {
    resolve(await promise);
  } catch (error) {
    reject(error);
  }
}
