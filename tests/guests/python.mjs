/**
 * Functions of Python: what a program of all kinds of calls calls how often, and who called it, must be
 * what sys.setprofile says.
 *
 *     python.mjs PACKAGE...   folders of Pyodide, of one version each
 */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, tool } from '../support/tools.mjs';

const folder = temporaryFolder();
const runner = join(import.meta.dirname, 'run_python.mjs');
const program = join(import.meta.dirname, 'programs/frames.py');
const node = process.env.NODE ?? process.execPath;
const FILES = ['frames.py', 'made.py'];

function run(command, args) {
  const { error, status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

const isOurs = (file) => FILES.includes(file);
const textOf = (name, file, line) => (isOurs(file) ? `${name} ${file}:${line}` : 'others');
const add = (counts, key, count) => counts.set(key, (counts.get(key) ?? 0) + count);

/** {calls, edges}: Maps of how often, by a function and by who called it and it. */
function readOracle(stdout) {
  const calls = new Map();
  const edges = new Map();
  for (const [caller, callee, count] of JSON.parse(stdout.trim().split('\n').at(-1))) {
    if (!isOurs(callee[1])) continue;
    add(calls, textOf(...callee), count);
    add(edges, `${textOf(...caller)} > ${textOf(...callee)}`, count);
  }
  return { calls, edges };
}

/** The same out of a profile, where the module's own functions may stand between two of Python. */
function readProfile(path) {
  run(tool('wasm-perf'), ['report', path, '-o', 'report.json']);
  const { functions, nodes } = JSON.parse(readFileSync(join(folder, 'report.json')));
  const texts = functions.map(({ name, file, line }) => {
    const mark = ` (${file}:${line})`;
    return textOf(name.endsWith(mark) ? name.slice(0, -mark.length) : name, file, line);
  });
  const isPython = functions.map(({ file }) => file !== undefined);
  const callers = []; // of each node, the nearest one of Python at or above it
  const calls = new Map();
  const edges = new Map();
  nodes.parent.forEach((parent, i) => {
    const index = nodes.function[i];
    const above = callers[parent] ?? 'others';
    callers[i] = isPython[index] ? texts[index] : above;
    if (!isPython[index] || texts[index] === 'others' || nodes.calls[i] === 0) return;
    add(calls, texts[index], nodes.calls[i]);
    add(edges, `${above} > ${texts[index]}`, nodes.calls[i]);
  });
  return { calls, edges };
}

function differences(expected, found) {
  const keys = new Set([...expected.keys(), ...found.keys()]);
  return [...keys]
    .filter((key) => expected.get(key) !== found.get(key))
    .map((key) => `${key}: ${found.get(key) ?? 0}, not ${expected.get(key) ?? 0}`);
}

const variants = {
  python: { options: ['--guest=python', '--clock=none'], edges: true },
  'python, instructions': { options: ['--guest=python'], edges: true },
  'both, some functions': { options: ['--guest=both', '--clock=none', '--only=PyObject_*'], edges: true },
  'both, few nodes': { options: ['--guest=both', '--clock=none', '--node-limit=20000'], edges: false },
};

/** Who does not know of the option is told. */
function isHinted(pyodide) {
  const words = ['--embed', join(pyodide, 'pyodide.asm.wasm'), '-o', join(folder, 'hinted.wasm')];
  return spawnSync(tool('wasm-instrument'), words, { encoding: 'utf8' }).stderr.includes('--guest python');
}

let failures = 0;
for (const pyodide of process.argv.slice(2)) {
  if (!isHinted(pyodide)) throw new Error(`${pyodide}: nothing says that --guest python is there`);
  const { version } = JSON.parse(readFileSync(join(pyodide, 'package.json')));
  const expected = readOracle(run(node, [runner, pyodide, program, 'count']));
  if (expected.calls.size < 40) throw new Error('the program has called too little');
  for (const [name, { options, edges }] of Object.entries(variants)) {
    run(tool('wasm-perf'), ['record', ...options, '-o', 'out.wperf', '--', node, runner, pyodide, program]);
    const found = readProfile('out.wperf');
    const problems = differences(expected.calls, found.calls);
    if (edges) problems.push(...differences(expected.edges, found.edges));
    console.log(`Pyodide ${version}, ${name}: ${problems.length === 0 ? 'equal' : 'DIFFERENT'}`);
    for (const problem of problems.slice(0, 10)) console.log(`  ${problem}`);
    failures += problems.length > 0;
  }
}
console.log(`${failures} failed`);
process.exitCode = failures > 0 ? 1 : 0;
