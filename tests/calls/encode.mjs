/** Makes WebAssembly of abstract programs, see program.mjs. */
import { leb, name, section, vec } from '../spec/bytes.mjs';
import { SHARED_TABLE, TABLE_SIZE } from './program.mjs';

const I32 = 0x7f;
const FUNCREF = 0x70;
const EXNREF = 0x69;
const EMPTY = 0x40;
const TYPE = { F: 0, V: 1, G: 2, H: 3, tag0: 4, tag1: 5, kept: 6, field: 7, array: 8 };
const KIND = { function: 0, table: 1, global: 3, tag: 4 };
const CATCH = { one: 0, oneWithReference: 1, all: 2, allWithReference: 3 };
const SECTION = { type: 1, import: 2, function: 3, table: 4, global: 6, export: 7, start: 8, element: 9, code: 10, tag: 13 };
const PREAMBLE = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const FUNCTION_TYPES = [
  [[I32], [I32]],
  [[], []],
  [[], [FUNCREF]],
  [[FUNCREF], [FUNCREF]],
  [[I32], []],
  [[FUNCREF], []],
].map(([parameters, results]) => [0x60, ...vec(parameters), ...vec(results)]);
const FIELD = [FUNCREF, 1];
const GC_TYPES = [[0x5f, ...vec([FIELD])], [0x5e, ...FIELD]];
const keptType = (isLegacy) => [0x60, ...vec([]), ...vec(isLegacy ? [] : [I32, EXNREF])];

const FUEL = 0; // the index of a global
const NUMBER = 0; // of a local, as those that follow
const FIRST_COUNTER = 1;
const COUNTERS = 3; // as deep as loops and handlers stand in each other
const FIRST_EXCEPTION = FIRST_COUNTER + COUNTERS;

const constant = (value) => {
  const bytes = [];
  for (let left = value; ; left >>= 7) {
    const isLast = left >= -64 && left < 64;
    bytes.push((left & 0x7f) | (isLast ? 0 : 0x80));
    if (isLast) return [0x41, ...bytes];
  }
};
const getNumber = [0x20, NUMBER];
const setNumber = [0x21, NUMBER];
const functionOrNull = (index) => (index === null ? [0xd0, FUNCREF] : [0xd2, ...leb(index)]);
const bitOfNumber = (bit) => [...getNumber, ...constant(1 << bit), 0x71];
const block = (type, ...parts) => [0x02, type, ...parts.flat(), 0x0b];
const branch = (depth) => [0x0c, ...leb(depth)];

/** The code of one function's statements. `depth` counts the labels around a statement. */
class Body {
  constructor(module, made) {
    this.module = module;
    this.made = made;
    this.referenced = new Set(); // functions that ref.func names
  }

  whole() {
    const fuel = [0x23, FUEL, 0x45, 0x04, EMPTY, ...this.#spare(), 0x0f, 0x0b, 0x23, FUEL, ...constant(1), 0x6b, 0x24, FUEL];
    const start = this.made.usesFuel ? fuel : [];
    return [...start, ...this.#statements(this.made.body, 0), ...this.#result()];
  }

  #result() {
    return { F: getNumber, V: [], G: this.made.result && this.#reference(this.made.result) }[this.made.type];
  }

  #spare() {
    return { F: getNumber, V: [], G: [0xd0, FUNCREF] }[this.made.type];
  }

  #statements(statements, depth) {
    return statements.flatMap((statement) => this[statement.op](statement, depth));
  }

  #reference(reference) {
    const { kind, function: index } = reference;
    if (index !== undefined) this.referenced.add(index);
    return {
      null: () => [0xd0, FUNCREF],
      function: () => functionOrNull(index),
      global: () => [0x23, reference.global + 1],
      table: () => [...constant(reference.index), 0x25, 0],
      given: () => [0x10, ...leb(reference.callee)],
      field: () => [...functionOrNull(index), 0xfb, 0, TYPE.field, 0xfb, 2, TYPE.field, 0],
      element: () => [...constant(0), ...constant(this.module.segment.length), 0xfb, 10, TYPE.array, 1,
        ...constant(reference.index), 0xfb, 11, TYPE.array],
    }[kind]();
  }

  // ---- Statements ----

  number({ by }) {
    return [...getNumber, ...constant(31), 0x6c, ...constant(by), 0x6a, ...setNumber];
  }

  call({ callee }) {
    return this.#around(this.module.types[callee], [0x10, ...leb(callee)]);
  }

  #around(type, code) {
    return { F: [...getNumber, ...code, ...setNumber], V: code, G: [...code, 0x1a] }[type];
  }

  #target(call) {
    const { op, type } = call;
    if (op === 'call') return [];
    if (op === 'indirect') return call.isDynamic ? [...getNumber, ...constant(3), 0x71] : constant(call.index);
    return [...this.#reference(call.reference), 0xfb, 0x16, TYPE[type]];
  }

  #callee(call, opcodes) {
    const { op, type } = call;
    if (op === 'call') return [opcodes.call, ...leb(call.callee)];
    return op === 'indirect' ? [opcodes.indirect, TYPE[type], 0] : [opcodes.byReference, TYPE[type]];
  }

  indirect(call) {
    return this.#around(call.type, [...this.#target(call), ...this.#callee(call, { indirect: 0x11 })]);
  }

  byReference(call) {
    return this.#around(call.type, [...this.#target(call), ...this.#callee(call, { byReference: 0x14 })]);
  }

  tail({ how }) {
    const number = this.made.type === 'F' ? getNumber : [];
    return [...number, ...this.#target(how), ...this.#callee(how, { call: 0x12, indirect: 0x13, byReference: 0x15 })];
  }

  #keep(global) {
    return global < 0 ? [0x1a] : [0x24, global + 1];
  }

  give({ callee, reference, to }) {
    return [...this.#reference(reference), 0x10, ...leb(callee), ...this.#keep(to)];
  }

  tableSet({ index, reference }) {
    return [...constant(index), ...this.#reference(reference), 0x26, 0];
  }

  globalSet({ global, reference }) {
    return [...this.#reference(reference), ...this.#keep(global)];
  }

  throw({ tag, reference }) {
    return [...(tag === 0 ? getNumber : this.#reference(reference)), 0x08, tag];
  }

  trap({ how }) {
    return how === 'unreachable' ? [0x00] : [...constant(1), ...constant(0), 0x6e, 0x1a];
  }

  return() {
    return [...this.#result(), 0x0f];
  }

  leave(_, depth) {
    return [...this.#result(), ...branch(depth)];
  }

  leaveIf({ bit }, depth) {
    const drops = this.made.type === 'V' ? [] : [0x1a];
    return [...this.#result(), ...bitOfNumber(bit), 0x0d, ...leb(depth), ...drops];
  }

  if({ bit = 0, then, else: otherwise }, depth) {
    const rest = otherwise.length > 0 ? [0x05, ...this.#statements(otherwise, depth + 1)] : [];
    return [...bitOfNumber(bit), 0x04, EMPTY, ...this.#statements(then, depth + 1), ...rest, 0x0b];
  }

  loop({ count, body, depth: level }, depth) {
    const counter = FIRST_COUNTER + level;
    const again = [0x20, counter, ...constant(1), 0x6b, 0x22, counter, 0x0d, 0];
    return [...constant(count), 0x21, counter, 0x03, EMPTY, ...this.#statements(body, depth + 1), ...again, 0x0b];
  }

  try(made, depth) {
    if (made.toFunction) return [0x1f, EMPTY, ...vec([[CATCH.one, 0, ...leb(depth)]]), ...this.#statements(made.body, depth + 1), 0x0b];
    return this.module.isLegacy ? this.#legacyTry(made, depth) : this.#tryTable(made, depth);
  }

  /** What a handler does with what it has caught. */
  #landed({ kind, keeps }) {
    return { 0: setNumber, 1: this.#keep(keeps), all: [] }[kind];
  }

  #legacyTry({ body, catches, delegates }, depth) {
    const start = [0x06, EMPTY, ...this.#statements(body, depth + 1)];
    if (delegates) return [...start, 0x18, ...leb(depth)];
    const handlers = catches.flatMap((handler) => {
      const opcode = handler.kind === 'all' ? [0x19] : [0x07, handler.kind];
      const again = handler.again ? [0x09, 0] : [];
      return [...opcode, ...this.#landed(handler), ...this.#statements(handler.body, depth + 1), ...again];
    });
    return [...start, ...handlers, 0x0b];
  }

  /** A block for each handler, the first innermost, and one that all leave to. */
  #tryTable({ body, catches, depth: level }, depth) {
    const exception = FIRST_EXCEPTION + level;
    const withReference = catches.some(({ again }) => again);
    const clauses = catches.map(({ kind }, i) => {
      if (kind === 'all') return [withReference ? CATCH.allWithReference : CATCH.all, i];
      return [withReference && kind === 0 ? CATCH.oneWithReference : CATCH.one, kind, i];
    });
    const count = catches.length;
    let code = [0x1f, EMPTY, ...vec(clauses), ...this.#statements(body, depth + count + 2), 0x0b, ...branch(count)];
    catches.forEach((handler, i) => {
      const keepsException = withReference && handler.kind !== 1;
      const types = { 0: withReference ? TYPE.kept : I32, 1: FUNCREF, all: withReference ? EXNREF : EMPTY };
      const landing = [...(keepsException ? [0x21, exception] : []), ...this.#landed(handler)];
      const again = keepsException ? [0x20, exception, 0x0a] : [];
      const inner = depth + count - i;
      code = [...block(types[handler.kind], code), ...landing, ...this.#statements(handler.body, inner), ...again, ...branch(count - 1 - i)];
    });
    return block(EMPTY, code);
  }
}

function localsOf(type, isLegacy) {
  const numbers = (type === 'F' ? 0 : 1) + COUNTERS;
  return vec([[...leb(numbers), I32], ...(isLegacy ? [] : [[...leb(COUNTERS), EXNREF]])]);
}

function importsOf({ imports, table }) {
  const functions = imports.map(({ from, name: field, type }) => [
    ...name(from === 'host' ? from : `m${from}`), ...name(field), KIND.function, TYPE[type],
  ]);
  const env = [
    [...name('env'), ...name('fuel'), KIND.global, I32, 1],
    [...name('env'), ...name('t0'), KIND.tag, 0, TYPE.tag0],
    [...name('env'), ...name('t1'), KIND.tag, 0, TYPE.tag1],
  ];
  if (table.kind === SHARED_TABLE) env.push([...name('env'), ...name('table'), KIND.table, FUNCREF, 0, TABLE_SIZE]);
  return [...functions, ...env];
}

/**
 * A last function that calls itself until the stack is full, and a last global with the number of its calls. The oracle
 * knows neither.
 */
function exhaust({ imports, functions, globals }) {
  const [self, counter] = [imports.length + functions.length, 1 + globals.length].map(leb);
  const count = [0x23, ...counter, ...constant(1), 0x6a, 0x24, ...counter];
  const body = [0, ...count, ...getNumber, 0x10, ...self, ...constant(1), 0x6a, 0x0b];
  return {
    code: [...leb(body.length), ...body],
    global: [I32, 1, ...constant(0), 0x0b],
    exports: [[...name('exhaust'), KIND.function, ...self], [...name('exhausted'), KIND.global, ...counter]],
  };
}

function exportsOf({ exports, table, globals }) {
  const functions = exports.map((index) => [...name(`f${index}`), KIND.function, ...leb(index)]);
  const variables = globals.map(({ kind }, i) => (kind === 'exported' ? [...name(`g${i}`), KIND.global, i + 1] : []));
  const tables = table.kind === 'exported' ? [[...name('table'), KIND.table, 0]] : [];
  return [...functions, ...variables.filter((item) => item.length > 0), ...tables];
}

const expressions = (functions) => [FUNCREF, ...vec(functions.map((index) => [...functionOrNull(index), 0x0b]))];

function elementsOf({ table, segment }, referenced) {
  const withNull = table.hasExpressions || table.elements.includes(null);
  const start = [...constant(table.at), 0x0b];
  const active = withNull ? [6, 0, ...start, ...expressions(table.elements)] : [0, ...start, ...vec(table.elements.map((i) => leb(i)))];
  const declared = [...referenced].sort((a, b) => a - b);
  return [active, [5, ...expressions(segment)], [3, 0, ...vec(declared.map((i) => leb(i)))]];
}

/** The bytes of one of a program's modules. */
export function encodeModule(module) {
  const bodies = module.functions.map((made) => new Body(module, made));
  const code = bodies.map((body) => {
    const whole = [...localsOf(body.made.type, module.isLegacy), ...body.whole(), 0x0b];
    return [...leb(whole.length), ...whole];
  });
  const { code: lastCode, global: lastGlobal, exports: lastExports } = exhaust(module);
  const globals = module.globals.map(({ kind, init }) => [FUNCREF, kind === 'constant' ? 0 : 1, ...functionOrNull(init), 0x0b]);
  const referenced = new Set(bodies.flatMap(({ referenced }) => [...referenced]));
  const types = [...FUNCTION_TYPES, keptType(module.isLegacy), ...(module.hasGc ? GC_TYPES : [])];
  return Uint8Array.from([
    ...PREAMBLE,
    ...section(SECTION.type, types),
    ...section(SECTION.import, importsOf(module)),
    ...section(SECTION.function, [...module.functions.map(({ type }) => TYPE[type]), TYPE.F]),
    ...(module.table.kind === SHARED_TABLE ? [] : section(SECTION.table, [[FUNCREF, 0, TABLE_SIZE]])),
    ...section(SECTION.global, [...globals, lastGlobal]),
    ...section(SECTION.export, [...exportsOf(module), ...lastExports]),
    ...(module.start === null ? [] : [SECTION.start, ...vec(leb(module.start))]),
    ...section(SECTION.element, elementsOf(module, referenced)),
    ...section(SECTION.code, [...code, lastCode]),
  ]);
}

/** What all modules share. */
export const ENVIRONMENT = Uint8Array.from([
  ...PREAMBLE,
  ...section(SECTION.type, FUNCTION_TYPES),
  ...section(SECTION.table, [[FUNCREF, 0, TABLE_SIZE]]),
  ...section(SECTION.tag, [[0, TYPE.tag0], [0, TYPE.tag1]]),
  ...section(SECTION.global, [[I32, 1, ...constant(0), 0x0b]]),
  ...section(SECTION.export, [
    [...name('fuel'), KIND.global, 0],
    [...name('t0'), KIND.tag, 0],
    [...name('t1'), KIND.tag, 1],
    [...name('table'), KIND.table, 0],
  ]),
]);
