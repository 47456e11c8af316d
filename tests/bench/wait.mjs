/**
 * How long one waits for a profile: programs of tests/packages as they are and under `wasm-perf record`,
 * which writes a page. Nothing is rewritten any more: a run before has filled the cache of modules.
 *
 *     wait.mjs FOLDER [PROGRAM...]   FOLDER has their packages in node_modules
 */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { tool } from '../support/tools.mjs';
import { median } from './measure.mjs';

const ROUNDS = Number(process.env.WI_ROUNDS ?? 7);
const PROGRAMS = ['gofmt', 'ruff', 'sql.js', 'quickjs', 'yoga', 'resvg', 'tiktoken', 'graphviz', 'rapier', 'esbuild', 'mupdf', 'swc', 'z3', 'duckdb', 'pglite', 'pyodide'];

const [folder, ...wanted] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'wasm-perf-wait-'));
process.on('exit', () => rmSync(work, { recursive: true }));
const path = `${dirname(process.execPath)}:${process.env.PATH}`; // esbuild starts node by its name
const env = { ...process.env, PATH: path, WASM_PERF_CACHE: join(work, 'modules') };
const ms = (seconds) => 1000 * Number(seconds);

/**
 * What a command takes, in milliseconds: {wall, cpu}, of which the latter says more on a busy machine. Returns once its
 * child processes have closed its stderr, too: esbuild's goes on for a second, in which V8 compiles, after its parent has ended.
 */
function timed(...words) {
  const script = 'TIMEFORMAT="%R %U %S"; time "$@" >/dev/null 2>&3 3>&-';
  const options = { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe', 'pipe'] };
  const { stderr, status } = spawnSync('bash', ['-c', script, 'bash', ...words], options);
  if (status !== 0) throw new Error(`${words.join(' ')}: exit code ${status}`);
  const [wall, user, system] = stderr.trim().split(/\s+/).slice(-3).map(ms);
  return { wall, cpu: user + system };
}

/** The medians of both, whose runs take turns. */
function compare(program) {
  const plain = [process.execPath, '--no-warnings', join('programs', `${program}.mjs`)];
  const recorded = [tool('wasm-perf'), 'record', '-o', join(work, 'page.html'), '--', ...plain];
  timed(...recorded); // fills the cache
  const runs = Array.from({ length: ROUNDS }, () => [timed(...plain), timed(...recorded)]);
  const of = (i, key) => median(runs.map((pair) => pair[i][key]));
  return { wall: [of(0, 'wall'), of(1, 'wall')], cpu: [of(0, 'cpu'), of(1, 'cpu')] };
}

const ratio = ([plain, recorded]) => recorded / plain;
const whole = (values) => values.map((value) => Math.round(value).toLocaleString('en'));

cpSync(join(import.meta.dirname, '../packages/programs'), join(folder, 'programs'), { recursive: true });
console.log('| program | plain ms | recorded ms | times | CPU ms, plain | recorded | times |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
const results = [];
for (const program of PROGRAMS.filter((name) => wanted.length === 0 || wanted.includes(name))) {
  const result = compare(program);
  results.push(result);
  const { wall, cpu } = result;
  const cells = [program, ...whole(wall), ratio(wall).toFixed(2), ...whole(cpu), ratio(cpu).toFixed(2)];
  console.log(`| ${cells.join(' | ')} |`);
}
for (const [key, name] of [['wall', 'Time'], ['cpu', 'CPU time']]) {
  const ratios = results.map((result) => ratio(result[key]));
  const least = Math.min(...results.map(({ [key]: [plain, recorded] }) => recorded - plain));
  console.log(`\n${name}: median ${median(ratios).toFixed(2)} times, worst ${Math.max(...ratios).toFixed(2)}, least ${Math.round(least)} ms more.`);
}
