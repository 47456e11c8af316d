/**
 * Who holds memory, in JavaScript: blocks are below the lines that made the outermost calls, exactly. The program, handed.c,
 * counts its live bytes itself.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';

import { packageFile, tool } from '../support/tools.mjs';
import { at, compileLibrary, missingLibrary, wasmPerf } from './programs.mjs';

const skip = missingLibrary();
if (!skip) compileLibrary('handed');

const HEAD = `import { readFileSync } from 'node:fs';
const bytes = readFileSync(new URL('handed.wasm', import.meta.url));
const host = { back: (size) => globalThis.back(size) };
const module = new WebAssembly.Module(bytes);
const { make, drop, through, deep, fail, live_bytes } = new WebAssembly.Instance(module, { host }).exports;
`;

/** Runs a program. Returns its output, and the path of its profile. */
function record(name, text, ...options) {
  const script = name.includes('.') ? name : `${name}.mjs`;
  if (text !== undefined) writeFileSync(at(script), text);
  const profile = at(`${name}.wperf`);
  const args = ['record', '--memory', '--clock=none', ...options, '-o', profile, '--', process.execPath, at(script)];
  const { status, stdout, stderr } = spawnSync(tool('wasm-perf'), args, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return { output: stdout, profile };
}

/**
 * {path: value} of what is below lines of JavaScript; a path is "function file:line > ...", outermost first, and what is below
 * no line is at "".
 */
function linesBy(profile, value = 'live_bytes') {
  const { functions, nodes } = JSON.parse(wasmPerf('report', '--format', 'json', '--value', value, profile));
  const paths = [];
  const sums = {};
  nodes.function.forEach((index, i) => {
    const { host, name, file, line } = functions[index];
    const parent = nodes.parent[i];
    const outer = parent === null ? [] : paths[parent];
    paths[i] = host && file ? [...outer, name.includes(':') ? name : `${name} ${file.split('/').at(-1)}:${line}`] : outer;
    const key = paths[i].join(' > ');
    if (nodes.self[i] > 0) sums[key] = (sums[key] ?? 0) + nodes.self[i];
  });
  return sums;
}

test('functions that call one helper in turns stay apart', { skip }, () => {
  const { output, profile } = record('turns', `${HEAD}
const helper = (size) => make(size);
function tidy(size) {
  drop(helper(size));
}
function leaky(size) {
  helper(size); helper(2 * size);
}
for (let i = 0; i < 100; i++) {
  tidy(100); leaky(10); tidy(7);
}
console.log(live_bytes());
`);
  const lines = linesBy(profile);
  assert.deepEqual(lines, { '(anonymous) turns.mjs:15:14 > leaky turns.mjs:12 > helper turns.mjs:7': 3000 });
  assert.equal(Number(output), 3000);
  const said = 'turns.mjs:12 → make holds 3.00 KB at the end (200 blocks): called in leaky';
  assert.equal(wasmPerf('top', profile).split('\n')[1], said);
  assert.match(wasmPerf('explain', '--value', 'live_bytes', profile), new RegExp(`^Findings\n\\* ${said.replace(/[()]/g, '\\$&')}$`, 'm'));
});

test('what is named first: the program outside of packages, and what holds most', { skip }, () => {
  mkdirSync(at('node_modules/kit'), { recursive: true });
  writeFileSync(at('node_modules/kit/index.mjs'), 'export const wrap = (make, size) => make(size);\n');
  const { profile } = record('named', `${HEAD}
import { wrap } from './node_modules/kit/index.mjs';
const start = () => drop(make(9999));
function cache() {
  make(500);
}
function build(size) {
  return wrap(make, size);
}
start();
cache();
for (let i = 0; i < 10; i++) {
  build(100);
}
`);
  assert.match(wasmPerf('top', profile), /^named.mjs:13 → make holds 1.00 KB at the end \(10 blocks\): called in build$/m);
  assert.doesNotMatch(wasmPerf('top', '--value', 'calls', profile), / holds /);
});

test('the caller of a helper that also makes what it frees itself', { skip }, () => {
  const { profile } = record('helper', `${HEAD}
function build(size) {
  drop(make(3));
  drop(make(3));
  return make(size);
}
const tidy = () => drop(build(10));
function culprit() {
  build(10);
}
for (let i = 0; i < 10; i++) {
  tidy(); culprit();
}
`);
  assert.match(wasmPerf('top', profile), /^helper.mjs:14 → make holds 100 B at the end \(10 blocks\): called in culprit$/m);
});

test('what V8 keeps of async callers', { skip }, () => {
  const { profile } = record('async', `${HEAD}
async function inner(size) {
  await null;
  make(size);
}
async function outer() {
  await inner(40);
}
await Promise.all([outer(), inner(2)]);
`);
  const lines = linesBy(profile);
  assert.deepEqual(lines, {
    '(anonymous) async.mjs:14:1 > outer async.mjs:12 > inner async.mjs:9': 40,
    '(anonymous) async.mjs:14:1 > inner async.mjs:9': 2,
  });
});

test('the outermost call counts, from the same export, too', { skip }, () => {
  const { profile } = record('nested', `${HEAD}
globalThis.back = function back(size) {
  if (size > 64) through(size / 2);
  make(size);
};
function first() { through(256); }
first();
`);
  assert.deepEqual(linesBy(profile), { '(anonymous) nested.mjs:12:1 > first nested.mjs:11': 256 + 128 + 64 });
});

test('calls far below the export, and with many callers above', { skip }, () => {
  const { profile } = record('deep', `${HEAD}
const climb = (height) => (height > 0 ? climb(height - 1) : deep(3000, 8));
climb(20);
deep(1, 16);
`);
  const climbs = Array(8).fill('climb deep.mjs:7').join(' > ');
  assert.deepEqual(linesBy(profile), { [climbs]: 8, '(anonymous) deep.mjs:9:1': 16 });
});

test('after a trap and a full stack', { skip }, () => {
  const { profile } = record('failed', `${HEAD}
const attempt = (run) => { try { run(); } catch {} };
attempt(() => fail(32));
let size = 0;
const overflow = () => { make(0); overflow(); };
attempt(overflow);
make(64);
`);
  const lines = linesBy(profile);
  assert.equal(lines['(anonymous) failed.mjs:12:1'], 64);
  assert.equal(lines['(anonymous) failed.mjs:8:1 > attempt failed.mjs:7 > (anonymous) failed.mjs:8:15'], 32);
});

test('Error stays as the program has it', { skip }, () => {
  const states = ['', 'Error.stackTraceLimit = 1;', 'delete Error.stackTraceLimit;', 'Error.prepareStackTrace = (error, frames) => frames.length;',
    'Object.freeze(Error);'];
  for (const state of states) {
    const { output, profile } = record('settings', `${HEAD}
${state}
const describe = () => JSON.stringify(Object.getOwnPropertyDescriptors(Error));
const before = describe();
make(24);
console.log(before === describe(), typeof new Error('x').stack);
`);
    assert.equal(output, `true ${state.includes('prepare') ? 'number' : state.includes('delete') ? 'undefined' : 'string'}\n`, state);
    if (!state.includes('freeze')) assert.deepEqual(linesBy(profile), { '(anonymous) settings.mjs:10:1': 24 }, state);
  }
});

test('threads, contexts and many instances of a module', { skip }, () => {
  const { profile } = record('many', `${HEAD}
import vm from 'node:vm';
import { Worker, isMainThread } from 'node:worker_threads';
function one() {
  new WebAssembly.Instance(module, { host }).exports.make(4);
}
for (let i = 0; i < 20; i++) one();
if (isMainThread) {
  const context = vm.createContext({ bytes, host });
  vm.runInContext('function inside() { new WebAssembly.Instance(new WebAssembly.Module(bytes), { host }).exports.make(100); }\\ninside();',
    context, 'context.js');
  new Worker(new URL(import.meta.url));
}
`);
  assert.deepEqual(linesBy(profile), {
    '(anonymous) many.mjs:12:30 > one many.mjs:10': 160,
    '(anonymous) many.mjs:15:6 > (anonymous) context.js:2:1 > inside context.js:1': 100,
  });
});

const esbuild = packageFile('esbuild');
test('TypeScript, by the source map of its bundle', { skip: skip || (!existsSync(esbuild) && 'esbuild is not installed') }, () => {
  mkdirSync(at('source'), { recursive: true });
  writeFileSync(at('source/keeper.ts'), `export interface Kept {
  pointer: number;
}

export class Keeper {
  keep(make: (size: number) => number, size: number): Kept {
    const unused: number = size;
    return { pointer: make(unused) };
  }
}
`);
  writeFileSync(at('source/main.ts'), `import { Keeper } from './keeper.ts';
declare const make: (size: number) => number;
new Keeper().keep(make, 48);
`);
  const { buildSync } = createRequire(import.meta.url)(esbuild);
  const banner = { js: HEAD };
  const options = { bundle: true, minify: true, keepNames: true, sourcemap: true, format: 'esm', platform: 'node', logLevel: 'error', banner };
  buildSync({ ...options, absWorkingDir: at('.'), entryPoints: ['source/main.ts'], outfile: at('bundle.mjs') });
  assert.equal(readFileSync(at('bundle.mjs'), 'utf8').includes('Kept'), false);
  const { profile } = record('bundle.mjs');
  assert.deepEqual(linesBy(profile), { '(anonymous) main.ts:3:14 > keep keeper.ts:8': 48 });
});

test('growth that is refused is below the line that asked', { skip }, () => {
  const { profile } = record('refused', `${HEAD}
function greedy() {
  let block = 1;
  for (let i = 0; i < 6 && block !== 0; i++) block = make(1_000_000_000);
}
try { greedy(); } catch {}
`);
  const lines = linesBy(profile, 'refused_pages');
  assert.deepEqual(Object.keys(lines), ['(anonymous) refused.mjs:11:7 > greedy refused.mjs:9']);
});

test('two runs: what is more is below the line that keeps it', { skip }, () => {
  const run = (count) => record('leaks', `${HEAD}
function culprit(size) {
  make(size);
}
function honest(size) {
  drop(make(size));
}
for (let i = 0; i < ${count}; i++) {
  culprit(1000);
  honest(3000);
}
`).profile;
  renameSync(run(100), at('before.wperf'));
  const report = wasmPerf('diff', '--value', 'live_bytes', at('before.wperf'), run(200));
  assert.match(report, /^\+100 KB live at the end: leaks.mjs:8 → make, called in culprit\nmake \+100 KB/m, report);
  assert.match(report, / 100\.000 +200\.000 +\+100\.000 +\+100\.00 .* culprit$/m, report);
  assert.doesNotMatch(report, /^.* [1-9][\d.]* .*honest$/m);
});

test('--every: what grows in three snapshots one after the other', { skip }, () => {
  const script = 'growing.mjs';
  writeFileSync(at(script), `${HEAD}
import { existsSync } from 'node:fs';
const wait = () => new Promise((resolve) => setTimeout(resolve, 10));
function culprit() {
  make(1000);
}
function cache() {
  make(5000);
}
for (let i = 1; i <= 4; i++) {
  if (i % 2 === 0) cache();
  culprit();
  process.kill(process.ppid, 'SIGUSR1');
  while (!existsSync(new URL(\`growing-\${i}.wperf\`, import.meta.url))) await wait();
}
`);
  const args = ['record', '--memory', '--clock=none', '--every=60m', '-o', at('growing.wperf'), '--', process.execPath, at(script)];
  const { status, stderr } = spawnSync(tool('wasm-perf'), args, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const told = stderr.split('\n').filter((line) => line.includes('grew'));
  const rest = 'by 1.00 KB on average: growing.mjs:10 → make, called in culprit';
  assert.deepEqual(told, [3, 4].map((count) => `wasm-perf: grew in each of the last ${count} snapshots, ${rest}`));
});
