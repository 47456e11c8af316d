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
 * Encodes a profile of functions in pprof's format, uncompressed: each is the whole stack of a sample. Its value, or
 * values, are of these types, [name, unit]; `packed` as encoders write several of them.
 */
export function pprof(samples, packed, types = [['space', 'bytes']]) {
  const names = Object.keys(samples);
  const strings = ['', ...types.flat(), ...names];
  const first = strings.length - names.length;
  const valuesOf = (name) => [samples[name]].flat();
  return Uint8Array.from([
    ...types.map((_, i) => message(1, number(1, 2 * i + 1), number(2, 2 * i + 2))),
    ...names.map((name, i) => message(2, number(1, i + 1), packed ? message(2, ...valuesOf(name).map(varint)) : valuesOf(name).flatMap((value) => number(2, value)))),
    ...names.map((_, i) => message(4, number(1, i + 1), message(4, number(1, i + 1)))),
    ...names.map((_, i) => message(5, number(1, i + 1), number(2, first + i))),
    ...strings.map((string) => text(6, string)),
  ].flat());
}
