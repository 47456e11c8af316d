/** The few encodings of the binary format from which helper modules are put together. */

/** An unsigned LEB128. */
export function leb(value) {
  const bytes = [];
  for (; value > 0x7f; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value];
}

/** A vector of items, each an array of bytes or one byte. */
export const vec = (items) => [...leb(items.length), ...items.flat()];

export const name = (text) => vec([...Buffer.from(text)]);

export function section(id, items) {
  const payload = vec(items);
  return [id, ...leb(payload.length), ...payload];
}
