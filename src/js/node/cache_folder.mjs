/** The user's cache folder for later runs. Its files are executed, so only the user may have write access. */

import fs from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { handedOn } from './handed_on.mjs';

/** Saved before the program can replace them. */
const { existsSync, mkdirSync } = fs;
const user = process.getuid?.(); // undefined if files have no owner on this platform

/** Returns the first process's folder: that in WASM_PERF_CACHE, or one in the user's cache folder. '': no cache. */
export function cacheFolder() {
  const { WASM_PERF_CACHE, XDG_CACHE_HOME } = process.env;
  const given = handedOn()?.cache ?? WASM_PERF_CACHE;
  if (given !== undefined) return given;
  return join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'wasm-instrument', 'modules');
}

/** Whether only the user may write the file. */
export const isOwn = ({ uid, mode }) => user === undefined || (uid === user && (mode & 0o022) === 0);

/** Creates the folder and its parents, one by one: in /proc, Node's recursive mkdir never returns. */
export function makeFolder(folder) {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error; // otherwise another process was faster
  }
}
