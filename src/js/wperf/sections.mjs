/** Reads the sections of a .wperf file and their records. See include/wasm_perf/format.h. */

import { encodeText } from './clean.mjs';
import {
  HEAD_SIZE,
  MAGIC,
  NUMBER_FACTS,
  SECTIONS,
  TEXT_FACTS,
  VERSION,
} from './format.mjs';

export const SECTION_HEAD_SIZE = 16;
export const ALIGNMENT = 8;
const RECORD_HEAD_SIZE = 8; // of facts and names: two u32
const PLACE_HEAD_SIZE = 12; // three u32
const NUMBER_KEYS = new Map(Object.entries(NUMBER_FACTS).map(([name, key]) => [key, name]));
const TEXT_KEYS = new Map(Object.entries(TEXT_FACTS).map(([name, key]) => [key, name]));

export const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
export const aligned = (size) => Math.ceil(size / ALIGNMENT) * ALIGNMENT;

const decoder = new TextDecoder();
const NONE = new Uint8Array(0);
export const NO_VALUE = -1;

function checkVersion(file) {
  const isProfile = MAGIC.every((byte, i) => file[i] === byte);
  if (!isProfile || viewOf(file).getUint32(MAGIC.length, true) !== VERSION) {
    throw new TypeError('not a .wperf file of this version');
  }
}

/** Maps section ids of a .wperf file to payloads. */
export function sectionsOf(file) {
  checkVersion(file);
  const view = viewOf(file);
  const sections = new Map();
  for (let offset = HEAD_SIZE; offset < file.length; ) {
    const size = Number(view.getBigUint64(offset + 8, true));
    const start = offset + SECTION_HEAD_SIZE;
    sections.set(view.getUint32(offset, true), file.subarray(start, start + size));
    offset = start + aligned(size);
  }
  return sections;
}

/** Concatenates arrays of bytes. Pages have no Buffer. */
export function concatenate(parts) {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Encodes records of a number, a size and a text, each padded to a multiple of `alignment` bytes. */
export function encodeTexts(texts, alignment) {
  const padded = (size) => Math.ceil(size / alignment) * alignment;
  const records = texts.map(([number, text]) => [number, encodeText(text)]);
  const bytes = new Uint8Array(
    records.reduce((size, [, utf8]) => size + RECORD_HEAD_SIZE + padded(utf8.length), 0),
  );
  const view = viewOf(bytes);
  let offset = 0;
  for (const [number, utf8] of records) {
    view.setUint32(offset, number, true);
    view.setUint32(offset + 4, utf8.length, true);
    bytes.set(utf8, offset + RECORD_HEAD_SIZE);
    offset += RECORD_HEAD_SIZE + padded(utf8.length);
  }
  return bytes;
}

/** The facts that the file contains: {name: number or text} */
export function readFacts(sections) {
  const bytes = sections.get(SECTIONS.facts) ?? NONE;
  const facts = {};
  const view = viewOf(bytes);
  for (let offset = 0; offset < bytes.length; ) {
    const key = view.getUint32(offset, true);
    const size = view.getUint32(offset + 4, true);
    const start = offset + RECORD_HEAD_SIZE;
    if (NUMBER_KEYS.has(key)) facts[NUMBER_KEYS.get(key)] = Number(view.getBigUint64(start, true));
    if (TEXT_KEYS.has(key)) facts[TEXT_KEYS.get(key)] = decoder.decode(bytes.subarray(start, start + size));
    offset = aligned(start + size);
  }
  return facts;
}

/** The values of each node, in order: [{name, unit}] */
export function readValues(sections) {
  const bytes = sections.get(SECTIONS.values) ?? NONE;
  const values = [];
  const view = viewOf(bytes);
  for (let offset = 0; offset < bytes.length; ) {
    const nameEnd = offset + RECORD_HEAD_SIZE + view.getUint32(offset, true);
    const end = nameEnd + view.getUint32(offset + 4, true);
    const name = decoder.decode(bytes.subarray(offset + RECORD_HEAD_SIZE, nameEnd));
    values.push({ name, unit: decoder.decode(bytes.subarray(nameEnd, end)) });
    offset = aligned(end);
  }
  return values;
}

/** The bytes as 32-bit words. Reading millions of 64-bit numbers would be slow. */
function wordsOf(bytes) {
  const { buffer, byteOffset, length } = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Uint32Array(buffer, byteOffset, length / 4);
}

/**
 * The nodes of a file: {words, size, count, calls, self}. A node has `size` words; the first two are its
 * function and its parent. `calls` and `self` are the offsets of these values in a node, or NO_VALUE.
 */
export function readNodes(sections) {
  const values = readValues(sections);
  const wordOf = (wanted) => {
    const i = values.findIndex(({ name }) => name === wanted);
    return i < 0 ? NO_VALUE : 2 + 2 * i;
  };
  const [words, size] = [wordsOf(sections.get(SECTIONS.nodes)), 2 + 2 * values.length];
  return { words, size, count: words.length / size, calls: wordOf('calls'), self: wordOf('self') };
}

/** The names in a file: [[function, name], …] */
export function readNames(sections) {
  const bytes = sections.get(SECTIONS.names) ?? NONE;
  const view = viewOf(bytes);
  const names = [];
  for (let offset = 0; offset < bytes.length; ) {
    const start = offset + RECORD_HEAD_SIZE;
    const end = start + view.getUint32(offset + 4, true);
    names.push([view.getUint32(offset, true), decoder.decode(bytes.subarray(start, end))]);
    offset = end;
  }
  return names;
}

/** The source places in a file: [[function, line, file], …] */
export function readPlaces(sections) {
  const bytes = sections.get(SECTIONS.places) ?? NONE;
  const view = viewOf(bytes);
  const places = [];
  for (let offset = 0; offset < bytes.length; ) {
    const [index, line, size] = [0, 4, 8].map((field) => view.getUint32(offset + field, true));
    const start = offset + PLACE_HEAD_SIZE;
    offset = start + size;
    places.push([index, line, decoder.decode(bytes.subarray(start, offset))]);
  }
  return places;
}
