/** Runs wasm-perf merge: the command beside these files, otherwise the one on PATH, otherwise the package's. */

import { fileURLToPath } from 'node:url';
import { builtin } from './builtin.mjs';
import { findCommand, plainEnvironment } from './rewriter.mjs';

/** Returns the result of spawnSync. */
export function merge(args, stdio) {
  const { spawnSync } = builtin('node:child_process');
  const command = findCommand('wasm-perf');
  const packaged = fileURLToPath(new URL('../command/wasm_perf.mjs', import.meta.url));
  const words = ['merge', ...args];
  const options = { stdio, env: plainEnvironment(), encoding: 'utf8' };
  return command ? spawnSync(command, words, options) : spawnSync(process.execPath, [packaged, ...words], options);
}

/** Replaces the profiles in a file by their sum. */
export function addUp(path) {
  const { status, stderr } = merge(['-o', path, path], ['ignore', 'ignore', 'pipe']);
  if (status !== 0) throw new Error(`its profiles cannot be added up: ${stderr}`);
}
