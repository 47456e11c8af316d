/**
 * Names for stripped modules, held against the names that they had.
 *
 *     matching.mjs CACHE [--table PAGE] [PROGRAM[:VARIANT]...]
 *
 * Each program is built with names (`base`, -O2) and in variants, of which each is stripped and named by `base`. A
 * table of what was right goes to standard output and, with --table, into PAGE in place of the one there; exit code 1 if
 * more than one name of a thousand is wrong in a row.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';

import { tool } from '../support/tools.mjs';
import { Missing, run, wasmOpt } from './compilers.mjs';
import { readNames, strip } from './module.mjs';
import { programs } from './programs.mjs';
import { percent, plain, replaceTable } from './rows.mjs';

const [cache, ...rest] = process.argv.slice(2);
const page = rest[0] === '--table' ? rest[1] : undefined;
const wanted = page ? rest.slice(2) : rest;
const verbose = process.env.WI_WRONG;

/** The file of a build, made once. */
function built(program, variant) {
  const file = join(cache, 'built', `${program.name}-${variant}.wasm`);
  if (existsSync(file)) return file;
  mkdirSync(join(cache, 'built'), { recursive: true });
  const part = `${file}.part`;
  if (variant === 'opt') wasmOpt(built(program, 'base'), part);
  else program.build(cache, variant, part);
  renameSync(part, file);
  return file;
}

/** Instructions that each function runs; where it cannot run, its size in bytes: a Map by index. */
function weights(program, file, { names, bodies }) {
  const counted = `${file}.json`;
  if (!existsSync(counted)) {
    if (program.runs === false) return bodies;
    run(tool('wasm-perf'), ['record', '--clock=instructions', '-o', `${file}.wperf`, file]);
    run(tool('wasm-perf'), ['report', '--no-demangle', '-o', counted, `${file}.wperf`]);
  }
  const sums = new Map(), indices = new Map();
  for (const [index, name] of names) if (bodies.has(index)) indices.set(name, [...(indices.get(name) ?? []), index]);
  for (const { name, self } of JSON.parse(readFileSync(counted)).functions)
    for (const index of indices.get(name) ?? []) sums.set(index, self / indices.get(name).length);
  return sums;
}

/** Whether a function that was called `known` has the name. Go's name section has "_" for what is no letter. */
function isRight({ language, renamed, merged }, known, name) {
  const same = language === 'Go' ? known === name.replace(/[^A-Za-z0-9._]/g, '_') : plain(known) === plain(name);
  return same || renamed?.[known] === name || merged?.[plain(known)] === plain(name);
}

function measure(program, variant) {
  const file = built(program, variant);
  const bytes = readFileSync(file), truth = readNames(bytes);
  const stripped = `${file}.stripped.wasm`;
  writeFileSync(stripped, strip(bytes));
  const { status, stdout, stderr } = spawnSync(tool('wasm-perf'), ['symbols', stripped, built(program, 'base')], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(stderr);
  const given = stdout.split('\n').slice(0, -1).map((line) => line.split('\t'));
  const row = { program: program.name, variant, functions: truth.bodies.size, given: 0, wrong: 0, checked: 0, weight: 0, named: 0 };
  const executed = weights(program, file, truth);
  for (const [, weight] of executed) row.weight += weight;
  for (const [index, name] of given) {
    const known = truth.names.get(Number(index));
    row.given++;
    row.named += executed.get(Number(index)) ?? 0;
    if (known === undefined) continue;
    row.checked++;
    if (isRight(program, known, name)) continue;
    row.wrong++;
    if (verbose) console.log(`  ${index} ${known}  given: ${name}`);
  }
  return row;
}

function print({ program, variant, functions, given, checked, wrong, named, weight }) {
  console.log([program.padEnd(10), variant.padEnd(8), String(functions).padStart(6), String(given).padStart(6), String(wrong).padStart(5),
    percent(checked - wrong, checked).padStart(7), percent(given, functions).padStart(7), percent(named, weight).padStart(7)].join(' '));
}

const WAYS = { os: '-Os', inline: 'other inlining', lto: 'LTO', opt: '`wasm-opt -O3`', version: 'neighbouring version' };

/** The table of the page, between its head and the next empty line. */
function write(rows) {
  const lines = rows.map(({ program, language, held, variant, functions, given, checked, wrong, named, weight, runs }) =>
    `| ${program} (${language})${held ? ', held back' : ''} | ${WAYS[variant]} | ${given} of ${functions} | ${wrong} | ` +
    `${percent(checked - wrong, checked)} | ${percent(named, weight)}${runs === false ? ' (of code)' : ''} |`);
  replaceTable(page, '| program | named after -O2 | functions named | wrong | right, % | of executed instructions, % |\n|---|---|---|---|---|---|\n', lines);
}

/** How many functions of a variant are named after other programs: none is right. Go's modules have their own names. */
function misnamed(program, variant) {
  let sum = 0;
  for (const other of program.language === 'Go' ? [] : programs) {
    const base = join(cache, 'built', `${other.name}-base.wasm`);
    if (other === program || !existsSync(base)) continue;
    const { stdout } = spawnSync(tool('wasm-perf'), ['symbols', `${built(program, variant)}.stripped.wasm`, base], { encoding: 'utf8' });
    const count = stdout.split('\n').length - 1;
    if (count > 0) console.log(`${program.name} ${variant}: ${count} functions are named after ${other.name}`);
    sum += count;
  }
  return sum;
}

const rows = [];
let failed = 0;
for (const program of programs)
  for (const variant of program.variants) {
    if (wanted.length > 0 ? !wanted.some((each) => each === program.name || each === `${program.name}:${variant}`) : false) continue;
    try {
      const row = measure(program, variant);
      print(row);
      rows.push({ ...row, ...program, program: program.name, variant });
      failed += row.wrong > row.checked / 1000 || misnamed(program, variant) > 0;
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      console.log(`${program.name} ${variant}: skipped, ${error.message}`);
    }
  }
if (page) write(rows);
process.exitCode = failed > 0 ? 1 : 0;
