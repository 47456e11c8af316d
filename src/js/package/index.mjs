/**
 * wasm-instrument as a package: compiles a profiler into WebAssembly modules, in any JavaScript.
 *
 *     import { instrument } from 'wasm-perf';
 *     const { bytes, warnings } = instrument(module, { clock: 'instructions', only: 'parse_*' });
 */

import { OPTIONS } from './options.mjs';
import { createReport } from './report.mjs';
import { createInstrument } from './rewriter.mjs';
import { loadProgram, loadProgramSync } from './programs.mjs';

export { InstrumentError } from './rewriter.mjs';

const made = {};

const makers = {
  instrument: ['wasm-instrument', (module) => createInstrument(module, OPTIONS)],
  report: ['wasm-perf', createReport],
};

function get(name) {
  const [program, make] = makers[name];
  return (made[name] ??= make(loadProgramSync(program)));
}

async function load(name) {
  const [program, make] = makers[name];
  return (made[name] ??= make(await loadProgram(program)));
}

/**
 * Instruments a module; the same options give the same bytes as the command does. In a page's main
 * thread call `ready` first, or `instrumentAsync`.
 *
 * @param {BufferSource} bytes a WebAssembly module
 * @param {import('./index.js').InstrumentOptions} [options]
 * @returns {{bytes: Uint8Array, warnings: string[]}}
 * @throws {InstrumentError} where the module is no good
 * @throws {TypeError} where an option is
 */
export const instrument = (bytes, options) => get('instrument')(bytes, options);

/** The same as `instrument`, wherever it runs. */
export const instrumentAsync = async (bytes, options) => (await load('instrument'))(bytes, options);

/**
 * Shows a profile: what `wasm-perf report` writes.
 *
 * @param {Uint8Array} profile the bytes of a .wperf file
 * @param {{format?: string, title?: string}} [options] the title is what the command has of the
 *   file's name
 * @returns {Uint8Array}
 */
export const report = (profile, options) => get('report')(profile, options);

/** The same as `report`, wherever it runs. */
export const reportAsync = async (profile, options) => (await load('report'))(profile, options);

/** Loads what the functions without a promise need, where files cannot be read at once. */
export async function ready() {
  await Promise.all(Object.keys(makers).map(load));
}
