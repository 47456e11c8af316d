/**
 * wasm-instrument as a package: compiles a profiler into WebAssembly modules, in any JavaScript.
 *
 *     import { instrument } from 'wasm-perf';
 *     const { bytes, warnings } = instrument(module, { clock: 'instructions', only: 'parse_*' });
 */

import { OPTIONS } from './options.mjs';
import { createInstrument } from './rewriter.mjs';
import { loadProgram, loadProgramSync } from './programs.mjs';

export { InstrumentError } from './rewriter.mjs';

const NAME = 'wasm-instrument';
let known;

/**
 * Instruments a module; the same options give the same bytes as the command does. In a page's main
 * thread call `ready` first, or `instrumentAsync`.
 *
 * @param {BufferSource} bytes a WebAssembly module
 * @param {import('./options').InstrumentOptions} [options]
 * @returns {{bytes: Uint8Array, warnings: string[]}}
 * @throws {InstrumentError} where the module is no good
 * @throws {TypeError} where an option is
 */
export function instrument(bytes, options) {
  known ??= createInstrument(loadProgramSync(NAME), OPTIONS);
  return known(bytes, options);
}

/** Loads what `instrument` needs, where it cannot be read at once. */
export async function ready() {
  known ??= createInstrument(await loadProgram(NAME), OPTIONS);
}

/** The same as `instrument`, wherever it runs. */
export async function instrumentAsync(bytes, options) {
  await ready();
  return known(bytes, options);
}
