/**
 * Finds wasm-instrument for the JavaScript host and calls it, synchronously: the program beside these
 * files, where they were built or installed; else the one on PATH; else the package's own.
 */

import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const here = import.meta.dirname;

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

/** A command of ours ended with an error; the message is its own. */
function failureOf({ error, status, stderr }) {
  const lines = String(stderr ?? '').trim().split('\n');
  if (error && !lines[0]) return error; // else it ended before it had read everything
  return new Error(lines.map((line) => line.replace(/^wasm-[a-z]+: (-: )?/, '')).join('\n') || `exit code ${status}`);
}

/** Without the option that would load the profiler into programs we start. */
export function plainEnvironment() {
  const { NODE_OPTIONS: _, ...rest } = process.env;
  return rest;
}

/**
 * @param {string[]} args options of wasm-instrument
 * @returns {Promise<(bytes: Uint8Array) => Uint8Array>}
 */
export async function createRewriter(args) {
  const command = findCommand('wasm-instrument');
  if (command) {
    return (bytes) => {
      const options = { input: bytes, maxBuffer: Infinity, env: plainEnvironment() };
      const result = spawnSync(command, [...args, '-q', '-', '-o', '-'], options);
      if (result.status !== 0) throw failureOf(result);
      return new Uint8Array(result.stdout);
    };
  }
  const { instrument } = await import('./package/index.mjs');
  const toCamelCase = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
  const options = {};
  for (const arg of args) {
    const [, name, value = true] = /^--([a-z-]+)(?:=(.*))?$/s.exec(arg);
    options[toCamelCase(name)] = value;
  }
  return (bytes) => instrument(bytes, options).bytes;
}
