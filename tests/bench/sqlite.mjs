// SQLite (sql.js) with every function instrumented, each clock, in turn. Prints Markdown.
import { readProfile } from '../js/wperf.mjs';
import { median } from './measure.mjs';
import { emptyHooks } from './baselines.mjs';
import { load, queries } from './sqljs.mjs';

const ROWS = 40000;
const ROUNDS = 7;

const variants = {
  'as it is': await load(null),
  'empty hooks in a module': await load(['--clock', 'none'], { hooks: await emptyHooks() }),
  '--clock none': await load(['--clock', 'none']),
  '--clock none --skip-leaves 40': await load(['--clock', 'none', '--skip-leaves', '40']),
  '--clock instructions': await load(['--clock', 'instructions']),
  '--clock wall': await load(['--clock', 'wall']),
  '--embed --clock none': await load(['--embed', '--clock', 'none']),
  '--embed --clock instructions': await load(['--embed', '--clock', 'instructions']),
};
for (const variant of Object.values(variants)) queries(variant, ROWS / 10);

const times = Object.fromEntries(Object.keys(variants).map((name) => [name, []]));
for (let round = -1; round < ROUNDS; ++round)
  for (const [name, variant] of Object.entries(variants)) {
    if (name.includes('wall') && round > 1) continue; // slow, and clear enough
    const start = performance.now();
    queries(variant, ROWS);
    if (round >= 0) times[name].push(performance.now() - start);
  }

const base = median(times['as it is']);
console.log('| SQLite, all functions | ms | ratio | calls | nodes |\n|---|--:|--:|--:|--:|');
for (const [name, values] of Object.entries(times)) {
  const profile = variants[name].profiler && readProfile(variants[name].profiler.profile());
  const calls = profile?.nodes.reduce((sum, node) => sum + Number(node.calls), 0) ?? '';
  console.log(`| ${name} | ${median(values).toFixed(0)} | ${(median(values) / base).toFixed(2)} ` +
    `| ${calls} | ${profile?.nodes.length ?? ''} |`);
}
