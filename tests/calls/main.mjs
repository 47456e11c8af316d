/**
 * Programs made of calls, their call trees against those of an oracle. Started by scripts/calls.sh; every program
 * follows from the seed and its index alone.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runJobs } from '../spec/pool.mjs';
import { tool } from '../support/tools.mjs';

const BATCH = 25;
const BATCHES_PER_PROCESS = 100; // V8 aborts after some 11,000 programs: it cannot free their code
const SECONDS_PER_BATCH = 900;
const FAILURES_SHOWN = 20;
const ENGINES = ['v8', 'wasmtime'];

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    index: { type: 'string' },
    engine: { type: 'string', default: 'all' },
    mode: { type: 'string' },
    first: { type: 'boolean' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    'wasm-instrument': { type: 'string', default: tool('wasm-instrument') },
  },
});
const root = mkdtempSync(join(tmpdir(), 'wasm-instrument-calls-'));
const counts = new Map(); // "engine mode" -> {programs, exact, loose, different}
const failures = [];

let isStopped = false; // what was made until then counts

function* jobsFor(engine) {
  const first = Number(options.index ?? 0);
  const count = options.index ? 1 : Number(options.count);
  const common = { engine, seed: Number(options.seed), mode: options.mode, wasmInstrument: options['wasm-instrument'] };
  for (let start = 0; start < count && !isStopped && !(options.first && failures.length > 0); start += BATCH) {
    const indices = Array.from({ length: Math.min(BATCH, count - start) }, (_, i) => first + start + i);
    yield { ...common, indices, folder: join(root, `${engine}-${start}`), keeps: options.index !== undefined };
  }
}

function fail(engine, index, detail) {
  failures.push(index);
  if (failures.length > FAILURES_SHOWN) return;
  console.log(`${engine}, program ${index}: ${detail}`);
  console.log(`  again: scripts/calls.sh --engine ${engine} --seed ${options.seed} --index ${index}`);
}

function note(engine, { index, mode, detail, exact, loose }) {
  const key = `${engine} ${mode}`;
  const sums = counts.get(key) ?? { programs: 0, exact: 0, loose: 0, different: 0 };
  sums.programs++;
  sums.exact += exact;
  sums.loose += loose;
  sums.different += detail !== null;
  counts.set(key, sums);
  if (detail) fail(engine, index, detail);
}

/** An engine that dies is a failure of one of the batch. */
async function runEngine(engine) {
  await runJobs({
    command: [process.execPath, join(import.meta.dirname, 'worker.mjs')],
    count: Number(options.jobs),
    seconds: SECONDS_PER_BATCH,
    jobsPerProcess: BATCHES_PER_PROCESS,
    jobs: { values: () => jobsFor(engine) }, // drawn one by one, for --first
    onAnswer: ({ indices }, answer) => {
      if (answer.died) fail(engine, `${indices[0]} to ${indices.at(-1)}`, answer.died);
      else for (const item of answer) note(engine, item);
    },
  });
}

function printTotals() {
  const row = (name, cells) => console.log(name.padEnd(18) + cells.map((cell) => String(cell).padStart(16)).join(''));
  row('', ['programs', 'exact calls', 'context unknown', 'different']);
  for (const [name, sums] of [...counts].sort()) row(name, Object.values(sums));
}

process.on('SIGINT', () => (isStopped = true));
for (const engine of options.engine === 'all' ? ENGINES : [options.engine]) await runEngine(engine);
printTotals();
if (options.index === undefined) rmSync(root, { recursive: true, force: true });
else console.log(`its modules: ${root}`);
if (failures.length > 0) {
  console.log(`${failures.length} failures`);
  process.exitCode = 1;
}
