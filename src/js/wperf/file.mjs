/** Writes facts to .wperf files. See include/wasm_perf/format.h. */

import { encodeText } from './clean.mjs';
import {
  FUNCTION_ROOT, FUNCTION_TRUNCATED, HEAD_SIZE, HEADER, HEADER_FACTS, MAGIC, NUMBER_FACTS, SECTIONS, TEXT_FACTS, VERSION,
} from './format.mjs';
import { aligned, concatenate, SECTION_HEAD_SIZE, viewOf } from './bytes.mjs';

/** Concatenates arrays of bytes. */
export class Writer {
  #parts = [];
  size = 0;

  bytes(bytes) {
    this.#parts.push(bytes);
    this.size += bytes.length;
    return this;
  }

  numbers(...values) {
    const bytes = new Uint8Array(4 * values.length);
    values.forEach((value, i) => viewOf(bytes).setUint32(4 * i, value, true));
    return this.bytes(bytes);
  }

  big(value) {
    const bytes = new Uint8Array(8);
    viewOf(bytes).setBigUint64(0, BigInt(value), true);
    return this.bytes(bytes);
  }

  /** A record of a number and a text with its size. */
  text(number, text) {
    const bytes = encodeText(text);
    return this.numbers(number, bytes.length).bytes(bytes);
  }

  pad() {
    return this.bytes(new Uint8Array(aligned(this.size) - this.size));
  }

  take() {
    return concatenate(this.#parts);
  }
}

function encodeFacts(facts) {
  const writer = new Writer();
  for (const [name, value] of Object.entries(facts)) {
    if (value === undefined || value === 0) continue;
    if (name in NUMBER_FACTS) {
      writer.numbers(NUMBER_FACTS[name], 8).big(Math.round(value));
    } else if (name in TEXT_FACTS) {
      writer.text(TEXT_FACTS[name], value).pad();
    }
  }
  return writer.take();
}

/**
 * Adds facts to a .wperf file, which it changes. Returns the parts of the new one: a file may be too large to copy
 * it once more. Of facts with the same key, the last one counts.
 */
export function withFacts(file, facts) {
  const view = viewOf(file);
  const more = encodeFacts(facts);
  for (let offset = HEAD_SIZE; offset < file.length; ) {
    const size = Number(view.getBigUint64(offset + 8, true));
    const end = offset + SECTION_HEAD_SIZE + size;
    if (view.getUint32(offset, true) === SECTIONS.facts) {
      view.setBigUint64(offset + 8, BigInt(size + more.length), true);
      return [file.subarray(0, end), more, file.subarray(end)];
    }
    offset = aligned(end);
  }
  throw new TypeError('a profile without facts');
}

/** Encodes a section, which may be appended to a file. */
export const encodeSection = (id, payload) =>
  new Writer().numbers(id, 0).big(payload.length).bytes(payload).pad().take();

/** Returns a .wperf file without calls. */
export function encodeEmpty(facts) {
  const writer = new Writer().bytes(Uint8Array.from(MAGIC)).numbers(VERSION, HEAD_SIZE);
  const payload = encodeFacts(facts);
  writer.numbers(SECTIONS.facts, 0).big(payload.length).bytes(payload);
  return writer.numbers(SECTIONS.nodes, 0).big(8).numbers(FUNCTION_ROOT, 0).take();
}

// ---- The linked runtime's memory ----

/** The facts in its header. */
function readHeader(view) {
  const facts = {};
  for (const [name, [at, width]] of Object.entries(HEADER_FACTS)) {
    facts[name] = width === 4 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true));
  }
  return facts;
}

/** The names of the functions in nodes, in increasing order of the functions. */
function encodeNames(nodes, size, nameOf) {
  const view = viewOf(nodes);
  const functions = new Set();
  for (let at = 0; at < nodes.length; at += size) functions.add(view.getUint32(at, true));
  const writer = new Writer();
  for (const index of [...functions].filter((one) => one < FUNCTION_TRUNCATED).sort((a, b) => a - b)) {
    const name = nameOf(index);
    if (name !== undefined) writer.text(index, name);
  }
  return writer.take();
}

/**
 * Returns the profile in the linked runtime's memory as a .wperf file with names and more facts.
 *
 * @param {Uint8Array} bytes of the memory
 * @param {object} more facts
 * @param {(facts: object) => string} unitOf the unit of self values
 * @param {(index: number) => string | undefined} nameOf
 */
export function encodeMemory(bytes, more, unitOf, nameOf) {
  const view = viewOf(bytes);
  const [start, size, count] = [HEADER.headerSize, HEADER.nodeSize, HEADER.nodeCount].map((at) => view.getUint32(at, true));
  const nodes = bytes.subarray(start, start + count * size);
  const facts = { ...readHeader(view), ...more };
  return concatenate([
    new Writer().bytes(Uint8Array.from(MAGIC)).numbers(VERSION, HEAD_SIZE).take(),
    encodeSection(SECTIONS.facts, encodeFacts(facts)),
    encodeSection(SECTIONS.values, encodeValues(unitOf(facts))),
    encodeSection(SECTIONS.nodes, nodes),
    encodeSection(SECTIONS.names, encodeNames(nodes, size, nameOf)),
  ]);
}

function encodeValues(unit) {
  const writer = new Writer();
  for (const [name, itsUnit] of [['calls', 'calls'], ['self', unit]]) {
    writer.numbers(name.length, itsUnit.length).bytes(encodeText(name + itsUnit)).pad();
  }
  return writer.take();
}
