// How near the self times of each clock come to what an uninstrumented run shows: to V8's sampling
// profiler, function by function, and to the time of such a run in sum. Prints Markdown.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';

import { temporaryFolder, tool } from '../support/tools.mjs';
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
  const hits = {};
  for (const { callFrame, hitCount } of profile.nodes)
    if (callFrame.url.startsWith('wasm:')) {
      const index = /^wasm-function\[(\d+)\]$/.exec(callFrame.functionName)?.[1];
      const name = index ? `func[${index}]` : callFrame.functionName;
      hits[name] = (hits[name] ?? 0) + hitCount;
    }
  return { ms, shares: sharesOf(hits) };
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

async function profile(clock) {
  const sqlite = await load(['--clock', clock]);
  queries(sqlite, ROWS);
  sqlite.profiler.reset();
  queries(sqlite, ROWS);
  const file = join(temporary, `${clock}.wperf`);
  writeFileSync(file, sqlite.profiler.profile());
  return file;
}

const sampled = await sample();
const top = Object.entries(sampled.shares).sort((a, b) => b[1] - a[1]).slice(0, TOP).map(([name]) => name);
const wall = await profile('wall');
const hybrid = await profile('hybrid');
const profiles = {
  'wall, --raw': selfOf(wall, ['--raw']),
  wall: selfOf(wall, []),
  hybrid: selfOf(hybrid, []),
  instructions: selfOf(await profile('instructions'), []),
};

const columns = Object.keys(profiles);
console.log(`| SQLite, self % | sampled | ${columns.join(' | ')} |`);
console.log(`|---|--:|${'--:|'.repeat(columns.length)}`);
const shares = columns.map((name) => sharesOf(profiles[name]));
const row = (name, values) => console.log(`| ${name} | ${values.join(' | ')} |`);
for (const name of top)
  row(name, [sampled.shares, ...shares].map((of) => (of[name] ?? 0).toFixed(1)));
const furthest = shares.map((of) =>
  Math.max(...top.map((name) => Math.abs((of[name] ?? 0) - sampled.shares[name]))).toFixed(1));
row('furthest off, points', ['', ...furthest]);
const sums = columns.map((name) => Object.values(profiles[name]).reduce((a, b) => a + b, 0) / 1e6);
row('all self / time of a plain run', ['', ...sums.map((ms, i) =>
  columns[i] === 'instructions' ? '' : (ms / sampled.ms).toFixed(2))]);
