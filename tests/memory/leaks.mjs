/**
 * Memory that JavaScript forgets to free, in real packages: each program of the folder leaks makes and frees 200 objects,
 * and one line of it, marked "planted", keeps 100 or 200 more. `wasm-perf top` must name that line first, and `wasm-perf
 * diff` of the two runs must say that it grew. If a program counts its bytes itself, they must be the same. Prints a table.
 * Exit code 1 if something is wrong.
 *
 *   leaks.mjs [NAME...]
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { packageFile, tool } from '../support/tools.mjs';
import { at, wasmPerf } from './programs.mjs';

const COUNT = 100; // objects that are kept, then twice as many

const folder = join(import.meta.dirname, 'leaks');
const names = process.argv.length > 2 ? process.argv.slice(2) : readdirSync(folder).map((file) => file.replace('.mjs', ''));

/** Where the package itself holds more than the planted objects, only what grows is looked at. */
const HOLDS_MORE = new Set(['pglite']);

symlinkSync(packageFile('.'), at('node_modules'));
copyFileSync(join(import.meta.dirname, 'turns.mjs'), at('turns.mjs'));

function compileShapes() {
  const options = ['-O1', '-lembind', '-sMODULARIZE', '-sALLOW_MEMORY_GROWTH'];
  execFileSync('em++', [...options, join(import.meta.dirname, 'programs/shapes.cpp'), '-o', at('shapes.js')], { stdio: 'inherit' });
}

/** Returns the first finding of a run, its bytes, and the bytes that the program counts itself. */
function record(name, line, count) {
  const profile = at(`${name}-${count}.wperf`);
  const args = ['record', '--memory', '--clock=none', '-o', profile, '--', process.execPath, at(`${name}.mjs`), String(count)];
  const { status, stdout, stderr } = spawnSync(tool('wasm-perf'), args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name}: ${stderr}`);
  const { functions } = JSON.parse(wasmPerf('report', '--format', 'json', '--value', 'live_bytes', profile));
  const held = functions.find((of) => of.host && of.file?.endsWith(`${name}.mjs`) && of.line === line);
  return { profile, first: wasmPerf('top', profile).split('\n')[1], bytes: Number(held?.total ?? 0), own: stdout.trim() };
}

let isRight = true;
function check(name, what, is) {
  if (!is) console.error(`${name}: ${what}`);
  isRight &&= is;
}

console.log(`| package | first finding, ${COUNT} kept | ${COUNT} hold | ${2 * COUNT} hold | own count | grew |\n|---|---|--:|--:|--:|---|`);
for (const name of names) {
  const script = join(folder, `${name}.mjs`);
  const line = readFileSync(script, 'utf8').split('\n').findIndex((text) => text.endsWith('// planted')) + 1;
  if (name === 'embind') compileShapes();
  copyFileSync(script, at(`${name}.mjs`));
  const [none, some, more] = [0, COUNT, 2 * COUNT].map((count) => record(name, line, count));
  const planted = `${name}.mjs:${line} → `;
  const grew = wasmPerf('diff', '--value', 'live_bytes', some.profile, more.profile).split('\n')[1];
  console.log(`| ${name} | ${some.first} | ${some.bytes} | ${more.bytes} | ${more.own} | ${grew} |`);
  check(name, `nothing is planted, but ${none.first}`, none.bytes === 0 && !none.first.startsWith(planted));
  if (!HOLDS_MORE.has(name)) for (const { first } of [some, more]) check(name, `${first} is first`, first.startsWith(planted));
  check(name, `${grew} is said to grow`, grew.includes(`: ${planted}`));
  for (const { own, bytes } of [some, more]) check(name, `${bytes} bytes, but it counts ${own}`, own === '' || own === String(bytes));
}
process.exitCode = isRight ? 0 : 1;
