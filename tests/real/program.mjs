// Runs a real program as it is and instrumented; prints a JSON object of what came of it.
//
//   node program.mjs PROGRAM FOLDER
//   node program.mjs                 prints the names of all programs instead
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

import { readProfile } from '../js/wperf.mjs';
import { packageFile, tool } from '../support/tools.mjs';
import { checkCalls, checkOutput, checkSameTree, checkSummary, summarize } from './checks.mjs';
import { Missing } from './compile.mjs';
import { programs } from './programs.mjs';

const [, , name, folder] = process.argv;
if (!name) {
  console.log(JSON.stringify(Object.keys(programs)));
  process.exit();
}
const program = programs[name];
if (!program) {
  console.error(`no program '${name}'`);
  process.exit(1);
}
process.env.WASM_PERF_NODE = process.execPath;
const file = (suffix) => join(folder, `${name.replaceAll(' ', '-')}${suffix}`);

function run(command, args) {
  const result = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (result.status !== 0)
    throw new Error(`${command} ${args.join(' ')}: exit ${result.status}\n${result.stderr}`);
  return result.stdout;
}

const node = (script, ...args) =>
  run(process.execPath, ['--no-warnings', '--stack-size=4000', join(import.meta.dirname, script), ...args]);

const [runner, ...leading] = program.runner;
const runProgram = (...args) => node(`run_${runner}.mjs`, ...leading, ...args);

async function findModule({ compiler, source }) {
  if (!compiler) return packageFile(program.module);
  await compiler(source, file('.wasm'));
  return file('.wasm');
}

function instrument(original, output, ...options) {
  run(tool('wasm-instrument'), ['-q', ...options, original, '-o', output]);
  return output;
}

const countFunctionImports = (path) =>
  WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(path))).filter(
    ({ kind }) => kind === 'function',
  ).length;

/** How far instrumenting moved the module's own functions: by the imports ahead of them. */
const addedImports = (instrumented, original) =>
  countFunctionImports(instrumented) - countFunctionImports(original);

/** Runs it plain, profiled and, where that can be, with its calls counted by other means. */
function compareCalls(original) {
  const instrumented = instrument(original, file('.prof.wasm'), '--clock', 'none');
  const plain = runProgram(original);
  const profiled = runProgram(instrumented, file('.wperf'));
  const profile = readProfile(readFileSync(file('.wperf')));
  const summary = summarize(profile);
  const entered = program.nested
    ? null
    : Number(readFileSync(file('.wperf.entries'), 'utf8')) + (program.started ?? 0);
  const problems = [...checkOutput(plain, profiled), ...checkSummary(summary, entered)];
  let miscounted = [];
  if (program.counted) {
    node('oracle.mjs', original, file('.oracle.wasm'), program.counted);
    problems.push(...checkOutput(plain, runProgram(file('.oracle.wasm'), file('.counts'))));
    const counts = JSON.parse(readFileSync(file('.counts'), 'utf8'));
    miscounted = checkCalls(profile, counts, {
      key: program.counted,
      shift: addedImports(instrumented, original),
    });
  }
  return { summary, entered, miscounted, problems: [...problems, ...miscounted] };
}

/** A profile of an instrumented module, its functions numbered as before, and without the added ones. */
function readNodes(path, instrumented, original) {
  const first = countFunctionImports(original);
  const added = addedImports(instrumented, original);
  const { nodes } = readProfile(readFileSync(path));
  const index = (func) => (func >= first + added && func < 0xffff0000 ? func - added : func);
  return { nodes: nodes.map((node) => ({ ...node, function: index(node.function) })) };
}

// No program needs as many nodes, so none folds.
const EMBEDDED = ['--embed', '--recursion', 'full', '--node-limit', String(12 << 20)];

/** The embedded form's calls where the linked form counts rewound functions, too. */
function compareCalled(original, embedded) {
  node('oracle.mjs', original, file('.oracle.wasm'), 'by_function', program.rewinds);
  runProgram(file('.oracle.wasm'), file('.counts'));
  const counts = JSON.parse(readFileSync(file('.counts'), 'utf8'));
  const profile = readProfile(readFileSync(file('.embed.wperf')));
  return checkCalls(profile, counts, { key: 'by_function', shift: addedImports(embedded, original) });
}

/** The same of a program that makes other calls in each run: both are counted in one. */
function compareOneRun(original) {
  node('oracle.mjs', original, file('.oracle.wasm'), 'by_function', program.rewinds);
  const both = instrument(file('.oracle.wasm'), file('.both.wasm'), ...EMBEDDED, '--clock', 'none');
  runProgram(both, file('.both.wperf'));
  const counts = JSON.parse(readFileSync(file('.both.wperf.counts'), 'utf8'));
  const profile = readProfile(readFileSync(file('.both.wperf')));
  return checkCalls(profile, counts, { key: 'by_function', shift: addedImports(both, original) });
}

/** The embedded form: what the program says, and the tree that compareCalls has kept. */
function compareEmbedded(original) {
  const embedded = instrument(original, file('.embed.wasm'), ...EMBEDDED, '--clock', 'none');
  const said = runProgram(embedded, file('.embed.wperf'));
  const problems = checkOutput(runProgram(original), said);
  if (program.rewinds === 'go') {
    problems.push(...compareOneRun(original));
  } else if (program.counted) {
    const profile = readNodes(file('.embed.wperf'), embedded, original);
    const expected = readNodes(file('.wperf'), file('.prof.wasm'), original);
    problems.push(...checkSameTree(profile, expected, { calls: !program.rewinds }));
  }
  if (program.rewinds === 'asyncify') problems.push(...compareCalled(original, embedded));
  return problems.map((text) => `embedded: ${text}`);
}

const isThere = (engine) => engine === 'node' || !spawnSync(engine, ['--version']).error;

/** The profile of a command that `engine` runs. */
function profileIn(engine, module, original) {
  const output = file(`.${engine}.wperf`);
  const options = program.engines[engine].map((option) => `--engine-option=${option}`);
  // In wasmtime the program sees the folder for the profile, so let it see one everywhere.
  if (engine !== 'wasmtime') options.push('--dir', `${folder}::/wasm_perf`);
  const args = ['record', '--engine', engine, ...options, '-o', output, module, 'argument'];
  const { stderr } = spawnSync(tool('wasm-perf'), args, { encoding: 'utf8' });
  if (!existsSync(output)) throw new Error(`${engine} left no profile: ${stderr}`);
  return readNodes(output, module, original);
}

/** The file that a command with its profile inside leaves where `engine` runs it: of the original's name. */
function fileFrom(engine, module, original) {
  const output = join(folder, `${basename(original, '.wasm')}.wperf`);
  rmSync(output, { force: true });
  const { stderr } =
    engine === 'node'
      ? spawnSync(process.execPath, ['--no-warnings', join(import.meta.dirname, 'run_wasi.mjs'), module, folder])
      : spawnSync(engine, ['run', ...program.engines[engine], '--argv0=program', '--dir', `${folder}::/`,
          module, 'argument']);
  if (!existsSync(output)) throw new Error(`${engine} left no profile: ${stderr}`);
  return readFileSync(output);
}

/** Commands that keep their profile leave the same file in each engine. */
function compareFiles(original, engines) {
  const embedded = instrument(original, file('.files.wasm'), ...EMBEDDED, '--clock=instructions');
  const [first, ...others] = engines.map((engine) => fileFrom(engine, embedded, original));
  return others.flatMap((bytes, i) =>
    first.equals(bytes) ? [] : [`${engines[i + 1]} leaves another file than ${engines[0]}`]);
}

/** Instructions of every node, embedded and linked, in the same surroundings. */
function compareInstructions(original) {
  const counts = [['linked'], ['embedded', ...EMBEDDED]].map(([form, ...options]) => {
    const module = instrument(original, file(`.${form}.wasm`), ...options, '--clock=instructions');
    runProgram(module, file(`.${form}.wperf`));
    return readNodes(file(`.${form}.wperf`), module, original);
  });
  const [linked, embedded] = counts;
  // Only the embedded form tells what the last function did up to the program's exit.
  const problems = checkSameTree(embedded, linked, { self: true, exempt: 1 });
  return problems.map((text) => `embedded, instructions: ${text}`);
}

/** Runs a command in several engines, its instructions counted: every node must be the same. */
function compareEngines(original) {
  const counting = instrument(original, file('.count.wasm'), '--clock', 'instructions', '--flush');
  const engines = Object.keys(program.engines).filter(isThere);
  const [first, ...others] = engines.map((engine) => profileIn(engine, counting, original));
  const problems = others.flatMap((profile, i) =>
    checkSameTree(profile, first, { self: true }).map((text) => `${engines[i + 1]}: ${text}`),
  );
  problems.push(...compareInstructions(original), ...compareFiles(original, engines));
  const instructions = first.nodes.reduce((sum, { self }) => sum + Number(self), 0);
  if (instructions === 0) problems.push('no instructions were counted');
  const missing = Object.keys(program.engines).filter((engine) => !isThere(engine));
  const where = [engines.join('='), ...missing.map((engine) => `no ${engine}`)].join(', ');
  return { instructions, where, problems };
}

async function main() {
  const original = await findModule(program.module);
  const { summary, entered, miscounted, problems } = compareCalls(original);
  const differing = compareEmbedded(original);
  problems.push(...differing);
  const countedByGo = program.rewinds === 'go' ? 'by_function' : undefined; // embedded, in one run
  const engines = program.engines ? compareEngines(original) : { problems: [] };
  return {
    ...summary,
    entered,
    counted: miscounted.length > 0 || differing.length > 0 ? 'DIFFERENT' : (program.counted ?? countedByGo),
    ...engines,
    problems: [...problems, ...engines.problems],
  };
}

try {
  console.log(JSON.stringify(await main()));
} catch (error) {
  if (error instanceof Missing) {
    console.log(JSON.stringify({ skipped: error.message }));
  } else {
    console.error(`${name}: ${error.message}`);
    process.exitCode = 1;
  }
}
