/** Puts functions of ours in the place of a library's, so that a program does not see it. */

/**
 * @param {object} target whose property it is
 * @param {string} name
 * @param {(original: Function) => Function} make the function that takes its place
 */
export function replaceFunction(target, name, make) {
  const original = target[name];
  const replacement = make(original);
  Object.defineProperty(replacement, 'name', { value: name, configurable: true });
  Object.defineProperty(replacement, 'length', { value: original.length, configurable: true });
  // Its symbols too, such as util.promisify's version of it.
  for (const key of Object.getOwnPropertySymbols(original)) replacement[key] = original[key];
  target[name] = replacement;
}
