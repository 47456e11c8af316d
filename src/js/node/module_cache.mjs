/**
 * Modules as wasm-instrument rewrote them, kept in a folder of the user's for the runs that follow. Whatever
 * fails here costs time only. What is taken is run: only the user may write it, and its name tells whether it
 * is whole.
 */

import fs from 'node:fs';
import { join } from 'node:path';
import { hashOf } from './builtin.mjs';
import { cacheFolder, isOwn, makeFolder } from './cache_folder.mjs';
import { putInPlace } from './files.mjs';

/** Taken before the program can put its own in their place. */
const {
  chmodSync, copyFileSync, existsSync, linkSync, lstatSync, readFileSync, readdirSync, rmSync, statSync, utimesSync,
} = fs;
const milliseconds = Date.now.bind(Date);

const LIMIT = 512 << 20; // bytes of all files
const MS_PER_SECOND = 1000;
const PAGE_SIZE = 4096;
const LINE_SIZE = 64; // of a page, from its beginning
const END_SIZE = 65536; // of a file, from its beginning and before its end
const OWN_FILE = /^[0-9a-f]{32}(-[0-9a-f]{32})?\.wasm|^v[0-9].*\.code/; // also of earlier versions, and what another thread still writes
const ENTRY = /^([0-9a-f]{32})-([0-9a-f]{32})\.wasm$/; // the key's hash, and the contents' seal

/** What the program is, and what the files say that its arguments name: both may change from run to run. */
function describe(program, args) {
  const { size, mtimeMs, ino } = statSync(program);
  const values = args.map((arg) => arg.replace(/^--[^=]*=/, ''));
  const files = values.filter((value) => existsSync(value) && statSync(value).isFile());
  return [program, size, mtimeMs, ino, args, files.map((file) => readFileSync(file, 'latin1'))];
}

/**
 * Whether a file is whole shows in its two ends and the first bytes of each page: what the end of a process or of
 * the machine leaves is cut off, or has pages that were never written. All of a large module would take longer than
 * the rest.
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

/** What begins the name of a module of that key and name. */
const startOf = ({ how }, key, name) => hashOf(JSON.stringify([how, key, name]));

/** The names of what the cache has of it: one, or more for a moment. */
function entriesOf(place, key, name) {
  const start = startOf(place, key, name);
  return readdirSync(place.folder).filter((entry) => ENTRY.exec(entry)?.[1] === start);
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
  #open; // returns the place, which costs reading files: only a program that has modules needs it
  #place; // {folder, how: modules are rewritten}; null: there is none

  /**
   * @param {string} program the file of wasm-instrument, whatever runs it
   * @param {string[]} args its options
   */
  constructor(program, args) {
    const folder = cacheFolder(process.env); // before the program changes that, as esbuild does
    this.#open = () => {
      if (!folder) return null;
      makeFolder(folder);
      if (!isOwn(statSync(folder))) return null;
      return { folder, how: describe(program, args) };
    };
  }

  /** Puts the module of that key and name at `path` and returns its bytes, if there is one and it is whole; else false. */
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

  /** Takes the file at `path` in, in the place of what there was. */
  keep(key, name, path) {
    this.#attempt((place) => {
      const damaged = entriesOf(place, key, name);
      for (const entry of damaged) rmSync(join(place.folder, entry), { recursive: true, force: true });
      chmodSync(path, 0o600); // whatever the umask says
      share(path, join(place.folder, `${startOf(place, key, name)}-${sealOf(readFileSync(path))}.wasm`));
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
