/** The sections of a .wperf file and the records in them: include/wasm_perf/format.h describes them. */

import { encodeText } from './clean.mjs';
import { HEAD_SIZE, MAGIC, NUMBER_FACTS, SECTIONS, TEXT_FACTS, VERSION } from './format.mjs';

const SECTION_HEAD_SIZE = 16;
export const ALIGNMENT = 8;
const RECORD_HEAD_SIZE = 8; // of facts and names: two u32
const PLACE_HEAD_SIZE = 12; // three u32
const NUMBER_KEYS = new Map(Object.entries(NUMBER_FACTS).map(([name, key]) => [key, name]));
const TEXT_KEYS = new Map(Object.entries(TEXT_FACTS).map(([name, key]) => [key, name]));

export const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
export const aligned = (size) => Math.ceil(size / ALIGNMENT) * ALIGNMENT;

const decoder = new TextDecoder();
const NONE = new Uint8Array(0);

/** The payloads of a .wperf file by their section's id. */
export function sectionsOf(file) {
  const view = viewOf(file);
  const isProfile = MAGIC.every((byte, i) => file[i] === byte);
  if (!isProfile || view.getUint32(MAGIC.length, true) !== VERSION) {
    throw new TypeError('no .wperf file of this version');
  }
  const sections = new Map();
  for (let offset = HEAD_SIZE; offset < file.length; ) {
    const size = Number(view.getBigUint64(offset + 8, true));
    const start = offset + SECTION_HEAD_SIZE;
    sections.set(view.getUint32(offset, true), file.subarray(start, start + size));
    offset = start + aligned(size);
  }
  return sections;
}

/** A file of these sections, with the head of another. */
export function fileOf(head, sections) {
  let size = HEAD_SIZE;
  for (const payload of sections.values()) size += SECTION_HEAD_SIZE + aligned(payload.length);
  const file = new Uint8Array(size);
  const view = viewOf(file);
  file.set(head.subarray(0, HEAD_SIZE));
  let offset = HEAD_SIZE;
  for (const [id, payload] of sections) {
    view.setUint32(offset, id, true);
    view.setBigUint64(offset + 8, BigInt(payload.length), true);
    file.set(payload, offset + SECTION_HEAD_SIZE);
    offset += SECTION_HEAD_SIZE + aligned(payload.length);
  }
  return file;
}

/** Records of a number, a size and a text, each padded to a multiple of `alignment` bytes. */
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

/** The facts that are known: {name: number or text} */
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

/** What the nodes have, in order: [{name, unit}] */
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

/** The names that a file has itself: [[function, name], …] */
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

/** The places that a file has itself: [[function, line, file], …] */
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
