// What V8's own sampling profiler says of the functions of a program, and how far other figures are from that.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { codeOffsets } from '../support/code_offsets.mjs';
import { temporaryFolder, tool } from '../support/tools.mjs';
import { runReal } from './measure.mjs';

const SAMPLING_INTERVAL = 100; // microseconds
export const ROUNDS = 4; // programs are short
const TOP = 10;
const temporary = temporaryFolder();
const { readModuleInfo } = await import(tool('js/engine/module_info.mjs'));

// ---- V8's profile of a module as it is

/** The functions' names by index as our profiles have them, those of stripped Go, too. */
function namesOf(module) {
  const text = execFileSync(tool('wasm-instrument'), ['--list', module], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const rows = text.matchAll(/^ *(\d+) +\d+ +\S +(.*)$/gm);
  return new Map(Array.from(rows, ([, index, name]) => [Number(index), name]));
}

/** Adds to {function: samples}; garbage is collected for whom the sample before that is of. */
function addSampled(profile, functions, nameOf, sums) {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const counts = {};
  let last = null;
  for (const id of profile.samples) {
    if (nodes.get(id).callFrame.functionName !== '(garbage collector)') last = id;
    counts[last] = (counts[last] ?? 0) + 1;
  }
  const visit = (node, caller) => {
    const { url, columnNumber } = node.callFrame;
    const index = url.startsWith('wasm:') ? functions.get(columnNumber) : undefined;
    const name = index === undefined ? caller : nameOf(index);
    if (name !== null) sums[name] = (sums[name] ?? 0) + (counts[node.id] ?? 0);
    for (const id of node.children ?? []) visit(nodes.get(id), name);
  };
  visit(profile.nodes[0], null);
}

/** {function: samples} of some runs; `name` is that of the files. */
export function sampledByV8({ runner, module }, name, nodeOptions) {
  const original = module();
  const bytes = readFileSync(original), info = readModuleInfo(bytes);
  const functions = new Map(codeOffsets(bytes).map((offset, i) => [offset, info.importCount + i]));
  const names = namesOf(original);
  const nameOf = (index) => names.get(index) ?? info.functionName(index);
  const sums = {};
  for (let round = 0; round < ROUNDS; round++) {
    const folder = join(temporary, `${name}${round}`);
    const profiling = ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-interval=${SAMPLING_INTERVAL}`];
    runReal(runner, [original], { nodeOptions: [...nodeOptions, ...profiling] });
    for (const file of readdirSync(folder))
      addSampled(JSON.parse(readFileSync(join(folder, file))), functions, nameOf, sums);
  }
  return sums;
}

// ---- Shares

export function sharesOf(values) {
  const sum = Object.values(values).reduce((a, b) => a + b, 0);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, (100 * value) / sum]));
}

export const topOf = (shares) =>
  Object.entries(shares).sort((a, b) => b[1] - a[1]).slice(0, TOP).map(([name]) => name);

/** By how many points the one that is furthest off misses its share. */
export const furthestOff = (reference, shares) =>
  Math.max(...topOf(reference).map((name) => Math.abs((shares[name] ?? 0) - reference[name])));
