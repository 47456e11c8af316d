// How near the self times of each clock come to what an uninstrumented run shows: to V8's sampling
// profiler, function by function, and to the time of such a run in sum. SQLite is measured when the
// engine has compiled it, other programs from their start. Prints Markdown.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';

import { programs } from '../real/programs.mjs';
import { packageFile, temporaryFolder, tool } from '../support/tools.mjs';
import { instrument, runReal } from './measure.mjs';
import { load, queries } from './sqljs.mjs';

const ROWS = 200000;
const SAMPLING_INTERVAL = 100; // microseconds
const TOP = 10;
const temporary = temporaryFolder();

/** {function: share of all samples in WebAssembly} and the milliseconds of an uninstrumented run. */
async function sample() {
  const sqlite = await load(null);
  queries(sqlite, ROWS);
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_INTERVAL });
  const start = performance.now();
  queries(sqlite, ROWS);
  const ms = performance.now() - start;
  await session.post('Profiler.start');
  for (let i = 0; i < 5; i++) queries(sqlite, ROWS);
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  return { ms, shares: sampledShares(profile) };
}

function sampledShares(profile) {
  const hits = {};
  for (const { callFrame, hitCount } of profile.nodes)
    if (callFrame.url.startsWith('wasm:')) {
      const index = /^wasm-function\[(\d+)\]$/.exec(callFrame.functionName)?.[1];
      const name = index ? `func[${index}]` : callFrame.functionName;
      hits[name] = (hits[name] ?? 0) + hitCount;
    }
  return sharesOf(hits);
}

function sharesOf(values) {
  const sum = Object.values(values).reduce((a, b) => a + b, 0);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, (100 * value) / sum]));
}

/** {function: self value} as `wasm-perf report` gives them. */
function selfOf(file, options) {
  const report = ['report', '--format', 'folded', '--no-demangle', ...options, file];
  const text = execFileSync(tool('wasm-perf'), report, { encoding: 'utf8', maxBuffer: 1 << 28 });
  const sums = {};
  for (const line of text.trim().split('\n')) {
    const [, name, value] = /([^;]*) (\d+)$/.exec(line);
    sums[name] = (sums[name] ?? 0) + Number(value);
  }
  return sums;
}

async function profile(clock, ...options) {
  const sqlite = await load(['--clock', clock, ...options]);
  queries(sqlite, ROWS);
  sqlite.profiler.reset();
  queries(sqlite, ROWS);
  const file = join(temporary, `${[clock, ...options].join('')}.wperf`);
  writeFileSync(file, sqlite.profiler.profile());
  return file;
}

const topOf = (shares) =>
  Object.entries(shares).sort((a, b) => b[1] - a[1]).slice(0, TOP).map(([name]) => name);

/** By how many points the one that is furthest off misses its share. */
const furthestOff = (sampled, shares) =>
  Math.max(...topOf(sampled).map((name) => Math.abs((shares[name] ?? 0) - sampled[name]))).toFixed(1);

/** Each of these in the form in which all rows show them. */
const reports = (wall, hybrid, inlined, instructions) => ({
  'wall, --raw': selfOf(wall, ['--raw']),
  wall: selfOf(wall, []),
  hybrid: selfOf(hybrid, []),
  'hybrid, inlined': selfOf(inlined, []),
  instructions: selfOf(instructions, []),
});

// ---- SQLite

const sampled = await sample();
const clocks = [['wall'], ['hybrid'], ['hybrid', '--inline'], ['instructions']];
const files = [];
for (const options of clocks) files.push(await profile(...options));
const profiles = reports(...files);

const columns = Object.keys(profiles);
console.log(`| SQLite, self % | sampled | ${columns.join(' | ')} |`);
console.log(`|---|--:|${'--:|'.repeat(columns.length)}`);
const shares = columns.map((name) => sharesOf(profiles[name]));
const row = (name, values) => console.log(`| ${name} | ${values.join(' | ')} |`);
for (const name of topOf(sampled.shares))
  row(name, [sampled.shares, ...shares].map((of) => (of[name] ?? 0).toFixed(1)));
row('furthest off, points', ['', ...shares.map((of) => furthestOff(sampled.shares, of))]);
const sums = columns.map((name) => Object.values(profiles[name]).reduce((a, b) => a + b, 0) / 1e6);
row('all self / time of a plain run', ['', ...sums.map((ms, i) =>
  columns[i] === 'instructions' ? '' : (ms / sampled.ms).toFixed(2))]);

// ---- Programs

// Of millions of stacks the text would be too long; what a function has itself is the same.
const profiler = { recursion: 'fold' };

function sampleProgram(name) {
  const folder = join(temporary, name);
  const nodeOptions =
    ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-interval=${SAMPLING_INTERVAL}`];
  runReal(name, [packageFile(programs[name].module)], { nodeOptions });
  const [file] = readdirSync(folder);
  return sampledShares(JSON.parse(readFileSync(join(folder, file))));
}

function profileProgram(name, clock, ...options) {
  const original = packageFile(programs[name].module);
  const output = join(temporary, `${[name, clock, ...options].join('')}.wperf`);
  const module = instrument(original, join(temporary, 'program.wasm'), '--clock', clock, ...options);
  runReal(name, [module, output], { profiler });
  return output;
}

console.log(`\n| furthest of the top ten off, points | ${columns.join(' | ')} |`);
console.log(`|---|${'--:|'.repeat(columns.length)}`);
for (const name of ['esbuild', 'ruby', 'pyodide']) {
  const sampled = sampleProgram(name);
  const files = clocks.map((options) => profileProgram(name, ...options));
  row(name, Object.values(reports(...files)).map((values) => furthestOff(sampled, sharesOf(values))));
}
