// SQLite (sql.js) with every function instrumented, each clock. Rounds are short and each has all variants
// in turn, so what else the machine does meets them alike: a ratio is the median of those of the rounds.
// Prints Markdown.
import { readProfile } from '../js/wperf.mjs';
import { median } from './measure.mjs';
import { emptyHooks } from './baselines.mjs';
import { load, queries } from './sqljs.mjs';

const WARM_UP_ROWS = 20000;
const WARM_UP_ROUNDS = 8; // the engine's best code comes late
const ROWS = 3000;
const ROUNDS = 150;
const SLOW_ROUNDS = 10;

const variants = {
  'as it is': await load(null),
  'empty hooks in a module': await load(['--clock', 'none'], { hooks: await emptyHooks() }),
  '--clock none': await load(['--clock', 'none']),
  '--clock none --skip-leaves 40': await load(['--clock', 'none', '--skip-leaves', '40']),
  '--clock instructions': await load(['--clock', 'instructions']),
  '--clock wall': await load(['--clock', 'wall']),
  '--embed --clock none': await load(['--embed', '--clock', 'none']),
  '--embed --lines': await load(['--embed', '--lines', '--clock', 'none']),
  '--embed --lines --clock instructions': await load(['--embed', '--lines', '--clock', 'instructions']),
  '--embed --clock instructions': await load(['--embed', '--clock', 'instructions']),
  '--embed --calls --clock none': await load(['--embed', '--calls', '--clock', 'none']),
  '--embed --calls --clock instructions': await load(['--embed', '--calls', '--clock', 'instructions']),
  "--embed --calls-of @0-99999 --clock instructions": await load(['--embed', '--calls-of', '@0-99999', '--clock', 'instructions']),
};
const names = Object.keys(variants);
const isSlow = (name) => name === '--clock wall';
for (const name of names)
  for (let round = 0; round < (isSlow(name) ? 1 : WARM_UP_ROUNDS); round++)
    queries(variants[name], WARM_UP_ROWS);

/** Milliseconds of each variant in one round, which begins with another one each time. */
function measureRound(round) {
  const measured = names.filter((name) => round < SLOW_ROUNDS || !isSlow(name));
  const times = {};
  for (let i = 0; i < measured.length; i++) {
    const name = measured[(round + i) % measured.length];
    const start = performance.now();
    queries(variants[name], ROWS);
    times[name] = performance.now() - start;
  }
  return times;
}
const rounds = Array.from({ length: ROUNDS }, (_, round) => measureRound(round));

console.log('| SQLite, all functions | ms | ratio | calls | nodes |\n|---|--:|--:|--:|--:|');
for (const name of names) {
  const measured = rounds.filter((times) => name in times);
  const ms = median(measured.map((times) => times[name]));
  const ratio = median(measured.map((times) => times[name] / times['as it is']));
  const profile = variants[name].profiler && readProfile(variants[name].profiler.profile());
  const calls = profile?.nodes.reduce((sum, node) => sum + Number(node.calls), 0) ?? '';
  console.log(`| ${name} | ${ms.toFixed(1)} | ${ratio.toFixed(2)} | ${calls} | ${profile?.nodes.length ?? ''} |`);
}
