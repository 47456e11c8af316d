/**
 * Finds wasm-instrument for the JavaScript host and calls it, synchronously: the program beside these
 * files, where they were built or installed; else the one on PATH; else the package's own.
 */

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';

const here = fileURLToPath(new URL('.', import.meta.url)); // import.meta.dirname is younger than Node 18

/** Taken before the program, or file_names.mjs, can put its own in their place. */
const { accessSync, closeSync, constants, fstatSync, openSync, readSync, rmSync, writeSync } = fs;

const LARGE = 1 << 20; // bytes; files are faster then than pipes, a whole memory instead of piece by piece

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of one of our commands, or undefined. */
export function findCommand(name) {
  const onPath = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const folders = [join(here, '..'), join(here, '../../../bin'), ...onPath];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** What a command of ours has said of its input, line by line. */
const messagesOf = ({ stderr }) =>
  String(stderr ?? '').split('\n').filter(Boolean).map((line) => line.replace(/^wasm-[a-z]+: ((-|<stdin>): )?/, ''));

/** A command of ours ended with an error; the message is its own. */
function failureOf({ error, status, ...result }) {
  const messages = messagesOf(result);
  if (error && messages.length === 0) return error; // else it ended before it had read everything
  return new Error(messages.join('\n') || `exit code ${status}`);
}

/** Without the option that would load the profiler into programs we start. */
export function plainEnvironment() {
  const { NODE_OPTIONS: _, ...rest } = process.env;
  return rest;
}

/** Calls `use` with a file of that name, open, which is gone afterwards. */
function withFile(path, flags, use) {
  const file = openSync(path, flags);
  try {
    return use(file);
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
}

/** Runs the command from one to the other of what spawnSync takes as `stdio`: {stdout, warnings}. */
function runCommand(command, args, { input, stdio }) {
  const options = { input, stdio, maxBuffer: Infinity, env: plainEnvironment() };
  const result = spawnSync(command, [...args, '-', '-o', '-'], options);
  if (result.status !== 0) throw failureOf(result);
  const warnings = messagesOf(result).map((message) => message.replace(/^warning: /, ''));
  return { stdout: result.stdout, warnings };
}

function runOnPipes(command, args, bytes) {
  const { stdout, warnings } = runCommand(command, args, { input: bytes, stdio: 'pipe' });
  return { bytes: new Uint8Array(stdout), warnings };
}

/** The same by way of files in the folder. */
function runOnFiles(command, args, bytes, folder) {
  const path = join(folder, `${process.pid}.${threadId}.rewriting`);
  return withFile(path, 'wx+', (input) => {
    writeSync(input, bytes, 0, bytes.length, 0);
    return withFile(`${path}.output`, 'wx+', (output) => {
      const { warnings } = runCommand(command, args, { stdio: [input, output, 'pipe'] });
      const rewritten = Buffer.allocUnsafeSlow(fstatSync(output).size);
      readSync(output, rewritten, 0, rewritten.length, 0);
      return { bytes: rewritten, warnings };
    });
  });
}

/**
 * @param {string[]} args options of wasm-instrument
 * @param {string} folder a private one, for large modules
 * @returns {Promise<(bytes: Uint8Array) => {bytes: Uint8Array, warnings: string[]}>}
 */
export async function createRewriter(args, folder) {
  const command = findCommand('wasm-instrument');
  if (command) {
    return (bytes) =>
      bytes.length < LARGE
        ? runOnPipes(command, args, bytes)
        : runOnFiles(command, args, bytes, folder);
  }
  const { instrument } = await import('./package/index.mjs');
  const toCamelCase = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
  const options = {};
  for (const arg of args) {
    const [, name, value = true] = /^--([a-z-]+)(?:=(.*))?$/s.exec(arg);
    options[toCamelCase(name)] = value;
  }
  return (bytes) => instrument(bytes, options);
}
