/**
 * Modules as wasm-instrument rewrote them, kept in a folder of the user's for the runs that follow. Whatever
 * fails here costs time only.
 */

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { putInPlace } from './files.mjs';

/** Taken before the program can put its own in their place. */
const { copyFileSync, existsSync, linkSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, utimesSync } = fs;
const milliseconds = Date.now.bind(Date);

const LIMIT = 512 << 20; // bytes of all files
const MS_PER_SECOND = 1000;
const OWN_FILE = /^[0-9a-f]{32}\.wasm/; // and what another thread still writes

/** The folder that WASM_PERF_CACHE names, or one where caches are; undefined for none. */
function folderOf({ WASM_PERF_CACHE, XDG_CACHE_HOME }) {
  if (WASM_PERF_CACHE !== undefined) return WASM_PERF_CACHE || undefined;
  return join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'wasm-instrument', 'modules');
}

/** What the program is, and what the files say that its arguments name: both may change from run to run. */
function describe(program, args) {
  const { size, mtimeMs, ino } = statSync(program);
  const values = args.map((arg) => arg.replace(/^--[^=]*=/, ''));
  const files = values.filter((value) => existsSync(value) && statSync(value).isFile());
  return [program, size, mtimeMs, ino, args, files.map((file) => readFileSync(file, 'latin1'))];
}

/** Where in the cache a module of that key and name is. */
function fileIn({ folder, how }, key, name) {
  const hash = createHash('sha256').update(JSON.stringify([how, key, name]));
  return join(folder, `${hash.digest('hex').slice(0, 32)}.wasm`);
}

/** The same file under another name; where that cannot be, a copy, whole or not at all. */
function share(from, to) {
  try {
    linkSync(from, to);
  } catch {
    putInPlace(to, (temporary) => copyFileSync(from, temporary)); // they are on different disks
  }
}

/** Removes what was not used for longest, until the rest is within the limit; nothing that is not ours. */
function makeRoom(folder) {
  const files = readdirSync(folder).filter((name) => OWN_FILE.test(name)).map((name) => {
    const path = join(folder, name);
    return { path, ...statSync(path) };
  });
  let total = files.reduce((sum, { size }) => sum + size, 0);
  for (const { path, size } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (total <= LIMIT) return;
    rmSync(path, { force: true });
    total -= size;
  }
}

export class ModuleCache {
  #open; // returns the place, which costs reading files: only a program that has modules needs it
  #place; // {folder, how: modules are rewritten}; null: there is none

  /**
   * @param {string} program the file of wasm-instrument, whatever runs it
   * @param {string[]} args its options
   */
  constructor(program, args) {
    this.#open = () => {
      const folder = folderOf(process.env);
      if (!folder) return null;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return { folder, how: describe(program, args) };
    };
  }

  /** Puts the module of that key and name at `path`, if there is one; returns whether there is. */
  fetch(key, name, path) {
    return this.#attempt((place) => {
      const file = fileIn(place, key, name);
      if (!existsSync(file)) return false;
      const now = milliseconds() / MS_PER_SECOND;
      utimesSync(file, now, now);
      share(file, path);
      return true;
    });
  }

  /** Takes the file at `path` in, in the place of what there was. */
  keep(key, name, path) {
    this.#attempt((place) => {
      const file = fileIn(place, key, name);
      rmSync(file, { force: true }); // a damaged one
      share(path, file);
      makeRoom(place.folder);
    });
  }

  /** Runs `action` with the cache's place; false if there is none or it fails. */
  #attempt(action) {
    try {
      if (this.#place === undefined) {
        this.#place = null; // should it fail
        this.#place = this.#open();
      }
      return this.#place ? action(this.#place) : false;
    } catch {
      return false;
    }
  }
}
