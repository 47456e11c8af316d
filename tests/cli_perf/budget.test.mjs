/** wasm-perf record --budget: which functions get hooks, what the user sees, and what is refused. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assemble, at, build, folder, read, tool } from '../js/support.mjs';
import { callCounts, readProfile } from '../js/wperf.mjs';

const temporary = at('temporary');
mkdirSync(temporary);
process.env.TMPDIR = temporary;

/**
 * busy takes most of the time in one call, leaf is called a million times. It copies its input to its
 * output, and ends with 3.
 */
const loop = (count, body) => `(local $i i32) (local.set $i (i32.const ${count}))
  (loop ${body} (br_if 0 (local.tee $i (i32.sub (local.get $i) (i32.const 1)))))`;
assemble('app', `(module
  (import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "\\20\\00\\00\\00\\40\\00\\00\\00")
  (func $busy ${loop(30_000_000, '(nop)')})
  (func $leaf (nop))
  (func $same1 (nop)) (func $same2 (nop)) (func $glob* (call $same1) (call $same2))
  (func $caller ${loop(1_000_000, '(call $leaf)')})
  (func (export "_start")
    (call $busy) (call $caller) (call $glob*)
    (drop (call $fd_read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
    (i32.store (i32.const 4) (i32.load (i32.const 8)))
    (drop (call $fd_write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))
    (call $proc_exit (i32.const 3))))`);

const record = (args, options) => tool('wasm-perf', ['record', ...args], options);
const BUDGETED = ['--budget', '3%'];

test('the run that is seen has the input, the output and the exit code of one', () => {
  for (const stdio of ['pipe', 'inherit']) {
    const options = stdio === 'pipe' ? { input: 'words\n' } : { stdio: ['ignore', 'pipe', 'pipe'] };
    const { status, stdout, stderr } = record([...BUDGETED, 'app.wasm', '-o', 'a.wperf'], options);
    assert.deepEqual([status, stdout], [3, stdio === 'pipe' ? 'words\n' : ''], stderr);
    assert.match(stderr, /^wasm-perf: --budget runs the program many times, for about three minutes at most; only the last run prints\n/);
    assert.match(stderr, /^wasm-perf: Hooks for a budget of 3\.0 %: predicted to cost [\d.]+ %, (measured −?[\d.]+ (± [\d.]+ %(, which is over the budget|, too inexact to tell whether that is within the budget)?|% in \d pairs? of runs, too few to tell how far that is off)|which cannot be measured in a run this short); hooked functions have [\d.]+ % of the measured cost$/m);
    assert.match(stderr, /: a\.whitelist lists the chosen functions: \d of 7 functions\n/);
  }
  assert.deepEqual(readdirSync(temporary), []);
});

const patterns = () => String(read('a.whitelist')).split('\n').filter((line) => line && !line.startsWith('#'));

test('the whitelist is what has hooks, and what has most of the time is in it', () => {
  const { header, names, uncounted } = readProfile(read('a.wperf'));
  const hooked = new Set([...names].filter(([index]) => !uncounted.has(index)).map(([, name]) => name));
  const listed = patterns().map((pattern) => (pattern.startsWith('@') ? 'glob*' : pattern));
  assert.deepEqual(new Set(listed), hooked);
  assert(hooked.has('busy'), [...hooked]);
  assert.equal(header.hookedFunctionCount, hooked.size);
  assert.equal(header.budget, 30000n);
  assert((header.predictedOverhead ?? 0n) <= 30000n); // a number that is 0 is left out
  assert(header.attributedShare > 500000n && header.attributedShare <= 1000000n);
  assert(header.runTime > 0n && header.plainRunTime > 0n);
});

test('names that are patterns are chosen by index', () => {
  const listed = String(read('a.whitelist'));
  assert.match(listed, /^# Chosen by wasm-perf record --budget 3\.00% in app\.wasm: \d of 7 called functions/);
  if (listed.includes('glob')) assert.match(listed, /^# glob\*\n@7$/m);
  assert(!patterns().some((pattern) => pattern.includes('*')));
});

test('the list is one for wasm-instrument', () => {
  const { status, stdout } = tool('wasm-instrument', ['--list', '-w', 'a.whitelist', 'app.wasm']);
  assert.equal(status, 0);
  for (const name of ['busy']) assert.match(stdout, new RegExp(`${name}`));
});

test('reports say what came of it', () => {
  assert.match(tool('wasm-perf', ['top', 'a.wperf']).stdout, /^Hooks for a budget of 3\.0 %: predicted to cost /m);
});

test('a program of JavaScript; hooks of functions that were not asked for stay out', () => {
  writeFileSync(at('main.mjs'), `import { readFileSync } from 'node:fs';
    const imports = { wasi_snapshot_preview1: { fd_read: () => 0, fd_write: () => 0, proc_exit: () => {} } };
    const { instance } = await WebAssembly.instantiate(readFileSync('app.wasm'), imports);
    instance.exports._start();
    console.log('once');`);
  const args = [...BUDGETED, '--only', 'busy', '--only', 'leaf', '--clock', 'none', '-o', 'js.svg'];
  const { status, stdout, stderr } = record([...args, '--', process.execPath, 'main.mjs']);
  assert.deepEqual([status, stdout], [0, 'once\n'], stderr);
  assert(existsSync(at('js.svg')));
  assert.match(String(read('js.whitelist')), /^busy$/m);
  assert.doesNotMatch(String(read('js.whitelist')), /caller|_start/);
});

test('with instructions the total is that of the whole program', () => {
  const totalOf = (...args) => {
    const { status, stderr } = record(['--clock', 'instructions', ...args, '-o', 'total.json', 'app.wasm']);
    assert.equal(status, 3, stderr);
    return JSON.parse(read('total.json'));
  };
  const { total } = totalOf();
  const chosen = totalOf('--budget', '0.01%');
  assert.equal(chosen.total, total);
  assert(chosen.functions.some(({ self, calls }) => self > 0 && calls === null), 'none is without hooks');
});

test('impossible requests fail with a message and leave no files', () => {
  const refused = (code, message, ...args) => {
    const { status, stdout, stderr } = record([...args, '-o', 'no.svg', ...(args.includes('--') ? [] : ['app.wasm'])]);
    assert.deepEqual([status, stdout], [code, '']);
    assert.match(stderr, message);
    assert(!existsSync(at('no.svg')) && !existsSync(at('no.whitelist')));
    assert.deepEqual(readdirSync(temporary), []);
  };
  for (const value of ['0', '0.00%', '101%', 'x', '-1']) {
    refused(2, /--budget wants more than 0% and at most 100%, like 3%, not '/, `--budget=${value}`);
  }
  refused(1, /no function fits the budget/, '--budget', '0.00000001%');
  refused(1, /--budget needs Node\.js 22 or newer, .* and a module without hooks/, '--budget', '3', '--clock', 'wall');
  assemble('second', '(module (func (export "run")))');
});

test('wasm-instrument chooses by an earlier profile', () => {
  const instrument = (...args) => tool('wasm-instrument', [...args]);
  assert.equal(record(['--clock', 'instructions', '-o', 'all.wperf', 'app.wasm']).status, 3);
  const chosen = (percent) => {
    const { status, stdout, stderr } = instrument('--list', '--budget', percent, '--profile', 'all.wperf', 'app.wasm');
    assert.deepEqual([status, stderr], [0, '']);
    return stdout.split('\n').filter((line) => / \+ {2}/.test(line)).map((line) => line.trim().split(/ +/).at(-1));
  };
  assert.deepEqual(chosen('3%'), ['busy', 'same1', 'same2', 'glob*', 'caller', '_start']); // leaf alone costs 10 %
  assert.deepEqual(chosen('100%'), ['busy', 'leaf', 'same1', 'same2', 'glob*', 'caller', '_start']);
  const refused = (code, message, ...args) => {
    const { status, stdout, stderr } = instrument(...args, '-o', 'no.wasm');
    assert.deepEqual([status, stdout], [code, '']);
    assert.match(stderr, message);
    assert(!existsSync(at('no.wasm')));
  };
  const by = (file, percent = '3%') => ['--budget', percent, '--profile', file];
  refused(2, /--budget and --profile must be used together/, '--budget', '3%', 'app.wasm');
  refused(2, /--budget and --profile must be used together/, '--profile', 'all.wperf', 'app.wasm');
  refused(2, /--budget wants more than 0%/, ...by('all.wperf', '0'), 'app.wasm');
  refused(1, /^wasm-instrument: all\.wperf: no function's hooks fit/, ...by('all.wperf', '0.0000001%'), 'app.wasm');
  refused(1, /^wasm-instrument: all\.wperf: it belongs to another module or another build\n$/, ...by('all.wperf'), 'second.wasm');
  refused(1, /^wasm-instrument: none\.wperf: No such file/, ...by('none.wperf'), 'app.wasm');
  refused(1, /^wasm-instrument: app\.wasm: offset 0x0: /, ...by('app.wasm'), 'app.wasm');
  record(['--clock', 'none', '-o', 'calls.wperf', 'app.wasm']);
  refused(1, /^wasm-instrument: calls\.wperf: it only counts calls/, ...by('calls.wperf'), 'app.wasm');
  record(['--clock', 'instructions', '--only', 'busy', '-o', 'part.wperf', 'app.wasm']);
  refused(1, /^wasm-instrument: part\.wperf: some functions had no hooks in that run/, ...by('part.wperf'), 'app.wasm');
});

test('several modules must be distinguished first', () => {
  writeFileSync(at('two.mjs'), `import { readFileSync } from 'node:fs';
    for (const name of ['second', 'third']) {
      (await WebAssembly.instantiate(readFileSync(name + '.wasm'))).instance.exports.run();
    }`);
  assemble('third', '(module (func $third (export "run") (nop)))');
  const command = ['--', process.execPath, 'two.mjs'];
  const { status, stderr } = record(['--budget=3%', '-o', 'two.svg', ...command]);
  assert.equal(status, 1);
  assert.match(stderr, /--budget needs a single module; choose one with --module GLOB\n$/);
  const one = record(['--budget=100%', '--module', 'third*', '-o', 'two.wperf', ...command]);
  assert.equal(one.status, 0, one.stderr);
  assert.deepEqual(callCounts(read('two.wperf')), { third: 1 });
});

test('a signal ends it, whichever run it is in', async () => {
  writeFileSync(at('wait.mjs'), `import { writeFileSync } from 'node:fs';
    writeFileSync('ready', ''); setInterval(() => {}, 1000);`);
  rmSync(at('ready'), { force: true });
  const args = ['record', '--budget=3%', '-o', 'no.svg', '--', process.execPath, 'wait.mjs'];
  const child = spawn(join(build, 'wasm-perf'), args, { cwd: folder, stdio: 'ignore' });
  while (!existsSync(at('ready'))) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [143, null]);
  assert(!existsSync(at('no.svg')));
  assert.deepEqual(readdirSync(temporary), []);
});
