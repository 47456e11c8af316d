/**
 * A module's start function runs before anyone has the instance, so its profile is lost if it traps or exits.
 * In modules that we instantiate it becomes an export, which we call once we have the instance.
 */

import { concatenate } from '../wperf/sections.mjs';
import { PREAMBLE_SIZE, SECTION, readSections } from './module_info.mjs';

const FUNCTION = 0; // kind of export

/** Name of the export. The program sees no exports with this prefix. */
export const START_EXPORT = 'wasm_perf_start';

/** Encodes a number as LEB128. */
export function encodeNumber(value) {
  const bytes = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return [...bytes, value];
}

/** The export section with one more export. */
function withExport(bytes, cursor, index) {
  const count = cursor.u32();
  const name = new TextEncoder().encode(START_EXPORT);
  const item = [...encodeNumber(name.length), ...name, FUNCTION, ...encodeNumber(index)];
  const others = bytes.subarray(cursor.offset, cursor.end);
  const content = concatenate([encodeNumber(count + 1), others, item]);
  return concatenate([[SECTION.export, ...encodeNumber(content.length)], content]);
}

/**
 * @param {Uint8Array} bytes a module with exports
 * @returns {Uint8Array} the module with its start function exported instead. Unchanged if it has none or is
 *   malformed; the engine will refuse a malformed module
 */
export function exportStartFunction(bytes) {
  const sections = [];
  readSections(bytes, (id, cursor, begin) => sections.push({ id, cursor, begin }));
  const start = sections.find(({ id }) => id === SECTION.start);
  if (!start || sections.at(-1).cursor.end !== bytes.length) return bytes;
  const index = start.cursor.u32();
  const parts = sections.map(({ id, cursor, begin }) => {
    if (id === SECTION.start) return [];
    return id === SECTION.export ? withExport(bytes, cursor, index) : bytes.subarray(begin, cursor.end);
  });
  return concatenate([bytes.subarray(0, PREAMBLE_SIZE), ...parts]);
}
