/**
 * Finds wasm-instrument for the JavaScript host and calls it synchronously: the command beside these files,
 * where they were built or installed; otherwise the one on PATH; otherwise the package's.
 */

import fs from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtin } from './builtin.mjs';
import { ModuleCache } from './module_cache.mjs';

const here = fileURLToPath(new URL('.', import.meta.url)); // import.meta.dirname does not exist in Node 18

/** Saved before the program, or file_names.mjs, can replace them. */
const { accessSync, closeSync, constants, fstatSync, openSync, readFileSync, readSync, rmSync, statSync, writeSync } = fs;

const LARGE = 1 << 20; // bytes; larger modules pass through files, which avoid a pipe's many small reads

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Returns the path of one of our commands, or undefined. */
export function findCommand(name) {
  const onPath = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const folders = [join(here, '../..'), join(here, '../../../../bin'), ...onPath];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** Returns the lines that a command printed about its input, without the prefix. */
const messagesOf = ({ stderr }) =>
  String(stderr ?? '').split('\n').filter(Boolean).map((line) => line.replace(/^wasm-[a-z]+: ((-|<stdin>): )?/, ''));

/** Returns the error of a failed command, with the command's messages. */
function failureOf({ error, status, ...result }) {
  const messages = messagesOf(result);
  if (error && messages.length === 0) return error; // otherwise it exited before reading all input
  return new Error(messages.join('\n') || `exit code ${status}`);
}

/** Returns the environment without the option that would load the profiler into our commands. */
export function plainEnvironment() {
  const { NODE_OPTIONS: _, ...rest } = process.env;
  return rest;
}

/** Calls `use` with a descriptor of a temporary file. */
function withFile(path, use) {
  const file = openSync(path, 'wx+');
  try {
    return use(file);
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
}

/** Runs the command with input and output as in spawnSync's `stdio`. Returns {stdout, warnings}. */
function runCommand(command, args, { input, stdio }) {
  const options = { input, stdio, maxBuffer: Infinity, env: plainEnvironment() };
  const result = builtin('node:child_process').spawnSync(command, [...args, '-', '-o', '-'], options);
  if (result.status !== 0) throw failureOf(result);
  const warnings = messagesOf(result).map((message) => message.replace(/^warning: /, ''));
  return { stdout: result.stdout, warnings };
}

/** The options by which the command finds the scripts, and the module's symbol map. */
const namedBy = ({ from, caller }) =>
  Object.entries({ path: from, caller }).filter(([, path]) => path !== undefined).map(([name, path]) => `--${name}=${path}`);

function runOnPipes(command, args, bytes) {
  const { stdout, warnings } = runCommand(command, args, { input: bytes, stdio: 'pipe' });
  return { bytes: stdout, warnings };
}

/** Like runOnPipes, with files: nothing large is in memory twice. */
function runOnFiles(command, args, bytes, { path }) {
  return withFile(`${path}.input`, (input) => {
    writeSync(input, bytes, 0, bytes.length, 0);
    return withFile(`${path}.output`, (output) => {
      const { warnings } = runCommand(command, args, { stdio: [input, output, 'pipe'] });
      const rewritten = Buffer.allocUnsafeSlow(fstatSync(output).size);
      readSync(output, rewritten, 0, rewritten.length, 0);
      return { bytes: rewritten, warnings };
    });
  });
}

/**
 * @typedef {object} Rewriting
 * @property {string} path of the private file that the rewritten module is for: temporary files are beside it
 * @property {string} [from] path of the module's file
 * @property {string} [caller] path of the script that compiles it, one of `scripts`
 * @property {Record<string, Uint8Array>} scripts beside it
 */

/**
 * @param {string[]} args options of wasm-instrument
 * @param {string} secret of the cache
 * @returns {Promise<{rewrite: (bytes: Uint8Array, rewriting: Rewriting) => {bytes: Uint8Array, warnings: string[]},
 *   cache: ModuleCache}>}
 */
export async function createRewriter(args, secret) {
  const command = findCommand('wasm-instrument');
  if (command) {
    const rewrite = (bytes, rewriting) =>
      (bytes.length < LARGE ? runOnPipes : runOnFiles)(command, [...args, ...namedBy(rewriting)], bytes, rewriting);
    return { rewrite, cache: new ModuleCache(command, args, secret) };
  }
  const { instrument } = await import('../package/index.mjs');
  const toCamelCase = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
  const options = {};
  for (const arg of args) {
    const [, name, value = true] = /^--([a-z-]+)(?:=(.*))?$/s.exec(arg);
    const key = toCamelCase(name);
    const item = name === 'names' ? readFileSync(value) : name === 'whitelist' ? readFileSync(value, 'utf8') : value;
    if (item === true) options[key] = true;
    else (options[key] ??= []).push(item);
  }
  const rewrite = (bytes, rewriting) => {
    const beside = { name: rewriting.from, scripts: rewriting.scripts };
    return instrument(bytes, { ...options, ...beside, caller: rewriting.caller });
  };
  return { rewrite, cache: new ModuleCache(join(here, '../package/wasm-instrument.wasm'), args, secret) };
}
