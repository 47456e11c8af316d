/**
 * Caches rewritten modules in the user's folder, for later runs. Failures only cost time. Cached modules are
 * executed, so only the user may have write access. A file's name shows whether it is complete.
 */

import fs from 'node:fs';
import { join } from 'node:path';
import { hashOf } from './builtin.mjs';
import { cacheFolder, isOwn, keepSecret, makeFolder } from './cache_folder.mjs';
import { putInPlace } from './files.mjs';

/** Saved before the program can replace them. */
const {
  chmodSync, copyFileSync, existsSync, linkSync, lstatSync, readFileSync, readdirSync, rmSync, statSync, utimesSync,
} = fs;
const milliseconds = Date.now.bind(Date);

const LIMIT = 512 << 20; // bytes of all files together
const MS_PER_SECOND = 1000;
const PAGE_SIZE = 4096;
const LINE_SIZE = 64; // bytes at the beginning of each page
const END_SIZE = 65536; // bytes at the beginning and at the end of a file
const OWN_FILE = /^[0-9a-f]{32}(-[0-9a-f]{32})?\.wasm|^v[0-9].*\.code/; // also earlier versions' and unfinished files
const ENTRY = /^([0-9a-f]{32})-([0-9a-f]{32})\.wasm$/; // hash of the key, and seal of the contents

/** Describes the program and the contents of files in its arguments. Both may change between runs. */
function describe(program, args) {
  const { size, mtimeMs, ino } = statSync(program);
  const values = args.map((arg) => arg.replace(/^--[^=]*=/, ''));
  const files = values.filter((value) => existsSync(value) && statSync(value).isFile());
  return [program, size, mtimeMs, ino, args, files.map((file) => readFileSync(file, 'latin1'))];
}

/**
 * Computes a seal that detects incomplete files, from both ends and the first bytes of each page: when a
 * process or a machine dies, files are truncated or have pages that were never written. Hashing all of a large
 * module would take longer than everything else.
 */
function sealOf(bytes) {
  if (bytes.length <= 2 * END_SIZE) return hashOf(bytes);
  const pageCount = Math.ceil(bytes.length / PAGE_SIZE);
  const parts = new Uint8Array(2 * END_SIZE + LINE_SIZE * pageCount);
  parts.set(bytes.subarray(0, END_SIZE));
  parts.set(bytes.subarray(-END_SIZE), END_SIZE);
  for (let i = 0; i < pageCount; i++) {
    const start = i * PAGE_SIZE;
    parts.set(bytes.subarray(start, start + LINE_SIZE), 2 * END_SIZE + i * LINE_SIZE);
  }
  return hashOf(parts);
}

/** Prefix of the file name of a module with that key and name. */
const startOf = ({ how }, key, name) => hashOf(JSON.stringify([how, key, name]));

/** File names of the module's entries: at most one, but for a moment more. */
function entriesOf(place, key, name) {
  const start = startOf(place, key, name);
  return readdirSync(place.folder).filter((entry) => ENTRY.exec(entry)?.[1] === start);
}

/** Links the file to another name. If that fails, copies it atomically. */
function share(from, to) {
  try {
    linkSync(from, to);
  } catch {
    putInPlace(to, (temporary) => copyFileSync(from, temporary)); // they are on different disks
  }
}

/** Removes the least recently used files until the rest is within the limit. Ignores files that are not ours. */
function makeRoom(folder) {
  const files = readdirSync(folder).filter((name) => OWN_FILE.test(name)).map((name) => {
    const path = join(folder, name);
    return { path, ...lstatSync(path) };
  });
  let total = files.reduce((sum, { size }) => sum + size, 0);
  for (const { path, size } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (total <= LIMIT) return;
    rmSync(path, { force: true });
    total -= size;
  }
}

export class ModuleCache {
  #open; // returns the place; it reads files, so only programs with modules call it
  #place; // {folder, how: description of the rewriting}; null: no cache

  /**
   * @param {string} program file of wasm-instrument, native or WebAssembly
   * @param {string[]} args its options
   * @param {string} secret of the folder, by which modules have their keys
   */
  constructor(program, args, secret) {
    const folder = cacheFolder(); // before the program changes it, as esbuild does
    this.#open = () => {
      if (!folder) return null;
      makeFolder(folder);
      if (!isOwn(statSync(folder))) return null;
      keepSecret(folder, secret);
      return { folder, how: describe(program, args) };
    };
  }

  /**
   * Copies the module with that key and name to `path` and returns its bytes; false if it is missing or
   * incomplete.
   */
  fetch(key, name, path) {
    return this.#attempt((place) => {
      const [entry] = entriesOf(place, key, name);
      if (!entry) return false;
      const file = join(place.folder, entry);
      const status = lstatSync(file);
      if (!status.isFile() || !isOwn(status)) return false;
      const now = milliseconds() / MS_PER_SECOND;
      utimesSync(file, now, now);
      share(file, path);
      const bytes = readFileSync(path);
      if (sealOf(bytes) === ENTRY.exec(entry)[2]) return bytes;
      rmSync(path);
      return false;
    });
  }

  /** Adds the file at `path`, replacing an existing entry. */
  keep(key, name, path) {
    this.#attempt((place) => {
      const damaged = entriesOf(place, key, name);
      for (const entry of damaged) rmSync(join(place.folder, entry), { recursive: true, force: true });
      chmodSync(path, 0o600); // regardless of the umask
      share(path, join(place.folder, `${startOf(place, key, name)}-${sealOf(readFileSync(path))}.wasm`));
      makeRoom(place.folder);
    });
  }

  /** Calls `action` with the cache's place. Returns false if there is no cache or it fails. */
  #attempt(action) {
    try {
      if (this.#place === undefined) {
        this.#place = null; // in case opening fails
        this.#place = this.#open();
      }
      return this.#place ? action(this.#place) : false;
    } catch {
      return false;
    }
  }
}
