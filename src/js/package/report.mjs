/** wasm-perf report and merge as functions, for any JavaScript engine. */

import { runInMemory } from './wasi.mjs';

const PROGRAM = 'wasm-perf';
const OUTPUT = 'output';

/** Runs a command on files, {path: bytes}, and returns its output. `operands` are those that it is given. */
export function run(module, [command, ...options], inputs, operands = Object.keys(inputs)) {
  const args = [PROGRAM, command, ...options, '-o', OUTPUT, ...operands];
  const { status, stderr, files } = runInMemory(module, args, inputs);
  if (status === 0) return files.get(OUTPUT);
  const message = stderr.split('\n')[0].slice(`${PROGRAM}: `.length);
  throw new TypeError(message || `${PROGRAM} ended with ${status}`);
}

/**
 * Makes the function `report` from the command compiled to WebAssembly.
 *
 * @param {WebAssembly.Module} module wasm-perf.wasm
 */
export const createReport = (module) =>
  function report(profile, { format = 'html', title = 'profile.wperf' } = {}) {
    return run(module, ['report', '--format', String(format)], { [title]: profile });
  };

/** Makes the function `join`, which makes one profile of the profiles of several modules; each module has a frame. */
export const createJoin = (module) =>
  function join(profiles) {
    return run(module, ['merge', '--by-module'], Object.fromEntries(profiles.map((bytes, i) => [`${i}.wperf`, bytes])));
  };
