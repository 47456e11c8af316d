// Writes pprof's format: see profile.proto.

function varint(value) {
  const bytes = [];
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    if (rest < 0x80n) return [...bytes, Number(rest)];
    bytes.push(Number(rest & 0x7fn) | 0x80);
  }
}
const number = (field, value) => [field << 3, ...varint(value)];
const message = (field, ...parts) => [(field << 3) | 2, ...varint(parts.flat().length), ...parts.flat()];
const text = (field, value) => message(field, [...new TextEncoder().encode(value)]);

/**
 * Encodes a profile of functions in pprof's format, uncompressed: each is the whole stack of a sample. Values are
 * bytes, `packed` as encoders write several of them.
 */
export function pprof(samples, packed) {
  const names = Object.keys(samples);
  const strings = ['', 'space', 'bytes', ...names];
  return Uint8Array.from([
    message(1, number(1, 1), number(2, 2)),
    ...names.map((name, i) => message(2, number(1, i + 1), packed ? message(2, varint(samples[name])) : number(2, samples[name]))),
    ...names.map((_, i) => message(4, number(1, i + 1), message(4, number(1, i + 1)))),
    ...names.map((_, i) => message(5, number(1, i + 1), number(2, i + 3))),
    ...strings.map((string) => text(6, string)),
  ].flat());
}
