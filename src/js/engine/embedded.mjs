/**
 * Reads profiles from instances of modules that wasm-instrument --embed made, through the functions that they
 * export. Runs in any JavaScript engine.
 */

import { ALIGNMENT, aligned } from '../wperf/bytes.mjs';

/** Whether an instance contains the embedded runtime. */
export const isEmbedded = ({ exports }) =>
  typeof exports.wasm_perf_profile === 'function' && typeof exports.wasm_perf_read === 'function';

/** Returns an instance's .wperf file, without names. `sharerCount`: how many instances share its tree; 0: none */
export function takeFile({ exports: { wasm_perf_profile, wasm_perf_read, wasm_perf_share }, sharerCount = 0 }) {
  if (sharerCount > 0) wasm_perf_share(sharerCount);
  const size = wasm_perf_profile() >>> 0;
  if (size === 0) throw new Error('out of memory: the module cannot write its profile');
  const words = new BigInt64Array(aligned(size) / ALIGNMENT);
  for (let i = 0; i < words.length; i++) words[i] = wasm_perf_read(i * ALIGNMENT);
  return new Uint8Array(words.buffer, 0, size);
}

/** Returns the number of calls so far, a BigInt, and the number of call tree nodes. */
export const countsOf = ({ exports: { wasm_perf_count } }) =>
  ({ calls: BigInt.asUintN(64, wasm_perf_count(0)), nodes: Number(wasm_perf_count(1)) });

/** Discards all counts of an instance. */
export const resetProfile = ({ exports }) => exports.wasm_perf_reset();
