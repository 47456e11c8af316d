/**
 * What memory profiles cost calls from JavaScript: nanoseconds of CPU time of a call that allocates, which asks for its
 * caller, from a short and from a high stack, and of one that does not. Prints a Markdown table.
 */

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

import { tool } from '../support/tools.mjs';
import { at, compileLibrary } from '../memory/programs.mjs';

const RUNS = 5;
const COUNT = 100_000;

compileLibrary('handed');
writeFileSync(at('calls.mjs'), `import { readFileSync } from 'node:fs';
const module = new WebAssembly.Module(readFileSync(new URL('handed.wasm', import.meta.url)));
const { make, drop, live_bytes } = new WebAssembly.Instance(module, { host: { back() {} } }).exports;
const climb = (height, run) => (height > 0 ? climb(height - 1, run) : run());
function time(call) {
  const before = process.cpuUsage().user;
  for (let i = 0; i < ${COUNT}; i++) call();
  return (process.cpuUsage().user - before) * 1000 / ${COUNT};
}
const allocate = () => drop(make(100));
time(allocate);
time(live_bytes);
console.log(time(allocate), climb(20, () => time(allocate)), time(live_bytes));
`);

function measure(command, args) {
  const { status, stdout, stderr } = spawnSync(command, [...args, process.execPath, at('calls.mjs')], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim().split(' ').map(Number);
}

/** The least of each number over all runs: other programs only add time. */
const least = (runs) => runs[0].map((_, i) => Math.min(...runs.map((run) => run[i])));

const repeat = (...command) => least(Array.from({ length: RUNS }, () => measure(...command)));
const record = (...options) => repeat(tool('wasm-perf'), ['record', '--clock=none', ...options, '-o', at('calls.wperf'), '--']);

console.log('| ns per call | plain | recorded | with --memory |\n|---|--:|--:|--:|');
const columns = [repeat('env', []), record(), record('--memory')];
['make and free', 'the same, 20 frames deep', 'allocates nothing'].forEach((name, i) => {
  console.log(`| ${name} | ${columns.map((column) => Math.round(column[i])).join(' | ')} |`);
});
