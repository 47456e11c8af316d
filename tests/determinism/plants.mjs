/**
 * Whether the gate finds what it is for, and nothing else: one instruction more in one function has to be found
 * with its function and line; a rebuild, and functions in another order, have to be no alarm.
 *
 * The instruction is a nop. Linkers leave room for one: they write an index with five bytes, where four do. So
 * all else of the module stays where it was, its DWARF included. Which line it is in LLVM's symbolizer says. In
 * programs for JavaScript, plant.mjs puts the nop into the modules that they compile; these have no DWARF.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run, wasmOpt } from '../matching/compilers.mjs';
import { tool } from '../support/tools.mjs';
import { engines, listOf, places } from './places.mjs';

const PLANTS = 3; // in each module

/** What ends the part of a function that is executed whenever it is called. */
const BRANCHES = /^(if|br|br_if|br_table|return|unreachable|try|try_table|throw|loop)\b/;

/** For each function, where the operand of its first instruction with room for a nop begins. */
function sitesOf(module) {
  const sites = [];
  let site = {};
  for (const line of run('wasm-objdump', ['-d', module], { maxBuffer: 1 << 30 }).split('\n')) {
    const head = /^[0-9a-f]+ func\[\d+\] <(.*)>:$/.exec(line);
    if (head) site = { name: head[1], isOpen: true };
    if (head || !site.isOpen) continue;
    const [, address, bytes, text] = /^ ([0-9a-f]+): ([0-9a-f ]+)\| *(.*)/.exec(line) ?? [];
    if (/^(10|23) .. .. .. 80 00 *$/.test(bytes)) sites.push({ name: site.name, operand: parseInt(address, 16) + 1 });
    if (!text || BRANCHES.test(text) || sites.at(-1)?.name === site.name) site.isOpen = !text;
  }
  return sites;
}

/** Puts the nop there. */
function plantAt(from, to, { operand }) {
  const bytes = readFileSync(from);
  bytes[operand + 3] &= 0x7f;
  bytes[operand + 4] = 0x01;
  writeFileSync(to, bytes);
}

/** FILE:LINE of a nop, by the tables of the module as it was. */
function lineOf(module, { operand }) {
  const [, start] = /Code start=0x([0-9a-f]+)/.exec(run('wasm-objdump', ['-h', module]));
  const address = `0x${(operand + 4 - parseInt(start, 16)).toString(16)}`;
  const [, place] = run('llvm-symbolizer', [`--obj=${module}`, address]).split('\n');
  return /^(.*):\d+$/.exec(basename(place))?.[1];
}

/** As reports have them: C++ in full, Rust without its hash. */
function demangle(names) {
  const texts = spawnSync('llvm-cxxfilt', { input: names.join('\n'), encoding: 'utf8' }).stdout.split('\n');
  return texts.map((text) => text.replace(/::h[0-9a-f]{16}$/, ''));
}

function bench(work, ...args) {
  const env = { ...process.env, WASM_PERF_NODE: engines.node.command };
  return spawnSync(tool('wasm-perf'), ['bench', '--engine=node', '--fail-above=0%', ...args], { cwd: work, encoding: 'utf8', env });
}

function save(work, program) {
  writeFileSync(join(work, 'wasm-perf.toml'), listOf(program, engines.node));
  const { status, stdout, stderr } = bench(work, '--save');
  if (status !== 0) throw new Error(stdout + stderr);
  return JSON.parse(readFileSync(join(work, 'wasm-perf.baseline.json'))).benchmarks[0].functions;
}

const literal = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const withCommas = (number) => number.toLocaleString('en');

/** So many of them at most, spread over all. */
const spread = (all) => Array.from({ length: Math.min(PLANTS, all.length) }, (_, i) => all[Math.floor((i + 0.5) * all.length / Math.min(PLANTS, all.length))]);

/** Sites in functions that were called, spread over the module. */
function choose(module, functions) {
  const sites = sitesOf(module);
  const names = demangle(sites.map(({ name }) => name));
  const isOnce = (name) => names.indexOf(name) === names.lastIndexOf(name);
  const usable = sites
    .map((site, i) => ({ ...site, name: names[i], calls: functions.find(({ name }) => name === names[i])?.calls ?? 0 }))
    .filter(({ name, calls }) => calls > 0 && isOnce(name));
  return spread(usable);
}

const ADVICE = /^ +No names for 1 function: /; // which --why adds for a function of a stripped module

/** Whether all that grew is that function, by one instruction a call, in that line if one is known. */
function isFound(work, { name, calls }, line) {
  const { status, stdout } = bench(work, '--why=app');
  const size = withCommas(calls);
  const [head, ...rest] = stdout.trimEnd().split('\n').filter((text) => !ADVICE.test(text));
  const place = line ? `; at ${literal(line)} \\+${size}` : '';
  const wanted = new RegExp(`^ +${literal(name)}: \\+${size} instructions${place}$`);
  const found = status === 3 && head.startsWith('app  grew') && rest.length === 1 && wanted.test(rest[0]);
  if (!found) console.error(`not found: ${name}, ${size} calls, ${line}:\n${stdout}`);
  return found;
}

function plantNops(work, program, functions) {
  const { module } = program;
  const original = `${module}.original`;
  copyFileSync(module, original);
  const sites = choose(original, functions);
  const found = sites.filter((site) => {
    plantAt(original, module, site);
    return isFound(work, site, lineOf(original, site));
  });
  copyFileSync(original, module);
  return { planted: sites.length, found: found.length };
}

/** Functions of the profile that plant.mjs finds: those with the name that the module has, or without any. */
const isPlantable = ({ name, calls }) => calls > 0 && /^(func\[\d+\]( "[^"]*"| called by \S+)?|[\w.$]+|[\w/]+)$/.test(name); // others are made of what the module has

function plantInScript(work, program) {
  copyFileSync(join(import.meta.dirname, 'plant.mjs'), join(work, 'plant.mjs'));
  const plant = (name) => writeFileSync(join(work, 'plant.json'), JSON.stringify({ js: tool('js'), name }));
  plant();
  const functions = save(work, { script: ['--import', './plant.mjs', ...program.script] });
  const chosen = spread(functions.filter(isPlantable));
  const found = chosen.filter((each) => {
    plant(each.name);
    return isFound(work, each);
  });
  return { planted: chosen.length, found: found.length };
}

/** Whether the functions, put in another order by Binaryen, count the same. */
function isQuietReordered(work, program) {
  const moved = { ...program, module: join(work, 'order.wasm') };
  wasmOpt(program.module, moved.module, '-g');
  save(work, moved);
  wasmOpt(program.module, moved.module, '--reorder-functions-by-name');
  return isQuiet(work);
}

function isQuiet(work) {
  const { status, stdout } = bench(work);
  const quiet = status === 0 && /^app +(same|changed) +[\d,]+ instructions\n( +[^\n]* module bytes, [^\n]*\n)?$/.test(stdout);
  if (!quiet) console.error(stdout);
  return quiet;
}

/** Whether a change of the source is found, with its function and, if the module knows lines, its line. */
function isChangeFound(work, name) {
  const { status, stdout } = bench(work, '--why=app');
  const found = status === 3 && new RegExp(`^app  grew.*\\n(.*\\n)* +${literal(name)}: \\+[\\d,]+ instructions`).test(stdout);
  if (!found) console.error(`not found: ${name}:\n${stdout}`);
  return found;
}

/** How many of what was planted was found, and of how many rebuilds none was an alarm. `build` as in programs.mjs. */
export function prove(folder, { build, change, isFinished }) {
  const work = join(folder, 'planted');
  rmSync(work, { recursive: true, force: true });
  cpSync(join(places[0].path, 'files'), join(work, 'files'), { recursive: true });
  const program = build(work);
  const functions = save(work, program);
  const result = { planted: 0, found: 0, rebuilds: 0, quiet: 0 };
  const rebuilt = (isRight) => { result.rebuilds++; result.quiet += isRight; };
  if (!isFinished) {
    build(work, { isAgain: true });
    rebuilt(isQuiet(work));
  }
  if (change) {
    build(work, { change });
    Object.assign(result, { planted: 1, found: Number(isChangeFound(work, change[3])) });
  } else {
    Object.assign(result, program.module ? plantNops(work, program, functions) : plantInScript(work, program));
  }
  if (program.module) rebuilt(isQuietReordered(work, program));
  return result;
}
