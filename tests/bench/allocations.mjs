// What memory profiles cost a program that allocates and frees about a million times a second. Prints
// Markdown.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import * as compile from '../real/compile.mjs';
import { temporaryFolder, tool } from '../support/tools.mjs';
import { instrument, median } from './measure.mjs';

const ROUNDS = 7;
const ALLOCATIONS = 2_000_000;
const folder = temporaryFolder();
const at = (name) => join(folder, name);

compile.c('../../bench/programs/allocates.c', at('plain.wasm'));
const files = {
  'as it is': at('plain.wasm'),
  'calls only': instrument(at('plain.wasm'), at('calls.wasm'), '--embed', '--clock=none'),
  '--memory': instrument(at('plain.wasm'), at('memory.wasm'), '--embed', '--memory'),
  '--memory --clock instructions': instrument(at('plain.wasm'), at('both.wasm'), '--embed', '--memory', '--clock=instructions'),
};

function milliseconds(file) {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ['--no-warnings', tool('js/node/node_wasi.mjs'), '--plain', file], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - start;
}

const times = Object.fromEntries(Object.keys(files).map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round++)
  for (const [name, file] of Object.entries(files)) times[name].push(milliseconds(file));

const plain = median(times['as it is']);
console.log(`Memory profiles, ${(ALLOCATIONS / plain / 1000).toFixed(1)} million allocations a second:\n`);
console.log('| | ms | ratio |\n|---|---|---|');
for (const [name, list] of Object.entries(times))
  console.log(`| ${name} | ${median(list).toFixed(0)} | ${(median(list) / plain).toFixed(2)} |`);
