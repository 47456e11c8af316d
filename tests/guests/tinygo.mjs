/**
 * Goroutines of TinyGo, which Asyncify unwinds and rewinds: a program that waits and switches in every way counts
 * its own calls by who made them. A profile has to say the same of each of its functions, goroutines below
 * what started them.
 *
 *     tinygo.mjs COMMAND   the compiler, in its own folder, as scripts/setup.sh builds it
 */

import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tool } from '../support/tools.mjs';
import { differences, folder, readCounts, readReport, run, tell } from './goroutines.mjs';

const [compiler] = process.argv.slice(2);
const source = join(import.meta.dirname, 'programs/tasks.go');
const asIs = (name) => name;

/** The program's own functions; those that TinyGo puts between two of them have a suffix. */
const isOurs = (name) => /^\(?\*?main\./.test(name) && !/[$.](gowrapper|invoke)$/.test(name);

/** What the program says, out of a profile: each function by the nearest of its own above it. */
function readProfile(path) {
  const { functions, nodes } = readReport(path);
  const calls = {};
  const edges = {};
  const above = [];
  const names = functions.map(({ name, file, line }) => name.replace(` (${file}:${line})`, ''));
  nodes.parent.forEach((parent, node) => {
    const name = names[nodes.function[node]] ?? '';
    above[node] = isOurs(name) ? name : above[parent];
    if (!isOurs(name)) return;
    const edge = `${above[parent]} ${name}`;
    calls[name] = (calls[name] ?? 0) + nodes.calls[node];
    edges[edge] = (edges[edge] ?? 0) + nodes.calls[node];
  });
  return { calls, edges };
}

/** Bytes allocated below main.all. */
function readMemory(path) {
  const { functions, nodes } = readReport(path, '--value=allocated_bytes');
  const isBelow = [];
  return nodes.parent.reduce((sum, parent, node) => {
    isBelow[node] = isBelow[parent] || /^main\.all( |$)/.test(functions[nodes.function[node]]?.name ?? '');
    return sum + (isBelow[node] ? nodes.self[node] : 0);
  }, 0);
}

/** TinyGo's own counts are of bytes, 16 with each block for its collector, and of blocks. */
function compareMemory(stdout, path) {
  const [, bytes, blocks] = /^memory (\d+) (\d+)$/m.exec(stdout).map(Number);
  return differences('allocated', { bytes: bytes - 16 * blocks }, { bytes: readMemory(path) });
}

function compare(expected, profile, hasEdges) {
  const problems = differences('calls of', expected.calls, profile.calls);
  if (Object.keys(expected.calls).length < 25) problems.push('the program has said too little');
  return hasEdges ? [...problems, ...differences('calls', expected.edges, profile.edges)] : problems;
}

const variants = {
  calls: { options: ['--clock=none'], edges: true },
  instructions: { options: ['--clock=instructions'], edges: true },
  'main only': { options: ['--clock=none', '--only=*main.*'], edges: true },
  'no scheduler': {
    options: ['--clock=instructions', '--exclude=_start', '--exclude=*runtime*', '--exclude=*task*'],
    edges: true,
  },
  memory: { options: ['--memory'], edges: true },
  folded: { options: ['--clock=none', '--recursion=fold'], edges: false },
  'few nodes': { options: ['--clock=none', '--node-limit=200'], edges: false },
};

/** TinyGo's glue, run as TinyGo's own runs a program. */
const main = `import { readFileSync } from 'node:fs';
import './wasm_exec.js';
const go = new Go();
const { instance } = await WebAssembly.instantiate(readFileSync('wasm.wasm'), go.importObject);
go.run(instance);
`;

const targets = {
  wasip1: ['--engine=node', 'wasip1.wasm'],
  wasm: ['--', process.env.NODE ?? process.execPath, 'main.mjs'],
};

writeFileSync(join(folder, 'main.mjs'), main.replace('./wasm_exec.js', join(dirname(compiler), 'targets/wasm_exec.js')));
const calls = { calls: variants.calls };

/** By level of optimization. TinyGo's default is z; 2 inlines what starts goroutines, which a warning says. */
const levels = { z: variants, 2: { calls: { ...variants.calls, edges: false } }, 0: calls };

let failures = 0;
for (const [level, chosen] of Object.entries(levels)) {
  for (const [target, command] of Object.entries(targets)) {
    run(compiler, ['build', `-target=guest-${target}`, `-opt=${level}`, '-o', `${target}.wasm`, source]);
    for (const [name, { options, edges }] of Object.entries(chosen)) {
      const { stdout } = run(tool('wasm-perf'), ['record', ...options, '-o', 'out.wperf', ...command]);
      const problems = compare(readCounts(stdout, asIs), readProfile('out.wperf'), edges);
      if (name === 'memory') problems.push(...compareMemory(stdout, 'out.wperf'));
      failures += tell(`${target}, -opt=${level}, ${name}`, problems);
    }
  }
}
console.log(`${failures} failed`);
process.exitCode = failures > 0 ? 1 : 0;
