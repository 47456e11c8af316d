/** Adds up profiles and writes .wperf files. See include/wasm_perf/format.h. */

import { CallCounts } from './call_counts.mjs';
import { Callers } from './caller_numbers.mjs';
import { encodeText } from './clean.mjs';
import { encodeFacts, Writer } from './file.mjs';
import { HEAD_SIZE, MAGIC, SECTIONS, VERSION } from './format.mjs';
import { Measures } from './measures.mjs';
import {
  encodeTexts,
  readFacts,
  readNames,
  readNodes,
  readPlaces,
  readValues,
  sectionsOf,
  viewOf,
} from './sections.mjs';

const RECORD_HEAD_SIZE = 8;
const same = (index) => index;

/**
 * Functions of a guest, such as Python functions that a module interprets. Each instance numbers
 * them in order of first use, so name and place identify a function.
 */
class Guests {
  places = new Map(); // function -> [line, file]
  #numbers = new Map(); // name and place -> function

  /** Returns the map from a profile's function indices to the sum's. */
  add(sections, names, { firstGuest }) {
    const places = new Map(readPlaces(sections).map(([index, ...place]) => [index, place]));
    const renumbered = new Map();
    for (const [index, name] of names) {
      if (!firstGuest || index < firstGuest) continue;
      const key = JSON.stringify([name, places.get(index)]);
      if (!this.#numbers.has(key)) this.#numbers.set(key, firstGuest + this.#numbers.size);
      renumbered.set(index, this.#numbers.get(key));
    }
    const renumber = renumbered.size === 0 ? same : (index) => renumbered.get(index) ?? index;
    for (const [index, place] of places) this.places.set(renumber(index), place);
    return renumber;
  }
}

/** Adds the block counts in a section's payload to each function's counts in `blocks`. */
function addBlocks(blocks, bytes) {
  const view = viewOf(bytes);
  for (let offset = 0; offset < bytes.length; ) {
    const index = view.getUint32(offset, true);
    const count = view.getUint32(offset + 4, true);
    const counts = blocks.get(index) ?? new BigUint64Array(count);
    blocks.set(index, counts);
    offset += RECORD_HEAD_SIZE;
    for (let i = 0; i < count; i++, offset += 8) counts[i] += view.getBigUint64(offset, true);
  }
}

const ADDED_UP = [
  'truncatedCallCount',
  'unbalancedCount',
  'openFrameCount',
  'allocationCount',
  'lostBlockCount',
  'lostByteCount',
  'unknownFreeCount',
  'memoryCount',
  'initialByteCount',
];

/** How many instances a profile with these facts is of. Those that share a tree have one; an instance alone counts none. */
const instancesIn = ({ instanceCount }) => instanceCount || 1;

/** The sum of profiles of instances of one module. */
class Sum {
  instanceCount = 0;
  tree = new CallCounts();
  names = new Map(); // of types and a guest's functions, which the files bring themselves
  blocks = new Map();
  measures = new Measures();
  callers = new Callers();
  facts = null;
  unit = 'ticks';
  #guests = new Guests();
  #calling;

  /** @param {Uint8Array} [calling] the section of callers for files that have none */
  constructor(calling) {
    this.#calling = calling;
  }

  add(file) {
    const { sections, facts, renumber, callers } = this.#read(file);
    this.measures.add(sections, this.tree.add(readNodes(sections), renumber), callers);
    addBlocks(this.blocks, sections.get(SECTIONS.blocks) ?? new Uint8Array(0));
    this.instanceCount += instancesIn(facts);
    if (this.facts) this.#addFacts(facts);
    if (this.facts) delete this.facts.peakAllocation; // each tree has its own
    this.facts ??= facts;
  }

  #addFacts(facts) {
    for (const name of ADDED_UP) this.facts[name] = (this.facts[name] ?? 0) + (facts[name] ?? 0);
  }

  #read(file) {
    const sections = sectionsOf(file);
    const facts = readFacts(sections);
    this.unit = readValues(sections).find(({ name }) => name === 'self')?.unit ?? this.unit;
    const names = readNames(sections);
    const renumber = this.#guests.add(sections, names, facts);
    for (const [index, name] of names) this.names.set(renumber(index), name);
    const calling = sections.get(SECTIONS.callers) ?? this.#calling;
    return { sections, facts, renumber, callers: calling ? this.callers.add(calling) : [] };
  }

  profile() {
    const { instanceCount, tree, names, blocks, measures, callers, unit } = this;
    return { facts: { ...this.facts, instanceCount }, unit, tree, names, measures, callers, blocks, places: this.#guests.places };
  }
}

/**
 * Adds up the profiles of instances of one module.
 *
 * @param {Uint8Array[]} files
 * @param {Uint8Array} [calling] the section of callers for files that have none, as instances write them
 * @returns {{facts: object, unit: string, tree: CallCounts, names: Map<number, string>, measures: Measures, callers: Callers,
 *   blocks: Map<number, BigUint64Array>, places: Map<number, [number, string]>}}
 */
export function addUp(files, calling) {
  const sum = new Sum(calling);
  for (const file of files) sum.add(file);
  return sum.profile();
}

function encodeValues(unit) {
  const writer = new Writer();
  for (const [name, itsUnit] of [['calls', 'calls'], ['self', unit]]) {
    writer.numbers(name.length, itsUnit.length).bytes(encodeText(name + itsUnit)).pad();
  }
  return writer.take();
}

function encodePlaces(places) {
  const writer = new Writer();
  for (const [index, [line, file]] of [...places].sort(([a], [b]) => a - b)) {
    const path = encodeText(file);
    writer.numbers(index, line, path.length).bytes(path);
  }
  return writer.take();
}

function encodeBlocks(blocks) {
  const writer = new Writer();
  for (const [index, counts] of blocks) {
    const bytes = new Uint8Array(8 * counts.length);
    counts.forEach((count, i) => viewOf(bytes).setBigUint64(8 * i, count, true));
    writer.numbers(index, counts.length).bytes(bytes);
  }
  return writer.take();
}

const encodeUncounted = (functions) =>
  new Writer().numbers(...[...functions].sort((a, b) => a - b)).take();

const NOTHING = new Map();

/**
 * Encodes the result of addUp, or parts of it, as a .wperf file. Functions that occur get their name
 * from `nameOf`, unless that returns none.
 */
export function encodeProfile(profile, nameOf) {
  const { facts, unit, tree, names = NOTHING, measures, callers, blocks = NOTHING, places = NOTHING } = profile;
  const nameOfAny = (index) => names.get(index) ?? nameOf(index);
  const named = tree.functions().map((index) => [index, nameOfAny(index)]);
  const writer = new Writer().bytes(Uint8Array.from(MAGIC)).numbers(VERSION, HEAD_SIZE);
  const sections = [
    [SECTIONS.facts, encodeFacts(facts)],
    [SECTIONS.values, encodeValues(unit)],
    [SECTIONS.nodes, tree.encode()],
    [SECTIONS.names, encodeTexts(named.filter(([, name]) => name !== undefined), 1)],
    ...(measures?.sections() ?? []),
  ];
  if (callers?.count > 0) sections.push([SECTIONS.callers, callers.encode()]);
  if (places.size > 0) sections.push([SECTIONS.places, encodePlaces(places)]);
  if (blocks.size > 0) sections.push([SECTIONS.blocks, encodeBlocks(blocks)]);
  if (tree.uncounted.size > 0) sections.push([SECTIONS.uncounted, encodeUncounted(tree.uncounted)]);
  for (const [id, payload] of sections) {
    writer.numbers(id, 0).big(payload.length).bytes(payload).pad();
  }
  return writer.take();
}
