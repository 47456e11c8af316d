/** Programs that wasm-perf record could miss: contexts, workers from text, children with an environment of their own. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { assemble, at, read, tool } from './support.mjs';
import { callCounts, readProfile } from './wperf.mjs';

assemble('once', `(module (func $run (export "run") (call $leaf)) (func $leaf))`);

const bytes = `require('node:fs').readFileSync(${JSON.stringify(at('once.wasm'))})`;
const use = (source) => `new WebAssembly.Instance(new WebAssembly.Module(${source})).exports.run();`;

function record(text) {
  writeFileSync(at('program.cjs'), text);
  return tool('wasm-perf', ['record', '-o', at('a.wperf'), '--', process.execPath, at('program.cjs')]);
}

function expectCalls(text) {
  const { status, stderr } = record(text);
  assert.deepEqual([status, stderr], [0, '']);
  assert.deepEqual(callCounts(read('a.wperf')), { run: 1, 'run;leaf': 1 });
}

for (const [name, call] of Object.entries({
  runInContext: (code) => `vm.runInContext(${code}, vm.createContext({ bytes }))`,
  runInNewContext: (code) => `vm.runInNewContext(${code}, { bytes })`,
  'a script': (code) => `new vm.Script(${code}).runInNewContext({ bytes })`,
}))
  test(`a context of node:vm: ${name}`, () => {
    expectCalls(`const vm = require('node:vm'); const bytes = ${bytes}; ${call(JSON.stringify(use('bytes')))}`);
  });

test('contexts are what they were', () => {
  const { status, stdout } = record(`const vm = require('node:vm');
    const context = vm.createContext({ a: 1 });
    vm.createContext(context);
    const other = vm.runInNewContext('b = 2; ({ sum: b, same: WebAssembly === this.WebAssembly })', undefined, 'name.js');
    const names = [vm.createContext.name, vm.createContext.length, vm.isContext(context), vm.runInContext('a', context)];
    console.log(...names, other.sum, other.same);
    ${use(bytes)}`);
  assert.deepEqual([status, stdout], [0, 'createContext 0 true 1 2 true\n']);
});

test('a worker from text', () => {
  const code = `const { parentPort } = require('node:worker_threads');
    parentPort.once('message', () => { ${use(bytes)} });`;
  expectCalls(`const { Worker } = require('node:worker_threads');
    const worker = new Worker(${JSON.stringify(code)}, { eval: true, env: {} });
    worker.postMessage('go');`);
});

for (const options of ['{ env: { A: "1" } }', '{ env: {}, execArgv: [] }', '{ env: threads.SHARE_ENV }'])
  test(`a worker with options: ${options}`, () => {
    writeFileSync(at('worker.cjs'), use(bytes));
    expectCalls(`const threads = require('node:worker_threads');
      new threads.Worker(${JSON.stringify(at('worker.cjs'))}, ${options});`);
  });

test('a worker from text that fails', () => {
  const { stdout } = record(`const { Worker } = require('node:worker_threads');
    ${use(bytes)}
    for (const code of ['throw new Error("no")', 'const {', 'import "node:fs"; throw 1'])
      new Worker(code, { eval: true }).on('error', (error) => console.log(error?.message ?? error));`);
  assert.deepEqual(stdout.trim().split('\n').map((line) => line.slice(0, 10)).sort(), ['1', 'Unexpected', 'no']);
});

for (const call of ['spawnSync(process.execPath, [path], options)', 'execFileSync(process.execPath, [path], options)',
  'spawn(process.execPath, [path], options)', 'fork(path, [], options)', 'execSync(`"${process.execPath}" "${path}"`, options)'])
  test(`a child with an environment of its own: ${call}`, () => {
    writeFileSync(at('child.cjs'), use(bytes));
    expectCalls(`const options = { env: { PATH: process.env.PATH } }, path = ${JSON.stringify(at('child.cjs'))};
      require('node:child_process').${call};`);
  });

const CLEARED = 'wasm-perf: a child process is not profiled, because env -i clears its environment. ' +
  'Pass these variables on: env -i NODE_OPTIONS="$NODE_OPTIONS" WASM_PERF_SESSION="$WASM_PERF_SESSION" node …\n';

for (const [call, message] of Object.entries({
  "spawnSync('env', ['-i', process.execPath, path])": CLEARED,
  "spawn('env', ['-', process.execPath, path])": CLEARED,
  "execSync(`cd . && /usr/bin/env -u A -i 'PATH=${process.env.PATH}' \"${process.execPath}\" \"${path}\"`)": CLEARED,
  "execSync(`env -i NODE_OPTIONS=\"$NODE_OPTIONS\" WASM_PERF_SESSION=\"$WASM_PERF_SESSION\" \"${process.execPath}\" \"${path}\"`)": '',
  "spawnSync('env', [...Array(80).fill('-u'), 'ls'])": '', // in time: the search must not try each way to read it
  "spawnSync('env', ['-i', 'ls', 'node_modules'])": '',
  "spawnSync('env', ['A=1', 'ls', '-i', 'node'])": '',
}))
  test(`a child that clears its environment, so that it is missed, is named: ${call}`, () => {
    writeFileSync(at('child.cjs'), use(bytes));
    const { stderr } = record(`const path = ${JSON.stringify(at('child.cjs'))}; ${use(bytes)}
      require('node:child_process').${call};`);
    assert.equal(stderr, message);
    assert.deepEqual(callCounts(read('a.wperf')).run, call.includes('NODE_OPTIONS') ? 2 : 1);
  });

const moduleOf = () => readProfile(read('a.wperf')).header.module;

test('a module is named by its file, by itself, or by the script that compiled it', () => {
  const text = JSON.stringify(read('once.wasm').toString('base64'));
  const decoded = `Buffer.from(${text}, 'base64')`;
  const named = JSON.stringify(read(assemble('own', '(module $inside (func (export "run")))')).toString('base64'));
  for (const [name, program] of Object.entries({
    'once.wasm': use(bytes),
    inside: use(`Buffer.from(${named}, 'base64')`),
    'program.cjs': use(decoded),
    'packed.cjs': `require('./packed.cjs')`,
    'streamed.cjs': `require('./streamed.cjs')`,
  })) {
    writeFileSync(at('packed.cjs'), `WebAssembly.instantiate(${decoded}).then(({ instance }) => instance.exports.run());`);
    writeFileSync(at('streamed.cjs'), `WebAssembly.instantiateStreaming(fetch('data:application/wasm;base64,' + ${text}))
      .then(({ instance }) => instance.exports.run());`);
    assert.deepEqual([record(program).status, moduleOf()], [0, name]);
  }
});

test("Emscripten's modules for single JavaScript functions are ignored", () => {
  const shim = read(assemble('shim', '(module (import "e" "f" (func)) (export "f" (func 0)))')).toString('base64');
  expectCalls(`const shim = Buffer.from('${shim}', 'base64');
    for (let i = 0; i < 500; i++) new WebAssembly.Instance(new WebAssembly.Module(shim), { e: { f() {} } }).exports.f();
    ${use(bytes)}`);
  assert.equal(moduleOf(), 'once.wasm');
});

test('modules of which nothing was called are named, and the profile has the rest of the program', () => {
  const { status, stderr } = record(`new WebAssembly.Instance(new WebAssembly.Module(${bytes}));`);
  assert.deepEqual([status, stderr], [0, 'wasm-perf: the program called no function of its modules: once.wasm\n']);
  assert.deepEqual(callCounts(read('a.wperf')), {});
});

test('modules that were only compiled are named', () => {
  const { status, stderr } = record(`new WebAssembly.Module(${bytes});`);
  assert.deepEqual([status, stderr], [0, 'wasm-perf: the program compiled WebAssembly but instantiated none: once.wasm\n']);
  assert.deepEqual(callCounts(read('a.wperf')), {});
});

test('a child process that is another engine is named, once', () => {
  writeFileSync(at('workerd'), '#!/bin/sh\n', { mode: 0o755 });
  const { status, stderr } = record(`const { spawn, spawnSync } = require('node:child_process');
    for (let i = 0; i < 2; i++) {
      spawnSync(${JSON.stringify(at('workerd'))});
      spawn(${JSON.stringify(at('workerd'))});
    }
    spawnSync('./no/wasmtime');
    ${use(bytes)}`);
  assert.deepEqual([status, stderr], [0, 'wasm-perf: the child process workerd is another engine, so its modules are not in the ' +
    'profile. Give it the output of wasm-instrument --embed instead of a module\n']);
});
