/** Writes facts to .wperf files. See include/wasm_perf/format.h. */

import { encodeText } from './clean.mjs';
import { FUNCTION_ROOT, HEAD_SIZE, MAGIC, NUMBER_FACTS, SECTIONS, TEXT_FACTS, VERSION } from './format.mjs';
import { aligned, concatenate, SECTION_HEAD_SIZE, viewOf } from './sections.mjs';

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

  pad() {
    return this.bytes(new Uint8Array(aligned(this.size) - this.size));
  }

  take() {
    return concatenate(this.#parts);
  }
}

export function encodeFacts(facts) {
  const writer = new Writer();
  for (const [name, value] of Object.entries(facts)) {
    if (value === undefined || value === 0) continue;
    if (name in NUMBER_FACTS) {
      writer.numbers(NUMBER_FACTS[name], 8).big(Math.round(value));
    } else if (name in TEXT_FACTS) {
      const text = encodeText(value);
      writer.numbers(TEXT_FACTS[name], text.length).bytes(text).pad();
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
