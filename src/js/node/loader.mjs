/**
 * Loads the program that stands beside it, of the same name: a script of one function, with the code that V8 made
 * of it in an earlier run. That takes a fifth of the time of making it again, which every process and thread of a
 * profiled program would wait for.
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
const DEFAULT_STACK = '--stack-size=984'; // of V8, where pointers have 64 bits
const SAMPLED_SIZE = 64; // bytes, of each of which one is part of the sum
const SUM_SIZE = 4; // bytes at the end of the file

/** Tells what was never written from what was; V8 does not look. */
function sumOf(code) {
  let sum = code.length;
  for (let i = 0; i < code.length; i += SAMPLED_SIZE) sum = (Math.imul(sum, 31) + code[i]) | 0;
  return sum;
}

/** Where the code of this program is kept, in this version of Node; undefined: nowhere. */
function codeFile(program) {
  const folder = cacheFolder(process.env);
  if (!folder) return undefined;
  const { size, mtimeMs, ino } = fs.statSync(program);
  return join(folder, `${[process.version, process.arch, size, Math.round(mtimeMs), ino].join('-')}.code`);
}

/** What an earlier run left, if it is whole; V8 refuses what other flags or versions made. */
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

/** All of the program is compiled, also what is called at the end only. */
function keepCode(file, text) {
  const v8 = require('node:v8');
  v8.setFlagsFromString('--no-lazy');
  const script = new vm.Script(text, { filename: `${url}?` }); // V8 knows the other already
  v8.setFlagsFromString('--lazy');
  const code = script.createCachedData();
  const sum = Buffer.alloc(SUM_SIZE);
  sum.writeInt32LE(sumOf(code));
  makeFolder(join(file, '..'));
  putInPlace(file, (path) => fs.writeFileSync(path, Buffer.concat([code, sum]), { mode: 0o600 }));
}

/**
 * The main thread keeps the stack that it has, but V8 forgets that an option was given: while there is one, it takes
 * no code that is kept, neither ours nor what Node brings of its own modules, which takes 20 ms to make again.
 */
function forgetStackOption() {
  if (isMainThread && process.execArgv.includes(SESSION.stack)) require('node:v8').setFlagsFromString(DEFAULT_STACK);
}

/** Runs `action`; if that fails, it costs time only. */
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
