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
 * Instruments a module. The result is the command's, byte for byte. In a page's main thread, await
 * `ready` first or use `instrumentAsync`.
 *
 * @param {BufferSource} bytes a WebAssembly module
 * @param {import('./index.js').InstrumentOptions} [options]
 * @returns {{bytes: Uint8Array, warnings: string[]}}
 * @throws {InstrumentError} if the module is malformed or cannot be instrumented
 * @throws {TypeError} if an option is unknown or has a wrong type
 */
export const instrument = (bytes, options) => get('instrument')(bytes, options);

/** `instrument` for every thread, including the main thread of a page. */
export const instrumentAsync = async (bytes, options) => (await load('instrument'))(bytes, options);

/**
 * Makes a report, as `wasm-perf report` does.
 *
 * @param {Uint8Array} profile the bytes of a .wperf file
 * @param {{format?: string, title?: string}} [options] the command's title is the file's name
 * @returns {Uint8Array}
 */
export const report = (profile, options) => get('report')(profile, options);

/** `report` for every thread, including the main thread of a page. */
export const reportAsync = async (profile, options) => (await load('report'))(profile, options);

/** Loads the modules for `instrument` and `report`, in engines that cannot read files synchronously. */
export async function ready() {
  await Promise.all(Object.keys(makers).map(load));
}
