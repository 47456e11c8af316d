/**
 * Names for the modules of npm packages, stripped, after another build of them that a package ships with names.
 *
 *     pairs.mjs CACHE PACKAGES [--table PAGE]
 *
 * Where the stripped module had names, too, they are held against those that it gets. A table goes to standard output
 * and, with --table, into PAGE; exit code 1 if more than one name of a thousand is wrong in a row.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { tool } from '../support/tools.mjs';
import { readNames, strip } from './module.mjs';
import { pairs } from './packages.mjs';
import { percent, plain, replaceTable, withoutArguments } from './rows.mjs';

const [cache, packages, , page] = process.argv.slice(2);
const at = (file) => join(packages, 'node_modules', file);

/**
 * The same function: its parameters may have changed. wasm-opt keeps one of several functions with the same code, such as
 * those of a template, and its name is that of any of them: what is in angle brackets is not compared.
 */
function isRight(known, name, { renamed = {}, merged = [] }) {
  const bare = (text) => withoutArguments(plain(text).replace(/\[\d+\]$|\[abi:\w+\]|\(anonymous namespace\)::/g, '').replace(/\(.*$/, '')).replace(/^.* (?=\S)/, '');
  const [a, b] = [bare(known), bare(name)];
  return a === b || Object.entries(renamed).some(([before, after]) => a.replace(before, after) === b) ||
    merged.some((names) => names.some((each) => known.includes(each)) && names.some((each) => name.includes(each)));
}

function measure(pair) {
  const { title, module, named } = pair;
  const bytes = readFileSync(at(module)), truth = readNames(bytes), stripped = join(cache, 'pair.wasm');
  writeFileSync(stripped, strip(bytes));
  const { status, stdout, stderr } = spawnSync(tool('wasm-perf'), ['symbols', stripped, at(named)], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(stderr);
  const row = { title, count: truth.bodies.size, given: 0, checked: 0, wrong: 0, size: 0, named: 0 };
  for (const [, size] of truth.bodies) row.size += size;
  for (const [index, name] of stdout.split('\n').slice(0, -1).map((line) => line.split('\t'))) {
    const known = truth.names.get(Number(index));
    row.given++;
    row.named += truth.bodies.get(Number(index)) ?? 0;
    if (known === undefined || !truth.bodies.has(Number(index))) continue;
    row.checked++;
    if (isRight(known, name, pair)) continue;
    row.wrong++;
    if (process.env.WI_WRONG) console.log(`  ${index} ${known}  given: ${name}`);
  }
  return row;
}

const rows = pairs.filter(({ module, named }) => existsSync(at(module)) && existsSync(at(named))).map(measure);
const lines = rows.map(({ title, count, given, checked, wrong, size, named }) =>
  `| ${title} | ${given} of ${count} | ${checked > 0 ? wrong : '?'} | ${percent(checked - wrong, checked) || '?'} | ${percent(named, size)} |`);
console.log(lines.join('\n'));
if (page) replaceTable(page, '| package | functions named | wrong | right, % | of code, % |\n|---|---|---|---|---|\n', lines);
process.exitCode = rows.some(({ wrong, checked }) => wrong > checked / 1000) ? 1 : 0;
