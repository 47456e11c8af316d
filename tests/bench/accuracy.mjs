// How true the clocks that give times are: whether all self times add up to the time that passed,
// and what is left of the speeds of two functions that take turns. Prints Markdown.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readProfile } from '../js/wperf.mjs';
import { temporaryFolder, tool } from '../support/tools.mjs';
import { instrument } from './measure.mjs';
import { load, queries } from './sqljs.mjs';

const STEPS = 4e7; // of each function of the C program
const temporary = temporaryFolder();
const { createProfiler } = await import(tool('js/profiler.mjs'));
const runtime = readFileSync(tool('wasm_perf.wasm'));

/** The milliseconds that `action` takes, when the engine has compiled what it needs. */
function timed(action) {
  action();
  const start = performance.now();
  action();
  return performance.now() - start;
}

/** The same with the profile of just that time. */
function profiled(profiler, action) {
  action();
  profiler.reset();
  const start = performance.now();
  action();
  const ms = performance.now() - start;
  return { ms, profile: readProfile(profiler.profile()) };
}

function printSum(name, { ms, profile: { header, nodes } }) {
  const sum = nodes.reduce((total, { self }) => total + Number(self), 0) / 1e6;
  const deviation = (100 * Number(header.deviation)) / Number(header.measuredTime || 1n);
  console.log(`| ${name} | ${ms.toFixed(1)} | ${(sum / ms).toFixed(4)} | ${header.clockReadCount} | ` +
    `${header.clockReadCount ? deviation.toFixed(1) : ''} |`);
}

const plain = join(temporary, 'paces.wasm');
execFileSync('clang', ['--target=wasm32', '-ffreestanding', '-nostdlib', '-O1', '-Wl,--no-entry',
  join(import.meta.dirname, 'paces.c'), '-o', plain]);

async function loadPaces(clock) {
  const module = readFileSync(instrument(plain, join(temporary, 'out.wasm'), '--clock', clock));
  const profiler = await createProfiler({ runtime, module });
  const { instance } = await WebAssembly.instantiate(module, { wasm_perf: profiler.imports });
  return { profiler, run: (length) => instance.exports.run(STEPS / length, length) };
}

/** The share of `function` in the self values of the two, in percent. */
function shareOf(name, { nodes, names }) {
  const self = (wanted) => nodes.reduce(
    (sum, node) => sum + (names.get(node.function) === wanted ? Number(node.self) : 0), 0);
  return (100 * self(name)) / (self('divide') + self('shift'));
}

const LENGTHS = [1e6, 1e4, 100];
const shares = Object.fromEntries(LENGTHS.map((length) => [length, {}]));

console.log('| clock, program | run time ms | all self / run time | readings | speed differed by % |');
console.log('|---|--:|--:|--:|--:|');
for (const clock of ['wall', 'hybrid']) {
  const sqlite = await load(['--clock', clock]);
  printSum(`${clock}, SQLite`, profiled(sqlite.profiler, () => queries(sqlite, 40000)));
}
for (const clock of ['wall', 'hybrid', 'instructions']) {
  const paces = await loadPaces(clock);
  for (const length of LENGTHS) {
    const result = profiled(paces.profiler, () => paces.run(length));
    shares[length][clock] = shareOf('divide', result.profile);
    if (clock !== 'instructions') printSum(`${clock}, a C program, turns of ${length} steps`, result);
  }
}

const { instance } = await WebAssembly.instantiate(readFileSync(plain));
const [divide, shift] = ['divide', 'shift'].map((name) => timed(() => instance.exports[name](STEPS, 1)));
const alone = (100 * divide) / (divide + shift);
console.log('\n| share of the slower function, % | timed alone | wall | hybrid | instructions |');
console.log('|---|--:|--:|--:|--:|');
for (const length of LENGTHS) {
  const { wall, hybrid, instructions } = shares[length];
  const cells = [alone, wall, hybrid, instructions].map((share) => share.toFixed(1));
  console.log(`| turns of ${length} steps | ${cells.join(' | ')} |`);
}
