// How near the self times of each clock come to what an uninstrumented run shows: to V8's sampling
// profiler, function by function, and to the time of such a run in sum. SQLite is measured when the
// engine has compiled it, other programs from their start. Prints Markdown.
//
// That profiler names the function into which V8 inlined another for both, so Node has to be run with
// --no-wasm-inlining. Time in the host counts for the function that called it, as with our clocks.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';

import { packageFile, temporaryFolder, tool } from '../support/tools.mjs';
import { instrument, runReal } from './measure.mjs';
import { measured } from './measured.mjs';
import { load, queries } from './sqljs.mjs';

const NO_INLINING = '--no-wasm-inlining';
const ROWS = 200000;
const SAMPLING_INTERVAL = 100; // microseconds
const ROUNDS = 4; // of programs, which are short
const QUERY_ROUNDS = 10; // of SQLite
const TOP = 10;
const temporary = temporaryFolder();
const { readModuleInfo } = await import(tool('js/module_info.mjs'));
const { sample } = await import(tool('js/profiler.mjs'));

if (!process.execArgv.includes(NO_INLINING)) throw new Error(`to be run with ${NO_INLINING}`);

// ---- V8's profile of a module as it is

/** Adds to {function: samples}; garbage is collected for whom the sample before that is of. */
function addSampled(profile, info, sums) {
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
    const name = index === undefined ? caller : info.functionName(index);
    if (name !== null) sums[name] = (sums[name] ?? 0) + (counts[node.id] ?? 0);
    for (const id of node.children ?? []) visit(nodes.get(id), name);
  };
  visit(profile.nodes[0], null);
}

function sharesOf(values) {
  const sum = Object.values(values).reduce((a, b) => a + b, 0);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, (100 * value) / sum]));
}

const topOf = (shares) =>
  Object.entries(shares).sort((a, b) => b[1] - a[1]).slice(0, TOP).map(([name]) => name);

/** By how many points the one that is furthest off misses its share. */
const furthestOff = (sampled, shares) =>
  Math.max(...topOf(sampled).map((name) => Math.abs((shares[name] ?? 0) - sampled[name]))).toFixed(1);

// ---- Our profiles

/** {function: self value} as `wasm-perf report` gives them, profiles added up. */
function selfOf(files, options) {
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

// `net`: what the hooks cost is taken out.
const clocks = {
  'wall, --keep-hook-time': { instrumented: ['wall'], reported: ['--keep-hook-time'] },
  wall: { instrumented: ['wall'], net: true },
  instructions: { instrumented: ['instructions'] },
  'sampled apart': { instrumented: ['none'], apart: true },
};

/**
 * {clock: {function: self value}}; `profile` makes the files for options of wasm-instrument, the times
 * being of a run of their own if so wanted.
 */
async function selfByClock(profile) {
  const files = {};
  const result = {};
  for (const [clock, { instrumented, reported = [], apart = false }] of Object.entries(clocks)) {
    files[instrumented] ??= await profile(['--clock', ...instrumented], apart);
    result[clock] = selfOf(files[instrumented], reported);
  }
  return result;
}

const row = (name, values) => console.log(`| ${name} | ${values.join(' | ')} |`);
const columns = Object.keys(clocks);

// ---- SQLite

const original = packageFile('sql.js/dist/sql-wasm.wasm');

async function sampleSqlite() {
  const sqlite = await load(null);
  queries(sqlite, ROWS);
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_INTERVAL });
  const ms = runRounds(sqlite);
  await session.post('Profiler.start');
  runRounds(sqlite);
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const sums = {};
  addSampled(profile, readModuleInfo(readFileSync(original)), sums);
  return { ms, shares: sharesOf(sums) };
}

/** Milliseconds. */
function runRounds(sqlite) {
  const start = performance.now();
  for (let i = 0; i < QUERY_ROUNDS; i++) queries(sqlite, ROWS);
  return performance.now() - start;
}

const ownTimes = {}; // of the runs that have the times, in milliseconds, by options

/** The times of a run without hooks. */
async function timesOfSqlite(options) {
  const sqlite = await load(null);
  queries(sqlite, ROWS);
  const sampling = sample(readFileSync(original));
  ownTimes[options] = runRounds(sqlite);
  return sampling.profile();
}

async function profileSqlite(options, apart) {
  const times = apart ? await timesOfSqlite(options) : undefined;
  const sqlite = await load(options, { times });
  queries(sqlite, ROWS);
  sqlite.profiler.reset();
  const ms = runRounds(sqlite);
  ownTimes[options] ??= ms;
  const file = join(temporary, `sqlite${options.join('')}.wperf`);
  writeFileSync(file, sqlite.profiler.profile());
  return [file];
}

const sampled = await sampleSqlite();
const profiles = await selfByClock(profileSqlite);
console.log(`| SQLite, self % | V8 | ${columns.join(' | ')} |`);
console.log(`|---|--:|${'--:|'.repeat(columns.length)}`);
const shares = columns.map((name) => sharesOf(profiles[name]));
for (const name of topOf(sampled.shares))
  row(name, [sampled.shares, ...shares].map((of) => (of[name] ?? 0).toFixed(1)));
row('furthest off, points', ['', ...shares.map((of) => furthestOff(sampled.shares, of))]);
const sums = columns.map((name) => Object.values(profiles[name]).reduce((a, b) => a + b, 0) / 1e6);
const rowOfSums = (name, ratio) => row(name, ['', ...columns.map((column, i) =>
  column === 'instructions' ? '' : ratio(sums[i], clocks[column])?.toFixed(2) ?? '')]);
rowOfSums('all self / time of a plain run', (ms) => ms / sampled.ms);
rowOfSums('all self / time of its own run', (ms, { instrumented, net }) =>
  net ? null : ms / ownTimes[['--clock', ...instrumented]]);

// ---- Programs

// Of millions of stacks the text would be too long; what a function has itself is the same.
const profiler = { recursion: 'fold' };

function sampleProgram({ runner }, module, name) {
  const info = readModuleInfo(readFileSync(module));
  const sums = {};
  for (let round = 0; round < ROUNDS; round++) {
    const folder = join(temporary, `${name}${round}`);
    const profiling = ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-interval=${SAMPLING_INTERVAL}`];
    runReal(runner, [module], { nodeOptions: [NO_INLINING, ...profiling] });
    for (const file of readdirSync(folder))
      addSampled(JSON.parse(readFileSync(join(folder, file))), info, sums);
  }
  return sharesOf(sums);
}

function profileProgram({ runner }, original, name, options, apart) {
  const module = instrument(original, join(temporary, 'program.wasm'), ...options);
  const nodeOptions = [NO_INLINING];
  return Array.from({ length: ROUNDS }, (_, round) => {
    const output = join(temporary, `${name}${options.join('')}${round}.wperf`);
    const times = join(temporary, `${name}${round}.times.wperf`);
    if (apart) runReal(runner, [original, times], { nodeOptions });
    const env = apart ? { WI_TIMES: times } : {};
    runReal(runner, [module, output], { profiler, nodeOptions, env });
    return output;
  });
}

console.log(`\n| furthest of the top ten off, points | V8 again | ${columns.join(' | ')} |`);
console.log(`|---|${'--:|'.repeat(columns.length + 1)}`);
for (const [name, program] of Object.entries(measured)) {
  const module = program.module();
  const once = sampleProgram(program, module, `${name}, once`);
  const again = sampleProgram(program, module, `${name}, again`);
  const profiles = await selfByClock((...wanted) => profileProgram(program, module, name, ...wanted));
  row(name, [furthestOff(once, again),
    ...Object.values(profiles).map((values) => furthestOff(once, sharesOf(values)))]);
}
