/**
 * Makes what a module imports besides functions. JavaScript cannot construct every tag, table and
 * global, so a module is built that has the importer's types and defines and exports all of them.
 */
import { leb, name, section, vec } from '../spec/bytes.mjs';

const KINDS = { function: 0, table: 1, memory: 2, global: 3, tag: 4 };
const SECTIONS = { type: 1, import: 2, table: 4, memory: 5, global: 6, export: 7, tag: 13 };
const ZERO = {
  0x7f: [0x41, 0],
  0x7e: [0x42, 0],
  0x7d: [0x43, 0, 0, 0, 0],
  0x7c: [0x44, 0, 0, 0, 0, 0, 0, 0, 0],
  0x7b: [0xfd, 0x0c, ...Array(16).fill(0)],
};
const NULLABLE = 0x63;
const NOT_NULLABLE = 0x64;

export class Reader {
  offset = 0;

  constructor(bytes) {
    this.bytes = bytes;
  }

  byte() {
    return this.bytes[this.offset++];
  }

  u32() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  skip(count) {
    this.offset += count;
  }

  /** The bytes that `read` goes over. */
  span(read) {
    const start = this.offset;
    read();
    return [...this.bytes.subarray(start, this.offset)];
  }

  valueType() {
    const form = this.byte();
    if (form === NULLABLE || form === NOT_NULLABLE) this.u32();
  }

  limits() {
    const flags = this.byte();
    this.u32();
    if (flags & 1) this.u32();
  }
}

const read = {
  [KINDS.function]: (reader) => reader.u32(),
  [KINDS.table]: (reader) => (reader.valueType(), reader.limits()),
  [KINDS.memory]: (reader) => reader.limits(),
  [KINDS.global]: (reader) => (reader.valueType(), reader.byte()),
  [KINDS.tag]: (reader) => (reader.byte(), reader.u32()),
};

/** {types: section content, imports: [{kind, type}], as bytes} */
function readModule(bytes) {
  const reader = new Reader(bytes);
  const result = { types: [0], imports: [] };
  for (reader.skip(8); reader.offset < bytes.length;) {
    const id = reader.byte();
    const size = reader.u32();
    if (id === SECTIONS.type) result.types = reader.span(() => reader.skip(size));
    else if (id === SECTIONS.import) result.imports = readImports(reader);
    else reader.skip(size);
  }
  return result;
}

function readImports(reader) {
  return Array.from({ length: reader.u32() }, () => {
    reader.skip(reader.u32());
    reader.skip(reader.u32());
    const kind = reader.byte();
    return { kind, type: reader.span(() => read[kind](reader)) };
  });
}

/** A constant expression for a global's type, of which the last byte is the mutability. */
function initializer(type) {
  const [form, ...rest] = type.slice(0, -1);
  if (form === NOT_NULLABLE) throw new TypeError('no value of a type that is not nullable');
  const heapType = form === NULLABLE ? rest : [form];
  return [...(ZERO[form] ?? [0xd0, ...heapType]), 0x0b];
}

/** The exports "0", "1", … for the imports of a module; functions are left out. */
export function provide(bytes) {
  const { types, imports } = readModule(bytes);
  const of = (kind) => imports.filter((entry) => entry.kind === kind);
  const globals = of(KINDS.global).map(({ type }) => [...type, ...initializer(type)]);
  const counts = new Map();
  const exports = imports.map(({ kind }, i) => {
    const index = counts.get(kind) ?? 0;
    counts.set(kind, index + 1);
    return [...name(String(i)), kind, ...leb(index)];
  });
  const module = new WebAssembly.Module(
    Uint8Array.from([
      ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      ...[SECTIONS.type, ...vec(types)],
      ...section(
        SECTIONS.table,
        of(KINDS.table).map(({ type }) => type),
      ),
      ...section(
        SECTIONS.memory,
        of(KINDS.memory).map(({ type }) => type),
      ),
      ...section(
        SECTIONS.tag,
        of(KINDS.tag).map(({ type }) => type),
      ),
      ...section(SECTIONS.global, globals),
      ...section(
        SECTIONS.export,
        exports.filter((_, i) => imports[i].kind !== KINDS.function),
      ),
    ]),
  );
  return new WebAssembly.Instance(module).exports;
}
