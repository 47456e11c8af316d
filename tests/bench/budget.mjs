// Real programs recorded with --budget: what hooks and samples were predicted and measured to cost, how much of
// the time stands under its own function, and how much of it under functions whose calls are exact. Prints Markdown; exits with 1 where a goal is missed.
//
//   budget.mjs PERCENT [PROGRAM...]
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { programs } from '../real/programs.mjs';
import { packageFile, temporaryFolder, tool } from '../support/tools.mjs';
import { readProfile } from '../js/wperf.mjs';

const ATTRIBUTED_GOAL = 0.9;
const [percent = '3', ...names] = process.argv.slice(2);
const folder = temporaryFolder();
const real = (name) => [join(import.meta.dirname, `../real/run_${name}.mjs`), packageFile(programs[name].module)];

/** The command that runs each, and its module among those that the command may use. */
const measured = {
  SQLite: { words: () => [join(import.meta.dirname, 'budget_sqlite.mjs')], module: 'sql-wasm*' },
  esbuild: { words: () => real('esbuild'), module: 'esbuild*' },
  Ruby: { words: () => real('ruby'), module: 'ruby*' },
  Python: { words: () => real('pyodide'), module: 'pyodide*' },
};

function record(name, { words, module }) {
  const output = join(folder, `${name}.wperf`);
  const options = [`--budget=${percent}%`, `--module=${module}`, '-o', output];
  const node = [process.execPath, '--no-warnings', '--stack-size=4000', ...words()];
  const { status, stderr } = spawnSync(tool('wasm-perf'), ['record', ...options, '--', ...node], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${name}: exit code ${status}\n${stderr}`);
  return readProfile(readFileSync(output));
}

/** The share of the time that stands under its own function: of all, where samples name those without hooks. */
const ownShare = ({ header, uncounted }) =>
  uncounted.size > 0 ? 1 : Number(header.attributedShare ?? 0n) / 1e6;

const shown = (share, decimals = 1) => `${(100 * share).toFixed(decimals)} %`;

/** A row, and whether the goals are met. */
function row(name, profile) {
  const { header } = profile;
  const { runTime, plainRunTime, runTimeError = 0n, predictedOverhead = 0n, attributedShare = 0n } = header;
  const plain = Number(plainRunTime);
  const overhead = Number(runTime) / plain - 1;
  const error = Number(runTimeError) / plain;
  const attributed = ownShare(profile);
  const hooked = `${header.hookedFunctionCount} of ${header.functionCount}`;
  const cells = [name, (plain / 1e9).toFixed(2), hooked, shown(Number(predictedOverhead) / 1e6),
    `${shown(overhead)} ± ${shown(error)}`, shown(attributed), shown(Number(attributedShare) / 1e6)];
  console.log(`| ${cells.join(' | ')} |`);
  return overhead <= Number(percent) / 100 && attributed >= ATTRIBUTED_GOAL;
}

console.log(`| program, --budget ${percent}% | plain, s | functions with hooks | predicted | measured | under its own function | with exact calls |`);
console.log('|---|--:|--:|--:|--:|--:|--:|');
const wanted = Object.entries(measured).filter(([name]) => names.length === 0 || names.includes(name));
const met = wanted.map(([name, program]) => row(name, record(name, program)));
process.exitCode = met.every(Boolean) ? 0 : 1;
