/**
 * How long one waits for a profile: programs of tests/packages as they are, with V8's own sampler
 * (`node --cpu-prof`), and under `wasm-perf record`, which writes a page, without and with sampling. Nothing is
 * rewritten any more: a run before has filled the cache of modules.
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
 * How long a command takes, in milliseconds: {wall, cpu}, of which the latter says more on a busy machine. It ends when its
 * child processes have closed its stderr, too: esbuild's goes on for a second, in which V8 compiles, after its parent has ended.
 */
function timed(...words) {
  const script = 'set -o pipefail; TIMEFORMAT="%R %U %S"; time { "$@" 2>&1 >/dev/null | cat >/dev/null; }';
  const { stderr, status } = spawnSync('bash', ['-c', script, 'bash', ...words], { cwd: folder, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${words.join(' ')}: exit code ${status}`);
  const [wall, user, system] = stderr.trim().split(/\s+/).slice(-3).map(ms);
  return { wall, cpu: user + system };
}

const VARIANTS = ['plain', '--cpu-prof', 'record --clock none', 'record'];

/** The medians of each variant, whose runs take turns. */
function compare(program) {
  const words = ['--no-warnings', join('programs', `${program}.mjs`)];
  const plain = [process.execPath, ...words];
  const record = (...options) => [tool('wasm-perf'), 'record', ...options, '-o', join(work, 'page.html'), '--', ...plain];
  const commands = [plain, [process.execPath, '--cpu-prof', `--cpu-prof-dir=${work}`, ...words], record('--clock=none'), record()];
  commands.slice(2).forEach((command) => timed(...command)); // fills the cache
  const runs = Array.from({ length: ROUNDS }, () => commands.map((command) => timed(...command)));
  const of = (i, key) => median(runs.map((times) => times[i][key]));
  return { wall: VARIANTS.map((_, i) => of(i, 'wall')), cpu: VARIANTS.map((_, i) => of(i, 'cpu')) };
}

const whole = (value) => Math.round(value).toLocaleString('en');
const cell = (value, plain) => `${whole(value)} (${(value / plain).toFixed(2)})`;

cpSync(join(import.meta.dirname, '../packages/programs'), join(folder, 'programs'), { recursive: true });
console.log(`| program | ${VARIANTS.join(' | ')} | CPU, plain | CPU, record |`);
console.log(`| --- |${' ---: |'.repeat(VARIANTS.length + 2)}`);
const results = [];
for (const program of PROGRAMS.filter((name) => wanted.length === 0 || wanted.includes(name))) {
  const result = compare(program);
  results.push(result);
  const { wall, cpu } = result;
  const walls = wall.map((value, i) => (i === 0 ? whole(value) : cell(value, wall[0])));
  console.log(`| ${[program, ...walls, whole(cpu[0]), cell(cpu.at(-1), cpu[0])].join(' | ')} |`);
}

// ---- What all of them have in common

const LONG = 1000; // ms
const worstOf = (ratios) => (ratios.length > 0 ? Math.max(...ratios).toFixed(2) : 'none');
console.log('\n| | median | worst | worst of 1 s and more | shortest program |\n| --- | ---: | ---: | ---: | ---: |');
VARIANTS.slice(1).forEach((name, i) => {
  const compared = results.map(({ wall }) => ({ plain: wall[0], more: wall[i + 1] - wall[0], ratio: wall[i + 1] / wall[0] }));
  const ratios = compared.map(({ ratio }) => ratio);
  const long = compared.filter(({ plain }) => plain >= LONG).map(({ ratio }) => ratio);
  const [shortest] = compared.toSorted((a, b) => a.plain - b.plain);
  console.log(`| ${name} | ${median(ratios).toFixed(2)} | ${worstOf(ratios)} | ${worstOf(long)} | ${whole(shortest.more)} ms more |`);
});
