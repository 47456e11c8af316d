// Runs a real program as it is and instrumented; prints a JSON object of what came of it.
//
//   node program.mjs PROGRAM FOLDER
//   node program.mjs                 prints the names of all programs instead
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

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

/** How far instrumenting moved the module's own functions: by the imports ahead of them. */
function addedImports(instrumented) {
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(instrumented)));
  return imports.filter(({ module, kind }) => module === 'wasm_perf' && kind === 'function').length;
}

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
      shift: addedImports(instrumented),
      misplaced: program.misplaced,
    });
  }
  return { summary, entered, miscounted, problems: [...problems, ...miscounted] };
}

/** A profile of an instrumented module, its functions numbered as before, and without the added ones. */
function readNodes(path, instrumented) {
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(instrumented)));
  const added = addedImports(instrumented);
  const first = imports.filter(({ kind }) => kind === 'function').length - added;
  const { nodes } = readProfile(readFileSync(path));
  const index = (func) => (func >= first + added && func < 0xffff0000 ? func - added : func);
  return { nodes: nodes.map((node) => ({ ...node, function: index(node.function) })) };
}

/** Hooks inlined keep the same tree as hooks that call the runtime, which compareCalls has kept. */
function compareInlined(original) {
  const inlined = instrument(original, file('.inline.wasm'), '--inline', '--clock', 'none');
  const problems = checkOutput(runProgram(original), runProgram(inlined, file('.inline.wperf')));
  const profile = readNodes(file('.inline.wperf'), inlined);
  const expected = readNodes(file('.wperf'), file('.prof.wasm'));
  return [...problems, ...checkSameTree(profile, expected)].map((text) => `inlined: ${text}`);
}

const isThere = (engine) => engine === 'node' || !spawnSync(engine, ['--version']).error;

/** The profile of a command that `engine` runs. */
function profileIn(engine, module) {
  const output = file(`.${engine}.wperf`);
  const options = program.engines[engine].map((option) => `--engine-option=${option}`);
  // In wasmtime the program sees the folder for the profile, so let it see one everywhere.
  if (engine !== 'wasmtime') options.push('--dir', `${folder}::/wasm_perf`);
  const args = ['run', '--engine', engine, ...options, '-o', output, module, 'argument'];
  const { stderr } = spawnSync(tool('wasm-perf'), args, { encoding: 'utf8' });
  if (!existsSync(output)) throw new Error(`${engine} left no profile: ${stderr}`);
  return readNodes(output, module);
}

/** Runs a command in several engines, its instructions counted: every node must be the same. */
function compareEngines(original) {
  const counting = instrument(original, file('.count.wasm'), '--clock', 'instructions', '--flush');
  const engines = Object.keys(program.engines).filter(isThere);
  const [first, ...others] = engines.map((engine) => profileIn(engine, counting));
  // Under the same name, which the program sees.
  instrument(original, counting, '--inline', '--clock=instructions', '--flush');
  const [inlined, ...othersInlined] = engines.map((engine) => profileIn(engine, counting));
  const compare = (what, profiles, expected, options) =>
    profiles.flatMap((profile, i) =>
      checkSameTree(profile, expected, options).map((text) => `${what(i)}: ${text}`),
    );
  const problems = [
    ...compare((i) => engines[i + 1], others, first, { self: true }),
    ...compare((i) => `${engines[i + 1]}, inlined`, othersInlined, inlined, { self: true }),
    // Only hooks inlined tell what the last function did up to the program's exit.
    ...compare(() => 'inlined', [inlined], first, { self: true, exempt: 1 }),
  ];
  const instructions = first.nodes.reduce((sum, { self }) => sum + Number(self), 0);
  if (instructions === 0) problems.push('no instructions were counted');
  const missing = Object.keys(program.engines).filter((engine) => !isThere(engine));
  const where = [engines.join('='), ...missing.map((engine) => `no ${engine}`)].join(', ');
  return { instructions, where, problems };
}

async function main() {
  const original = await findModule(program.module);
  const { summary, entered, miscounted, problems } = compareCalls(original);
  if (program.counted) problems.push(...compareInlined(original));
  const engines = program.engines ? compareEngines(original) : { problems: [] };
  return {
    ...summary,
    entered,
    counted: miscounted.length > 0 ? 'DIFFERENT' : program.counted,
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
