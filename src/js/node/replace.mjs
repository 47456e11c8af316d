/** Replaces functions of a library without the program noticing. */

import { disguise } from '../engine/disguise.mjs';

/** Returns the object itself or the prototype that has the property. */
export function ownerOf(object, name) {
  while (!Object.hasOwn(object, name)) object = Object.getPrototypeOf(object);
  return object;
}

/**
 * @param {object} target that has the function
 * @param {string} name
 * @param {(original: Function) => Function} make returns the replacement
 */
export function replaceFunction(target, name, make) {
  const original = target[name];
  const replacement = disguise(make(original), original);
  // Also copies symbols, such as util.promisify's variant.
  for (const key of Object.getOwnPropertySymbols(original)) replacement[key] = original[key];
  target[name] = replacement;
}
