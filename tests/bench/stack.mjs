// How much stack a frame takes with hooks, in V8 that inlines nothing and in wasmtime, by how deep a function can call
// itself. Prints Markdown.
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { temporaryFolder, tool } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';
import { instrument } from './measure.mjs';

const STACK = { v8: 984 * 1024, wasmtime: 512 * 1024 }; // bytes, by default
const MOST = 1 << 16; // frames in wasmtime
const FORMS = { 'as it is': null, 'none': ['--clock=none'], 'instructions': ['--clock=instructions'] };
const temporary = temporaryFolder();
const { NO_INLINING } = await import(tool('js/node/inlining.mjs'));

const onwards = (name) => `(call $${name} (i32.sub (local.get 0) (i32.const 1)))`;
const seldom = (code) => `(if (i32.lt_s (local.get 0) (i32.const 0)) (then ${code}))`;
const VALUES = ['a', 'b', 'c', 'd', 'e'];

/** Functions that call themselves as often as their argument says. */
const FUNCTIONS = {
  'one call': (name) => onwards(name),
  'two calls': (name) => `${onwards(name)} ${seldom(onwards(name))}`,
  'two calls, five values': (name) => `${VALUES.map((value, i) => `(local.set $${value} (i32.load offset=${4 * i} (local.get 0)))`).join(' ')}
    ${onwards(name)} ${seldom(onwards(name))}
    ${VALUES.map((value, i) => `(i32.store offset=${4 * i} (i32.const 0) (local.get $${value}))`).join(' ')}`,
};

const source = `(module (memory 32) (global $depth (mut i32) (i32.const 0))
  ${Object.values(FUNCTIONS).map((body, i) => `(func $f${i} (param i32) ${VALUES.map((value) => `(local $${value} i32)`).join(' ')}
    (global.set $depth (i32.add (global.get $depth) (i32.const 1)))
    (if (i32.eqz (local.get 0)) (then (return))) ${body(`f${i}`)})
  (func (export "run${i}") (param i32) (call $f${i} (local.get 0)))`).join('\n')}
  (func (export "depth") (result i32) (global.get $depth)))`;

const IN_V8 = `const { exports } = new WebAssembly.Instance(new WebAssembly.Module(require('fs').readFileSync(process.argv[1])));
  for (let i = 0; i < 20; i++) try { exports[process.argv[2]](100); } catch {}
  const before = exports.depth();
  try { exports[process.argv[2]](1000000); } catch {}
  console.log(exports.depth() - before);`;

function depthInV8(file, name) {
  const options = ['--no-liftoff', NO_INLINING, `--stack-size=${STACK.v8 / 1024}`];
  return Number(execFileSync(process.execPath, [...options, '-e', IN_V8, file, name], { encoding: 'utf8' }));
}

function depthInWasmtime(file, name) {
  const fits = (depth) => spawnSync('wasmtime', ['run', '--invoke', name, file, String(depth)]).status === 0;
  let [low, high] = [0, MOST];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

const engines = { v8: depthInV8 };
if (spawnSync('wasmtime', ['--version']).status === 0) engines.wasmtime = depthInWasmtime;

writeFileSync(join(temporary, 'in.wasm'), await parse(source));
console.log(`| bytes of a frame | ${Object.keys(engines).flatMap((engine) => Object.keys(FORMS).map((form) => `${engine}, ${form}`)).join(' | ')} |`);
console.log(`|---|${'--:|'.repeat(Object.keys(engines).length * Object.keys(FORMS).length)}`);
Object.keys(FUNCTIONS).forEach((what, i) => {
  const cells = Object.entries(engines).flatMap(([engine, depthIn]) =>
    Object.values(FORMS).map((options) => {
      const file = options ? instrument(join(temporary, 'in.wasm'), join(temporary, 'out.wasm'), '--embed', ...options) : join(temporary, 'in.wasm');
      return Math.round(STACK[engine] / depthIn(file, `run${i}`) / 8) * 8;
    }),
  );
  console.log(`| ${what} | ${cells.join(' | ')} |`);
});
