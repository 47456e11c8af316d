// What one call costs with hooks, in this engine: a loop that calls a small function, instrumented
// for each clock and linked to several runtimes, in turn. Prints Markdown.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { temporaryFolder, tool } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';
import { emptyHooks, hashedStacks, hooksInJavaScript } from './baselines.mjs';
import { calls } from './calls.mjs';
import { instrument, median } from './measure.mjs';

const CALLS = 2e7;
const ROUNDS = 7;
const temporary = temporaryFolder();
const { createProfiler } = await import(tool('js/engine/profiler.mjs'));
const runtime = readFileSync(tool('wasm_perf.wasm'));

const source = await parse(calls());

function instrumented(clock, functions = '@0-1', ...options) {
  const input = join(temporary, 'in.wasm');
  writeFileSync(input, source);
  // run itself has no hooks, so that what is measured is one pair a call
  const output = join(temporary, 'out.wasm');
  return readFileSync(instrument(input, output, '--clock', clock, '--only', functions, ...options));
}

async function linked(clock, ...rest) {
  const module = instrumented(clock, ...rest);
  const profiler = await createProfiler({ runtime, module });
  const { instance } = await WebAssembly.instantiate(module, { wasm_perf: profiler.imports });
  return instance;
}

const embedded = async (clock, functions) =>
  (await WebAssembly.instantiate(instrumented(clock, functions, '--embed'))).instance;

const withImports = async (imports) =>
  (await WebAssembly.instantiate(instrumented('none'), { wasm_perf: imports })).instance;

const variants = {
  'without hooks': (await WebAssembly.instantiate(source)).instance,
  'empty hooks in a module': await withImports(await emptyHooks()),
  'wasm_perf.wasm, none': await linked('none'),
  'wasm_perf.wasm, instructions': await linked('instructions'),
  'wasm_perf.wasm, wall': await linked('wall'),
  'embedded, none': await embedded('none'),
  'embedded, none, run has hooks, too': await embedded('none', '*'),
  'embedded, instructions, run has hooks, too': await embedded('instructions', '*'),
  'a tree kept in JavaScript': await withImports(hooksInJavaScript()),
  'a hash table keyed by the whole stack, in JavaScript': await withImports(hashedStacks()),
};

const times = Object.fromEntries(Object.keys(variants).map((name) => [name, []]));
for (let round = -2; round < ROUNDS; round++)
  for (const [name, { exports }] of Object.entries(variants)) {
    // The slow ones make fewer calls; all are measured per call.
    const calls = /JavaScript|wall/.test(name) ? CALLS / 20 : CALLS;
    const start = performance.now();
    exports.run(calls);
    if (round >= 0) times[name].push(((performance.now() - start) * 1e6) / calls);
  }

const base = median(times['without hooks']);
console.log('| hooks | ns per call | more than without |\n|---|--:|--:|');
for (const [name, values] of Object.entries(times))
  console.log(`| ${name} | ${median(values).toFixed(1)} | ${(median(values) - base).toFixed(1)} |`);
