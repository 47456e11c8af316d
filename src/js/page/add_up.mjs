/** wasm-perf merge of what a page's threads wrote, as a function. */

import { run } from '../package/report.mjs';
import { concatenate } from '../wperf/bytes.mjs';
import { SESSION } from '../wperf/format.mjs';
import { encodePiece } from '../wperf/piece.mjs';

const encoder = new TextEncoder();

/** Names of the files of a session with one thread, see src/cli/perf/input/part_files.h. */
const START = '0-0';
const KEY = '0'.repeat(32);
const PART = `${START}.000000-${KEY}${SESSION.part}`;
const [MODULE, SAMPLES, THREAD] = [KEY + SESSION.module, START + SESSION.samples, START + SESSION.thread];

/** The files of a thread's samples, in which only one of the modules is shown. */
function encodeSamples({ profile, modules }, { key }) {
  const inputs = { [SAMPLES]: encodePiece(JSON.stringify(profile), { next: false, idle: false, raw: false, compiling: [] }) };
  const listed = modules.map((module, i) => {
    const isShown = module.key === key;
    if (!isShown) inputs[`${i}${SESSION.module}`] = module.bytes;
    return { file: isShown ? PART : '', module: isShown ? MODULE : `${i}${SESSION.module}` };
  });
  const facts = { name: 'page', process: 0, number: 0, scope: 'modules', home: '', samples: SAMPLES, size: inputs[SAMPLES].length };
  return { ...inputs, [THREAD]: encoder.encode(JSON.stringify({ ...facts, modules: listed })) };
}

/**
 * Makes the function `addUp`: it makes one profile of profiles of a module's instances, names the functions after the
 * module, and attributes samples to them.
 */
export const createAddUp = (program) =>
  /**
   * @param {Uint8Array[]} files
   * @param {{key: string, bytes?: Uint8Array}} module the module that ran
   * @param {{profile: object, modules: {key: string, bytes: Uint8Array}[]}} [samples] V8's profile, and the modules in it
   */
  function addUp(files, module, samples) {
    const inputs = { [PART]: concatenate(files), ...(module.bytes && { [MODULE]: module.bytes }) };
    if (!samples) return run(program, ['merge', '--by-module'], inputs, [PART]);
    return run(program, ['merge', '--by-module'], { ...inputs, ...encodeSamples(samples, module) }, [PART, THREAD]);
  };
