/**
 * What a host needs of a rewritten module and the program must not see, as exports:
 *
 * The start function. It runs before anyone has the instance, so its profile is lost if it traps or exits. In modules that
 * we instantiate it becomes an export, which we call once we have the instance.
 *
 * The table in which the module finds functions of the host: the one that tells a memory profile who calls (callers.mjs),
 * and the clock for single calls. wasm-instrument itself exports only functions, because the glue of some toolchains
 * accepts no other exports that it does not know.
 */

import { concatenate } from '../wperf/bytes.mjs';
import { PREAMBLE_SIZE, SECTION, readSections, skipImportType } from './module_info.mjs';

const [FUNCTION, TABLE] = [0, 1]; // kinds of exports and imports
const ASKING_EXPORTS = ['wasm_perf_enter', 'wasm_perf_clock']; // of modules with that table

export const START_EXPORT = 'wasm_perf_start';
export const HOST_TABLE_EXPORT = 'wasm_perf_host';

/** Whether this file adds an export of that name. The program sees no exports with the prefix of both. */
export const isForHost = (name) => name === START_EXPORT || name === HOST_TABLE_EXPORT;

/** Encodes a number as LEB128. */
export function encodeNumber(value) {
  const bytes = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return [...bytes, value];
}

function encodeExport({ name, kind, index }) {
  const text = new TextEncoder().encode(name);
  return [...encodeNumber(text.length), ...text, kind, ...encodeNumber(index)];
}

/** The export section with more exports. */
function withExports(bytes, cursor, added) {
  cursor.offset = cursor.start;
  const count = cursor.u32();
  const others = bytes.subarray(cursor.offset, cursor.end);
  const content = concatenate([encodeNumber(count + added.length), others, ...added.map(encodeExport)]);
  return concatenate([[SECTION.export, ...encodeNumber(content.length)], content]);
}

function countImportedTables(cursor) {
  let count = 0;
  for (let left = cursor.u32(); left > 0; left--) {
    cursor.skipName();
    cursor.skipName();
    const kind = cursor.u8();
    if (kind === TABLE) count++;
    if (kind === FUNCTION) cursor.u32();
    else skipImportType(cursor, kind);
  }
  return count;
}

function asksHost(cursor) {
  for (let left = cursor.u32(); left > 0; left--) {
    if (ASKING_EXPORTS.includes(cursor.name())) return true;
    cursor.u8();
    cursor.u32();
  }
  return false;
}

/** The table that wasm-instrument added, which is the last one, as an export; undefined if there is none. */
function hostTable(find) {
  const [exported, imported, defined] = [find(SECTION.export), find(SECTION.import), find(SECTION.table)];
  if (!exported || !defined || !asksHost(exported)) return undefined;
  const index = (imported ? countImportedTables(imported) : 0) + defined.u32() - 1;
  return { name: HOST_TABLE_EXPORT, kind: TABLE, index };
}

/**
 * @param {Uint8Array} bytes a module with exports
 * @returns {Uint8Array} the module with these exports, and without a start function. Unchanged if it has neither or is
 *   malformed; the engine will refuse a malformed module
 */
export function exportForHost(bytes) {
  const sections = [];
  readSections(bytes, (id, cursor, begin) => sections.push({ id, cursor, begin }));
  if (sections.at(-1)?.cursor.end !== bytes.length) return bytes;
  const find = (wanted) => sections.find(({ id }) => id === wanted)?.cursor;
  const start = find(SECTION.start);
  const added = [start && { name: START_EXPORT, kind: FUNCTION, index: start.u32() }, hostTable(find)].filter(Boolean);
  if (added.length === 0) return bytes;
  const parts = sections.map(({ id, cursor, begin }) => {
    if (id === SECTION.start) return [];
    return id === SECTION.export ? withExports(bytes, cursor, added) : bytes.subarray(begin, cursor.end);
  });
  return concatenate([bytes.subarray(0, PREAMBLE_SIZE), ...parts]);
}
