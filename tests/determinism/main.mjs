/**
 * Each program in a fixed host, in every engine, in two places that differ in folder, user, order and times of
 * files: the counts of all runs have to be the same. Then one instruction more in one function has to be found,
 * with its line. Prints a table in Markdown.
 *
 *     main.mjs [--runs N] [PROGRAM...]
 */

import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageFile, temporaryFolder, tool } from '../support/tools.mjs';
import { clang, programs } from './programs.mjs';

const { values, positionals } = parseArgs({ options: { runs: { type: 'string', default: '5' } }, allowPositionals: true });
const runs = Number(values.runs);
const NOBODY = 65534;
const folder = temporaryFolder();
chmodSync(folder, 0o755);

/** What the second user may not be able to reach where it is. */
function copied(path, name) {
  if (existsSync(path)) cpSync(path, join(folder, name), { recursive: true, dereference: true });
  return join(folder, name);
}
const nodes = { node: copied(process.execPath, 'node'), 'node 22': copied(packageFile('node22/bin/node'), 'node22') };
copied(packageFile('sql.js'), 'node_modules/sql.js');
const versionOf = (command) => spawnSync(command, ['--version'], { encoding: 'utf8' }).stdout?.trim();
const pathOf = (command) => spawnSync('sh', ['-c', `command -v ${command}`], { encoding: 'utf8' }).stdout.trim();
const hasWasmtime = pathOf('wasmtime') !== '';
const wasmtime = hasWasmtime && copied(pathOf('wasmtime'), 'wasmtime');

/** A folder with its own copies of everything, of that user. */
function makePlace(name, uid, time, order) {
  const path = join(folder, name);
  mkdirSync(join(path, 'files'), { recursive: true });
  for (const i of order) {
    writeFileSync(join(path, 'files', `file ${i * 37 % 50}`), 'x'.repeat(i * 37 % 50));
    utimesSync(join(path, 'files', `file ${i * 37 % 50}`), time, time);
  }
  if (process.getuid() !== 0) uid = process.getuid();
  return { path, uid, env: { ...process.env, HOME: path, TMPDIR: path, USER: name, LOGNAME: name, LANG: name, WASM_PERF_CACHE: '', [name]: name.repeat(20) } };
}
const order = Array.from({ length: 50 }, (_, i) => i);
const places = [makePlace('one', process.getuid(), 1e9, order), makePlace('another', NOBODY, 1.4e9, order.toReversed())];

/** What the program counted there: its profile, function by function, as a text. */
function count(program, engine, { path, uid, env }) {
  const words = program.script
    ? ['--', nodes[engine], join(path, program.script.slice(built.length + 1))]
    : [`--engine=${engine.split(' ')[0]}`, ...(program.options ?? []), join(path, program.module.slice(built.length + 1))];
  const profile = join(path, 'run.wperf');
  const own = { ...env, WASM_PERF_NODE: nodes[engine] ?? nodes.node, ...(hasWasmtime && { WASM_PERF_WASMTIME: wasmtime }) };
  const args = ['record', '--deterministic', '--memory', '--clock=instructions', '-o', profile, ...words];
  const options = { cwd: path, uid, gid: uid, env: own, encoding: 'utf8', timeout: 120000 };
  const { status, stdout, stderr } = spawnSync(tool('wasm-perf'), args, options);
  if (status !== 0) throw new Error(`${engine} in ${path}: ${stderr || stdout}`);
  const { stdout: text } = spawnSync(tool('wasm-perf'), ['report', '--format=json', profile], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const { functions, total } = JSON.parse(text);
  const costs = functions.map(({ name, self, calls }) => ({ name, self, calls }));
  return { total, counts: [stdout, ...costs].map((part) => JSON.stringify(part)).join('\n') };
}

/** Where the first two of several results differ. */
function differences(seen) {
  const [[first, firstPlace], [second, secondPlace]] = seen;
  const others = second.split('\n');
  const at = first.split('\n').findIndex((line, i) => line !== others[i]);
  return `${firstPlace}: ${first.split('\n')[at]}; ${secondPlace}: ${others[at]}`;
}

const built = join(folder, 'built');
mkdirSync(built);
const rows = [];
let failed = false;

for (const [name, build] of Object.entries(programs)) {
  if (positionals.length > 0 && !positionals.some((part) => name.includes(part))) continue;
  const program = build(built);
  if (!program) {
    rows.push(`| ${name} | | | not installed |`);
    continue;
  }
  for (const { path, uid } of places) {
    cpSync(built, path, { recursive: true });
    for (const file of readdirSync(path, { recursive: true })) chownSync(join(path, file), uid, uid);
    chownSync(path, uid, uid);
  }
  const engines = program.script ? Object.keys(nodes) : [...Object.keys(nodes), ...(hasWasmtime ? ['wasmtime'] : [])];
  const seen = new Map();
  let done = 0;
  let total;
  for (const engine of engines.filter((key) => key === 'wasmtime' || existsSync(nodes[key])))
    for (const place of places)
      for (let i = 0; i < runs; i++, done++) {
        const result = count(program, engine, place);
        ({ total } = result);
        if (!seen.has(result.counts)) seen.set(result.counts, `${engine} in ${place.path}, run ${i + 1}`);
      }
  if (seen.size > 1) failed = true;
  rows.push(`| ${name} | ${Number(total).toLocaleString('en')} | ${done} | ${seen.size === 1 ? 'all the same' : differences(seen)} |`);
}

console.log(`Engines: ${Object.entries(nodes).filter(([, path]) => existsSync(path)).map(([, path]) => `Node.js ${versionOf(path)}`).join(', ')}${hasWasmtime ? `, ${versionOf('wasmtime')}` : ''}\n`);
console.log('| program | instructions | runs | counts and output |\n|---|---|---|---|');
console.log(rows.join('\n'));

/** A program of `count` functions, in which the one at `planted` does one thing more, in that line. */
function planted(count, at, order) {
  const functions = Array.from({ length: count }, (_, i) => `__attribute__((noinline)) unsigned f${i}(unsigned x) {
  x = x * ${2 * i + 3}u;
  ${i === at ? `x ^= x >> ${i + 1};` : ''}
  return x + ${i};
}`);
  const declared = Array.from({ length: count }, (_, i) => `unsigned f${i}(unsigned x);`).join('\n');
  const calls = Array.from({ length: count }, (_, i) => `  x = f${i}(x);`).join('\n');
  return `${declared}\n${order.map((i) => functions[i]).join('\n')}\nint main(void) {\n  volatile unsigned x = 1;\n${calls}\n}\n`;
}

/** Whether each planted instruction is found, and reordered functions are no alarm. */
function plant() {
  const COUNT = 12;
  const straight = Array.from({ length: COUNT }, (_, i) => i);
  const work = join(folder, 'planted');
  mkdirSync(work);
  const make = (at, order) => {
    const text = planted(COUNT, at, order);
    writeFileSync(join(work, 'f.c'), text);
    clang('clang', join(work, 'f.c'), join(work, 'f.wasm'));
    return text.split('\n');
  };
  const bench = (...args) => spawnSync(tool('wasm-perf'), ['bench', ...args], { cwd: work, encoding: 'utf8' });
  writeFileSync(join(work, 'wasm-perf.toml'), '[benchmark.f]\nmodule = "f.wasm"\n');
  make(-1, straight);
  if (bench('--save').status !== 0) throw new Error('no baseline');
  let found = 0;
  for (const i of straight) {
    const lines = make(i, straight);
    const line = lines.findIndex((text) => text.includes('x ^=')) + 1;
    const { status, stdout } = bench('--fail-above=0%', '--why=f');
    const isFound = status === 3 && new RegExp(`^ +f${i}: \\+\\d+ instructions;.* at f\\.c:${line} \\+`, 'm').test(stdout);
    if (!isFound) console.log(stdout);
    found += isFound;
  }
  let quiet = 0;
  for (const order of [straight, straight.toReversed(), straight.map((i) => i * 5 % COUNT)]) {
    make(-1, order);
    quiet += bench('--fail-above=0%').status === 0;
  }
  console.log(`\nOf ${COUNT} planted changes of one line ${found} are found, with function and line; of 3 rebuilds, two with functions in another order, ${quiet} are quiet.`);
  return found === COUNT && quiet === 3;
}
if (positionals.length === 0 && !plant()) failed = true;
process.exitCode = failed ? 1 : 0;
