/** The examples, made as their Makefiles say; and three engines that must agree on one program. */

import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assemble, at, build, instrument, read, run, source } from './support.mjs';
import { callCounts, readProfile } from './wperf.mjs';
import { noWasmtime } from '../support/tools.mjs';

cpSync(join(source, 'examples'), at('examples'), { recursive: true });

const clang = process.env.WI_CLANG ?? 'clang';
const sanitize = process.env.WI_SANITIZE ? `-fsanitize=${process.env.WI_SANITIZE}` : '';
const libraries = '-lwasm_perf_report -lwasm_perf -lwasm_instrument -lwabt -liberty -lstdc++ -lz -lutf8proc -pthread';
const variables = [
  `CLANG=${clang}`,
  `WASM_LD=${process.env.WI_WASM_LD ?? 'wasm-ld'}`,
  `WASM_INSTRUMENT='${join(build, 'wasm-instrument')}'`,
  `WASM_PERF='${join(build, 'wasm-perf')}'`,
  `NODE=${process.execPath}`,
  `PERF_CFLAGS=-I'${join(source, 'include')}'`,
  `PERF_LIBS=-L'${build}' ${sanitize} ${libraries}`,
];
const env = { ...process.env, WASM_PERF_SHARE: build };
delete env.MAKEFLAGS; // of a make that runs us

const has = (command) => run('sh', ['-c', `command -v ${command}`]).status === 0;
const make = (example, ...targets) =>
  run('make', ['-C', join('examples', example), ...targets, ...variables], { env });

function mustMake(...args) {
  const { status, stdout, stderr } = make(...args);
  assert.equal(status, 0, stderr);
  return stdout;
}

const text = (name) => read(join('examples', name)).toString();
const stacks = (folded) => folded.trim().split('\n').sort();

/** How often fib_recursive(n) calls itself, itself included. */
const recursiveCalls = (n) => (n < 2 ? 1 : 1 + recursiveCalls(n - 1) + recursiveCalls(n - 2));

/** The calls of each function in call counts by stack. */
function callsByFunction(counts) {
  const sums = {};
  for (const [stack, calls] of Object.entries(counts)) {
    const name = stack.slice(stack.lastIndexOf(';') + 1);
    sums[name] = (sums[name] ?? 0) + calls;
  }
  return sums;
}

const libc = run(clang, ['--target=wasm32-wasi', '--print-file-name=libc.a']).stdout.trim();
const noLibc = !existsSync(libc) && 'no libc for WASI where clang looks for it';

// The copy may hold what somebody made in the source tree.
for (const example of ['fib', 'c-host', 'node']) mustMake(example, 'clean');

test('fib: a flame graph out of a Makefile', { skip: noLibc }, () => {
  const output = mustMake('fib', 'fib.svg');
  assert.match(output, /fib\(32\): 2178309 recursive, 2178309 remembered, 2178309 iterative\n/);

  const calls = callsByFunction(callCounts(read('examples/fib/fib.wperf')));
  assert.equal(calls.fib_recursive, [8, 16, 24, 32].map(recursiveCalls).reduce((a, b) => a + b));
  assert.equal(calls.fib_remembered, 4 + 2 * (7 + 15 + 23 + 31));
  assert.equal(calls.fib_iterative, undefined, 'the whitelist takes it away');
  // Which frames are wide enough is up to the samples; what the caption counts is not.
  const sum = Object.values(calls).reduce((a, b) => a + b);
  assert.match(text('fib/fib.svg'), new RegExp(`<svg[^]*, ${sum.toLocaleString('en')} calls, [^]* 3 of \\d+ functions profiled`));
});

/** Folded stacks of fib with an engine of wasm-perf, counting calls. */
function foldedBy(engine) {
  const options = ['--engine', engine, '-o', 'counts.wperf', 'counts.prof.wasm'];
  const result = run(join(build, 'wasm-perf'), ['record', ...options]);
  assert.equal(result.status, 0, result.stderr);
  assert.equal(readProfile(read('counts.wperf')).header.clock, 0);
  const report = ['report', '--format', 'folded', 'counts.wperf'];
  return stacks(run(join(build, 'wasm-perf'), report).stdout);
}

function instrumentFib(...options) {
  mustMake('fib', 'fib.wasm');
  const args = [...options, 'examples/fib/fib.wasm', '-o', 'counts.prof.wasm'];
  const result = run(join(build, 'wasm-instrument'), ['--clock', 'none', ...args]);
  assert.equal(result.status, 0, result.stderr);
}

const noWasm2c = noLibc || (!has('wasm2c') && 'wasm2c is not on PATH');

test('c-host: the same stacks and calls as in Node', { skip: noWasm2c }, () => {
  instrumentFib();
  cpSync(at('counts.prof.wasm'), at('examples/c-host/fib.prof.wasm'));
  const output = mustMake('c-host', 'fib.folded');
  assert.match(output, /fib\(32\): 2178309 recursive/);
  const folded = stacks(text('c-host/fib.folded'));
  assert(folded.length > 30);
  assert.deepEqual(folded, foldedBy('node'));
});


test('wasmtime: the same stacks and calls as in Node', { skip: noLibc || noWasmtime }, () => {
  // How much a host writes at a time is its own affair.
  instrumentFib('--flush', '--exclude', 'writev', '--exclude', '__wasi_fd_write');
  assert.deepEqual(foldedBy('wasmtime'), foldedBy('node'));
});

/** Calls the export twice in that host, and reads the profile by the example's helper. */
const HELPED = {
  'JavaScript': [process.execPath, '--input-type=module', '-e', `
    import { readFileSync, writeFileSync } from 'node:fs';
    import { readProfile } from './examples/embed/read_profile.mjs';
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync('helped.prof.wasm')));
    exports.twice(), exports.twice();
    writeFileSync('helped.wperf', readProfile(exports));`],
  'Python': ['python3', '-c', `
import sys
from wasmtime import Config, Engine, Instance, Module, Store
sys.path.insert(0, "examples/embed")
from read_profile import read_profile
config = Config()
config.wasm_multi_memory = True
engine = Engine(config)
store = Store(engine)
exports = Instance(store, Module.from_file(engine, "helped.prof.wasm"), []).exports(store)
exports["twice"](store), exports["twice"](store)
open("helped.wperf", "wb").write(read_profile(store, exports))`],
};
const noPackage = run('python3', ['-c', 'import wasmtime']).status !== 0 && 'the Python package wasmtime is not installed';

for (const [language, [command, ...args]] of Object.entries(HELPED))
  test(`embed: ${language} reads the profile`, { skip: language === 'Python' && noPackage }, () => {
    assemble('helped', `(module (func $once) (func $twice (export "twice") (call $once) (call $once)))`);
    instrument('helped', '--embed');
    const { status, stderr } = run(command, args);
    assert.equal(status, 0, stderr);
    assert.deepEqual(Object.values(callCounts(read('helped.wperf'))).sort(), [2, 4]);
  });

test('node: a folder on PATH that is named npm is not the command', () => {
  mkdirSync(at('built/npm'), { recursive: true });
  mkdirSync(at('commands'));
  writeFileSync(at('commands/npm'), '#!/bin/sh\nmkdir node_modules\n', { mode: 0o755 });
  cpSync(join(source, 'examples/node'), at('fetching'), { recursive: true });
  rmSync(at('fetching/node_modules'), { recursive: true, force: true });
  const paths = [at('built'), at('commands'), process.env.PATH].join(':');
  const { status, stderr } = run('make', ['-C', 'fetching', 'node_modules'], { env: { ...env, PATH: paths } });
  assert.equal(status, 0, stderr);
});

test('node: SQLite in a flame graph', (context) => {
  const cached = join(process.env.WI_NPM ?? '', 'node_modules/sql.js');
  if (existsSync(cached)) {
    cpSync(cached, at('examples/node/node_modules/sql.js'), { recursive: true });
  } else if (!has('npm') || make('node', 'node_modules').status !== 0) {
    return context.skip('npm could not fetch sql.js');
  }
  const output = mustMake('node', 'sql.svg');
  assert.match(output, /280² \+ 960² = 1000²\n352² \+ 936² = 1000²\n600² \+ 800² = 1000²\n/);
  assert.match(text('node/sql.svg'), /<svg[^]*sqlite3_step/);
  const { header } = readProfile(read('examples/node/sql.wperf'));
  assert.equal(header.unbalancedCount, 0n);
  assert.equal(header.openFrameCount, 0);
});
