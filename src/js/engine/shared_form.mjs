/**
 * The form of a rewritten module whose instances share the memory that wasm-instrument adds (see sharing.mjs): that
 * memory is imported, and its data is apart. Imports precede what a module defines, so the memories that the program
 * defines are imported, too: no index changes. The code is the same, at the same offset of the module, so samples do not
 * tell the forms apart.
 */

import { concatenate } from '../wperf/bytes.mjs';
import { PREAMBLE_SIZE, SECTION, readSections, skipImportType } from './module_info.mjs';
import { encodeNumber } from './host_exports.mjs';

/** The module name of the added imports. Their names are "0", "1", … */
export const SHARED_IMPORT = 'wasm_perf_shared';
const SHARE_EXPORT = 'wasm_perf_share';
const FOR_READERS = new Set([SHARE_EXPORT, 'wasm_perf_profile', 'wasm_perf_read', 'wasm_perf_count', 'wasm_perf_reset']);
const ROOM_SECTION = 'wasm_perf_room';
const ROOM = 120; // bytes before the code, which the added imports take
const [KIND_FUNCTION, KIND_MEMORY] = [0, 2];
const LIMITS = { maximum: 1, shared: 2 }; // flags; other kinds of memories are not made by all engines' constructors
const SEGMENT = { active: 0, passive: 1, withMemory: 2 };
const OPCODE = { end: 0x0b, globalGet: 0x23, i32: 0x41, i64: 0x42, arithmetic: [0x6a, 0x6b, 0x6c, 0x7c, 0x7d, 0x7e] };
const MOST_NUMBER_SIZE = 5; // bytes of an encoded u32

const encoder = new TextEncoder();
const encodeName = (name) => [...encodeNumber(name.length), ...encoder.encode(name)];
const encodeSection = (id, ...parts) => {
  const content = concatenate(parts);
  return concatenate([[id, ...encodeNumber(content.length)], content]);
};

const FILLER_NAME = encodeName(ROOM_SECTION);
const LEAST_FILLER = 1 + MOST_NUMBER_SIZE + FILLER_NAME.length;

/** Encodes a custom section of that many bytes, its head included. */
function encodeFiller(size) {
  const rest = size - LEAST_FILLER;
  const content = encodeNumber(FILLER_NAME.length + rest);
  while (content.length < MOST_NUMBER_SIZE) {
    content[content.length - 1] |= 0x80;
    content.push(0);
  }
  return concatenate([[SECTION.custom, ...content, ...FILLER_NAME], new Uint8Array(rest)]);
}

/** Returns a rewritten module with room for the other form. */
export const makeRoom = (bytes) =>
  concatenate([bytes.subarray(0, PREAMBLE_SIZE), encodeFiller(LEAST_FILLER + ROOM), bytes.subarray(PREAMBLE_SIZE)]);

// ---- Reading ----

function fail(what) {
  throw new TypeError(`instances cannot share a memory: ${what}`);
}

/** Returns the numbers of imports and of imported memories. */
function readImports(cursor) {
  const found = { count: 0, memoryCount: 0 };
  for (let left = cursor.u32(); left > 0; left--) {
    cursor.skipName();
    cursor.skipName();
    const kind = cursor.u8();
    if (kind === KIND_FUNCTION) cursor.u32();
    else skipImportType(cursor, kind);
    found.count++;
    if (kind === KIND_MEMORY) found.memoryCount++;
  }
  return found;
}

/** Reads the memories that a module defines: `limits` as encoded, and {initial, maximum, shared}. */
function readMemories(cursor) {
  const memories = [];
  for (let left = cursor.u32(); left > 0; left--) {
    const start = cursor.offset;
    const flags = cursor.u8();
    if (flags & ~(LIMITS.maximum | LIMITS.shared)) fail('kind of memory');
    const type = { initial: cursor.u32(), shared: (flags & LIMITS.shared) !== 0 };
    if (flags & LIMITS.maximum) type.maximum = cursor.u32();
    memories.push({ limits: cursor.bytes.subarray(start, cursor.offset), type });
  }
  return memories;
}

/** Reads a constant expression. Returns the value if it is an i32.const, or undefined. */
function readConstant(cursor) {
  let value;
  for (let opcode = cursor.u8(), count = 0; opcode !== OPCODE.end; opcode = cursor.u8(), count++) {
    if (opcode === OPCODE.i32) value = count === 0 ? cursor.s32() : undefined;
    else if (opcode === OPCODE.i64 || opcode === OPCODE.globalGet) cursor.skipLeb();
    else if (OPCODE.arithmetic.includes(opcode)) value = undefined;
    else fail('address of data');
  }
  return value;
}

/** Reads the data segments: {address, content} of each segment of a memory, which come last. Other segments end at `end`. */
function readData(cursor, memory) {
  const found = { count: cursor.u32(), end: cursor.offset, segments: [] };
  for (let left = found.count; left > 0; left--) {
    const flags = cursor.u32();
    const isOfMemory = flags === SEGMENT.withMemory && cursor.u32() === memory;
    const address = flags === SEGMENT.passive ? undefined : readConstant(cursor);
    const size = cursor.u32();
    const content = cursor.bytes.subarray(cursor.skip(size), cursor.offset);
    if (isOfMemory) found.segments.push({ address, content });
    else found.end = cursor.offset;
    if (!isOfMemory && found.segments.length > 0) fail('order of data');
  }
  return found;
}

// ---- Writing ----

const encodeImports = (limits) =>
  concatenate(limits.map((one, i) => [...encodeName(SHARED_IMPORT), ...encodeName(`${i}`), KIND_MEMORY, ...one]));

function hasExport(cursor, wanted) {
  for (let left = cursor.u32(); left > 0; left--) {
    const name = cursor.name();
    cursor.u8();
    cursor.u32();
    if (name === wanted) return true;
  }
  return false;
}

/** The exports but those that only a reader needs. */
function encodeExports(cursor) {
  cursor.offset = cursor.start;
  const kept = [];
  for (let left = cursor.u32(); left > 0; left--) {
    const from = cursor.offset;
    const name = cursor.name();
    cursor.u8();
    cursor.u32();
    if (!FOR_READERS.has(name)) kept.push(cursor.bytes.subarray(from, cursor.offset));
  }
  return encodeSection(SECTION.export, encodeNumber(kept.length), ...kept);
}

/** The sections of the other form up to the code, without the filler. */
function headOf(bytes, sections, { imports, memories, data }, isReader) {
  const added = encodeImports(memories.map(({ limits }) => limits));
  const importCount = encodeNumber(imports.count + memories.length);
  let isImported = false;
  const parts = [];
  for (const { id, cursor, begin, name } of sections) {
    if (id === SECTION.code) break;
    if (id === SECTION.import) {
      cursor.offset = cursor.start;
      cursor.u32();
      parts.push(encodeSection(id, importCount, bytes.subarray(cursor.offset, cursor.end), added));
      isImported = true;
      continue;
    }
    if (!isImported && id !== SECTION.custom && id > SECTION.import) {
      parts.push(encodeSection(SECTION.import, importCount, added));
      isImported = true;
    }
    if (id === SECTION.export && !isReader) parts.push(encodeExports(cursor));
    else if (id === SECTION.dataCount) parts.push(encodeSection(id, encodeNumber(data.count - data.segments.length)));
    else if (id !== SECTION.memory && name !== ROOM_SECTION) parts.push(bytes.subarray(begin, cursor.end));
  }
  return concatenate(parts);
}

function tailOf(bytes, sections, { data }) {
  const code = sections.findIndex(({ id }) => id === SECTION.code);
  return sections.slice(code).map(({ id, cursor, begin }) => {
    if (id !== SECTION.data) return bytes.subarray(begin, cursor.end);
    const { start } = cursor;
    cursor.offset = start;
    cursor.u32();
    const count = encodeNumber(data.count - data.segments.length);
    return encodeSection(id, count, bytes.subarray(cursor.offset, data.end));
  });
}

/**
 * Returns the other form of a module with room, and what it needs: {bytes, importCount, memories, segments}. `importCount`
 * is the program's; `memories`, descriptors of the added imports, of which the last is the shared memory; `segments`, its
 * data. Throws if the module has no other form.
 *
 * @param {boolean} isReader whether its instances export the functions that read the counts of all. Each export costs
 *   about a microsecond of an instance
 */
export function makeShared(bytes, isReader) {
  const sections = [];
  const found = { imports: { count: 0, memoryCount: 0 }, memories: [], data: undefined };
  readSections(bytes, (id, cursor, begin) => {
    sections.push({ id, cursor, begin, name: id === SECTION.custom ? cursor.name() : undefined });
    if (id === SECTION.import) found.imports = readImports(cursor);
    if (id === SECTION.memory) found.memories = readMemories(cursor);
    if (id === SECTION.export && !hasExport(cursor, SHARE_EXPORT)) fail('followers');
    if (id === SECTION.data) found.data = readData(cursor, found.imports.memoryCount + found.memories.length - 1);
  });
  const code = sections.find(({ id }) => id === SECTION.code);
  if (!code || !found.data?.segments.length || found.memories.length === 0) fail('no runtime');
  const head = headOf(bytes, sections, found, isReader);
  const filler = code.begin - PREAMBLE_SIZE - head.length;
  if (filler < LEAST_FILLER) fail('no room');
  const parts = [bytes.subarray(0, PREAMBLE_SIZE), encodeFiller(filler), head, ...tailOf(bytes, sections, found)];
  return {
    bytes: concatenate(parts),
    importCount: found.imports.count,
    memories: found.memories.map(({ type }) => type),
    segments: found.data.segments,
  };
}
