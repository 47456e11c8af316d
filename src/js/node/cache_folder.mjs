/** The user's folder of what is kept for the runs that follow. What is taken from there is run: only the user may write it. */

import fs from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Taken before the program can put its own in their place. */
const { existsSync, mkdirSync } = fs;
const user = process.getuid?.(); // undefined where files have no such owner

/** The folder that WASM_PERF_CACHE names, or one where caches are; undefined for none. */
export function cacheFolder({ WASM_PERF_CACHE, XDG_CACHE_HOME }) {
  if (WASM_PERF_CACHE !== undefined) return WASM_PERF_CACHE || undefined;
  return join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'wasm-instrument', 'modules');
}

/** Whether nobody but the user may write it. */
export const isOwn = ({ uid, mode }) => user === undefined || (uid === user && (mode & 0o022) === 0);

/** Makes the folder, and those above it one by one: in /proc Node tries to make them all for ever. */
export function makeFolder(folder) {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error; // else another process was faster
  }
}
