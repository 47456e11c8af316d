/** Bytes of .wperf files. See include/wasm_perf/format.h. */

export const SECTION_HEAD_SIZE = 16;
export const ALIGNMENT = 8;

export const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
export const aligned = (size) => Math.ceil(size / ALIGNMENT) * ALIGNMENT;

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
