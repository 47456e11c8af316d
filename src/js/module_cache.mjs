/**
 * Modules as wasm-instrument rewrote them, kept in a folder of the user's for the runs that follow. Whatever
 * fails here costs time only.
 */

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Taken before the program can put its own in their place. */
const { copyFileSync, existsSync, linkSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync,
  utimesSync } = fs;
const milliseconds = Date.now.bind(Date);

const LIMIT = 512 << 20; // bytes of all files
const MS_PER_SECOND = 1000;

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

/** The same file in another place, whole or not at all. */
function copy(from, to) {
  const temporary = `${to}.${process.pid}`;
  try {
    copyFileSync(from, temporary);
    renameSync(temporary, to);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** The same file under another name. */
function share(from, to) {
  try {
    linkSync(from, to);
  } catch {
    copy(from, to); // they are on different disks
  }
}

/** Removes what was not used for longest, until the rest is within the limit. */
function makeRoom(folder) {
  const files = readdirSync(folder).map((name) => {
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
  #folder; // undefined: there is none
  #how; // they are rewritten

  /**
   * @param {string} program the file of wasm-instrument, whatever runs it
   * @param {string[]} args its options
   */
  constructor(program, args) {
    this.#attempt(() => {
      this.#how = describe(program, args);
      const folder = folderOf(process.env);
      if (folder) mkdirSync(folder, { recursive: true, mode: 0o700 });
      this.#folder = folder;
    });
  }

  /** Puts the module of that key and name at `path`, if there is one. */
  fetch(key, name, path) {
    return this.#attempt(() => {
      const file = this.#fileOf(key, name);
      if (!existsSync(file)) return false;
      const now = milliseconds() / MS_PER_SECOND;
      utimesSync(file, now, now);
      share(file, path);
      return true;
    });
  }

  /** Takes the file at `path` in. */
  keep(key, name, path) {
    this.#attempt(() => {
      share(path, this.#fileOf(key, name));
      makeRoom(this.#folder);
    });
  }

  #fileOf(key, name) {
    const hash = createHash('sha256').update(JSON.stringify([this.#how, key, name]));
    return join(this.#folder, `${hash.digest('hex').slice(0, 32)}.wasm`);
  }

  #attempt(action) {
    try {
      return action();
    } catch {
      return false;
    }
  }
}
