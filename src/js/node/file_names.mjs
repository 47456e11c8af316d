/** Remembers which file each module was read from, to name its profile. */

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';
import { replaceFunction } from './replace.mjs';

const paths = new Map(); // file size -> path

function note(path, result) {
  try {
    const text = path instanceof URL ? fileURLToPath(path) : String(path);
    if (text.endsWith('.wasm') && ArrayBuffer.isView(result)) paths.set(result.byteLength, text);
  } catch {
    // The program's call must succeed even if this fails.
  }
  return result;
}

/** Returns the path of the file that a module was read from, or undefined. */
export const find = (bytes) => paths.get(bytes.byteLength);

export function patchFiles() {
  replaceFunction(fs, 'readFileSync', (original) =>
    function (path, ...rest) {
      return note(path, original.call(this, path, ...rest));
    });
  replaceFunction(fs, 'readFile', (original) =>
    function (path, ...rest) {
      const callback = rest.at(-1);
      if (typeof callback === 'function') {
        rest[rest.length - 1] = (error, result) => callback(error, note(path, result));
      }
      return original.call(this, path, ...rest);
    });
  replaceFunction(fs.promises, 'readFile', (original) =>
    async function (path, ...rest) {
      return note(path, await original.call(this, path, ...rest));
    });
  syncBuiltinESMExports();
}
