/**
 * What random modules import, in JavaScript: functions that return, throw, or call back into the
 * module and swallow what that throws, as hosts do. All choices come from one random sequence.
 */
import { engineStack } from '../spec/hooks.mjs';
import { hostReference } from '../spec/values.mjs';
import { Reader, provide } from './provider.mjs';

const OP_CALL = 0x10;
const NUMBERS = [0, 1, -1, 2, 7, 31, 100, 255, 65535, 65536, 0x7fffffff, -0x80000000];
const I31 = new Set(['anyref', 'eqref', 'i31ref', '(ref any)', '(ref eq)', '(ref i31)']);
const FLOATS = [NaN, Infinity, -Infinity, -0, 0.5, 1e10];

/** A value for a type as the type reflection names it; throws where JavaScript has none. */
export function valueOf(type, random) {
  const number = random.chance(70) ? random.pick(NUMBERS) : random.u32();
  if (type === 'i32') return number;
  if (type === 'i64') return BigInt(number) * BigInt(random.pick([1, 3, 0x12345678]));
  if (type === 'f32' || type === 'f64') return random.chance(20) ? random.pick(FLOATS) : number / 3;
  if (I31.has(type)) return number & 0xffff;
  if (type === 'externref' || type === '(ref extern)') return hostReference(number);
  if (type === 'v128' || type.includes('exn')) throw new TypeError(`no value of type ${type}`);
  if (/^\(ref (?!null )/.test(type)) throw new TypeError(`no value of type ${type}`);
  return null;
}

function results(type, random) {
  const values = type.results.map((result) => valueOf(result, random));
  return values.length > 1 ? values : values[0];
}

/**
 * Whether the guest called the host by an ordinary call of an import: perf_unwind comes after it.
 * None comes after a tail call and where the import was reached through a table or a reference.
 */
function calledDirectly(guest) {
  const [, , offset] = engineStack().find(Boolean) ?? [];
  if (!offset || guest.bytes[offset] !== OP_CALL) return false;
  const reader = new Reader(guest.bytes);
  reader.skip(offset + 1);
  return reader.u32() < guest.importCount;
}

/** Calls back one of the module's functions that need no arguments. */
function callBack(guest, random) {
  if (guest.callable.length === 0) return;
  const mark = guest.shadow.mark();
  try {
    random.pick(guest.callable)();
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) guest.shadow.noteTrap(mark);
    // The caller's perf_unwind has to notice; without one it is the host's duty. The embedded form
    // leaves it to the host where functions without hooks go on, or where the host was tail-called
    // and so returns to itself.
    if (!calledDirectly(guest) || (guest.isEmbedded && guest.shadow.isPartial)) guest.shadow.unwind(mark);
  }
}

function importedFunction(type, guest, random) {
  return () => {
    const choice = random.below(100);
    if (choice < 10) throw new Error('thrown by the host');
    if (choice < 25 && guest.tag) throw new WebAssembly.Exception(guest.tag, guest.payload);
    if (choice < 50) callBack(guest, random);
    return results(type, random);
  };
}

/** Remembers a tag with a payload, if JavaScript can make one. */
function learnTag(tag, guest, random) {
  try {
    guest.payload = tag.type().parameters.map((parameter) => valueOf(parameter, random));
    guest.tag = tag;
  } catch {
    // Then the host never throws it.
  }
}

/** What a host knows of the module that it serves. */
export class Guest {
  callable = []; // exported functions without parameters, once there is an instance
  tag = null; // an imported tag that the host can throw, with its payload
  payload = null;

  constructor(module, bytes, shadow) {
    this.bytes = bytes;
    this.imports = WebAssembly.Module.imports(module);
    this.importCount = this.imports.filter(({ kind }) => kind === 'function').length;
    this.shadow = shadow;
    this.isEmbedded = WebAssembly.Module.exports(module).some(({ name }) => name === 'wasm_perf_slot');
  }
}

/**
 * The import object of a module; throws where an import cannot be made. Names may come up twice
 * with different types, so imports are handed out in the order in which an engine asks for them.
 */
export function importsFor(guest, random, hooks) {
  const provided = provide(guest.bytes);
  const make = ({ kind, type }, i) => {
    if (kind === 'tag') learnTag(provided[i], guest, random);
    return kind === 'function' ? importedFunction(type, guest, random) : provided[i];
  };
  const values = guest.imports
    .filter((entry) => entry.module !== 'wasm_perf')
    .map(make)
    .values();
  const others = new Proxy({}, { get: () => values.next().value });
  return new Proxy({}, { get: (_, from) => (from === 'wasm_perf' ? hooks : others) });
}
