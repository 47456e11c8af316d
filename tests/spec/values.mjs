/**
 * Values as the test scripts write them, and as outcomes show them: "i32:0000002a", "v128:…",
 * "null", "func", "host:3", "i31:7", "struct". Two outcomes are compared as text.
 */

const LANES = { i8: 8, i16: 16, i32: 32, i64: 64, f32: 32, f64: 64 };
const BITS = { ...LANES, v128: 128, exnref: 32, nullexnref: 32 };

/** A reference that only the host knows, one object for each number. */
const hostReferences = new Map();
export function hostReference(number) {
  if (!hostReferences.has(number)) hostReferences.set(number, { host: number });
  return hostReferences.get(number);
}

/** The bits of a numeric value of a script. */
export function bitsOf({ type, lane_type, value }) {
  if (type !== 'v128') return BigInt.asUintN(BITS[type], BigInt(value));
  const width = LANES[lane_type];
  return value.reduceRight(
    (bits, lane) => (bits << BigInt(width)) | BigInt.asUintN(width, BigInt(lane)),
    0n,
  );
}

const scratch = new DataView(new ArrayBuffer(8));
const BITS_TO_JS = {
  i32: (bits) => Number(BigInt.asIntN(32, bits)),
  i64: (bits) => BigInt.asIntN(64, bits),
  f32: (bits) => (scratch.setUint32(0, Number(bits)), scratch.getFloat32(0)),
  f64: (bits) => (scratch.setBigUint64(0, bits), scratch.getFloat64(0)),
};
const JS_TO_BITS = {
  i32: (value) => BigInt.asUintN(32, BigInt(value)),
  i64: (value) => BigInt.asUintN(64, value),
  f32: (value) => (scratch.setFloat32(0, value), BigInt(scratch.getUint32(0))),
  f64: (value) => (scratch.setFloat64(0, value), scratch.getBigUint64(0)),
};

/** A script's value as JavaScript passes it. */
export function toJs(value) {
  if (value.type in BITS_TO_JS) return BITS_TO_JS[value.type](bitsOf(value));
  return value.value === 'null' ? null : hostReference(Number(value.value));
}

export function showBits(type, bits) {
  if (type.endsWith('exnref')) return bits === 1n ? 'null' : 'exception';
  return `${type}:${bits.toString(16).padStart(BITS[type] / 4, '0')}`;
}

/** Shows a value that came through the JavaScript interface. */
export function showJs(type, value) {
  if (value === null) return 'null';
  if (type in JS_TO_BITS) return showBits(type, JS_TO_BITS[type](value));
  if (typeof value === 'function') return 'func';
  if (typeof value === 'object' && 'host' in value) return `host:${value.host}`;
  if (typeof value === 'object') return 'aggregate';
  return `${typeof value}:${value}`;
}

const NAN = {
  f32: { canonical: 0x7fc00000n, sign: 1n << 31n, name: 'f32' },
  f64: { canonical: 0x7ff8000000000000n, sign: 1n << 63n, name: 'f64' },
};

function matchesLane(type, bits, expected) {
  if (!expected.startsWith('nan:')) return bits === BigInt.asUintN(BITS[type], BigInt(expected));
  const { canonical, sign } = NAN[type];
  const magnitude = bits & ~sign;
  return expected === 'nan:canonical'
    ? magnitude === canonical
    : (magnitude & canonical) === canonical;
}

function matchesVector(bits, { lane_type, value }) {
  const width = LANES[lane_type];
  return value.every((lane, i) =>
    matchesLane(lane_type, BigInt.asUintN(width, bits >> BigInt(i * width)), lane),
  );
}

function matchesReference(shown, { type, value }) {
  if (value === 'null' || type.startsWith('null') || type === 'refnull') return shown === 'null';
  if (value !== undefined) return shown === `host:${value}`;
  return type === 'funcref' ? shown === 'func' : shown !== 'null' && shown !== 'func';
}

/** Whether a shown value is what the script expects. */
export function matches(shown, expected) {
  if (expected.type === 'either') return expected.values.some((value) => matches(shown, value));
  if (!(expected.type in LANES) && expected.type !== 'v128')
    return matchesReference(shown, expected);
  const [type, hex] = shown.split(':');
  if (type !== expected.type) return false;
  const bits = BigInt(`0x${hex}`);
  return type === 'v128' ? matchesVector(bits, expected) : matchesLane(type, bits, expected.value);
}

/** Whether the script leaves the bits of a NaN open. */
export const allowsNan = (expected) =>
  expected.some(({ value, values }) =>
    values ? allowsNan(values) : [value].flat().some((v) => v?.startsWith?.('nan:')),
  );
