/** Remembers which file each module was read from, to name its profile. */

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';
import { replaceFunction } from './replace.mjs';
import { SCRIPT_ENDS } from '../wperf/format.mjs';

/** Saved before the program can replace them. */
const { readFileSync, statSync } = fs;

/** Functions that read or open a file, the basis of streams and blobs. */
const READERS = ['readFileSync', 'readFile', 'openSync', 'open', 'openAsBlob'];
const LATER = ['readFile', 'open']; // of node:fs/promises

const paths = new Map(); // file size -> path

function note(path) {
  try {
    const text = path instanceof URL ? fileURLToPath(path) : String(path);
    if (text.endsWith('.wasm')) paths.set(statSync(text).size, text);
  } catch {
    // The program's call must succeed even if this fails.
  }
}

/** Returns the path of the file that a module was read from, or undefined. */
export const find = (bytes) => paths.get(bytes.byteLength);

/**
 * Reads the scripts beside a module's file, from which wasm-instrument names its exports.
 *
 * @returns {Record<string, Buffer>} by path
 */
export function scriptsBeside(path) {
  const scripts = {};
  for (const end of path === undefined ? [] : SCRIPT_ENDS) {
    const beside = path.replace(/(\.[^./]*)?$/, end);
    try {
      scripts[beside] = readFileSync(beside);
    } catch {
      // There is none.
    }
  }
  return scripts;
}

const LARGEST = 16 << 20; // bytes of a script; those with a module inside are large

/**
 * Reads the script that compiles a module, if it may name the module's exports and is not one of those beside it: as
 * scriptsBeside.
 *
 * @param {?string} script its URL or path
 */
export function callingScript(script, beside) {
  try {
    const path = script.startsWith('file:') ? fileURLToPath(script) : script;
    if (Object.hasOwn(beside, path)) return {};
    const bytes = statSync(path).size <= LARGEST ? readFileSync(path) : Buffer.alloc(0);
    return bytes.includes('_malloc') || bytes.includes('__wbindgen_export') ? { [path]: bytes } : {};
  } catch {
    return {}; // it is not a file
  }
}

export function patchFiles() {
  const patch = (target, name) =>
    replaceFunction(target, name, (original) => ({
      method(path, ...rest) {
        note(path);
        return original.call(this, path, ...rest);
      },
    }.method));
  for (const name of READERS) if (fs[name]) patch(fs, name);
  for (const name of LATER) patch(fs.promises, name);
  syncBuiltinESMExports();
}
