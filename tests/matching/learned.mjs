/**
 * How many functions libraries.names names, and whether they are called that: of programs that have nothing to do with
 * those that it was learnt from.
 *
 *     learned.mjs CACHE PACKAGES [--table PAGE]
 *
 * Programs of programs.mjs that are built already, by matching.mjs, and the modules of packages.mjs that were held
 * back are stripped and named without another build. A table goes to standard output and, with --table, into PAGE;
 * exit code 1 if more than one name of a thousand is wrong.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { tool } from '../support/tools.mjs';
import { readNames, strip } from './module.mjs';
import { heldBack, stripped } from './packages.mjs';
import { programs } from './programs.mjs';
import { replaceTable, withoutArguments } from './rows.mjs';

const [cache, packages, , page] = process.argv.slice(2);

/** The type and the function, or the trait and the function: modules of a library move between its versions. */
function plain(name) {
  const bare = withoutArguments(name.replace(/\[[0-9a-f]{12,}\]|\[abi:\w+\]|::h[0-9a-f]{16}$/g, '')).replace(/\(.*$/, '').replace(/(::)+$/, '').replace(/[<>]/g, '');
  return bare.split('::').filter(Boolean).slice(-2).join('::').replace(/^.* /, '');
}

/** Functions of libraries with the same code, of which optimisers keep one. */
const merged = [['DebugList::entry', 'DebugSet::entry']];

/** c++filt leaves some of Rust's names mangled: then each part must be there, with its size before it. */
function isRight(known, name) {
  const [a, b] = [known, name].map((each) => plain(each.replace(/\[\d+\]$|_\d+$/, '')));
  if (known.startsWith('_R')) return b.split('::').every((part) => known.includes(`${part.length}${part}`)) || known.includes(b.split('::').at(-1));
  return a.endsWith(b) || b.endsWith(a) || merged.some((names) => names.includes(a) && names.includes(b));
}

function demangled(names) {
  return spawnSync('c++filt', [], { input: names.join('\n'), encoding: 'utf8', maxBuffer: 1 << 28 }).stdout.split('\n');
}

function measure(program, file) {
  const bytes = readFileSync(file), truth = readNames(bytes), copy = join(cache, 'stripped.wasm');
  writeFileSync(copy, strip(bytes));
  const { status, stdout, stderr } = spawnSync(tool('wasm-perf'), ['symbols', copy], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`${file}: ${stderr}`);
  const given = stdout.split('\n').slice(0, -1).map((line) => line.split('\t')).filter(([index]) => truth.names.size === 0 || truth.names.has(Number(index)));
  const known = truth.names.size > 0 ? demangled(given.map(([index]) => truth.names.get(Number(index)))) : [];
  const wrong = given.filter(([, name], i) => known[i] !== undefined && !isRight(known[i], name));
  if (process.env.WI_WRONG) for (const line of wrong) console.log(`  ${truth.names.get(Number(line[0]))}  given: ${line[1]}`);
  let size = 0, named = 0;
  for (const [, bytes] of truth.bodies) size += bytes;
  for (const [index] of given) named += truth.bodies.get(Number(index)) ?? 0;
  return { program, count: truth.bodies.size, given: given.length, wrong: truth.names.size > 0 ? wrong.length : undefined, percent: (100 * named) / size };
}

const rows = [];
for (const program of programs)
  for (const variant of ['base', 'opt', 'os', 'lto']) {
    const file = join(cache, 'built', `${program.name}-${variant}.wasm`);
    if (program.language !== 'Go' && existsSync(file)) rows.push(measure(`${program.name} (${program.language}, ${{ base: '-O2', opt: '`wasm-opt -O3`', os: '-Os', lto: 'LTO' }[variant]})`, file));
  }
for (const file of [...heldBack, ...stripped]) {
  const path = join(packages, 'node_modules', file);
  if (existsSync(path)) rows.push(measure(file.replace(/^((@[^/]+\/)?[^/]+)\/.*$/, '$1'), path));
}
const lines = rows.map(({ program, count, given, wrong, percent }) => `| ${program} | ${given} of ${count} | ${wrong ?? '?'} | ${percent.toFixed(1)} |`);
console.log(lines.join('\n'));
if (page) replaceTable(page, '| program, stripped | functions named | wrong | of code, % |\n|---|---|---|---|\n', lines);
const sum = (member) => rows.reduce((total, row) => total + (row.wrong === undefined ? 0 : row[member]), 0);
console.log(`${sum('given')} names, ${sum('wrong')} wrong`);
process.exitCode = sum('wrong') * 1000 > sum('given') ? 1 : 0;
