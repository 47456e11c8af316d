/**
 * Calls that lose no bit. JavaScript cannot pass a v128 and may change the payload of a NaN, so a
 * small module made for the function's type loads the arguments from memory and stores the results.
 * Of an exception reference, which JavaScript cannot hold, it stores whether it is null.
 */
import { leb, name, section, vec } from './bytes.mjs';

const SLOT_SIZE = 16;
const TYPES = {
  i32: { code: 0x7f, load: [0x28], store: [0x36] },
  i64: { code: 0x7e, load: [0x29], store: [0x37] },
  f32: { code: 0x7d, load: [0x2a], store: [0x38] },
  f64: { code: 0x7c, load: [0x2b], store: [0x39] },
  v128: { code: 0x7b, load: [0xfd, 0x00], store: [0xfd, 0x0b] },
  exnref: { code: 0x69 },
  nullexnref: { code: 0x74 },
};
const NO_ALIGNMENT_OR_OFFSET = [0x00, 0x00];

/** i32.const of a slot's address, which needs three bytes at most as signed LEB. */
const address = (index) => {
  const value = index * SLOT_SIZE;
  return [0x41, (value & 0x7f) | 0x80, ((value >> 7) & 0x7f) | 0x80, (value >> 14) & 0x3f];
};

const load = (type, index) => [...address(index), ...TYPES[type].load, ...NO_ALIGNMENT_OR_OFFSET];

function store(type, index, local) {
  const value = [0x20, ...leb(local)];
  if (TYPES[type].store)
    return [...address(index), ...value, ...TYPES[type].store, ...NO_ALIGNMENT_OR_OFFSET];
  const isNull = [...value, 0xd1];
  return [...address(index), ...isNull, ...TYPES.i32.store, ...NO_ALIGNMENT_OR_OFFSET];
}

/** (import "" "f" (func …)) (import "" "m" (memory 1)) (func (export "call") …) */
function compile({ parameters, results }) {
  const codes = (types) => types.map((type) => TYPES[type].code);
  const body = [
    ...vec(results.map((type) => [1, TYPES[type].code])),
    ...parameters.flatMap(load),
    ...[0x10, 0],
    ...results
      .map((_, i) => [0x21, ...leb(i)])
      .reverse()
      .flat(),
    ...results.flatMap((type, i) => store(type, i, i)),
    0x0b,
  ];
  return new WebAssembly.Module(
    Uint8Array.from([
      ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      ...section(1, [
        [0x60, ...vec(codes(parameters)), ...vec(codes(results))],
        [0x60, 0, 0],
      ]),
      ...section(2, [
        [...name(''), ...name('f'), 0, 0],
        [...name(''), ...name('m'), 2, 0, 1],
      ]),
      ...section(3, [[1]]),
      ...section(7, [[...name('call'), 0, 1]]),
      ...section(10, [vec(body)]),
    ]),
  );
}

const compiled = new Map();
const memory = new WebAssembly.Memory({ initial: 1 });
const view = new DataView(memory.buffer);

/** Whether JavaScript might change a value, and a bridge can carry all of them. */
export function needsBridge(type) {
  const all = [...type.parameters, ...type.results];
  return all.every((t) => t in TYPES) && all.some((t) => t !== 'i32' && t !== 'i64');
}

/**
 * A function of no parameters that calls `func` with what stands in the argument slots; null if
 * there is none, because a bridge imports a final type without supertypes and `func` has another.
 */
export function bridgeTo(func, type) {
  const key = `${type.parameters}->${type.results}`;
  if (!compiled.has(key)) compiled.set(key, compile(type));
  try {
    const imports = { '': { f: func, m: memory } };
    return new WebAssembly.Instance(compiled.get(key), imports).exports.call;
  } catch (error) {
    if (error instanceof WebAssembly.LinkError) return null;
    throw error;
  }
}

/** Arguments and results are unsigned BigInts of each value's bits. */
export function callBridge(call, type, args) {
  args.forEach((bits, i) => {
    view.setBigUint64(i * SLOT_SIZE, BigInt.asUintN(64, bits), true);
    view.setBigUint64(i * SLOT_SIZE + 8, bits >> 64n, true);
  });
  call();
  return type.results.map((type, i) => {
    const low = view.getBigUint64(i * SLOT_SIZE, true);
    if (type === 'v128') return low | (view.getBigUint64(i * SLOT_SIZE + 8, true) << 64n);
    return type === 'i64' || type === 'f64' ? low : BigInt.asUintN(32, low);
  });
}
