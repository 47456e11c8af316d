/** Programs run as they are and under `wasm-perf record -- node`: what they print must be the same. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import { tool } from './tools.mjs';

const TIMEOUT_MS = 120_000;
const wasmPerf = tool('wasm-perf');

/** Programs start Node by its name, too. */
const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };

const columns = [-22, 7, 12, 10, 8, 9, 7, 10];
const row = (...cells) =>
  console.log(cells.map((cell, i) => (columns[i] < 0 ? `${cell}`.padEnd(-columns[i]) : `${cell}`.padStart(columns[i] ?? 0))).join('  '));

function run(command, args, cwd) {
  const start = performance.now();
  const options = { cwd, env, encoding: 'utf8', timeout: TIMEOUT_MS, maxBuffer: 1 << 28 };
  const { status, signal, stdout, stderr } = spawnSync(command, args, options);
  const warnings = stderr?.replace(/\(node:\d+\)/g, '(node)'); // with the process's number
  return { end: signal ?? status, stdout, stderr: warnings, seconds: (performance.now() - start) / 1000 };
}

/** What the profile has in it, as another reader sees it: the JSON report. */
function readReport(profile) {
  const json = `${profile}.json`;
  const { end, stderr } = run(wasmPerf, ['report', profile, '-o', json]);
  if (end !== 0) throw new Error(stderr);
  return JSON.parse(readFileSync(json));
}

/** The share of WebAssembly's own time, or other value that is shown, in functions with a name or a place in the source. */
function namedShare(functions) {
  const own = functions.filter(({ host }) => !host);
  const sum = (list) => list.reduce((all, { self }) => all + self, 0);
  return `${((100 * sum(own.filter(({ name }) => !/^func\[\d+\]$/.test(name)))) / Math.max(1, sum(own))).toFixed(1)} %`;
}

/** The functions whose calls are not what was expected, in words. */
function wrongCounts(functions, expected) {
  const countOf = (name) =>
    functions.filter((one) => one.name === name).reduce((sum, { calls }) => sum + calls, 0);
  return Object.entries(expected)
    .filter(([name, calls]) => countOf(name) !== calls)
    .map(([name, calls]) => `${name}: ${countOf(name)} calls instead of ${calls}`);
}

/**
 * @typedef {object} Program
 * @property {string} name
 * @property {string[]} args of Node
 * @property {Record<string, number>} [calls] of functions, where they are known
 */

/**
 * Runs them in that folder, prints a table, and returns how many were not as they should be.
 *
 * @param {Program[]} programs
 * @param {string} folder profiles and reports go to its folder `reports`
 * @param {string[]} [options] of record
 */
export function runSideBySide(programs, folder, options = []) {
  const reports = join(folder, 'reports');
  mkdirSync(reports, { recursive: true });

  function problemsOf({ name, args, calls = {} }) {
    const profile = join(reports, `${name}.wperf`);
    const plain = run(process.execPath, args, folder);
    const profiled = run(wasmPerf, ['record', '-o', profile, ...options, '--', process.execPath, ...args], folder);
    profiled.stderr = profiled.stderr.replace(/^wasm-perf: .*: warning: .*\n/gm, ''); // ours
    if (plain.end !== 0) return [`does not run by itself: ${plain.stderr}`];
    const different = ['end', 'stdout', 'stderr'].filter((key) => plain[key] !== profiled[key]);
    if (different.length > 0) return different.map((key) => `${key}: ${profiled[key]}`);
    const { calls: callCount, nodes, functions, summary } = readReport(profile);
    run(wasmPerf, ['report', profile, '-o', join(reports, `${name}.html`)]);
    row(name, 'same', callCount.toLocaleString('en'), nodes.parent.length.toLocaleString('en'),
      `${plain.seconds.toFixed(2)} s`, `${profiled.seconds.toFixed(2)} s`,
      namedShare(functions), (summary.allocated_objects ?? '').toLocaleString('en'));
    return callCount > 0 ? wrongCounts(functions, calls) : ['nothing was counted'];
  }

  row('program', 'output', 'calls', 'nodes', 'plain', 'profiled', 'named', 'blocks');
  const failed = programs.filter((program) => {
    const problems = problemsOf(program);
    for (const problem of problems) console.log(`${program.name}: ${problem.slice(0, 2000)}`);
    return problems.length > 0;
  });
  console.log(`\n${programs.length - failed.length} passed, ${failed.length} failed`);
  return failed.length;
}
