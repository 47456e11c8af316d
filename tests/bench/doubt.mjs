// Whether what reports say of their own doubt follows the profile or the machine's load: records each program several times
// beside stress-ng with 0, 4 and 16 workers. Prints, for each load, in how many runs the caution about rough times and the
// findings are those of most runs of that program, in how many they are but for findings within three points of the limit;
// how many rows that are shown without doubt are within three points of V8's own profile without hooks and load, beyond
// what two of V8's profiles differ by; and each finding that is off by more than five points. Rows count in runs of 1,000
// samples and more. Exits with 1 if fewer than 95 % of the runs agree, fewer than 97 % of the rows are near, or more than 3
// of 900 runs have a finding that is off; with 2 if programs are left.
//
//     doubt.mjs FOLDER RUNS [--minutes N] [PROGRAM...]   of tests/packages; FOLDER has their packages in node_modules
//
// Results are in WI_BUILD/doubt, a file for each program, and hold until wasm-perf is built anew. After N minutes, 50 by
// default, no other program is begun, and the table is of those so far: run it again for the rest.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { readProfile } from '../js/wperf.mjs';
import { tool } from '../support/tools.mjs';
import { recorded, sampledByV8, scriptOf, sharesOf, timesOf, useFolder } from './v8_shares.mjs';

const LOADS = [0, 4, 16];
const REFERENCES = 3;
const LEAST_SAMPLES = 1000;
const SHOWN = 1; // percent, of the rows that are compared
const FINDING = 10; // percent, of a function that a reader would act on: two standard deviations less than its share
const NEAR = 3;
const FAR = 5; // points
const { values: options, positionals: [folder, runs = '10', ...wanted] } =
  parseArgs({ options: { minutes: { type: 'string', default: '50' } }, allowPositionals: true });

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
  const marked = [...text.matchAll(/^ *[\d.]+ .*?  (\S.*?)  (?:in its caller|differs without hooks|may be compilation)$/gm)];
  return { isRough: /^Times are rough/m.test(text), marked: marked.map(([, row]) => row) };
}

function observe(script, times, reference) {
  const { sums, output } = recorded(script, times);
  const { isRough, marked } = doubtOf(output);
  const shares = Object.entries(sharesOf([sums]));
  const isDoubted = (key) => marked.some((row) => row.endsWith(key));
  const samples = Number(readProfile(readFileSync(output)).header.clockReadCount);
  const leastOf = (share) => share - 2 * Math.sqrt((share * (100 - share)) / samples);
  const findings = isRough ? [] : shares.filter(([key, share]) => leastOf(share) >= FINDING && !isDoubted(key));
  const counts = samples >= LEAST_SAMPLES;
  const rows = counts && !isRough ? shares.filter(([key, share]) => share >= SHOWN && !isDoubted(key)) : [];
  return {
    isRough,
    findings: Object.fromEntries(findings.map(([key, share]) => [key, leastOf(share)])),
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

/** Records the program under each load: by load, what each run says. */
function observeAll(program) {
  const [script, times] = [scriptOf(program), timesOf(program)];
  const reference = referenceOf(script, times);
  return LOADS.map((load) => underLoad(load, () => Array.from({ length: Number(runs) }, () => observe(script, times, reference))));
}

const results = join(process.env.WI_BUILD, 'doubt');

/** The program's result, or null if there is none of this build and of so many runs. */
function resultOf(program) {
  const path = join(results, `${program}.json`);
  if (!existsSync(path) || statSync(path).mtimeMs < statSync(tool('wasm-perf')).mtimeMs) return null;
  const result = JSON.parse(readFileSync(path, 'utf8'));
  return result.runs === runs ? result.observed : null;
}

const saidIn = ({ isRough, findings }) => JSON.stringify([isRough, Object.keys(findings).sort()]);
const modeOf = (values) => values.toSorted((a, b) => values.filter((v) => v === b).length - values.filter((v) => v === a).length)[0];

/** Whether all findings of one run that are not near the limit are in the other. */
const has = (run, other) =>
  Object.entries(other.findings).every(([key, share]) => key in run.findings || share < FINDING + NEAR);
const agrees = (run, usual) => run.isRough === usual.isRough && has(run, usual) && has(usual, run);
const percent = (part, whole) => `${whole > 0 ? ((100 * part) / whole).toFixed(1) : '-'} % of ${whole}`;

useFolder(folder);
mkdirSync(results, { recursive: true });
const end = performance.now() + Number(options.minutes) * 60_000;
const totals = LOADS.map(() => ({ runs: 0, same: 0, agree: 0, rows: 0, near: 0 }));
const [off, left] = [[], []];
const programs = readdirSync(join(import.meta.dirname, '../packages/programs')).map((name) => name.replace(/\.mjs$/, ''));

for (const program of wanted.length > 0 ? wanted : programs) {
  let observed = resultOf(program);
  if (observed === null && performance.now() >= end) {
    left.push(program);
    continue;
  }
  if (observed === null) {
    observed = observeAll(program);
    writeFileSync(join(results, `${program}.json`), JSON.stringify({ runs, observed }));
  }
  const usual = modeOf(observed.flat().map(saidIn));
  const example = observed.flat().find((run) => saidIn(run) === usual);
  observed.forEach((list, i) => {
    const rows = list.flatMap((run) => run.rows);
    totals[i].runs += list.length;
    totals[i].same += list.filter((run) => saidIn(run) === usual).length;
    totals[i].agree += list.filter((run) => agrees(run, example)).length;
    totals[i].rows += rows.length;
    totals[i].near += rows.filter((distance) => distance <= NEAR).length;
    list.forEach((run) => run.off.length > 0 && off.push([program, LOADS[i], run.off]));
  });
  console.error(program, observed.map((list) => list.filter((run) => agrees(run, example)).length).join(' '), usual);
}

console.log('| load | runs that say the same | but for the limit | rows within 3 points |\n|--:|--:|--:|--:|');
const sum = (field) => totals.reduce((all, one) => all + one[field], 0);
const all = Object.fromEntries(Object.keys(totals[0]).map((field) => [field, sum(field)]));
[...totals, all].forEach((of, i) =>
  console.log(`| ${LOADS[i] ?? 'all'} | ${percent(of.same, of.runs)} | ${percent(of.agree, of.runs)} | ${percent(of.near, of.rows)} |`));
for (const [program, load, list] of off)
  console.log(`${program}, load ${load}: ${list.map(([key, share, distance]) => `${key} ${share.toFixed(1)} %, ${distance.toFixed(1)} points off`).join('; ')}`);
if (left.length > 0) console.log(`Left: ${left.join(', ')}`);
const isMet = all.agree >= 0.95 * all.runs && all.near >= 0.97 * all.rows && off.length <= Math.ceil((3 * all.runs) / 900);
process.exitCode = left.length > 0 ? 2 : isMet ? 0 : 1;
