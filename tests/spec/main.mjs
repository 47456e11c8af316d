/**
 * The specification suite, original against instrumented: converts each .wast file, instruments its
 * modules in each form that is asked for, runs all in each engine and prints what came out. Started
 * by scripts/spec.sh.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { tool } from '../support/tools.mjs';
import { compareScript } from './compare.mjs';
import { selects } from './hooks.mjs';
import { runJobs } from './pool.mjs';

const DETAILS_SHOWN = 10;
const SECONDS_PER_FILE = 120;
const here = (file) => join(import.meta.dirname, file);

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    suite: { type: 'string' },
    engine: { type: 'string', default: 'all' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    keep: { type: 'boolean', default: false },
    with: { type: 'string', multiple: true, default: [''] },
    'wasm-tools': { type: 'string' },
    'wasm-instrument': { type: 'string' },
  },
});

const engines = {
  v8: [process.execPath, '--experimental-wasm-type-reflection', here('worker_v8.mjs')],
  wasmtime: ['python3', here('worker_wasmtime.py')],
};
const chosen = options.engine === 'all' ? Object.keys(engines) : [options.engine];
const workers = Number(options.jobs);
const forms = options.with.map((text) => text.split(' ').filter(Boolean));

/** The scripts in a folder of the suite and, for proposals, below it. */
function scriptsIn(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.wast'));
  return files.map((file) => ({ wast: join(folder, file), name: nameOf(file) }));
}

/** proposals/threads/memory.wast -> proposals-threads-memory: scripts of several folders are called alike. */
const nameOf = (file) => file.replace(/\.wast$/, '').replaceAll('/', '-');

/** What the command line names, else the whole suite and our own scripts. */
function scriptFiles() {
  if (positionals.length === 0) return [...scriptsIn(options.suite), ...scriptsIn(here('extra'))];
  return positionals.map((file) => {
    const inSuite = join(options.suite, file);
    return { wast: existsSync(inSuite) ? inSuite : file, name: nameOf(file) };
  });
}

async function prepare(root) {
  const jobs = scriptFiles().map(({ wast, name }) => ({
    wast,
    folder: join(root, name),
    wasmTools: options['wasm-tools'],
    wasmInstrument: options['wasm-instrument'],
    forms,
  }));
  const prepared = [];
  await runJobs({
    command: [process.execPath, here('worker_prepare.mjs')],
    count: workers,
    seconds: SECONDS_PER_FILE,
    jobs,
    onAnswer: (job, answer) => prepared.push({ ...job, ...answer }),
  });
  return prepared.sort((a, b) => (a.wast < b.wast ? -1 : 1));
}

/** What the worker is told of a form: a number, or null for the original. */
function formOptions(form) {
  const partial = form !== null && selects(forms[form]);
  // The embedded form does not count what functions without hooks execute.
  const comparesSelf = form !== null && !partial && forms[form].includes('--clock=instructions');
  return { form, partial, comparesSelf };
}

/** The outcomes in one engine: a Map of folder -> {original, forms}. */
async function runEngine(engine, files) {
  const outcomes = new Map(files.map(({ folder }) => [folder, { original: null, forms: [] }]));
  const jobs = files.flatMap(({ folder }) =>
    [null, ...forms.keys()].map((form) => ({ folder, ...formOptions(form) })),
  );
  await runJobs({
    command: engines[engine],
    count: workers,
    seconds: SECONDS_PER_FILE,
    jobs,
    onAnswer: ({ folder, form }, answer) => {
      if (form === null) outcomes.get(folder).original = answer;
      else outcomes.get(folder).forms[form] = answer;
    },
  });
  return outcomes;
}

function count(verdicts) {
  const of = (verdict) => verdicts.filter((v) => v.verdict === verdict).length;
  return {
    total: verdicts.length,
    same: of('same'),
    different: of('different'),
    skipped: of('skipped'),
  };
}

function printRow(name, { total, same, different, skipped }, note = '') {
  const cells = [total, same, different, skipped].map((n) => String(n).padStart(10)).join('');
  console.log(`${name.padEnd(40)}${cells}${note && `  ${note}`}`);
}

/** Each detail once, with the first line that it is about. */
function printDetails(verdicts, verdict) {
  const lines = Map.groupBy(
    verdicts.filter((v) => v.verdict === verdict),
    (v) => v.detail,
  );
  const shown = [...lines].slice(0, DETAILS_SHOWN);
  for (const [detail, [{ line }, ...more]] of shown)
    console.log(`    line ${line}${more.length ? ` and ${more.length} more` : ''}: ${detail}`);
  if (lines.size > shown.length) console.log(`    … and ${lines.size - shown.length} more`);
}

function report(engine, form, files, outcomes) {
  const title = [engine, ...forms[form]].join(' ');
  console.log(`\n${title.padEnd(40)}assertions      same different   skipped`);
  const all = [];
  const deviations = [];
  let events = 0;
  for (const { folder } of files) {
    const { original } = outcomes.get(folder);
    const instrumented = outcomes.get(folder).forms[form];
    const script = JSON.parse(readFileSync(join(folder, 'script.json'), 'utf8'));
    const rewritten = { commands: script.commands, rewrites: script.forms[form] };
    const verdicts = compareScript(rewritten, original, instrumented);
    const name = basename(folder);
    printRow(name, count(verdicts));
    printDetails(verdicts, 'different');
    printDetails(verdicts, 'skipped');
    all.push(...verdicts);
    events += instrumented.events ?? 0;
    deviations.push(...verdicts.filter((v) => v.deviates).map((v) => ({ name, ...v })));
  }
  printRow('total', count(all));
  console.log(`${events} hook events checked`);
  for (const { name, line, deviates } of deviations)
    console.log(
      `  the engine deviates from the script at ${name}:${line}: ${deviates || 'returns'}`,
    );
  return count(all).different;
}

/**
 * With --clock=instructions the count is the same in every engine, unless the stack ran out, which
 * also shifts what is left for the next command. The number of commands whose counts differ.
 */
function compareTicks(form, files, byEngine) {
  let total = 0;
  let different = 0;
  for (const { folder } of files) {
    const [first, second] = byEngine.map(
      (outcomes) => outcomes.get(folder).forms[form].outcomes ?? [],
    );
    for (const [i, { outcome, ticks }] of first.entries()) {
      const ranOut = first[i - 1]?.outcome?.startsWith('exhausted');
      if (outcome === undefined || outcome !== second[i]?.outcome || ranOut) continue;
      total += ticks;
      if (ticks === second[i].ticks) continue;
      different++;
      console.log(
        `  ${basename(folder)}, command ${i}: ${ticks} and ${second[i].ticks} instructions`,
      );
    }
  }
  if (total)
    console.log(`\n${total} instructions counted in both engines; ${different} commands differ`);
  return different;
}

/** Which commands' modules an engine refuses: then others of the script are called less often there. */
const refusals = ({ outcomes }) =>
  (outcomes ?? []).map(({ outcome }) => outcome?.startsWith('rejected') ?? false).join();

/** The embedded form makes the same file, byte for byte, in every engine: how many instances differ. */
function compareProfiles(form, files, byEngine) {
  let total = 0;
  let different = 0;
  for (const { folder } of files) {
    const [one, other] = byEngine.map((outcomes) => outcomes.get(folder).forms[form]);
    if (refusals(one) !== refusals(other)) continue;
    const [first, second] = [one.profiles, other.profiles];
    for (const [command, profile] of Object.entries(first ?? {})) {
      if (!second?.[command]) continue;
      total++;
      if (profile === second[command]) continue;
      different++;
      console.log(`  ${basename(folder)}, command ${command}: another profile in each engine`);
    }
  }
  if (total) console.log(`\n${total} profiles made in both engines; ${different} differ`);
  return different;
}

/** Both section readers give the same for each of the modules, valid or not; false if they don't. */
function checkReaders(files) {
  const modules = files.flatMap(({ folder }) => {
    const [rewrites] = JSON.parse(readFileSync(join(folder, 'script.json'), 'utf8')).forms;
    return Object.keys(rewrites).map((file) => join(folder, file));
  });
  const { status, signal, stdout, stderr } = spawnSync(tool('check-module'), modules);
  console.log(`section readers: ${stdout}${stderr}`.trim(), signal ?? '');
  return status === 0;
}

async function main() {
  const root = mkdtempSync(join(tmpdir(), 'wasm-instrument-spec-'));
  try {
    const prepared = await prepare(root);
    if (prepared.length === 0) throw new Error('no scripts to run');
    const broken = prepared.filter((file) => file.error ?? file.died);
    for (const { wast, error, died } of broken) console.log(`${wast}: ${error ?? died}`);
    const files = prepared.filter((file) => !broken.includes(file));
    const textOnly = files.reduce((sum, file) => sum + file.textOnly, 0);
    console.log(`${files.length} scripts; ${textOnly} assertions about the text format left out`);
    const agree = checkReaders(files);
    const byEngine = [];
    for (const engine of chosen) byEngine.push(await runEngine(engine, files));
    let different = 0;
    for (const form of forms.keys()) {
      for (const [i, engine] of chosen.entries())
        different += report(engine, form, files, byEngine[i]);
      if (byEngine.length === 2)
        different += compareTicks(form, files, byEngine) + compareProfiles(form, files, byEngine);
    }
    process.exitCode = different || broken.length || !agree ? 1 : 0;
  } finally {
    if (options.keep) console.log(`kept: ${root}`);
    else rmSync(root, { recursive: true });
  }
}

await main();
