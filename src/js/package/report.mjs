/** wasm-perf report as a function, for any JavaScript engine. */

import { runInMemory } from './wasi.mjs';

const PROGRAM = 'wasm-perf';
const OUTPUT = 'output';

/**
 * Makes the function `report` from the command compiled to WebAssembly.
 *
 * @param {WebAssembly.Module} module wasm-perf.wasm
 */
export function createReport(module) {
  return function report(profile, { format = 'html', title = 'profile.wperf' } = {}) {
    const args = [PROGRAM, 'report', '--format', String(format), '-o', OUTPUT, title];
    const { status, stderr, files } = runInMemory(module, args, { [title]: profile });
    if (status === 0) return files.get(OUTPUT);
    const message = stderr.split('\n')[0].slice(`${PROGRAM}: `.length);
    throw new TypeError(message || `${PROGRAM} ended with ${status}`);
  };
}
