/** The user's cache folder for later runs. Its files are executed, so only the user may have write access. */

import fs from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { builtin } from './builtin.mjs';
import { handedOn } from './handed_on.mjs';

/** Saved before the program can replace them. */
const { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } = fs;
const SECRET_FILE = 'secret';
const SECRET_SIZE = 16;
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

/** The folder's secret, in hexadecimal digits. If it has none, returns a new one, for keepSecret. */
export function readSecret(folder) {
  try {
    const path = join(folder, SECRET_FILE);
    const text = folder && isOwn(lstatSync(path)) ? readFileSync(path, 'latin1') : '';
    if (/^[0-9a-f]{32}$/.test(text)) return text;
  } catch {
    // There is no file.
  }
  return builtin('node:crypto').randomBytes(SECRET_SIZE).toString('hex');
}

/** Saves the secret in the folder, unless it has one. */
export function keepSecret(folder, secret) {
  const path = join(folder, SECRET_FILE);
  if (!existsSync(path)) writeFileSync(path, secret, { flag: 'wx', mode: 0o600 });
}
