// Reads .wperf files like wasm-perf report, without demangled names, lines and memory, which only that has.
import { DataBuilder } from './builder.mjs';
import { textDecoder } from './read_binary.mjs';

const MAGIC = [0x89, 0x77, 0x70, 0x65, 0x72, 0x66, 0x0d, 0x0a];
/** Numbers from wasm_perf/format.h. */
const SECTION = { facts: 1, values: 2, nodes: 3, names: 4, places: 5, uncounted: 10, kinds: 11, samples: 14 };
const FACT = { ticksPerSecond: 2, hostFunctions: 8, innerHookCost: 13, outerHookCost: 14, addedImports: 38 };
const KIND = { wasm: 0, import: 1, idle: 5 };
/** Name kind (model/color.h) for each function kind; for WebAssembly functions it depends on the name. */
const KIND_COLORS = [undefined, 2, 3, 2, 4, 5, 5, 5];
const TRUNCATED = 0xfffffffe;

const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export const isWperf = (bytes) => MAGIC.every((byte, i) => bytes[i] === byte);

const number64 = (view, offset) => view.getUint32(offset, true) + view.getUint32(offset + 4, true) * 2 ** 32;

function readSections(bytes) {
  const view = viewOf(bytes);
  if (view.getUint32(8, true) !== 2) throw new Error('wasm-perf merge brings this older .wperf file up to date');
  const sections = new Map();
  for (let offset = view.getUint32(12, true); offset + 16 <= bytes.length;) {
    const size = number64(view, offset + 8);
    if (offset + 16 + size > bytes.length) throw new Error('the file is cut short');
    sections.set(view.getUint32(offset, true), bytes.subarray(offset + 16, offset + 16 + size));
    offset += 16 + Math.ceil(size / 8) * 8;
  }
  return (name) => sections.get(SECTION[name]) ?? new Uint8Array(0);
}

function readFacts(bytes) {
  const view = viewOf(bytes);
  const facts = new Map();
  for (let offset = 0; offset < bytes.length;) {
    const size = view.getUint32(offset + 4, true);
    if (size === 8) facts.set(view.getUint32(offset, true), number64(view, offset + 8));
    offset += 8 + Math.ceil(size / 8) * 8;
  }
  return facts;
}

/** Reads a node's values: [{name, unit}]. */
function readValues(bytes) {
  const view = viewOf(bytes);
  const values = [];
  for (let offset = 0; offset < bytes.length;) {
    const [name, unit] = [view.getUint32(offset, true), view.getUint32(offset + 4, true)];
    const text = textDecoder.decode(bytes.subarray(offset + 8, offset + 8 + name + unit));
    values.push({ name: text.slice(0, name), unit: text.slice(name) });
    offset += 8 + Math.ceil((name + unit) / 8) * 8;
  }
  return values;
}

/** Reads a map from functions to names, or to places if `hasLine`. */
function readTexts(bytes, hasLine) {
  const view = viewOf(bytes);
  const texts = new Map();
  for (let offset = 0; offset < bytes.length;) {
    const start = offset + (hasLine ? 12 : 8);
    const end = start + view.getUint32(start - 4, true);
    const text = textDecoder.decode(bytes.subarray(start, end));
    texts.set(view.getUint32(offset, true), hasLine ? [text, view.getUint32(offset + 4, true)] : text);
    offset = end;
  }
  return texts;
}

/** Reads pairs of numbers as a map. */
function readPairs(bytes) {
  const view = viewOf(bytes);
  const pairs = new Map();
  for (let offset = 0; offset + 8 <= bytes.length; offset += 8) pairs.set(view.getUint32(offset, true), view.getUint32(offset + 4, true));
  return pairs;
}

/** Reads threads in the form of data.mjs; `placeOf(node)` is 0 for hidden nodes. */
function readThreads(bytes, placeOf) {
  const view = viewOf(bytes);
  const threads = [];
  for (let offset = 0; offset + 32 <= bytes.length; offset = Math.ceil(offset / 8) * 8) {
    const [start, dropped] = [number64(view, offset), number64(view, offset + 8)];
    const [nameSize, size] = [view.getUint32(offset + 24, true), view.getUint32(offset + 28, true)];
    const end = offset + 32 + nameSize + size;
    if (end > bytes.length) throw new Error('the file is cut short');
    const name = textDecoder.decode(bytes.subarray(offset + 32, offset + 32 + nameSize));
    const leb = () => {
      for (let value = 0, factor = 1; ; factor *= 0x80) {
        const byte = bytes[offset++];
        value += (byte & 0x7f) * factor;
        if (!(byte >= 0x80)) return value;
      }
    };
    const [edges, nodes] = [[start], []];
    for (offset += 32 + nameSize; offset < end;) {
      edges.push(edges.at(-1) + leb());
      nodes.push(placeOf(leb()));
    }
    threads.push({ name, dropped, edges, nodes });
  }
  const first = threads.reduce((least, { edges }) => Math.min(least, edges[0]), Infinity);
  return threads.map(({ edges, nodes, ...thread }) =>
    ({ ...thread, edges: Float64Array.from(edges, (edge) => edge - first), nodes: Int32Array.from(nodes) }));
}

/** Describes the columns of nodes: [{key, name, unit, at, scale}]; ticks become nanoseconds. */
function valuesOf(columns, facts) {
  const ticks = facts.get(FACT.ticksPerSecond) ?? 0;
  return ['self', 'calls'].flatMap((key) => {
    const at = columns.findIndex(({ name }) => name === key);
    if (at < 0) return [];
    const isTicks = columns[at].unit === 'ticks' && ticks > 0;
    const unit = isTicks ? 'nanoseconds' : columns[at].unit;
    return [{ key, at, unit, name: unit === 'nanoseconds' ? 'time' : unit, scale: isTicks ? 1e9 / ticks : 1 }];
  });
}

/** Maps function numbers to kinds, and to labels in the builder. */
class Functions {
  constructor(section, facts, builder) {
    this.builder = builder;
    this.names = readTexts(section('names'), false);
    this.places = readTexts(section('places'), true);
    this.kinds = readPairs(section('kinds'));
    this.hostCount = facts.get(FACT.hostFunctions) ?? 0;
    this.added = facts.get(FACT.addedImports) ?? 0;
    this.labels = new Map();
  }

  label(index) {
    if (!this.labels.has(index)) {
      const name = this.names.get(index) ?? (index === TRUNCATED ? '[truncated]' : `func[${index - this.added}]`);
      this.labels.set(index, this.builder.label(name, ...(this.places.get(index) ?? [])));
    }
    return this.labels.get(index);
  }

  kind(index) {
    return this.kinds.get(index) ?? (index < this.hostCount ? KIND.import : KIND.wasm);
  }

  /** Whether reports hide the function: idle, waiting, and the profiler itself. */
  isHidden(index) {
    return this.kinds.size > 0 && this.kind(index) >= KIND.idle;
  }

  /** Replaces kinds that were guessed from names. */
  correctKinds(kinds) {
    for (const [index, label] of this.labels) kinds[label] = KIND_COLORS[this.kind(index)] ?? kinds[label];
  }
}

/** Adds the nodes to the builder. Returns the builder's node of each; 0: hidden. */
function addNodes(bytes, columnCount, values, functions, builder) {
  const view = viewOf(bytes);
  const size = 8 + 8 * columnCount;
  const count = Math.floor(bytes.length / size);
  const [below, shown] = [new Int32Array(count), new Int32Array(count)]; // parent for its callees, and its own node
  for (let i = 1; i < count; i++) {
    const [index, parent] = [view.getUint32(i * size, true), view.getUint32(i * size + 4, true)];
    if (parent >= i) throw new Error('its nodes are in no order');
    below[i] = below[parent];
    if (functions.isHidden(index)) continue;
    below[i] = shown[i] = builder.child(below[parent], functions.label(index));
    values.forEach(({ at, scale }, value) => builder.add(shown[i], scale * number64(view, i * size + 8 + 8 * at), value));
  }
  return shown;
}

export function readWperf(bytes, title) {
  const section = readSections(bytes);
  const facts = readFacts(section('facts'));
  if ((facts.get(FACT.innerHookCost) ?? 0) + (facts.get(FACT.outerHookCost) ?? 0) > 0)
    throw new Error('its times include hooks, which only wasm-perf report takes out');
  const columns = readValues(section('values'));
  const values = valuesOf(columns, facts);
  const builder = new DataBuilder(title, values.map(({ key, name, unit }) => ({ key, name, unit })));
  const functions = new Functions(section, facts, builder);
  const shown = addNodes(section('nodes'), columns.length, values, functions, builder);
  const data = builder.finish();
  functions.correctKinds(data.head.kinds);
  const uncounted = viewOf(section('uncounted'));
  for (let i = 0; i + 4 <= uncounted.byteLength; i += 4) {
    const label = functions.labels.get(uncounted.getUint32(i, true));
    if (label !== undefined) data.head.uncounted.push(label);
  }
  if (values[0].unit === 'nanoseconds') data.threads = readThreads(section('samples'), (node) => shown[node] ?? 0);
  return data;
}
