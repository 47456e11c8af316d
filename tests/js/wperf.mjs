/** A reader of .wperf files for tests: written from the format's description, strict throughout. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const MAGIC = Buffer.from('\x89wperf\r\n', 'latin1');
const ROOT = 0xffffffff;
const HEADER_SIZE = 136;
const SECTIONS = { facts: 1, values: 2, nodes: 3, names: 4, places: 5, uncounted: 10, kinds: 11, shared: 12, samples: 14, calls: 19 };

const format = readFileSync(join(import.meta.dirname, '../../include/wasm_perf/format.h'), 'utf8');
const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

/** Each fact's {name, key, type}, as format.h lists them: first those of version 1's header. */
const FACTS = [...format.matchAll(/X\(([a-z_]+), (?:(u32|u64), )?(\d+)\)/g)].map((match) => ({
  name: camel(match[1]),
  type: match[2] ?? (match[3] < 64 ? 'u64' : 'text'),
  key: Number(match[3]),
}));
const HEADER_FACTS = FACTS.filter(({ key }) => key < 32);

/** The name of what a thread waits for on a busy machine: a test that looks at waits leaves it out. */
export const NO_PROCESSOR = '(no processor)';

/** The kinds of functions by their names, as format.h lists them. */
export const KINDS = Object.fromEntries(
  [...format.matchAll(/X\([A-Z]+, "([a-z]+)", (\d), "[A-Za-z ]+"\)/g)].map(([, name, number]) => [name, +number]),
);

const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** u32 numbers as such, u64 as BigInt; texts as strings. */
function readHeader(view) {
  const fields = ['version', 'headerSize', 'nodeSize', 'nodeCount', 'nameCount'];
  const header = {};
  fields.forEach((name, i) => (header[name] = view.getUint32(8 + 4 * i, true)));
  let offset = 28;
  for (const { name, type } of HEADER_FACTS) {
    header[name] = type === 'u32' ? view.getUint32(offset, true) : view.getBigUint64(offset, true);
    offset += type === 'u32' ? 4 : 8;
  }
  assert.equal(offset, HEADER_SIZE);
  return header;
}

/** Nodes without a clock may have no self value. */
function readNodes(view, offset, size, count) {
  return Array.from({ length: count }, (_, i) => {
    const node = {
      function: view.getUint32(offset + i * size, true),
      parent: view.getUint32(offset + i * size + 4, true),
      calls: view.getBigUint64(offset + i * size + 8, true),
      self: size > 16 ? view.getBigUint64(offset + i * size + 16, true) : 0n,
    };
    assert(i === 0 ? node.function === ROOT : node.parent < i);
    return node;
  });
}

/** Names, or places where there is a line before the text's size. */
function readTexts(bytes, hasLine) {
  const view = viewOf(bytes);
  const texts = new Map();
  let last = -1;
  let offset = 0;
  while (offset < bytes.length) {
    const index = view.getUint32(offset, true);
    const line = hasLine ? view.getUint32(offset + 4, true) : 0;
    const start = offset + (hasLine ? 12 : 8);
    const end = start + view.getUint32(start - 4, true);
    assert(index > last, 'functions are in increasing order');
    last = index;
    const text = Buffer.from(bytes.subarray(start, end)).toString();
    texts.set(index, hasLine ? { line, file: text } : text);
    offset = end;
  }
  assert.equal(offset, bytes.length, 'nothing follows the texts');
  return texts;
}

function readVersion1(bytes) {
  const header = readHeader(viewOf(bytes));
  const namesOffset = header.headerSize + header.nodeCount * header.nodeSize;
  const nodes = readNodes(viewOf(bytes), header.headerSize, header.nodeSize, header.nodeCount);
  const names = readTexts(bytes.subarray(namesOffset));
  assert.equal(names.size, header.nameCount);
  return { header, nodes, names, places: new Map(), uncounted: new Set(), kinds: new Map(), shared: new Map(), threads: [] };
}

function readSections(bytes) {
  const sections = {};
  const view = viewOf(bytes);
  assert.equal(view.getUint32(12, true), 16);
  let offset = 16;
  while (offset < bytes.length) {
    const id = view.getUint32(offset, true);
    const size = Number(view.getBigUint64(offset + 8, true));
    const end = offset + 16 + Math.ceil(size / 8) * 8;
    assert(view.getUint32(offset + 4, true) === 0 && !(id in sections) && end <= bytes.length);
    sections[id] = bytes.subarray(offset + 16, offset + 16 + size);
    assert(bytes.subarray(offset + 16 + size, end).every((byte) => byte === 0));
    offset = end;
  }
  return Object.fromEntries(
    Object.entries(SECTIONS).map(([name, id]) => [name, sections[id] ?? new Uint8Array(0)]),
  );
}

function readFacts(bytes) {
  const header = {};
  for (const { name, type } of HEADER_FACTS) header[name] = type === 'u32' ? 0 : 0n;
  const view = viewOf(bytes);
  let offset = 0;
  while (offset < bytes.length) {
    const fact = FACTS.find(({ key }) => key === view.getUint32(offset, true));
    const size = view.getUint32(offset + 4, true);
    const value = bytes.subarray(offset + 8, offset + 8 + size);
    if (fact?.type === 'text') {
      header[fact.name] = Buffer.from(value).toString();
    } else if (fact) {
      assert.equal(size, 8);
      const number = viewOf(value).getBigUint64(0, true);
      header[fact.name] = fact.type === 'u32' ? Number(number) : number;
    }
    offset += 8 + Math.ceil(size / 8) * 8;
  }
  assert.equal(offset, bytes.length);
  return header;
}

function readUncounted(bytes) {
  const view = viewOf(bytes);
  const functions = Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(4 * i, true));
  assert(functions.every((index, i) => i === 0 || index > functions[i - 1]));
  return new Set(functions);
}

/** Pairs of numbers in increasing order of the first. */
function readPairs(bytes) {
  const view = viewOf(bytes);
  assert.equal(bytes.length % 8, 0);
  const pairs = Array.from({ length: bytes.length / 8 }, (_, i) => [
    view.getUint32(8 * i, true),
    view.getUint32(8 * i + 4, true),
  ]);
  assert(pairs.every(([first], i) => i === 0 || first > pairs[i - 1][0]));
  return new Map(pairs);
}

/** Threads in order of time: [{start, dropped, process, number, name, stretches: [[microseconds, node], ...]}, ...] */
function readThreads(bytes) {
  const view = viewOf(bytes);
  const threads = [];
  for (let offset = 0; offset < bytes.length; offset = Math.ceil(offset / 8) * 8) {
    const [start, dropped] = [view.getBigUint64(offset, true), view.getBigUint64(offset + 8, true)];
    const [process, number, nameSize, size] = [16, 20, 24, 28].map((at) => view.getUint32(offset + at, true));
    offset += 32 + nameSize;
    const name = Buffer.from(bytes.subarray(offset - nameSize, offset)).toString();
    const stretches = [];
    const leb = () => {
      for (let value = 0, factor = 1; ; factor *= 128) {
        const byte = bytes[offset++];
        value += (byte & 127) * factor;
        if (byte < 128) return value;
      }
    };
    for (const end = offset + size; offset < end; ) stretches.push([leb(), leb()]);
    threads.push({ start, dropped, process, number, name, stretches });
  }
  return threads;
}

function readVersion2(bytes) {
  const sections = readSections(bytes);
  const values = Buffer.from(sections.values).toString('latin1');
  assert.match(values, /^\x05\0\0\0\x05\0\0\0callscalls\0{6}(\x04\0\0\0.\0\0\0self(nanoseconds|instructions|ticks)\0*)?$/);
  const nodeSize = values.includes('self') ? 24 : 16;
  const nodeCount = sections.nodes.length / nodeSize;
  assert(Number.isInteger(nodeCount));
  const nodes = readNodes(viewOf(sections.nodes), 0, nodeSize, nodeCount);
  const names = readTexts(sections.names);
  const header = { version: 2, nodeCount, nameCount: names.size, ...readFacts(sections.facts) };
  const uncounted = readUncounted(sections.uncounted);
  const [kinds, shared] = [readPairs(sections.kinds), readPairs(sections.shared)];
  const threads = readThreads(sections.samples);
  return { header, nodes, names, places: readTexts(sections.places, true), uncounted, kinds, shared, threads };
}

/**
 * The parts of a profile of either version: {header, nodes, names: Map from function to name, places,
 * uncounted: Set of the functions whose calls are not known, kinds: Map from function to kind, shared: Map from node
 * to the first that shares its calls, threads: those whose samples have an order}.
 * The header has all facts, numbers of 64 bits as BigInt.
 */
export function readProfile(bytes) {
  assert.deepEqual(Buffer.from(bytes.subarray(0, 8)), MAGIC);
  const version = viewOf(bytes).getUint32(8, true);
  assert(version === 1 || version === 2);
  return version === 1 ? readVersion1(bytes) : readVersion2(bytes);
}

/**
 * {"outer;inner": 3, ...}: the number of calls of each stack of WebAssembly whose calls were counted, sorted by stack:
 * without what there is of other code above, between and below.
 */
export function callCounts(bytes, otherNames) {
  const { nodes, names: ownNames, uncounted, kinds } = readProfile(bytes);
  const names = otherNames ?? ownNames;
  const stacks = [];
  const counts = new Map();
  nodes.forEach((node, i) => {
    if (i === 0) return stacks.push('');
    if ((kinds.get(node.function) ?? 0) > KINDS.import) return stacks.push(stacks[node.parent]);
    const name = names.get(node.function) ?? `?${node.function}`;
    const caller = stacks[node.parent];
    stacks.push(caller === '' ? name : `${caller};${name}`);
    if (!uncounted.has(node.function)) counts.set(stacks[i], (counts.get(stacks[i]) ?? 0) + Number(node.calls));
  });
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const padded = (bytes) => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 7)]);

function numbers(...values) {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => bytes.writeUInt32LE(value, 4 * i));
  return bytes;
}

function big(...values) {
  const bytes = Buffer.alloc(8 * values.length);
  values.forEach((value, i) => bytes.writeBigUInt64LE(BigInt(value), 8 * i));
  return bytes;
}

function withText(head, text) {
  const bytes = Buffer.from(text);
  return Buffer.concat([numbers(...head, bytes.length), bytes]);
}

function encodeFact({ type, key, name }, value) {
  if (type === 'text') return padded(withText([key], value));
  if (type === 'u32') assert(value <= 0xffffffff, name);
  return Buffer.concat([numbers(key, 8), big(value)]);
}

const section = (id, payload) =>
  Buffer.concat([numbers(id, 0), big(payload.length), padded(payload)]);

function encodeNodes(nodes) {
  const root = { function: ROOT, parent: 0, calls: 0, self: 0 };
  return Buffer.concat(
    [root, ...nodes].flatMap((node) => [
      numbers(node.function, node.parent),
      big(node.calls, node.self),
    ]),
  );
}

/** The payload of threads, as readThreads gives them. */
function encodeThreads(threads) {
  const leb = (value) => (value < 128 ? [value] : [(value % 128) | 128, ...leb(Math.floor(value / 128))]);
  return Buffer.concat(threads.map(({ start, dropped = 0, process, number, name, stretches }) => {
    const packed = Buffer.from(stretches.flat().flatMap(leb));
    const text = Buffer.from(name);
    return padded(Buffer.concat([big(start, dropped), numbers(process, number, text.length, packed.length), text, packed]));
  }));
}

/**
 * The bytes of a profile of version 2; the opposite of readProfile.
 *
 * @param {{function: number, parent: number, calls: number, self: number}[]} nodes without the root
 * @param {[number, string][]} names
 * @param {object} options facts, of which hook costs and counts of functions may come together
 */
export function writeProfile(nodes, names, options = {}) {
  const { hookCosts = [], functionCounts = [], places = [], uncounted = [], kinds = [], shared = [], threads = [], measured, ...rest } = options;
  const facts = { clock: 1, ticksPerSecond: 1_000_000_000, ...rest };
  [facts.innerHookCost, facts.outerHookCost, facts.hookCostError] = hookCosts;
  [facts.functionCount, facts.hookedFunctionCount] = functionCounts;
  const known = FACTS.filter(({ name }) => facts[name]);
  const encoded = known.map((fact) => encodeFact(fact, facts[fact.name]));
  const values = Buffer.from('\x05\0\0\0\x05\0\0\0callscalls\x04\0\0\0\x05\0\0\0selfticks', 'latin1');
  const valueRecords = [padded(values.subarray(0, 18)), padded(values.subarray(18))];
  const nameRecords = names.map(([index, text]) => withText([index], text));
  const placeRecords = places.map(([index, line, file]) => withText([index, line], file));
  return Buffer.concat([
    MAGIC,
    numbers(2, 16),
    section(SECTIONS.facts, Buffer.concat(encoded)),
    section(SECTIONS.values, Buffer.concat(valueRecords)),
    section(SECTIONS.nodes, encodeNodes(nodes)),
    section(SECTIONS.names, Buffer.concat(nameRecords)),
    section(SECTIONS.places, Buffer.concat(placeRecords)),
    section(SECTIONS.uncounted, numbers(...uncounted)),
    ...(kinds.length > 0 ? [section(SECTIONS.kinds, numbers(...kinds.flat()))] : []),
    ...(shared.length > 0 ? [section(SECTIONS.shared, numbers(...shared.flat()))] : []),
    ...(threads.length > 0 ? [section(SECTIONS.samples, encodeThreads(threads))] : []),
    ...(measured ? [section(SECTIONS.calls, encodeCalls(measured))] : []),
  ]);
}

/** The bucket of a histogram that a value belongs to, by its description in wasm_perf/calls.h. */
export function bucketOf(value) {
  if (value < 16) return value;
  const power = Math.floor(Math.log2(value));
  return (power - 4) * 16 + Math.floor(value / 2 ** (power - 4));
}

function encodeHistogram({ node, measure = 0, values }) {
  const counts = new Map();
  for (const value of values) counts.set(bucketOf(value), (counts.get(bucketOf(value)) ?? 0) + 1);
  const pairs = [...counts].sort(([a], [b]) => a - b).flat();
  return numbers(1, 4 * (2 + pairs.length), node, measure, ...pairs);
}

/** A call's rows are [node, caller, calls, self]. */
function encodeCall({ node, why, number, start = 0, values, rows = [] }) {
  const encoded = rows.map(([at, caller, ...counts]) => Buffer.concat([numbers(at, caller), big(...counts)]));
  const whole = Buffer.concat([numbers(node, why), big(number, start, ...values), ...encoded]);
  return Buffer.concat([numbers(2, whole.length), whole]);
}

const CALL_UNITS = { time: 'nanoseconds', instructions: 'instructions' };

/** Measured calls: histograms {node, measure, values}, and kept calls. */
function encodeCalls({ measures = ['time', 'instructions'], histograms = [], kept = [] }) {
  const named = measures.map((name) => {
    const unit = CALL_UNITS[name];
    return padded(Buffer.concat([numbers(name.length, unit.length), Buffer.from(name + unit)]));
  });
  return Buffer.concat([numbers(measures.length, 0), ...named, ...histograms.map(encodeHistogram), ...kept.map(encodeCall)]);
}

/**
 * The bytes of a profile with shared calls: main → left → parse and main → right → parse, whose 30 calls are counted on
 * the left, and scan below parse, sampled only on the right.
 */
export function sharedCalls() {
  const at = (parent, index, calls, self) => ({ function: index, parent, calls, self });
  const nodes = [at(0, 0, 1, 1000), at(1, 1, 1, 1000), at(1, 2, 1, 1000), at(2, 3, 30, 5000), at(3, 3, 0, 4000), at(5, 4, 7, 2000)];
  const names = ['main', 'left', 'right', 'parse', 'scan'].map((name, i) => [i, name]);
  return writeProfile(nodes, names, { shared: [[4, 4], [5, 4], [6, 6]] });
}
