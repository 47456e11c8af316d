/**
 * What a run of `wasm-perf bench` costs beside a plain run, in the program's own time: each program as it is and
 * with hooks for the gate, in turn, in one process of Node.js; starting, instrumenting and compiling are not in it.
 * Prints a table in Markdown with the ratio of the shortest times; exit code 1 if their geometric mean is above the limit.
 *
 *     gate.mjs [--pairs N] [--limit RATIO] [PROGRAM...]
 */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { WASI } from 'node:wasi';
import { programs } from '../matching/programs.mjs';
import { temporaryFolder } from '../support/tools.mjs';
import { instrument } from './measure.mjs';

const { values, positionals } = parseArgs({
  options: { pairs: { type: 'string', default: '9' }, limit: { type: 'string', default: '1.5' } },
  allowPositionals: true,
});
const SHORTEST = 10; // milliseconds
const cache = join(process.env.WI_CACHE, 'determinism');
const folder = temporaryFolder();
const nowhere = openSync('/dev/null', 'r+');

/** Milliseconds of one run of the compiled module, in a new instance. */
async function time(module) {
  const wasi = new WASI({ version: 'preview1', stdin: nowhere, stdout: nowhere, stderr: nowhere, returnOnExit: true });
  const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
  const start = performance.now();
  wasi.start(instance);
  return performance.now() - start;
}

/** Of a program in both forms, in turn: the shortest plain time, and the ratio of the shortest ones. */
async function compare(plainPath, hookedPath, pairs) {
  const [plain, hooked] = [plainPath, hookedPath].map((path) => new WebAssembly.Module(readFileSync(path)));
  const WARM = 3; // until V8 has its final code
  const times = [];
  for (let i = 0; i < WARM + pairs; i++) times.push([await time(plain), await time(hooked)]);
  const measured = times.slice(WARM);
  const [before, after] = [0, 1].map((form) => Math.min(...measured.map((pair) => pair[form])));
  return { plain: before, ratio: after / before };
}

mkdirSync(cache, { recursive: true });
console.log(`Node.js ${process.versions.node}, ${values.pairs} pairs of runs\n\n| program | plain | a run of the gate |\n|---|---|---|`);
const ratios = [];
for (const { name, build, runs } of programs) {
  if (runs === false || (positionals.length > 0 && !positionals.includes(name))) continue;
  const path = join(cache, `${name}.wasm`);
  if (!existsSync(path)) build(join(process.env.WI_CACHE, 'matching'), 'lines', path);
  const hooked = instrument(path, join(folder, `${name}.wasm`), '--embed', '--no-file', '--deterministic', '--memory', '--clock=instructions');
  const { plain, ratio } = await compare(path, hooked, Number(values.pairs));
  const isLong = plain >= SHORTEST;
  if (isLong) ratios.push(ratio);
  console.log(`| ${name} | ${plain.toFixed(1)} ms | ${isLong ? ratio.toFixed(2) : 'too short to tell'} |`);
}
closeSync(nowhere);
const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
console.log(`\nGeometric mean: ${mean.toFixed(2)} times; limit: ${values.limit}`);
process.exitCode = ratios.length > 0 && mean <= Number(values.limit) ? 0 : 1;
