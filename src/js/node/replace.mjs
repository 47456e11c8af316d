/** Replaces functions of a library without the program noticing. */

/**
 * @param {object} target that has the function
 * @param {string} name
 * @param {(original: Function) => Function} make returns the replacement
 */
export function replaceFunction(target, name, make) {
  const original = target[name];
  const replacement = make(original);
  Object.defineProperty(replacement, 'name', { value: name, configurable: true });
  Object.defineProperty(replacement, 'length', { value: original.length, configurable: true });
  // Also copies symbols, such as util.promisify's variant.
  for (const key of Object.getOwnPropertySymbols(original)) replacement[key] = original[key];
  target[name] = replacement;
}
