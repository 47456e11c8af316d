// How near the self times of each clock come to what a run as it is shows to V8's own sampling
// profiler, function by function. Time in the host counts for the function that called it, as with our
// clocks. The reference has V8's inlining on, as programs are deployed: its profiler gives the time of
// an inlined function to the one that took it in. Prints Markdown.
//
//     truth.mjs [PROGRAM...]   default: all of them
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { temporaryFolder, tool } from '../support/tools.mjs';
import { instrument, recordReal, runReal } from './measure.mjs';
import { bulk, measured } from './measured.mjs';

const SAMPLING_INTERVAL = 100; // microseconds
const ROUNDS = 4; // programs are short
const TOP = 10;
const temporary = temporaryFolder();
const { readModuleInfo } = await import(tool('js/engine/module_info.mjs'));
const { NO_INLINING } = await import(tool('js/node/inlining.mjs'));

// ---- V8's profile of a module as it is

/** The functions' names by index as our profiles have them, those of stripped Go, too. */
function namesOf(module) {
  const text = execFileSync(tool('wasm-instrument'), ['--list', module], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const rows = text.matchAll(/^ *(\d+) +\d+ +\S +(.*)$/gm);
  return new Map(Array.from(rows, ([, index, name]) => [Number(index), name]));
}

/** Adds to {function: samples}; garbage is collected for whom the sample before that is of. */
function addSampled(profile, info, nameOf, sums) {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const counts = {};
  let last = null;
  for (const id of profile.samples) {
    if (nodes.get(id).callFrame.functionName !== '(garbage collector)') last = id;
    counts[last] = (counts[last] ?? 0) + 1;
  }
  const visit = (node, caller) => {
    const { url, columnNumber } = node.callFrame;
    const index = url.startsWith('wasm:') ? info.functionAt(columnNumber) : undefined;
    const name = index === undefined ? caller : nameOf(index);
    if (name !== null) sums[name] = (sums[name] ?? 0) + (counts[node.id] ?? 0);
    for (const id of node.children ?? []) visit(nodes.get(id), name);
  };
  visit(profile.nodes[0], null);
}

/** {function: samples} of some runs. */
function sampledByV8({ runner, module }, name, nodeOptions) {
  const original = module();
  const info = readModuleInfo(readFileSync(original));
  const names = namesOf(original);
  const nameOf = (index) => names.get(index) ?? info.functionName(index);
  const sums = {};
  for (let round = 0; round < ROUNDS; round++) {
    const folder = join(temporary, `${name}${round}`);
    const profiling = ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-interval=${SAMPLING_INTERVAL}`];
    runReal(runner, [original], { nodeOptions: [...nodeOptions, ...profiling] });
    for (const file of readdirSync(folder))
      addSampled(JSON.parse(readFileSync(join(folder, file))), info, nameOf, sums);
  }
  return sums;
}

// ---- Our profiles

/** {function: self value} as `wasm-perf report` gives them, profiles added up. */
function selfOf(files, ...options) {
  const merged = `${files[0]}.merged`;
  execFileSync(tool('wasm-perf'), ['merge', '-o', merged, ...files]);
  const report = ['report', '--format', 'folded', '--no-demangle', ...options, merged];
  const text = execFileSync(tool('wasm-perf'), report, { encoding: 'utf8', maxBuffer: 1 << 28 });
  const sums = {};
  for (const line of text.trim().split('\n')) {
    const [, name, value] = /([^;]*) (\d+)$/.exec(line);
    sums[name] = (sums[name] ?? 0) + Number(value);
  }
  return sums;
}

// Of millions of stacks the text would be too long; what a function has itself is the same.
const profiler = { recursion: 'fold' };

/** The files of some runs of the module, instrumented so; with the times of runs without hooks, if so wanted. */
function profilesOf({ runner, module }, name, { apart, options }) {
  const original = module();
  const instrumented = instrument(original, join(temporary, 'program.wasm'), ...options);
  return Array.from({ length: ROUNDS }, (_, round) => {
    const output = join(temporary, `${name}${options.join('')}${round}.wperf`);
    const times = join(temporary, `${name}${round}.times.wperf`);
    if (apart) runReal(runner, [original, times]);
    runReal(runner, [instrumented, output], { profiler, env: apart ? { WI_TIMES: times } : {} });
    return output;
  });
}

function recordsOf({ runner, module }, name, options) {
  return Array.from({ length: ROUNDS }, (_, round) => {
    const output = join(temporary, `${name}.recorded${round}.wperf`);
    recordReal(runner, module(), output, '--recursion=fold', ...options);
    return output;
  });
}

const columns = {
  'V8 again': (...program) => sampledByV8(...program, []),
  'V8, nothing inlined': (...program) => sampledByV8(...program, [NO_INLINING]),
  'wall, --keep-hook-time': (...program) =>
    selfOf(profilesOf(...program, { options: ['--clock=wall'] }), '--keep-hook-time'),
  wall: (...program) => selfOf(profilesOf(...program, { options: ['--clock=wall'] })),
  instructions: (...program) => selfOf(profilesOf(...program, { options: ['--embed', '--clock=instructions'] }), '--symbols', program[0].module()),
  sampled: (...program) => selfOf(recordsOf(...program, ['--clock=sampled'])),
  'sampled apart': (...program) => selfOf(profilesOf(...program, { apart: true, options: ['--clock=none'] })),
};

// ---- Tables

function sharesOf(values) {
  const sum = Object.values(values).reduce((a, b) => a + b, 0);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, (100 * value) / sum]));
}

const topOf = (shares) =>
  Object.entries(shares).sort((a, b) => b[1] - a[1]).slice(0, TOP).map(([name]) => name);

/** By how many points the one that is furthest off misses its share. */
const furthestOff = (reference, shares) =>
  Math.max(...topOf(reference).map((name) => Math.abs((shares[name] ?? 0) - reference[name])));

const row = (name, values) => console.log(`| ${name} | ${values.join(' | ')} |`);

const programs = { ...measured, ...bulk };
const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(programs);
const names = Object.keys(columns);
let details;

console.log(`| furthest of the top ten off, points | ${names.join(' | ')} |`);
console.log(`|---|${'--:|'.repeat(names.length)}`);
for (const name of wanted) {
  const reference = sharesOf(sampledByV8(programs[name], `${name}, V8`, []));
  const shares = names.map((column) => sharesOf(columns[column](programs[name], name)));
  row(name, shares.map((of) => furthestOff(reference, of).toFixed(1)));
  if (name === 'SQLite') details = { reference, shares };
}
if (details) {
  console.log(`\n| SQLite, self % | V8 | ${names.join(' | ')} |`);
  console.log(`|---|${'--:|'.repeat(names.length + 1)}`);
  for (const name of topOf(details.reference))
    row(name, [details.reference, ...details.shares].map((of) => (of[name] ?? 0).toFixed(1)));
}
