// Debug information of real modules before and after a rewrite:
//
//   node table.mjs [--every N] NAME=MODULE...
//
// Prints for each module, form of hooks and reader how many instructions there are, how many places
// were compared (that to which DWARF's address of an instruction went, and its own), of how many the
// reader knows something, and how many differ. --every N compares every Nth instruction of the modules
// that follow.
//
// Where ranges of the input overlap, as llvm-dwarfdump --verify tells, addr2line takes the shortest, and
// which one that is may change: there its differences are shown, but are no failure.
import { join } from 'node:path';

import { temporaryFolder } from '../support/tools.mjs';
import { complaints, installed, readers, rewrite } from './oracle.mjs';

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
console.log('| module | form | instructions | reader | compared | known | different | verify |');
console.log('|---|---|--:|---|--:|--:|--:|---|');
for (const [name, module, step] of modules) {
  const before = complaints(module);
  for (const [form, options] of Object.entries(forms)) {
    const output = join(folder, 'out.wasm');
    const { pairs, count, warnings } = rewrite(module, output, options);
    const verify = complaints(output) === before ? 'as before' : 'DIFFERENT';
    failures += warnings.length + (verify !== 'as before');
    for (const warning of warnings) console.log(warning);
    for (const reader of installed()) {
      const { compared, known, different } = await readers[reader]([module, output], pairs, step);
      if (reader !== 'addr2line' || before === '') failures += different;
      console.log(`| ${name} | ${form} | ${number(count)} | ${reader} | ${number(compared)} | ${number(known)} | ` +
                  `${number(different)} | ${verify} |`);
    }
  }
}
process.exit(failures > 0 ? 1 : 0);
