/**
 * Goroutines: a program that waits, switches, panics and grows its stacks in every way counts its own
 * calls, and asks Go's runtime who made them. A profile has to say the same of each of its functions,
 * and show each goroutine below what started it.
 *
 *     go.mjs VERSION...   of Go, as GOTOOLCHAIN has them; local: the one that is there
 */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { tool } from '../support/tools.mjs';
import { differences, folder, readCounts, readReport, run, tell } from './goroutines.mjs';

const versions = process.argv.slice(2);
const source = join(import.meta.dirname, 'programs/goroutines.go');

const { readModuleInfo } = await import(tool('js/engine/module_info.mjs'));

/** Names as Go's linker writes them into a module: it replaces what is neither letter nor digit. */
const inModule = (name) => name.replace(/[^\w.]/gu, '_');

/** {name: line} of the functions that the program's source declares. */
function readLines() {
  const lines = {};
  readFileSync(source, 'utf8').split('\n').forEach((line, i) => {
    const [, name] = /^func (\w+)\(/.exec(line) ?? [];
    if (name) lines[`main.${name}`] = i + 1;
  });
  return lines;
}

/** What the program says, out of a profile, and the functions above each in any of its stacks. */
function readProfile(path) {
  const { functions, nodes } = readReport(path);
  const places = Object.fromEntries(functions.map(({ name, file, line }) => [name, { file, line }]));
  const nameOf = (node) => functions[nodes.function[node]]?.name;
  const calls = {};
  const edges = {};
  const above = nodes.parent.map(() => new Set());
  const started = {};
  nodes.parent.forEach((parent, node) => {
    if (nodes.function[node] === null || nodes.function[node] < 0) return;
    const name = nameOf(node);
    const edge = `${nameOf(parent)} ${name}`;
    calls[name] = (calls[name] ?? 0) + nodes.calls[node];
    edges[edge] = (edges[edge] ?? 0) + nodes.calls[node];
    above[node] = new Set(above[parent]).add(name);
    if (nodes.calls[node] > 0) (started[name] ??= []).push(above[parent]);
  });
  return { calls, edges, started, places };
}

/** Who is to stand above all calls of a function that is called by a go statement alone. */
const STARTERS = {
  'main.worker': 'main.pingpong',
  'main.ticks': 'main.choose',
  'main.locked': 'main.main',
  'main.leaves': 'main.main',
  'main.branch': 'main.main',
  'main.main.func1': 'main.main',
};

/** Where functions of the program are said to be, and are not. */
function wrongPlaces({ calls, places }) {
  const called = Object.entries(readLines()).filter(([name]) => calls[name] > 0);
  const wrong = called.filter(([name, line]) => basename(places[name].file ?? '') !== basename(source) || places[name].line !== line);
  if (called.length < 10) return ['too few functions have a place'];
  return wrong.map(([name, line]) => `${name} is at line ${line}, not ${places[name].file}:${places[name].line}`);
}

function compare(expected, profile, { edges, starters }) {
  const problems = differences('calls of', expected.calls, profile.calls);
  if (Object.keys(expected.calls).length < 25) problems.push('the program has said too little');
  if (edges) problems.push(...differences('calls', expected.edges, profile.edges));
  problems.push(...wrongPlaces(profile));
  for (const [name, starter] of starters ? Object.entries(STARTERS) : []) {
    const stacks = profile.started[name] ?? [];
    if (stacks.length === 0 || !stacks.every((stack) => stack.has(starter))) {
      problems.push(`${name} does not stand under ${starter}`);
    }
  }
  return problems;
}

const all = { edges: true, starters: true };
const callsOnly = { edges: false, starters: false };

const variants = {
  calls: { options: ['--clock=none'], expect: all },
  instructions: { options: ['--clock=instructions'], expect: all },
  'main only': { options: ['--clock=none', '--only=main.*'], expect: all },
  'no scheduler': {
    options: ['--clock=instructions', '--exclude=runtime.*', '--exclude=wasm_pc_f_loop*'],
    expect: all,
  },
  memory: { options: ['--memory'], expect: all },
  folded: { options: ['--clock=none', '--recursion=fold'], expect: callsOnly },
  'few nodes': { options: ['--clock=none', '--node-limit=2000'], expect: callsOnly },
};

const glue = (env) => join(run('go', ['env', 'GOROOT'], env).stdout.trim(), 'lib/wasm/wasm_exec_node.js');

/** Ways to run it: {build options of Go, words that record it}. */
const targets = {
  wasip1: { engine: () => ['--engine=node', 'wasip1.wasm'] },
  js: { engine: (env) => ['--', process.env.NODE ?? process.execPath, glue(env), 'js.wasm'] },
};

function build(target, env, ...options) {
  const output = `${target}.wasm`;
  run('go', ['build', ...options, '-o', output, source], { ...env, GOOS: target, GOARCH: 'wasm' });
}

function check(label, target, env, { options, expect }) {
  const args = ['record', ...options, '-o', 'out.wperf', ...targets[target].engine(env)];
  const { stdout } = run(tool('wasm-perf'), args);
  return tell(label, compare(readCounts(stdout, (name) => name), readProfile('out.wperf'), expect));
}

/** Others than the one that is there come from Go's proxy. */
function isThere(version) {
  if (version === 'local' || spawnSync('go', ['version'], { env: { ...process.env, GOTOOLCHAIN: version } }).status === 0) {
    return true;
  }
  console.log(`${version}: skipped, it is not to be had`);
  return false;
}

/** The linker's own option for it, and that for debug information. */
const STRIPPED = '-ldflags=-s -w';

/** {index: name} as wasm-instrument lists them. */
function listNames(target) {
  const { stdout } = run(tool('wasm-instrument'), ['--list', `${target}.wasm`]);
  return Object.fromEntries(Array.from(stdout.matchAll(/^ *(\d+) +\d+ +\S +(.*)$/gm), ([, index, name]) => [index, name]));
}

/** Names are those that the linker has made others of, and the same in the stripped program. */
function checkNames(label, target, env) {
  build(target, env);
  const names = listNames(target);
  const info = readModuleInfo(readFileSync(join(folder, `${target}.wasm`)));
  const problems = Object.entries(names)
    .filter(([index, name]) => inModule(name) !== inModule(info.functionName(Number(index))))
    .map(([index, name]) => `${index}: ${name}, not ${info.functionName(Number(index))}`);
  if (!Object.values(names).some((name) => /^[\w/]+\.\(\*\w+\)\.\w+$/.test(name))) problems.push('no method has its true name');
  build(target, env, STRIPPED);
  return tell(label, [...problems, ...differences('name of', names, listNames(target))]);
}

let failures = 0;
for (const version of versions.filter(isThere)) {
  const env = { GOTOOLCHAIN: version };
  for (const target of Object.keys(targets)) {
    build(target, env);
    for (const [name, variant] of Object.entries(variants)) {
      failures += check(`${version} ${target}, ${name}`, target, env, variant);
    }
    failures += checkNames(`${version} ${target}, names without a name section`, target, env);
    failures += check(`${version} ${target}, stripped`, target, env, variants.calls);
  }
}
console.log(`${failures} failed`);
process.exitCode = failures > 0 ? 1 : 0;
