/**
 * Instances of modules that wasm-instrument --embed made: the profile is inside, and comes out by
 * functions that they export. Runs in any JavaScript engine.
 */

import { encodeText } from '../wperf/clean.mjs';
import { FUNCTION_TRUNCATED, HEAD_SIZE, MAGIC, SECTIONS, TEXT_FACTS, VERSION } from '../wperf/format.mjs';

const SECTION_HEAD_SIZE = 16;
const ALIGNMENT = 8;
const RECORD_HEAD_SIZE = 8; // of facts and names: two u32
const PLACE_HEAD_SIZE = 12; // three u32
const CALLS_OFFSET = 8; // in a node, whose first value are the calls

const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const aligned = (size) => Math.ceil(size / ALIGNMENT) * ALIGNMENT;

/** Whether an instance has its profile inside. */
export const isEmbedded = ({ exports }) =>
  typeof exports.wasm_perf_profile === 'function' && typeof exports.wasm_perf_read === 'function';

/** The bytes of the .wperf file that an instance makes of its counts, without names. */
export function takeFile({ exports: { wasm_perf_profile, wasm_perf_read } }) {
  const size = wasm_perf_profile() >>> 0;
  if (size === 0) throw new Error('out of memory: the module cannot write its profile');
  const words = new BigInt64Array(aligned(size) / ALIGNMENT);
  for (let i = 0; i < words.length; i++) words[i] = wasm_perf_read(i * ALIGNMENT);
  return new Uint8Array(words.buffer, 0, size);
}

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

function fileOf(head, sections) {
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

function concatenate(one, other) {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}

/** The size of a node, from the section that says which values it has. */
function nodeSizeOf(sections) {
  const values = sections.get(SECTIONS.values);
  const view = viewOf(values);
  let count = 0;
  for (let offset = 0; offset < values.length; count++) {
    const size = view.getUint32(offset, true) + view.getUint32(offset + 4, true);
    offset = aligned(offset + RECORD_HEAD_SIZE + size);
  }
  return 8 + 8 * count;
}

/** Calls `visit` with the view of all nodes and the offset of each. */
function visitNodes(sections, visit) {
  const nodes = sections.get(SECTIONS.nodes);
  const view = viewOf(nodes);
  const size = nodeSizeOf(sections);
  for (let offset = 0; offset < nodes.length; offset += size) visit(view, offset);
}

function functionsIn(sections) {
  const functions = new Set();
  visitNodes(sections, (view, offset) => functions.add(view.getUint32(offset, true)));
  return [...functions].filter((index) => index < FUNCTION_TRUNCATED).sort((a, b) => a - b);
}

/** The names that a file has itself: [[function, name], …] */
export function readNames(sections) {
  const bytes = sections.get(SECTIONS.names) ?? new Uint8Array(0);
  const view = viewOf(bytes);
  const names = [];
  for (let offset = 0; offset < bytes.length; ) {
    const start = offset + RECORD_HEAD_SIZE;
    const end = start + view.getUint32(offset + 4, true);
    names.push([view.getUint32(offset, true), new TextDecoder().decode(bytes.subarray(start, end))]);
    offset = end;
  }
  return names;
}

/** The places that a file has itself: [[function, line, file], …] */
export function readPlaces(sections) {
  const bytes = sections.get(SECTIONS.places) ?? new Uint8Array(0);
  const view = viewOf(bytes);
  const places = [];
  for (let offset = 0; offset < bytes.length; ) {
    const [index, line, size] = [0, 4, 8].map((field) => view.getUint32(offset + field, true));
    const start = offset + PLACE_HEAD_SIZE;
    offset = start + size;
    places.push([index, line, new TextDecoder().decode(bytes.subarray(start, offset))]);
  }
  return places;
}

/**
 * A snapshot of what an instance has counted.
 *
 * @param {WebAssembly.Instance} instance
 * @param {(index: number) => string} nameOf the name of a function of the module
 * @param {Record<string, string>} [facts] texts that the file is to have: module, engine, command, date
 * @returns {Uint8Array} the bytes of a .wperf file
 */
export function readProfile(instance, nameOf, facts = {}) {
  const file = takeFile(instance);
  const sections = sectionsOf(file);
  const texts = Object.entries(facts).filter(([, text]) => text);
  const added = encodeTexts(texts.map(([name, text]) => [TEXT_FACTS[name], text]), ALIGNMENT);
  const known = sections.get(SECTIONS.facts) ?? new Uint8Array(0);
  sections.set(SECTIONS.facts, concatenate(known, added));
  const own = new Map(readNames(sections)); // of types, and of a guest's functions
  const names = functionsIn(sections).map((index) => [index, own.get(index) ?? nameOf(index)]);
  sections.set(SECTIONS.names, encodeTexts(names, 1));
  return fileOf(file, sections);
}

/** What an instance has counted so far: calls, a BigInt, in how many nodes. */
export function countsOf(instance) {
  let calls = 0n;
  let nodes = -1; // without the root
  visitNodes(sectionsOf(takeFile(instance)), (view, offset) => {
    calls += view.getBigUint64(offset + CALLS_OFFSET, true);
    nodes++;
  });
  return { calls, nodes };
}

/** Forgets what an instance has counted. */
export const resetProfile = ({ exports }) => exports.wasm_perf_reset();
