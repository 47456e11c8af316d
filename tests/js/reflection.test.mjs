/** Programs see the same of WebAssembly with and without the profiler, in each realm and thread. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { parse } from '../support/wat.mjs';
import { at, build, run } from './support.mjs';

const program = fileURLToPath(new URL('reflected.mjs', import.meta.url));
const wasmPerf = join(build, 'wasm-perf');
const text = (value) => [...new TextEncoder().encode(value)];

/** A custom section; its content is a text or bytes, all shorter than 128 bytes. */
const section = (name, content) => {
  const bytes = [name.length, ...text(name), ...(typeof content === 'string' ? text(content) : content)];
  return [0, bytes.length, ...bytes];
};

const main = await parse(`(module
  (import "env" "given" (func $given (param funcref i32) (result i32))) (import "env" "two" (func $two (result i32 funcref)))
  (memory (export "memory") 1) (table $t (export "table") 2 10 funcref) (tag $tag (export "tag") (param i32 funcref))
  (global (export "global") (mut funcref) (ref.func $add)) (elem (table $t) (i32.const 0) func $add)
  (func $add (export "add") (param i32 i32) (result i32) (i32.add (local.get 0) (local.get 1)))
  (func (export "0") (call $start)) (func (export "__proto__"))
  (func (export "several") (result i32 funcref) (drop (call $given (ref.func $add) (i32.const 1))) (call $two))
  (func (export "pass") (param funcref) (result funcref) (local.get 0))
  (func (export "anything") (param externref) (result externref) (local.get 0))
  (func (export "wide") (param i64)) (func (export "trap") (unreachable))
  (func $start) (start $start)
  (func (export "throws") (throw $tag (i32.const 1) (ref.func $add))))`);
const importing = await parse(`(module (import "main" "add" (func $add (param i32 i32) (result i32)))
  (import "main" "table" (table 1 funcref)) (func $own (export "own")) (export "again" (func $add)) (elem (i32.const 0) func $own))`);
const sections = [
  ['own', 'kept'], ['producers', [1, 8, ...text('language'), 1, 1, 67, 0]], ['build_id', 'id'], ['sourceMappingURL', [1, 120]],
  ['external_debug_info', [1, 120]], ['.debug_line', 'damaged'], ['metadata.code.other', [0]],
  ['llvm.func_attr.annotate.x', [3, 0, 0, 0]], ['own', 'again'],
];
writeFileSync(at('main.wasm'), [Buffer.from(main), ...sections.map((item) => Buffer.from(section(...item)))].reduce((a, b) => Buffer.concat([a, b])));
writeFileSync(at('main.importing.wasm'), importing);
writeFileSync(at('main.empty.wasm'), await parse('(module)'));

const plugin = await parse(`(module (func (export "twice") (param i32) (result i32) (i32.add (local.get 0) (local.get 0)))
  (func $inner (unreachable)) (func (export "fails") (call $inner)))`);

/** Whether this Node imports WebAssembly without an option. */
function isImportable() {
  writeFileSync(at('empty.wasm'), Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  return run(process.execPath, ['--input-type=module', '-e', 'await import("./empty.wasm")']).status === 0;
}

/** Runs words of Node alone and recorded; returns the two outputs. */
function both(words, ...options) {
  const alone = run(process.execPath, words);
  const recorded = run(wasmPerf, ['record', '--clock=none', ...options, '-o', at('a.wperf'), '--', process.execPath, ...words]);
  assert.equal(alone.status, 0, alone.stderr);
  assert.equal(recorded.status, 0, recorded.stderr);
  return [alone.stdout, recorded.stdout];
}

/** Fails with the lines that differ first. */
function assertSame([alone, recorded]) {
  const [before, after] = [alone, recorded].map((output) => output.split('\n'));
  const at = before.findIndex((line, i) => line !== after[i]);
  const around = (lines) => (at < 0 ? lines.length : lines.slice(Math.max(at - 6, 0), at + 3));
  assert.deepEqual(around(after), around(before));
  assert(before.length > 500);
}

for (const place of ['main', 'context', 'worker'])
  for (const earlier of [0, 10]) // from the ninth on, instances are made of another form of the module
    test(`all that can be reached from WebAssembly: ${place}, after ${earlier} instances`, () => {
      assertSame(both(['--no-warnings', program, at('main'), place, `${earlier}`]));
    });

test('a namespace of an imported module has the exports of the module', { skip: !isImportable() }, () => {
  writeFileSync(at('plugin.wasm'), plugin);
  writeFileSync(at('importing.mjs'), `import * as plugin from './plugin.wasm';
    console.log(Object.keys(plugin), plugin.twice(4), Object.values(plugin).map(String));`);
  const [alone, recorded] = both(['--no-warnings', at('importing.mjs')]);
  assert.equal(recorded, alone);
});

test('a module that the user instrumented shows all its exports', async () => {
  writeFileSync(at('plugin.wasm'), plugin);
  const made = run(join(build, 'wasm-instrument'), ['--embed', at('plugin.wasm'), '-o', at('own.wasm')]);
  assert.equal(made.status, 0, made.stderr);
  writeFileSync(at('reading.mjs'), `import { readFileSync } from 'node:fs';
    const module = new WebAssembly.Module(readFileSync(${JSON.stringify(at('own.wasm'))}));
    const { exports } = new WebAssembly.Instance(module);
    exports.twice(1);
    console.log(WebAssembly.Module.exports(module), Object.keys(exports), exports.wasm_perf_profile() > 0);
    console.log(WebAssembly.Module.customSections(module, 'wasm_instrument').map(({ byteLength }) => byteLength));`);
  const [alone, recorded] = both([at('reading.mjs')]);
  assert.equal(recorded, alone);
  assert.match(alone, /wasm_perf_profile/);
});

/* ---- What cannot be hidden: src/docs/javascript.md lists it ---- */

/** A program that prints a value as JSON, alone and recorded. */
function bothValues(code) {
  writeFileSync(at('plugin.wasm'), plugin);
  writeFileSync(at('printing.mjs'), `import fs from 'node:fs';
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(${JSON.stringify(at('plugin.wasm'))})), {});
    exports.twice(2);
    ${code}`);
  return both(['--no-warnings', at('printing.mjs')]).map(JSON.parse);
}

test('stacks differ in offsets, and have frames of ours', () => {
  const [alone, recorded] = bothValues(`try { exports.fails(); } catch ({ stack }) { console.log(JSON.stringify(stack)); }`);
  const clean = (stack) => stack.split('\n').filter((line) => !line.includes('/register.mjs:')).join('\n')
    .replace(/wasm:\/\/wasm\/(\w+-)?\w+/g, 'wasm').replace(/:0x[0-9a-f]+/g, '');
  assert.notEqual(recorded, alone);
  assert.equal(clean(recorded), clean(alone));
});

test('the inspector shows the source text of a wrapper', () => {
  const [alone, recorded] = bothValues(`import inspector from 'node:inspector';
    const session = new inspector.Session();
    session.connect();
    globalThis.twice = exports.twice;
    session.post('Runtime.evaluate', { expression: 'twice' }, (_, { result: { className, description } }) =>
      console.log(JSON.stringify([className, description])));`);
  assert.match(alone[1], /native code/);
  assert.doesNotMatch(recorded[1], /native code/);
  assert.equal(recorded[0], alone[0]);
});

test('the process has variables, handlers, a thread and a global of ours', () => {
  const [alone, recorded] = bothValues(`console.log(JSON.stringify({
      variables: Object.keys(process.env), options: process.execArgv, words: process.argv.slice(2),
      handlers: process.eventNames().flatMap((name) => Array(process.listenerCount(name)).fill(name)),
      globals: Reflect.ownKeys(globalThis).map(String),
      resources: process.getActiveResourcesInfo(),
    }))`);
  /** Elements that only the second list has; the first has none. */
  const added = (before, after) => {
    const left = [...after];
    for (const item of before) left.splice(left.indexOf(item), left.includes(item) ? 1 : assert.fail(`${item} is gone`));
    return left;
  };
  const differences = Object.fromEntries(Object.keys(alone).filter((key) => Array.isArray(alone[key]))
    .map((key) => [key, added(alone[key], recorded[key]).sort()]).filter(([, list]) => list.length > 0));
  const given = ['BUN_OPTIONS', 'NODE_OPTIONS', 'WASM_PERF_SESSION'].filter((name) => !(name in process.env));
  assert.deepEqual(differences, {
    variables: given,
    handlers: ['SIGHUP', 'SIGINT', 'SIGTERM', 'exit', 'exit', 'newListener', 'removeListener'],
    globals: ['Symbol(wasm-perf.session)'],
  });
});
