// Debug information of real modules before and after a rewrite:
//
//   node table.mjs [--every N] NAME=MODULE...
//
// Prints for each module, form of hooks and reader how many instructions there are, how many places
// were compared (that to which DWARF's address of an instruction went, and its own), of how many the
// reader knows something, and how many differ. --every N compares every Nth instruction of the modules
// that follow. Modules of one name are one row, of which each has to be as before; one without code is
// left out.
//
// addr2line is left out where a module is large: for Ruby's 49 MB it takes 17 GB of memory.
//
// Where ranges of the input overlap, as llvm-dwarfdump --verify tells, addr2line takes the shortest, and
// which one that is may change: there its differences are shown, but are no failure.
import { statSync } from 'node:fs';
import { join } from 'node:path';

import { temporaryFolder } from '../support/tools.mjs';
import { complaints, hasCode, installed, readers, rewrite } from './oracle.mjs';

const ADDR2LINE_SIZE = 10 << 20; // bytes of a module, at most
const folder = temporaryFolder();
let every = 1;
const modules = [];
const forms = { linked: [], embedded: ['--embed'] };
for (let args = process.argv.slice(2); args.length > 0;) {
  const arg = args.shift();
  if (arg === '--every') every = Number(args.shift());
  else modules.push([arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1), every]);
}

const number = (value) => value.toLocaleString('en');
let failures = 0;

/** Rows of a module by form and reader, added to those of `rows`. */
async function compare(rows, module, step) {
  const before = complaints(module);
  for (const [form, options] of Object.entries(forms)) {
    const output = join(folder, 'out.wasm');
    const { pairs, count, warnings } = rewrite(module, output, options);
    const verifies = complaints(output) === before;
    failures += warnings.length + !verifies;
    for (const warning of warnings) console.log(warning);
    for (const reader of installed()) {
      if (reader === 'addr2line' && statSync(module).size > ADDR2LINE_SIZE) continue;
      const { compared, known, different } = await readers[reader]([module, output], pairs, step);
      if (reader !== 'addr2line' || before === '') failures += different;
      const row = (rows[`${form} | ${reader}`] ??= { count: 0, compared: 0, known: 0, different: 0, verifies: true });
      row.count += count;
      row.compared += compared;
      row.known += known;
      row.different += different;
      row.verifies &&= verifies;
    }
  }
}

const names = new Set(modules.map(([name]) => name));
console.log('| modules | form | reader | instructions | compared | known | different | verify |');
console.log('|---|---|---|--:|--:|--:|--:|---|');
for (const wanted of names) {
  const rows = {};
  for (const [name, module, step] of modules)
    if (name === wanted && hasCode(module)) await compare(rows, module, step);
  for (const [key, { count, compared, known, different, verifies }] of Object.entries(rows))
    console.log(`| ${wanted} | ${key} | ${number(count)} | ${number(compared)} | ${number(known)} | ${number(different)} | ` +
                `${verifies ? 'as before' : 'DIFFERENT'} |`);
}
process.exit(failures > 0 ? 1 : 0);
