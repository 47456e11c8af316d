// What reports find for each instruction of real modules, its place and the functions inlined there, beside
// what llvm-symbolizer finds:
//
//   node own_reader.mjs NAME=MODULE...
//
// Prints for each module how many instructions there are, of how many the place is known, how many have
// inlined functions around them, and how many differ; fails where any does.
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

const listLines = join(process.env.WI_BUILD, 'debug-list-lines');

/** "name place" of each frame, innermost first, of a block of llvm-symbolizer's; the last one without its name. */
function framesOf(block) {
  const lines = block.split('\n');
  const frames = [];
  for (let i = 0; i < lines.length; i += 2) frames.push(`${i + 2 < lines.length ? lines[i] : '-'} ${lines[i + 1]}`);
  return frames.join('\t');
}

async function readOurs(module) {
  const found = [];
  for await (const line of createInterface({ input: spawn(listLines, [module]).stdout })) found.push(line.split(/\t(.*)/));
  return found;
}

function readTheirs(module, addresses) {
  const options = [`--obj=${module}`, '--functions=linkage', '--inlines', '--no-demangle'];
  const { status, stdout, error } = spawnSync('llvm-symbolizer', options, { input: addresses.join('\n') + '\n', encoding: 'utf8', maxBuffer: 1 << 29 });
  if (status !== 0) throw error ?? new Error('llvm-symbolizer failed');
  return stdout.trim().split('\n\n').map(framesOf);
}

console.log('| modules | instructions | known | inlined | different |\n|---|--:|--:|--:|--:|');
let failures = 0;
for (const argument of process.argv.slice(2)) {
  const [, name, module] = /^([^=]*)=(.*)$/.exec(argument);
  const ours = await readOurs(module);
  const theirs = readTheirs(module, ours.map(([address]) => address));
  const different = ours.filter(([, frames], i) => frames !== theirs[i]);
  const counts = [ours.length, ours.filter(([, frames]) => !frames.startsWith('- ??')).length,
                  ours.filter(([, frames]) => frames.includes('\t')).length, different.length];
  console.log(`| ${name} | ${counts.map((count) => count.toLocaleString('en')).join(' | ')} |`);
  failures += different.length + (theirs.length !== ours.length || ours.length === 0);
}
process.exit(failures > 0 ? 1 : 0);
