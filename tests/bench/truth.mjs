// How near the self times of each clock come to what a run as it is shows to V8's own sampling
// profiler, function by function. Time in the host counts for the function that called it, as with our
// clocks. The reference has V8's inlining on, as programs are deployed: its profiler gives the time of
// an inlined function to the one that took it in. Prints Markdown.
//
//     truth.mjs [PROGRAM...]   default: all of them
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { temporaryFolder, tool } from '../support/tools.mjs';
import { instrument, recordReal, runReal } from './measure.mjs';
import { bulk, measured } from './measured.mjs';
import { recorded, selfOf as selfOfRecorded } from './recorded.mjs';
import { furthestOff, ROUNDS, sampledByV8, sharesOf, topOf } from './v8_samples.mjs';

const temporary = temporaryFolder();
const { NO_INLINING } = await import(tool('js/node/inlining.mjs'));

// ---- Our profiles

/** {function: self value} as `wasm-perf report` gives them, profiles added up. */
function selfOf(files, ...options) {
  const merged = `${files[0]}.merged`;
  execFileSync(tool('wasm-perf'), ['merge', '-o', merged, ...files]);
  const report = ['report', '--format', 'folded', '--no-demangle', ...options, merged];
  const text = execFileSync(tool('wasm-perf'), report, { encoding: 'utf8', maxBuffer: 1 << 28 });
  const sums = {};
  for (const line of text.trim().split('\n')) {
    const [, name, value] = /([^;]*) (\d+)$/.exec(line);
    sums[name] = (sums[name] ?? 0) + Number(value);
  }
  return sums;
}

// Of millions of stacks the text would be too long; what a function has itself is the same.
const profiler = { recursion: 'fold' };

/** The files of some runs of the module, instrumented so. */
function profilesOf({ runner, module }, name, { options }) {
  const original = module();
  const instrumented = instrument(original, join(temporary, 'program.wasm'), ...options);
  return Array.from({ length: ROUNDS }, (_, round) => {
    const output = join(temporary, `${name}${options.join('')}${round}.wperf`);
    runReal(runner, [instrumented, output], { profiler });
    return output;
  });
}

/** The files of some runs that count calls, with the times of runs without hooks. */
function profilesApart({ runner, module }, name) {
  return Array.from({ length: ROUNDS }, (_, round) => {
    const [times, output] = ['times', 'calls'].map((part) => join(temporary, `${name}.${part}${round}.wperf`));
    recordReal(runner, module(), times, '--no-hooks');
    recordReal(runner, module(), output, '--clock=none', '--recursion=fold', `--times=${times}`);
    return output;
  });
}

const columns = {
  'V8 again': (...program) => sampledByV8(...program, []),
  'V8, nothing inlined': (...program) => sampledByV8(...program, [NO_INLINING]),
  'wall, --show hooks': (...program) =>
    selfOf(profilesOf(...program, { options: ['--clock=wall'] }), '--show=hooks'),
  wall: (...program) => selfOf(profilesOf(...program, { options: ['--clock=wall'] })),
  instructions: (...program) => selfOf(profilesOf(...program, { options: ['--embed', '--clock=instructions'] }), '--symbols', program[0].module()),
  sampled: (...program) => selfOfRecorded(recorded(...program, ROUNDS, '--clock=sampled')),
  'sampled apart': (...program) => selfOf(profilesApart(...program)),
};

// ---- Tables

const row = (name, values) => console.log(`| ${name} | ${values.join(' | ')} |`);

const programs = { ...measured, ...bulk };
const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(programs);
const names = Object.keys(columns);
let details;

console.log(`| furthest of the top ten off, points | ${names.join(' | ')} |`);
console.log(`|---|${'--:|'.repeat(names.length)}`);
for (const name of wanted) {
  const reference = sharesOf(sampledByV8(programs[name], `${name}, V8`, []));
  const shares = names.map((column) => sharesOf(columns[column](programs[name], name)));
  row(name, shares.map((of) => furthestOff(reference, of).toFixed(1)));
  if (name === 'SQLite') details = { reference, shares };
}
if (details) {
  console.log(`\n| SQLite, self % | V8 | ${names.join(' | ')} |`);
  console.log(`|---|${'--:|'.repeat(names.length + 1)}`);
  for (const name of topOf(details.reference))
    row(name, [details.reference, ...details.shares].map((of) => (of[name] ?? 0).toFixed(1)));
}
