// What the embedded form costs as two builds of wasm-instrument make it: real programs with every function
// instrumented, in whole processes, all variants in turn. Prints Markdown.
//
//     revisions.mjs BEFORE AFTER    wasm-instrument of each
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { temporaryFolder } from '../support/tools.mjs';
import { median, runReal } from './measure.mjs';
import { measured } from './measured.mjs';

const PROGRAMS = ['SQLite', 'esbuild', 'pyodide'];
const ROUNDS = 11;
const CLOCKS = ['none', 'instructions'];
const builds = { before: process.argv[2], after: process.argv[3] };
const folder = temporaryFolder();
const profile = join(folder, 'profile.wperf');

/** {"CLOCK BUILD": module} */
function instrumented(original) {
  const modules = {};
  for (const clock of CLOCKS)
    for (const [name, build] of Object.entries(builds)) {
      const path = (modules[`${clock} ${name}`] = join(folder, `${clock}-${name}.wasm`));
      execFileSync(build, ['-q', '--embed', '--no-file', '--clock', clock, original, '-o', path]);
    }
  return modules;
}

function timeOf(runner, files) {
  rmSync(profile, { force: true });
  const start = performance.now();
  runReal(runner, files);
  return performance.now() - start;
}

/** Times of all variants in one round, which begins with another one each time. */
function measureRound(round, runner, variants) {
  const names = Object.keys(variants);
  const times = names.map((_, i) => {
    const name = names[(round + i) % names.length];
    return [name, timeOf(runner, variants[name])];
  });
  return Object.fromEntries(times);
}

console.log('| program | clock | as it is, s | before | after | after / before |\n|---|---|--:|--:|--:|--:|');
for (const name of PROGRAMS) {
  const { runner, module } = measured[name];
  const original = module();
  const variants = { plain: [original] };
  for (const [key, path] of Object.entries(instrumented(original))) variants[key] = [path, profile];
  const rounds = Array.from({ length: ROUNDS }, (_, round) => measureRound(round, runner, variants));
  const ratio = (over, under) => median(rounds.map((times) => times[over] / times[under])).toFixed(3);
  const seconds = (median(rounds.map(({ plain }) => plain)) / 1000).toFixed(2);
  for (const clock of CLOCKS) {
    const [before, after] = ['before', 'after'].map((build) => `${clock} ${build}`);
    console.log(`| ${name} | ${clock} | ${seconds} | ${ratio(before, 'plain')} | ${ratio(after, 'plain')} | ${ratio(after, before)} |`);
  }
}
