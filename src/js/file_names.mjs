/** Remembers which files modules were read from, so that profiles have their names. */

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';

const paths = new Map(); // by size

function note(path, result) {
  try {
    const text = path instanceof URL ? fileURLToPath(path) : String(path);
    if (text.endsWith('.wasm') && ArrayBuffer.isView(result)) paths.set(result.byteLength, text);
  } catch {
    // The program's call must succeed whatever fails here.
  }
  return result;
}

/** The path of the file that a module was read from, if known. */
export const find = (bytes) => paths.get(bytes.byteLength);

function replace(target, name, make) {
  const original = target[name];
  const replacement = make(original);
  Object.defineProperty(replacement, 'name', { value: name, configurable: true });
  Object.defineProperty(replacement, 'length', { value: original.length, configurable: true });
  // Its symbols too, such as util.promisify's version of it.
  for (const key of Object.getOwnPropertySymbols(original)) replacement[key] = original[key];
  target[name] = replacement;
}

export function patchFiles() {
  replace(fs, 'readFileSync', (original) =>
    function (path, ...rest) {
      return note(path, original.call(this, path, ...rest));
    });
  replace(fs, 'readFile', (original) =>
    function (path, ...rest) {
      const callback = rest.at(-1);
      if (typeof callback === 'function') {
        rest[rest.length - 1] = (error, result) => callback(error, note(path, result));
      }
      return original.call(this, path, ...rest);
    });
  replace(fs.promises, 'readFile', (original) =>
    async function (path, ...rest) {
      return note(path, await original.call(this, path, ...rest));
    });
  syncBuiltinESMExports();
}
