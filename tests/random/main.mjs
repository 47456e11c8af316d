/**
 * Random modules, original against instrumented. Started by scripts/random.sh; every module follows
 * from the seed and its index alone.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { selects } from '../spec/hooks.mjs';
import { Worker } from '../spec/pool.mjs';
import { MAX_PAGES } from './compare.mjs';

const BATCH = 25;
const SECONDS_PER_BATCH = 120;
const FAILURES_SHOWN = 20;
const here = (file) => join(import.meta.dirname, file);

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    index: { type: 'string' },
    module: { type: 'string' },
    engine: { type: 'string', default: 'all' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    shrink: { type: 'boolean', default: false },
    with: { type: 'string', multiple: true, default: [] },
    'wasm-tools': { type: 'string' },
    'wasm-instrument': { type: 'string' },
    script: { type: 'string' },
  },
});

const generator = [process.execPath, here('worker_generate.mjs')];
// Modules may ask for all the memory there is, and then all of it is compared.
const limits = [`--wasm-max-mem-pages=${MAX_PAGES}`, '--wasm-max-table-size=10000'];
const v8 = [
  process.execPath,
  '--experimental-wasm-type-reflection',
  ...limits,
  here('worker_v8.mjs'),
];
const engines = { v8, wasmtime: ['python3', here('worker_wasmtime.py')] };
const chosen = options.engine === 'all' ? Object.keys(engines) : [options.engine];
const partial = selects(options.with);
// The embedded form does not count what functions without hooks execute.
const comparesSelf = !partial && options.with.includes('--clock=instructions');
const seed = Number(options.seed);
const root = mkdtempSync(join(tmpdir(), 'wasm-instrument-random-'));

const columns = [
  'modules',
  'same',
  'different',
  'rejected',
  'overflow', // of the stack or the memory: compared up to there
  'observations', // results, traps and pieces of state
  'events', // of hooks
];
const totals = Object.fromEntries(
  chosen.map((engine) => [engine, Object.fromEntries(columns.map((column) => [column, 0]))]),
);
const failures = [];
const rejections = [];
let notMade = 0;
let refused = 0;

function* batches() {
  const first = Number(options.index ?? 0);
  const count = options.index || options.module ? 1 : Number(options.count);
  for (let start = 0; start < count; start += BATCH)
    yield Array.from({ length: Math.min(BATCH, count - start) }, (_, i) => first + start + i);
}

/** Keeps the files of a failing module, unless it is one that the user has. */
function fail(engine, { index, file, instrumented, detail }) {
  const folder = join(root, `failure-${index}-${engine.replace(' ', '-')}`);
  failures.push({ engine, index, folder });
  if (failures.length <= FAILURES_SHOWN)
    console.log(`${engine}, module ${index}: ${detail.trim()}`);
  if (options.module) return;
  mkdirSync(folder);
  copyFileSync(file, join(folder, 'original.wasm'));
  if (instrumented) copyFileSync(instrumented, join(folder, 'instrumented.wasm'));
  if (failures.length <= FAILURES_SHOWN)
    console.log(`  files: ${folder}\n  again: ${command(engine, index)}`);
}

/** The command line that checks one module again. */
function command(engine, index) {
  const withOptions = options.with.map((option) => ` --with=${option}`).join('');
  const one = engine in engines ? ` --engine ${engine}` : '';
  return `${options.script} --seed ${seed} --index ${index}${one}${withOptions}`;
}

/** So that equal reasons count as one, wherever in the module they came up. */
const withoutNumbers = (text) => text.replace(/\b[0-9][0-9a-fx]*/g, '…');

function note(engine, module, answer) {
  const total = totals[engine];
  total.modules++;
  total[answer.verdict]++;
  total.observations += answer.observations ?? 0;
  total.events += answer.events ?? 0;
  if (answer.verdict === 'rejected') rejections.push(`${engine}: ${withoutNumbers(answer.detail)}`);
  if (answer.verdict === 'different') fail(engine, { ...module, detail: answer.detail });
}

/** An engine that dies of the original as well is no fault of the rewriter. */
async function judgeDeath(worker, module) {
  const original = { ...module, instrumented: module.file, linked: undefined };
  const { died } = await worker.run({ seed, partial, modules: [original] });
  const detail = `the engine dies${died ? `, of the original as well: ${died}` : ''}`;
  return { verdict: died ? 'rejected' : 'different', detail };
}

/** A batch that killed its engine is done again one by one, to find the module that did it. */
async function check(engine, worker, modules) {
  const answers = await worker.run({ seed, partial, comparesSelf, modules });
  if (!answers.died) return modules.forEach((module, i) => note(engine, module, answers[i]));
  if (modules.length === 1) return note(engine, modules[0], await judgeDeath(worker, modules[0]));
  for (const module of modules) await check(engine, worker, [module]);
}

async function runBatch(indices, generate, workers) {
  const folder = join(root, `batch-${indices[0]}`);
  const made = await generate.run({
    folder,
    seed,
    indices,
    module: options.module && resolve(options.module),
    wasmTools: options['wasm-tools'],
    wasmInstrument: options['wasm-instrument'],
    options: options.with,
  });
  if (made.died) throw new Error(`making modules: ${made.died}`);
  notMade += made.filter((module) => module.failed).length;
  refused += made.filter((module) => module.refused).length;
  for (const module of made)
    if (module.fault) fail('any engine', { ...module, detail: module.fault });
  const modules = made.filter((module) => module.instrumented);
  for (const [engine, worker] of Object.entries(workers)) await check(engine, worker, modules);
  rmSync(folder, { recursive: true, force: true });
}

/** One worker of each kind, which share the batches with the other lanes. */
async function runLane(queue) {
  const start = (command) => new Worker(command, SECONDS_PER_BATCH);
  const generate = start(generator);
  const workers = Object.fromEntries(chosen.map((engine) => [engine, start(engines[engine])]));
  for (const indices of queue) await runBatch(indices, generate, workers);
  for (const worker of [generate, ...Object.values(workers)]) worker.close();
}

function printTotals() {
  const row = (name, cells) =>
    console.log(name.padEnd(12) + cells.map((c) => String(c).padStart(14)).join(''));
  row('', columns);
  for (const [engine, total] of Object.entries(totals)) row(engine, Object.values(total));
  const reasons = Map.groupBy(rejections, String);
  for (const [reason, { length }] of reasons) console.log(`${length} rejected by ${reason}`);
  if (notMade) console.log(`${notMade} seeds gave no module`);
  if (refused) console.log(`${refused} modules have no form with one memory`);
}

/** Makes a failing module small, as long as it still fails in the same engine. */
function shrink({ engine, index, folder }) {
  const predicate = join(folder, 'fails.sh');
  const original = join(folder, 'original.wasm');
  const small = join(folder, 'small.wasm');
  const check = `${command(engine, index)} --module "$1"`;
  writeFileSync(predicate, `#!/bin/sh\n! ${check} >/dev/null 2>&1\n`, { mode: 0o755 });
  const shrinker = ['shrink', '--attempts', '300', predicate, original, '-o', small];
  spawnSync(options['wasm-tools'], shrinker, { stdio: 'ignore' });
  console.log(existsSync(small) ? `small: ${small}` : 'wasm-tools cannot make it smaller');
}

async function main() {
  const queue = batches();
  await Promise.all(Array.from({ length: Number(options.jobs) }, () => runLane(queue)));
  printTotals();
  if (failures.length === 0 || options.module) rmSync(root, { recursive: true });
  if (failures.length === 0) return;
  process.exitCode = 1;
  if (options.module) return;
  console.log(`${failures.length} failures, kept in ${root}`);
  if (options.shrink) shrink(failures[0]);
}

await main();
