/** Encodes profiles of V8 for a thread's file, see src/cli/perf/input/thread_file.h. */

import { concatenate } from './bytes.mjs';

const encoder = new TextEncoder();

/**
 * @param {string} json V8's profile
 * @param {object} piece what is known of it, see ThreadSampler
 */
export function encodePiece(json, piece) {
  const bytes = encoder.encode(json);
  return concatenate([encoder.encode(`${JSON.stringify({ size: bytes.length, ...piece })}\n`), bytes, encoder.encode('\n')]);
}
