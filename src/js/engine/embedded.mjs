/**
 * Instances of modules that wasm-instrument --embed made: the profile is inside, and comes out by
 * functions that they export. Runs in any JavaScript engine.
 */

import { FUNCTION_TRUNCATED, SECTIONS, TEXT_FACTS } from '../wperf/format.mjs';
import { ALIGNMENT, aligned, encodeTexts, fileOf, readNames, readValues, sectionsOf, viewOf } from '../wperf/sections.mjs';

const CALLS_OFFSET = 8; // in a node, whose first value are the calls

/** Whether an instance has its profile inside. */
export const isEmbedded = ({ exports }) =>
  typeof exports.wasm_perf_profile === 'function' && typeof exports.wasm_perf_read === 'function';

/** The bytes of the .wperf file that an instance makes of its counts, without names. */
export function takeFile({ exports: { wasm_perf_profile, wasm_perf_read } }) {
  const size = wasm_perf_profile() >>> 0;
  if (size === 0) throw new Error('out of memory: the module cannot write its profile');
  const words = new BigInt64Array(aligned(size) / ALIGNMENT);
  for (let i = 0; i < words.length; i++) words[i] = wasm_perf_read(i * ALIGNMENT);
  return new Uint8Array(words.buffer, 0, size);
}

function concatenate(one, other) {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}

/** Calls `visit` with the view of all nodes and the offset of each. */
function visitNodes(sections, visit) {
  const nodes = sections.get(SECTIONS.nodes);
  const view = viewOf(nodes);
  const size = 8 + 8 * readValues(sections).length;
  for (let offset = 0; offset < nodes.length; offset += size) visit(view, offset);
}

function functionsIn(sections) {
  const functions = new Set();
  visitNodes(sections, (view, offset) => functions.add(view.getUint32(offset, true)));
  return [...functions].filter((index) => index < FUNCTION_TRUNCATED).sort((a, b) => a - b);
}

/**
 * A snapshot of what an instance has counted.
 *
 * @param {WebAssembly.Instance} instance
 * @param {(index: number) => string} nameOf the name of a function of the module
 * @param {Record<string, string>} [facts] texts that the file is to have: module, engine, command, date
 * @returns {Uint8Array} the bytes of a .wperf file
 */
export function readProfile(instance, nameOf, facts = {}) {
  const file = takeFile(instance);
  const sections = sectionsOf(file);
  const texts = Object.entries(facts).filter(([, text]) => text);
  const added = encodeTexts(texts.map(([name, text]) => [TEXT_FACTS[name], text]), ALIGNMENT);
  const known = sections.get(SECTIONS.facts) ?? new Uint8Array(0);
  sections.set(SECTIONS.facts, concatenate(known, added));
  const own = new Map(readNames(sections)); // of types, and of a guest's functions
  const names = functionsIn(sections).map((index) => [index, own.get(index) ?? nameOf(index)]);
  sections.set(SECTIONS.names, encodeTexts(names, 1));
  return fileOf(file, sections);
}

/** What an instance has counted so far: calls, a BigInt, in how many nodes. */
export function countsOf(instance) {
  let calls = 0n;
  let nodes = -1; // without the root
  visitNodes(sectionsOf(takeFile(instance)), (view, offset) => {
    calls += view.getBigUint64(offset + CALLS_OFFSET, true);
    nodes++;
  });
  return { calls, nodes };
}

/** Forgets what an instance has counted. */
export const resetProfile = ({ exports }) => exports.wasm_perf_reset();
