/** The examples, made as their Makefiles say; and three engines that must agree on one program. */

import assert from 'node:assert/strict';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { at, build, read, run, source } from './support.mjs';
import { callCounts, readProfile } from './wperf.mjs';

cpSync(join(source, 'examples'), at('examples'), { recursive: true });

const clang = process.env.WI_CLANG ?? 'clang';
const sanitize = process.env.WI_SANITIZE ? `-fsanitize=${process.env.WI_SANITIZE}` : '';
const libraries = '-lwasm_perf_report -lwasm_perf -lwasm_instrument -lwabt -liberty -lstdc++ -lz -lutf8proc -pthread';
const variables = [
  `CLANG=${clang}`,
  `WASM_LD=${process.env.WI_WASM_LD ?? 'wasm-ld'}`,
  `WASM_INSTRUMENT=${join(build, 'wasm-instrument')}`,
  `WASM_PERF=${join(build, 'wasm-perf')}`,
  `NODE=${process.execPath}`,
  `PERF_CFLAGS=-I${join(source, 'include')}`,
  `PERF_LIBS=-L${build} ${sanitize} ${libraries}`,
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
  assert.match(output, /fib\(24\): 46368 recursive, 46368 remembered, 46368 iterative\n/);
  assert.match(text('fib/fib.svg'), /<svg[^]*fib_recursive/);

  const calls = callsByFunction(callCounts(read('examples/fib/fib.wperf')));
  assert.equal(calls.fib_recursive, recursiveCalls(8) + recursiveCalls(16) + recursiveCalls(24));
  assert.equal(calls.fib_remembered, 3 + 2 * (7 + 15 + 23));
  assert.equal(calls.fib_iterative, undefined, 'the whitelist takes it away');
});

/** Folded stacks of fib with an engine of wasm-perf, counting calls. */
function foldedBy(engine) {
  const options = ['--engine', engine, '-o', 'counts.wperf', 'counts.prof.wasm'];
  const result = run(join(build, 'wasm-perf'), ['run', ...options]);
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
  assert.match(output, /fib\(24\): 46368 recursive/);
  const folded = stacks(text('c-host/fib.folded'));
  assert(folded.length > 30);
  assert.deepEqual(folded, foldedBy('node'));
});

const noWasmtime = noLibc || (!has('wasmtime') && 'wasmtime is not on PATH');

test('wasmtime: the same stacks and calls as in Node', { skip: noWasmtime }, () => {
  // How much a host writes at a time is its own affair.
  instrumentFib('--flush', '--exclude', 'writev', '--exclude', '__wasi_fd_write');
  assert.deepEqual(foldedBy('wasmtime'), foldedBy('node'));
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
