// Whether what reports say of their own doubt follows the profile or the machine's load: records each program several times
// beside stress-ng with 0, 4 and 16 workers. Prints, for each load, in how many runs the caution about rough times and the
// findings are those of most runs of that program; how many rows that are shown without doubt are within three points of
// V8's own profile without hooks and load, beyond what two of V8's profiles differ by; and each finding that is off by more
// than five points. Rows count in runs of 1,000 samples and more. Exits with 1 if fewer than 95 % of the runs agree, fewer
// than 97 % of the rows are near, or more than 3 of 900 runs have a finding that is off.
//
//     doubt.mjs FOLDER RUNS [PROGRAM...]   of tests/packages; FOLDER has their packages in node_modules
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { readProfile } from '../js/wperf.mjs';
import { tool } from '../support/tools.mjs';
import { recorded, sampledByV8, scriptOf, sharesOf, timesOf, useFolder } from './v8_shares.mjs';

const LOADS = [0, 4, 16];
const REFERENCES = 3;
const LEAST_SAMPLES = 1000;
const SHOWN = 1; // percent, of the rows that are compared
const FINDING = 10; // percent, of a function that explain's reader would act on
const NEAR = 3;
const FAR = 5; // points
const [folder, runs = '10', ...wanted] = process.argv.slice(2);

/** What V8 says of the program: its shares, with and without inlining, and how far its profiles differ by function. */
function referenceOf(script, times) {
  const { names } = recorded(script, times);
  const take = (options) => Array.from({ length: REFERENCES }, () => sampledByV8(script, times, names, options));
  const all = [take([]), take(['--no-wasm-inlining'])];
  const spreadOf = (key) =>
    Math.max(...all.map((list) => {
      const shares = list.map((sums) => sharesOf([sums])[key] ?? 0);
      return Math.max(...shares) - Math.min(...shares);
    }));
  const shares = all.map(sharesOf);
  return { offOf: (key, share) => Math.max(0, Math.min(...shares.map((of) => Math.abs((of[key] ?? 0) - share))) - spreadOf(key)) };
}

/** The names that top marks, and whether it cautions about all times. */
function doubtOf(output) {
  const text = execFileSync(tool('wasm-perf'), ['top', '-n', '40', output], { encoding: 'utf8', env: { ...process.env, COLUMNS: '400' } });
  const marked = [...text.matchAll(/^ *[\d.]+ .*?  (\S.*?)  (?:in its caller|differs without hooks)$/gm)];
  return { isRough: /^Times are rough/m.test(text), marked: marked.map(([, row]) => row) };
}

function observe(script, times, reference) {
  const { sums, output } = recorded(script, times);
  const { isRough, marked } = doubtOf(output);
  const shares = Object.entries(sharesOf([sums]));
  const isDoubted = (key) => marked.some((row) => row.endsWith(key));
  const findings = isRough ? [] : shares.filter(([key, share]) => share >= FINDING && !isDoubted(key));
  const counts = Number(readProfile(readFileSync(output)).header.clockReadCount) >= LEAST_SAMPLES;
  const rows = counts && !isRough ? shares.filter(([key, share]) => share >= SHOWN && !isDoubted(key)) : [];
  return {
    said: JSON.stringify([isRough, findings.map(([key]) => key).sort()]),
    rows: rows.map(([key, share]) => reference.offOf(key, share)),
    off: counts ? findings.map(([key, share]) => [key, share, reference.offOf(key, share)]).filter(([, , off]) => off > FAR) : [],
  };
}

function underLoad(workers, work) {
  const stress = workers > 0 && spawn('stress-ng', ['--cpu', String(workers)], { stdio: 'ignore' });
  try {
    return work();
  } finally {
    if (stress) stress.kill();
  }
}

const modeOf = (values) => values.toSorted((a, b) => values.filter((v) => v === b).length - values.filter((v) => v === a).length)[0];
const percent = (part, whole) => `${whole > 0 ? ((100 * part) / whole).toFixed(1) : '-'} % of ${whole}`;

useFolder(folder);
const totals = LOADS.map(() => ({ runs: 0, same: 0, rows: 0, near: 0 }));
const off = [];
const programs = readdirSync(join(import.meta.dirname, '../packages/programs')).map((name) => name.replace(/\.mjs$/, ''));
for (const program of wanted.length > 0 ? wanted : programs) {
  const [script, times] = [scriptOf(program), timesOf(program)];
  const reference = referenceOf(script, times);
  const observed = LOADS.map((load) => underLoad(load, () => Array.from({ length: Number(runs) }, () => observe(script, times, reference))));
  const usual = modeOf(observed.flat().map(({ said }) => said));
  observed.forEach((list, i) => {
    const rows = list.flatMap((run) => run.rows);
    totals[i].runs += list.length;
    totals[i].same += list.filter(({ said }) => said === usual).length;
    totals[i].rows += rows.length;
    totals[i].near += rows.filter((distance) => distance <= NEAR).length;
    list.forEach((run) => run.off.length > 0 && off.push([program, LOADS[i], run.off]));
  });
  console.error(program, observed.map((list) => list.filter(({ said }) => said === usual).length).join(' '), usual);
}

console.log('| load | runs that say the same | rows within 3 points |\n|--:|--:|--:|');
LOADS.forEach((load, i) => console.log(`| ${load} | ${percent(totals[i].same, totals[i].runs)} | ${percent(totals[i].near, totals[i].rows)} |`));
for (const [program, load, list] of off)
  console.log(`${program}, load ${load}: ${list.map(([key, share, distance]) => `${key} ${share.toFixed(1)} %, ${distance.toFixed(1)} points off`).join('; ')}`);
const sum = (field) => totals.reduce((all, one) => all + one[field], 0);
const isMet = sum('same') >= 0.95 * sum('runs') && sum('near') >= 0.97 * sum('rows') && off.length <= Math.ceil((3 * sum('runs')) / 900);
process.exitCode = isMet ? 0 : 1;
