// Real programs of tests/real with every function instrumented, start and compilation included: the
// whole process is timed, and has a peak of memory. The call tree has its default limits. What `record` keeps from
// run to run is there from its second round on, so the median has it. Prints Markdown.
//
//     programs.mjs [VARIANT...]   default: all of them, beside the program as it is
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { readProfile } from '../js/wperf.mjs';
import { temporaryFolder } from '../support/tools.mjs';
import { instrument, median, recordReal, runReal } from './measure.mjs';
import { measured } from './measured.mjs';

const ROUNDS = 5;
const folder = temporaryFolder();
const path = (name) => join(folder, name);

const instrumented = (clock, options = {}, ...more) => ({ clock, options, more });
const variants = {
  'as it is': null,
  none: instrumented('none'),
  'none, recursion folded': instrumented('none', { recursion: 'fold' }),
  instructions: instrumented('instructions'),
  wall: instrumented('wall'),
  'none, embedded': instrumented('none', {}, '--embed', '--no-file'),
  'none, embedded, recursion folded': instrumented('none', {}, '--embed', '--no-file', '--recursion=fold'),
  'instructions, embedded': instrumented('instructions', {}, '--embed', '--no-file'),
  'wasm-perf record': { records: [] },
};
const wanted = process.argv.slice(2);
for (const key of Object.keys(variants))
  if (wanted.length > 0 && variants[key] && !wanted.includes(key)) delete variants[key];

/** The arguments of a run: the module and, where there are hooks, the profile. */
function filesOf(original, variant, modules) {
  if (!variant || variant.records) return [original, path('profile.wperf')].slice(0, variant ? 2 : 1);
  const options = ['--clock', variant.clock, ...variant.more];
  const key = options.join('');
  modules[key] ??= instrument(original, path(`${key}.wasm`), ...options);
  return [modules[key], path('profile.wperf')];
}

/** One run: milliseconds, and the most bytes that the process had, if known. */
function run(name, files, variant) {
  if (files.length > 1) rmSync(files[1], { force: true }); // file systems take their time to replace one
  const start = performance.now();
  if (variant?.records) {
    recordReal(name, ...files, ...variant.records);
    return { ms: performance.now() - start };
  }
  runReal(name, files, {
    profiler: variant?.options,
    nodeOptions: [`--import=${join(import.meta.dirname, 'memory.mjs')}`],
    env: { WI_MEMORY_FILE: path('memory') },
  });
  const ms = performance.now() - start;
  return { ms, memory: Number(readFileSync(path('memory'), 'utf8')) };
}

function measure({ runner, module }) {
  const original = module();
  const times = Object.fromEntries(Object.keys(variants).map((key) => [key, []]));
  const peaks = Object.fromEntries(Object.keys(variants).map((key) => [key, []]));
  const facts = {}, modules = {};
  for (let round = 0; round < ROUNDS; round++)
    for (const [key, variant] of Object.entries(variants)) {
      const files = filesOf(original, variant, modules);
      const { ms, memory } = run(runner, files, variant);
      times[key].push(ms);
      peaks[key].push(memory);
      if (!variant || facts[key]) continue;
      const { header, nodes } = readProfile(readFileSync(files[1]));
      facts[key] = { nodes: header.nodeCount, folded: header.truncatedCallCount,
        calls: nodes.reduce((sum, node) => sum + node.calls, 0n) };
    }
  return { times, peaks, facts };
}

console.log('| program | clock | s | ratio | calls, million | of them folded | nodes | peak, MiB |');
console.log('|---|---|--:|--:|--:|--:|--:|--:|');
for (const [name, program] of Object.entries(measured)) {
  const { times, peaks, facts } = measure(program);
  const base = median(times['as it is']);
  for (const [key, values] of Object.entries(times)) {
    const ms = median(values);
    const { calls, folded, nodes } = facts[key] ?? {};
    const tree = facts[key]
      ? `${(Number(calls) / 1e6).toFixed(1)} | ${(Number(folded) / 1e6).toFixed(1)} | ${nodes}`
      : '| |';
    const peak = median(peaks[key]);
    const cells = [name, key, (ms / 1000).toFixed(2), (ms / base).toFixed(2), tree, peak ? (peak / 2 ** 20).toFixed(0) : ''];
    console.log(`| ${cells.join(' | ')} |`);
  }
}
