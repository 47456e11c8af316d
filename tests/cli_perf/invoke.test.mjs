/** --invoke, and what is told of modules that are no programs: what an engine's error means, and what to do. */

import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import { assemble, at, instrument, read, tool } from '../js/support.mjs';
import { callCounts } from '../js/wperf.mjs';

const perf = (...args) => tool('wasm-perf', args);
const exit = '(import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))';

assemble(
  'library',
  `(module
    ${exit}
    (memory (export "memory") 1)
    (global $ready (mut i32) (i32.const 0))
    (func (export "_initialize") (global.set $ready (i32.const 1)))
    (func $half (param i64) (result i64) (i64.div_s (local.get 0) (i64.const 2)))
    (func (export "mix") (param i32 i64 f64) (result i64 f64 i32)
      (call $half (local.get 1)) (local.get 2) (i32.add (local.get 0) (global.get $ready)))
    (func (export "trap") unreachable)
    (func (export "leave") (call $exit (i32.const 7))))`,
);
assemble('alone', '(module (func $step) (func (export "add") (param i32) (result i32) (call $step) (local.get 0)))');
instrument('library', '--clock=none');
const none = ['-o', 'none.wperf'];

test('a function of a library, by the types of its arguments', () => {
  const calls = { _initialize: 1, mix: 1, 'mix;half': 1 };
  for (const args of [['record', '--clock=none', '--invoke', 'mix', 'library.wasm'], ['record', '--invoke', 'mix', 'library.prof.wasm']]) {
    const { status, stdout, stderr } = perf(...args, '-5', '9007199254740995', '1.5e0', '-o', 'i.wperf');
    assert.deepEqual([status, stderr, stdout], [0, '', '4503599627370497\n1.5\n-4\n']);
    assert.deepEqual(callCounts(read('i.wperf')), calls);
  }
  assert.equal(perf('record', '--no-hooks', '--invoke=mix', '-o', 's.wperf', 'library.wasm', '1', '2', '3').stdout, '1\n3\n2\n');
  const { status, stdout } = perf('record', '--clock=none', '--invoke=add', '-o', 'i.wperf', 'alone.wasm', '3');
  assert.deepEqual([status, stdout], [0, '3\n']);
  assert.deepEqual(callCounts(read('i.wperf')), { add: 1, 'add;step': 1 });
});

test('it ends as a program does: by a trap, and by exit', () => {
  const trapped = perf('record', '--clock=none', '--invoke=trap', '-o', 't.wperf', 'library.wasm');
  assert.deepEqual([trapped.status, callCounts(read('t.wperf')).trap], [134, 1]);
  const left = perf('record', '--clock=none', '--invoke=leave', '-o', 'l.wperf', 'library.wasm');
  assert.deepEqual([left.status, left.stderr, callCounts(read('l.wperf')).leave], [7, '', 1]);
});

test('an export that cannot be called is refused before anything runs', () => {
  const refused = (message, ...args) => {
    const { status, stderr } = perf('record', ...none, ...args);
    assert.deepEqual([status, stderr], [1, `wasm-perf: ${message}\n`]);
  };
  refused("library.wasm: it exports no function 'nothing'; its functions are: _initialize, mix, trap, leave", '--invoke=nothing', 'library.wasm');
  refused('library.wasm: --invoke mix: it takes 3 arguments, not 1', '--invoke=mix', 'library.wasm', '1');
  refused("library.wasm: --invoke mix: argument 2, 'x', is not a valid i64", '--invoke=mix', 'library.wasm', '1', 'x', '1');
  refused("library.wasm: --invoke mix: argument 1, '4294967296', is not a valid i32", '--invoke=mix', 'library.wasm', '4294967296', '1', '1');
  assert.equal(perf('record', '--invoke=f', ...none, '--', 'node').status, 2);
  assert(!existsSync(at('none.wperf')));
});

const starts = { exits: `${exit} (func $first (call $exit (i32.const 5)))`, traps: '(func $first unreachable)' };
for (const [how, text] of Object.entries(starts)) {
  const name = `start_${how}`;
  assemble(name, `(module ${text} (memory (export "memory") 1) (func (export "_start")) (start $first))`);
  test(`a start function that ${how} leaves its profile: linked, embedded, sampled`, () => {
    instrument(name, '--clock=none');
    const status = how === 'exits' ? 5 : 134;
    for (const args of [['record', `${name}.prof.wasm`], ['record', '--clock=none', `${name}.wasm`], ['record', `${name}.wasm`]]) {
      rmSync(at(`${name}.wperf`), { force: true });
      const result = perf(args[0], '-o', `${name}.wperf`, ...args.slice(1));
      assert.equal(result.status, status);
      assert.match(result.stderr, how === 'exits' ? /^$/ : /^wasm-perf: start_traps\S*: unreachable\n/);
      const { first, ...imports } = callCounts(read(`${name}.wperf`));
      const isSampled = args.length === 2 && args[1] === `${name}.wasm`;
      assert.deepEqual([first, imports], [1, isSampled && how === 'exits' ? { 'first;wasi_snapshot_preview1.proc_exit': 1 } : {}]);
    }
  });
}

const advice = {
  gojs: ['(import "gojs" "runtime.wasmExit" (func (param i32)))', /Import #0 "gojs".*\n {2}Go built it for JavaScript; .* -- node "\$\(go env GOROOT\)\/lib\/wasm\/wasm_exec_node\.js" app\.wasm/],
  bindgen: ['(import "./app_bg.js" "__wbg_log" (func))', /wasm-bindgen built it for JavaScript.* -- node app\.mjs/],
  emscripten: ['(import "env" "emscripten_resize_heap" (func))', /it imports functions of its own JavaScript.* -- node app\.js; or link it with -sSTANDALONE_WASM/],
  minified: ['(import "a" "b" (func))', /as Emscripten's modules do/],
  missing: ['(import "wasi_snapshot_preview1" "no_such_call" (func))', /Node's WASI does not have that function: try --engine wasmtime/],
  host: ['(import "game" "draw" (func))', /it imports functions of a host/],
};
for (const [name, [text, message]] of Object.entries(advice)) {
  assemble(`wants_${name}`, `(module ${text} (memory (export "memory") 1) (func (export "_start")))`);
  test(`an import that is not there: ${name}`, () => {
    const { status, stderr } = perf('record', '--clock=none', ...none, `wants_${name}.wasm`);
    assert.equal(status, 1);
    assert.match(stderr, message);
    assert(!stderr.includes('without instantiating'), stderr); // the reason was said
    assert.match(stderr, new RegExp(`^wasm-perf: wants_${name}\\.wasm: WebAssembly\\.`));
  });
}

test('a program with wasi-threads, whose memory is imported, too', () => {
  assemble('threads', `(module (import "env" "memory" (memory 1 4 shared))
    (import "wasi" "thread-spawn" (func $spawn (param i32) (result i32)))
    (func (export "wasi_thread_start") (param i32 i32)) (func (export "_start") (drop (call $spawn (i32.const 0)))))`);
  const { status, stderr } = perf('record', '--clock=none', ...none, 'threads.wasm');
  assert.equal(status, 1);
  assert.match(stderr, /^wasm-perf: threads\.wasm: it uses wasi-threads .*, which Node's WASI does not have\n {2}neither does wasmtime/);
});

test('a command whose memory has another name', () => {
  assemble('memoryless', '(module (memory (export "mem") 1) (func (export "_start")))');
  const { status, stderr } = perf('record', '--clock=none', ...none, 'memoryless.wasm');
  assert.equal(status, 1);
  assert.match(stderr, /^wasm-perf: memoryless\.wasm: not a WASI command: it does not export a memory named memory\n {2}.*--export-memory/);
});

test('a module without a program', () => {
  const { status, stderr } = perf('record', '--clock=none', ...none, 'alone.wasm');
  assert.equal(status, 1);
  assert.match(stderr, /^wasm-perf: alone\.wasm: not a WASI command: it does not export _start\n {2}--invoke EXPORT ARGUMENTS calls one/);
  assert.deepEqual(readdirSync(at('.')).filter((file) => file.startsWith('none')), []);
});
