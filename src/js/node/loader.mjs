/**
 * Loads the profiler, the script of one function with the same name beside this file, using V8's code cache
 * from an earlier run. That takes a fifth of the time of compiling the script, in every process and thread of a
 * profiled program.
 */

import fs from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import vm from 'node:vm';
import { isMainThread } from 'node:worker_threads';
import { cacheFolder, isOwn, makeFolder } from './cache_folder.mjs';
import { putInPlace } from './files.mjs';
import { SESSION } from '../wperf/format.mjs';

const { url } = import.meta;
const require = createRequire(url);
const DEFAULT_STACK = '--stack-size=984'; // V8's default with 64-bit pointers
const SAMPLED_SIZE = 64; // bytes; the checksum covers one byte of each such block
const SUM_SIZE = 4; // bytes of the checksum at the end of the file

/** Computes a checksum that detects blocks that were never written, which V8 does not check. */
function sumOf(code) {
  let sum = code.length;
  for (let i = 0; i < code.length; i += SAMPLED_SIZE) sum = (Math.imul(sum, 31) + code[i]) | 0;
  return sum;
}

/** Returns the file of this program's code cache for this version of Node; undefined: there is no cache. */
function codeFile(program) {
  const folder = cacheFolder();
  if (!folder) return undefined;
  const { size, mtimeMs, ino } = fs.statSync(program);
  return join(folder, `${[process.version, process.arch, size, Math.round(mtimeMs), ino].join('-')}.code`);
}

/** Returns an earlier run's code cache if it is complete. V8 rejects code of other flags or versions. */
function readCode(file) {
  try {
    if (!isOwn(fs.lstatSync(file))) return undefined;
    const bytes = fs.readFileSync(file);
    const code = bytes.subarray(0, -SUM_SIZE);
    return bytes.readInt32LE(code.length) === sumOf(code) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Saves the code cache, with all functions compiled, including those that are called only at the end. */
function keepCode(file, text) {
  const v8 = require('node:v8');
  v8.setFlagsFromString('--no-lazy');
  const script = new vm.Script(text, { filename: `${url}?` }); // V8 would return its compilation of `url`
  v8.setFlagsFromString('--lazy');
  const code = script.createCachedData();
  const sum = Buffer.alloc(SUM_SIZE);
  sum.writeInt32LE(sumOf(code));
  makeFolder(join(file, '..'));
  putInPlace(file, (path) => fs.writeFileSync(path, Buffer.concat([code, sum]), { mode: 0o600 }));
}

/**
 * Resets V8's stack size option; the main thread keeps its stack. While the option is set, V8 rejects all code
 * caches, ours and that of Node's own modules, which take 20 ms to compile.
 */
function forgetStackOption() {
  if (isMainThread && process.execArgv.includes(SESSION.stack)) require('node:v8').setFlagsFromString(DEFAULT_STACK);
}

/** Runs `action`. A failure only costs time. */
function attempt(action) {
  try {
    return action();
  } catch {
    return undefined;
  }
}

function load() {
  forgetStackOption();
  const program = new URL(url.replace(/\.mjs$/, '.js'));
  const text = fs.readFileSync(program, 'utf8');
  const file = attempt(() => codeFile(program));
  const cachedData = file && readCode(file);
  const script = new vm.Script(text, { filename: url, cachedData });
  if (file && isMainThread && (!cachedData || script.cachedDataRejected)) attempt(() => keepCode(file, text));
  return script.runInThisContext();
}

await load()(require, url, (specifier) => import(new URL(specifier, url)));
