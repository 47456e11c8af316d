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
const SPAN = 50; // milliseconds that what is timed takes at least: short programs run several times
const cache = join(process.env.WI_CACHE, 'determinism');
const folder = temporaryFolder();
const nowhere = openSync('/dev/null', 'r+');

/** Milliseconds of so many runs of the compiled module, each in a new instance. */
async function time(module, rounds) {
  let sum = 0;
  for (let i = 0; i < rounds; i++) {
    const wasi = new WASI({ version: 'preview1', stdin: nowhere, stdout: nowhere, stderr: nowhere, returnOnExit: true });
    const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
    const start = performance.now();
    wasi.start(instance);
    sum += performance.now() - start;
  }
  return sum;
}

/** Of a program in both forms, in turn: the shortest plain time of a run, and the ratio of the shortest ones. */
async function compare(plainPath, hookedPath, pairs) {
  const [plain, hooked] = [plainPath, hookedPath].map((path) => new WebAssembly.Module(readFileSync(path)));
  const WARM = 20; // until V8 has its final code
  await time(hooked, WARM);
  const rounds = Math.ceil((WARM * SPAN) / await time(plain, WARM));
  const times = [];
  for (let i = 0; i < pairs; i++) times.push([await time(plain, rounds), await time(hooked, rounds)]);
  const [before, after] = [0, 1].map((form) => Math.min(...times.map((pair) => pair[form])));
  return { plain: before / rounds, ratio: after / before };
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
  ratios.push(ratio);
  console.log(`| ${name} | ${plain.toFixed(1)} ms | ${ratio.toFixed(2)} |`);
}
closeSync(nowhere);
const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
console.log(`\nGeometric mean: ${mean.toFixed(2)} times; limit: ${values.limit}`);
process.exitCode = ratios.length > 0 && mean <= Number(values.limit) ? 0 : 1;
