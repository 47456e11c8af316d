/** wasm-perf record: instrument, run and report in one step. */

import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { helpText, optionsOf } from '../docgen/help.mjs';
import * as programs from '../js/programs.mjs';
import { assemble, at, folder, instrument, read, run, tool } from '../js/support.mjs';
import { NO_PROCESSOR, callCounts, readProfile } from '../js/wperf.mjs';
import { parse } from '../support/wat.mjs';
import { noWasmtime } from '../support/tools.mjs';

for (const [name, text] of Object.entries(programs)) assemble(name, text);
const temporary = at('temporary');
mkdirSync(temporary);
process.env.TMPDIR = temporary;

const record = (...args) => tool('wasm-perf', ['record', ...args]);

const whole = {
  _start: 1,
  '_start;middle': 1,
  '_start;middle;deep': 1,
  '_start;middle;deep;leaf': 1,
  '_start;middle;leaf': 1,
};

const FEW = '--clock wall is for few, long functions, but all 2 have hooks, which read a clock. Choose some with --only.';

/** The call counts of the program that returns, recorded with these options. */
function countsWith(...options) {
  const { status, stderr } = record(...options, '-o', 'a.wperf', 'returns.wasm');
  assert.deepEqual([status, stderr], [0, '']);
  return callCounts(read('a.wperf'));
}

test('the profile is that of the whole program', () => {
  assert.deepEqual(countsWith('--engine=node'), whole);
});

test('a folder on PATH that is called as the command is skipped, and an empty part is the current folder', () => {
  mkdirSync(at('early/node'), { recursive: true });
  mkdirSync(at('early/wasm-instrument'));
  writeFileSync(at('here'), `#!/bin/sh\nexec node -e "
    const bytes = require('node:fs').readFileSync('exports.wasm');
    new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.run()"`, { mode: 0o755 });
  assemble('exports', '(module (func $run (export "run")))');
  const env = { ...process.env, PATH: `${at('early')}:${process.env.PATH}:` };
  const { status, stderr } = tool('wasm-perf', ['record', '--clock=none', '-o', 'a.wperf', '--', 'here'], { env });
  assert.deepEqual([status, stderr], [0, '']);
  assert.deepEqual(callCounts(read('a.wperf')), { run: 1 });
  const folder = record('-o', 'a.wperf', '--', './early');
  assert.deepEqual([folder.status, folder.stderr], [1,
    'wasm-perf: ./early: it is not executable; to run a script: wasm-perf record -- node ./early\n']);
});

test('wasmtime: the same', { skip: noWasmtime }, () => {
  assert.deepEqual(countsWith('--engine=wasmtime'), whole);
});

test('--guest: warns once if there is no guest', () => {
  for (const guest of ['python', 'both']) {
    const { status, stderr } = record('--engine=node', `--guest=${guest}`, '-o', 'a.wperf', 'returns.wasm');
    const warning = 'no guest found: no module that ran is CPython 3.13 or newer';
    assert.deepEqual([status, stderr], [0, `wasm-perf: warning: ${warning}\n`]);
  }
});

test('names with a NUL, or that are not UTF-8, are shown cleaned, with every clock', () => {
  const text = `(module (memory (export "memory") 1) (func (export "_start") call 1) (func))`;
  const module = read(assemble('named', text, { names: false }));
  const names = Buffer.from('\x00\x12\x04name\x01\x0b\x02\x00\x03a\x00b\x01\x03c\xffd', 'latin1');
  writeFileSync(at('named.wasm'), Buffer.concat([module, names]));
  for (const clock of ['none', 'instructions', 'wall', 'sampled']) {
    const { status, stderr } = record(`--clock=${clock}`, '-o', 'named.wperf', 'named.wasm');
    const warnings = ['2 function names with NUL or invalid UTF-8: kept, but shown cleaned'];
    if (clock === 'wall') warnings.push(FEW);
    assert.deepEqual([status, stderr], [0, warnings.map((warning) => `wasm-perf: named.wasm: warning: ${warning}\n`).join('')], clock);
    const { functions } = JSON.parse(tool('wasm-perf', ['report', '-f', 'json', 'named.wperf']).stdout);
    assert.deepEqual(functions.map(({ name }) => name).sort(), ['a\uFFFDb', 'c\uFFFDd'], clock);
  }
});

test('only what is selected is instrumented', () => {
  writeFileSync(at('list'), '# patterns\n*\n!leaf\n');
  const some = { middle: 1, 'middle;leaf': 2 };
  assert.deepEqual(countsWith('--clock=none', '--only', 'middle', '--only=leaf'), some);
  assert.deepEqual(countsWith('--clock=none', '--exclude', '_start', '--exclude', 'deep'), some);
  const { '_start;middle;deep;leaf': _a, '_start;middle;leaf': _b, ...withoutLeaf } = whole;
  assert.deepEqual(countsWith('--clock=none', '-w', 'list'), withoutLeaf);
  assert.deepEqual(countsWith('--clock=none', '--whitelist=list', '--exclude=deep', '--exclude=_start'), {
    middle: 1,
  });
  assert.deepEqual(countsWith('--clock=none', '--min-instructions', '1'), withoutLeaf);
});

test('a function without hooks has its own time, and no number of calls', () => {
  const loop = `(local $i i32) (local.set $i (i32.const 300000000))
    (loop (br_if 0 (local.tee $i (i32.sub (local.get $i) (i32.const 1)))))`;
  assemble('spins', `(module (memory (export "memory") 1) (func $hot ${loop}) (func $warm (call $hot)) (func $leaf)
    (func $main (call $warm) (call $leaf) (call $leaf)) (func (export "_start") (call $main)))`);
  const options = ['--exclude', 'hot', '--exclude', 'warm', '--no-inlining'];
  assert.equal(tool('wasm-perf', ['record', ...options, '-o', 'spins.wperf', 'spins.wasm']).status, 0);
  const { nodes, names, uncounted } = readProfile(read('spins.wperf'));
  const stackOf = (node) => (node.function === 0xffffffff ? [] : [...stackOf(nodes[node.parent]), names.get(node.function)]);
  const worked = nodes.filter((node) => names.get(node.function) !== NO_PROCESSOR);
  const hottest = worked.toSorted((a, b) => Number(b.self - a.self))[0];
  assert.deepEqual(stackOf(hottest), ['_start', 'main', 'warm', 'hot']);
  assert(uncounted.has(hottest.function));
  assert(Number(hottest.self) > 0.5 * Number(worked.reduce((sum, { self }) => sum + self, 0n)));
  assert.deepEqual(callCounts(read('spins.wperf')), { _start: 1, '_start;main': 1, '_start;main;leaf': 2 });
});

test('the clock is the one asked for', () => {
  countsWith('--clock', 'none');
  assert.equal(readProfile(read('a.wperf')).header.clock, 0);
  countsWith('--clock', 'wall', '--only=middle'); // with all functions there is a warning
  assert.equal(readProfile(read('a.wperf')).header.clock, 1);
  countsWith('--clock', 'instructions');
  assert.equal(readProfile(read('a.wperf')).header.clock, 2);
  countsWith('--clock', 'sampled');
  const { clock, clockReadCount } = readProfile(read('a.wperf')).header;
  assert.equal(clock, clockReadCount > 0n ? 4 : 0); // it may end before the first sample
});

test('the profile says what became of recursive calls', () => {
  const recursionOf = (...options) => {
    countsWith('--clock=none', ...options);
    return readProfile(read('a.wperf')).header.recursion;
  };
  assert.deepEqual([recursionOf('--recursion=full'), recursionOf('--recursion=fold'), recursionOf()], [0, 1, 2]);
});

test("the form is that of the output's name; default: a page", () => {
  record('--clock=none', '-o', 'a.folded', 'returns.wasm');
  assert.match(read('a.folded').toString(), /^_start;middle;deep;leaf 1$/m);
  record('--clock=none', 'returns.wasm', '-o', 'end.svg');
  assert.match(read('end.svg').toString(), /<svg[^]*leaf/);
  assert(!existsSync(at('returns.svg')));
  record('--clock=none', 'returns.wasm');
  assert.match(read('returns.html').toString(), /^<!DOCTYPE html>[^]*leaf/i);
});

test('--open has the desktop show the report, and goes with what a browser shows', () => {
  const desktop = at('desktop');
  mkdirSync(desktop);
  writeFileSync(join(desktop, 'xdg-open'), '#!/bin/sh\nprintf %s "$1" >opened.part && mv opened.part opened\n', { mode: 0o755 });
  const env = { ...process.env, PATH: `${desktop}:${process.env.PATH}` };
  const { status, stdout } = tool('wasm-perf', ['record', '--open', '--clock=none', 'returns.wasm'], { env });
  assert.deepEqual([status, stdout], [0, '']);
  const deadline = Date.now() + 60_000;
  while (!existsSync(at('opened')) && Date.now() < deadline) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  assert.equal(read('opened').toString(), at('returns.html'));
  assert.equal(tool('wasm-perf', ['record', '--open', '-o', 'a.folded', 'returns.wasm']).status, 2);
});

test('names in reports are demangled', () => {
  assemble(
    'mangled',
    `(module (memory (export "memory") 1)
    (func $_ZN4shop3buyEi) (func (export "_start") (call 0)))`,
  );
  record('--clock=none', '-o', 'a.folded', 'mangled.wasm');
  assert.match(read('a.folded').toString(), /^_start;shop::buy\(int\) 1$/m);
});

test('the program sees its own name, arguments and streams; its exit code is ours', () => {
  const { status, stdout, stderr } = tool(
    'wasm-perf',
    ['record', '--engine=node', '--env=A=1', '-o', 'a.wperf', 'mirror.wasm', 'x', '-y'],
    { input: 'input' },
  );
  assert.equal(status, 7);
  assert.equal(stdout, 'input');
  assert.equal(stderr, 'mirror.wasm\0x\0-y\0\nA=1\0\n');
});

test('a trap is printed, and the profile is still reported', () => {
  const { status, stderr } = record(
    '--engine=node',
    '--clock=none',
    'traps.wasm',
    '-o',
    'a.folded',
  );
  assert.equal(status, 134);
  assert.match(stderr, /^wasm-perf: traps\.wasm: unreachable\n/);
  assert.match(read('a.folded').toString(), /^_start;middle;deep;leaf 1$/m);
});

test('a module that is instrumented is run as it is', () => {
  instrument('returns', '--only', 'deep');
  record('--engine=node', '-o', 'a.wperf', 'returns.prof.wasm');
  assert.deepEqual(callCounts(read('a.wperf')), { deep: 1 });
});

test('an error of the rewriter names its place in the module', () => {
  writeFileSync(at('cut.wasm'), read('returns.wasm').subarray(0, 30));
  const { status, stdout, stderr } = record('-o', 'cut.svg', 'cut.wasm');
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /^wasm-perf: cut\.wasm: offset 0x[0-9a-f]+.*\n$/);
  assert(!existsSync(at('cut.svg')));
});

test('nothing is left in the temporary folder or beside the outputs', () => {
  assert.deepEqual(readdirSync(temporary), []);
  assert.deepEqual(
    readdirSync(folder).filter(
      (name) => /[.]......$/.test(name) && !/[.](wasm|folded)$/.test(name),
    ),
    [],
  );
});

test('a module may be called like the profile', () => {
  copyFileSync(at('returns.wasm'), at('profile.wperf'));
  const result = tool('wasm-perf', ['record', '--clock=none', '-o', 'taken.folded', 'profile.wperf']);
  assert.deepEqual([result.status, result.stderr], [0, '']);
  assert.match(readFileSync(at('taken.folded'), 'utf8'), /^_start/m);
});

test('the instructions of functions without hooks are part of the total', () => {
  const totalWith = (...args) => {
    assert.equal(tool('wasm-perf', ['record', '--clock', 'instructions', ...args, '-o', 'total.json', 'returns.wasm']).status, 0);
    return JSON.parse(read('total.json'));
  };
  const { total } = totalWith();
  assert(total > 0);
  for (const only of ['deep', 'leaf', 'none']) {
    const part = totalWith('--only', only);
    assert.equal(part.total, total, only);
    const row = part.functions.find(({ name }) => name === '[functions without hooks]');
    assert(row.self > 0 && row.calls === null, only);
  }
  assert.equal(totalWith('--skip-leaves', '100').total, total);
});

test('a module without functions, and one of which none is chosen, need no stack of ours', () => {
  writeFileSync(at('nothing.wasm'), Buffer.from('\0asm\x01\0\0\0', 'latin1'));
  const { status, stderr } = tool('wasm-perf', ['record', '-o', 'nothing.folded', 'nothing.wasm']);
  assert.equal(status, 1);
  assert.doesNotMatch(stderr, /\n {4}at /);
  const chosen = tool('wasm-perf', ['record', '--only=none', '-o', 'none.folded', 'returns.wasm']);
  assert.equal(chosen.status, 0);
  assert.doesNotMatch(chosen.stderr, /\n {4}at /);
});

/** A million calls, each of them small: engines inline them, and hooks take longer than they do. */
const calls = `(module (memory (export "memory") 1)
  (func $small (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))
  (func $_start (export "_start") (local $i i32)
    (loop (br_if 0 (i32.lt_u (local.tee $i (call $small (local.get $i))) (i32.const 1000000))))))`;

/** The report of a run with these options, as text. */
function reportOf(module, ...options) {
  const { status, stderr } = record(...options, '-o', 'report.wperf', module);
  assert.deepEqual([status, stderr], [0, '']);
  return tool('wasm-perf', ['report', 'report.wperf']).stdout;
}

test("the default clock is the engine's most accurate", () => {
  countsWith('--engine=node');
  const { clock } = readProfile(read('a.wperf')).header;
  const isOld = Number(process.versions.node.split('.')[0]) < 22;
  assert(isOld ? clock === 2 : [0, 4].includes(clock), String(clock)); // no sample: calls alone
});

/** Node as one that allows a module one memory. What it refuses itself is in scripts/hosts.sh. */
function recordInOldNode(...args) {
  writeFileSync(at('old-node'), `#!/bin/sh\n[ "$1" = --version ] && echo v20.1.0 || exec ${process.execPath} "$@"\n`, { mode: 0o755 });
  return tool('wasm-perf', ['record', ...args], { env: { ...process.env, WASM_PERF_NODE: at('old-node') } });
}
const OWN_MEMORY = "wasm-perf: node allows one memory, so the profile is in the module's own\n";

test("an old Node has the profile in the program's memory, where it can be read at any time", () => {
  for (const [program, code] of [['returns', 0], ['traps', 134]]) {
    const { status, stderr } = recordInOldNode('--clock=none', '-o', 'old.wperf', `${program}.wasm`);
    assert.deepEqual([status, stderr.startsWith(OWN_MEMORY)], [code, true], stderr);
    const { header } = readProfile(read('old.wperf'));
    record('--clock=none', '-o', 'new.wperf', `${program}.wasm`);
    assert.deepEqual(callCounts(read('old.wperf')), callCounts(read('new.wperf')));
    assert.equal(header.clock, 0);
  }
  const { status, stderr } = recordInOldNode('--clock=none', '--lines', '-o', 'old.wperf', 'returns.wasm');
  assert.deepEqual([status, stderr], [0, OWN_MEMORY]);
});

test('an old Node refuses what it cannot do, by the option that was given', () => {
  assemble('imports_memory', '(module (import "env" "memory" (memory 1)) (export "memory" (memory 0)) (func (export "_start")))');
  const cases = [['--memory', 'imports_memory'], ['--lines', 'imports_memory'], ['--guest=python', 'imports_memory'], ['--clock=sampled', 'returns']];
  for (const [option, program] of cases) {
    const { status, stderr } = recordInOldNode(option, '-o', 'none.wperf', `${program}.wasm`);
    const name = option.replace('=', ' ').replace(/ python/, '');
    assert.deepEqual([status, stderr.split('\n').at(-2)], [1, `wasm-perf: ${program}.wasm: ${name} cannot be used: this Node.js is older than 22`]);
  }
});

test('messages name options of the command, or say of which command', async () => {
  assemble('hooked', `(module (import "wasm_perf" "perf_start" (func (param i32))) (memory (export "memory") 1) (func (export "_start")))`);
  assemble('sampled', '(module (memory (export "memory") 1) (func (export "_start") (call $leaf) (call $leaf)) (func $leaf))');
  assert.equal(tool('wasm-instrument', ['--clock=sampled', 'sampled.wasm', '-o', 'sampled.prof.wasm']).status, 0);
  writeFileSync(at('component.wasm'), await parse('(component)'));
  const env = { ...process.env, WASM_PERF_WASMTIME: '/bin/true' }; // each is refused before it runs
  const cases = [
    ['record', '--clock=wall', 'hooked.wasm'],
    ['record', '--clock=sampled', 'component.wasm'],
    ['record', '--no-hooks', 'component.wasm'],
    ['record', '--engine=wasmtime', 'sampled.prof.wasm'],
  ];
  for (const [command, ...args] of cases) {
    const { status, stderr } = tool('wasm-perf', [command, '-o', 'none.wperf', ...args], { env });
    assert.equal(status, 1);
    let named = `wasm-perf ${command}`, count = 0;
    for (const [, other, option] of stderr.matchAll(/(wasm-instrument|wasm-perf \w+)|--([a-z][\w-]*)/g)) {
      named = other ?? named;
      if (option) assert(optionsOf(helpText(named)).some(({ name }) => name === option), `${named} has no --${option}: ${stderr}`);
      count += option !== undefined;
    }
    assert(count > 0, stderr);
  }
});

test('wasmtime: what there is to say of a library is said once', { skip: noWasmtime }, () => {
  assemble('library', '(module (func (export "f")))');
  const { status, stderr } = record('--engine=wasmtime', '--only=f', '--only=g', '-o', 'none.wperf', 'library.wasm');
  assert.equal(status, 1);
  assert.equal(stderr, "wasm-perf: library.wasm: warning: pattern 'g' matches no function\n" +
    'wasm-perf: library.wasm: the program ended without leaving a profile: it does not export _start; --engine node supports --invoke\n');
});

test('wasmtime: these are instructions', { skip: noWasmtime }, () => {
  countsWith('--engine=wasmtime');
  assert.equal(readProfile(read('a.wperf')).header.clock, 2);
});

test('the report says how long the program ran, and without a profiler if that is compared', () => {
  assemble('calls', calls);
  assert.match(reportOf('calls.wasm'), /^Ran for [\d.]+ (s|ms|µs)$/m);
  const { stderr } = record('--compare', '-o', 'report.wperf', 'calls.wasm');
  const said = /Ran for [\d.]+ m?s with the profiler, [\d.]+ (s|ms|µs) without: [\d.]+ (± [\d.]+ times(; the runs varied much)?|times in \d pairs? of runs, too few to tell how far that is off)$/m;
  assert.match(stderr, /^wasm-perf: --compare runs the program many times, for about a minute at most; only the last run prints$/m);
  assert.match(stderr, said);
  const compared = tool('wasm-perf', ['report', 'report.wperf']).stdout;
  assert.match(compared, said);
  assert.equal(record('--compare', '-o', 'a.wperf', 'exits.wasm').status, 3);
});

test('whether hooks ran while it was sampled is in the profile', () => {
  assemble('calls', calls.replace('1000000', '50000000'));
  const hooksSampled = (...options) => {
    assert.equal(record('-o', 'report.wperf', ...options).status, 0);
    return readProfile(read('report.wperf')).header.hooksSampled;
  };
  assert.equal(hooksSampled('--clock=sampled', 'calls.wasm'), 1n);
  assert.equal(hooksSampled('--clock=none', 'calls.wasm'), undefined);
  const { status, stderr } = tool('wasm-perf', ['record', '--no-hooks', '-o', 'times.wperf', 'calls.wasm']);
  assert.equal(status, 0, stderr);
  assert.equal(hooksSampled('--times=times.wperf', 'calls.wasm'), undefined);
});

assemble('recursive', `(module
  (import "wasi_snapshot_preview1" "args_sizes_get" (func $sizes (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func $down (export "down") (param $n i32) (param $twice i32) (result i32)
    (if (i32.eqz (local.get $n)) (then (return (local.get $twice))))
    (i32.add (call $down (i32.sub (local.get $n) (i32.const 1)) (i32.mul (local.get $twice) (i32.const 3)))
      (local.get $twice)))
  (func (export "_start")
    (drop (call $sizes (i32.const 0) (i32.const 4)))
    (drop (call $down (select (i32.const 1000000000) (i32.const 16000) (i32.gt_u (i32.load (i32.const 0)) (i32.const 1)))
      (i32.const 1)))))`);

for (const engine of ['node', ...(noWasmtime ? [] : ['wasmtime'])])
  test(`${engine}: a recursion that fits without hooks fits with them, and else its end names the option`, () => {
    for (const clock of ['none', 'instructions']) {
      const { status, stderr } = record('--engine', engine, '--clock', clock, '-o', 'deep.wperf', 'recursive.wasm');
      assert.equal(status, 0, stderr);
    }
    const { status, stderr } = record('--engine', engine, '-o', 'deep.wperf', 'recursive.wasm', 'endless');
    assert.equal(status, 134);
    assert.match(stderr, engine === 'node'
      ? /^wasm-perf: recursive\.wasm: hooks need stack, too: --engine-option=--stack-size=3000 /m
      : /^wasm-perf: recursive\.wasm: .* if its call stack was exhausted, --engine-option=-Wmax-wasm-stack=3000000 /m);
  });

test('a command: the last message names the option, even if the program catches the error and fails by itself', () => {
  writeFileSync(at('recursive.mjs'), `
    import { readFileSync } from 'node:fs';
    import { Worker, isMainThread, workerData } from 'node:worker_threads';
    const [depth, where] = isMainThread ? process.argv.slice(2) : workerData;
    const { execArgv } = process;
    if (where === 'worker' && isMainThread) new Worker(new URL(import.meta.url), { execArgv, workerData: [depth, where] });
    else try {
      const imports = { wasi_snapshot_preview1: { args_sizes_get: () => 0 } };
      const { instance } = await WebAssembly.instantiate(readFileSync('recursive.wasm'), imports);
      instance.exports.down(Number(depth), 1);
    } catch { process.exit(3); }`);
  const node = (...args) => record('-o', 'deep.wperf', '--', process.execPath, 'recursive.mjs', ...args);
  assert.equal(node('8000').status, 0);
  const failed = node('1000000000');
  assert.equal(failed.status, 3);
  assert.match(failed.stderr, /^wasm-perf: hooks need stack, too: node --stack-size=3000 /m);
  assert.match(node('1000000000', 'worker').stderr, /^wasm-perf: hooks need stack, too: resourceLimits\.stackSizeMb of the Worker /m);
});

test('inlined functions count for their callers, unless the engine is not to inline', () => {
  assemble('calls', calls.replace('1000000', '50000000'));
  const sentence = "If the engine inlined a function, its time is charged to its caller";
  assert(reportOf('calls.wasm', '--clock=sampled').includes(sentence));
  assert(!reportOf('calls.wasm', '--clock=sampled', '--no-inlining').includes(sentence));
});

test('a module of which nobody calls a function is named, and is not in the way', () => {
  assemble('probe', '(module (func $probe (export "probe")))');
  assemble('one', '(module (func $work (export "work") (result i32) (i32.const 42)))');
  writeFileSync(at('probing.mjs'), `import { readFileSync } from 'node:fs';
    const [, one] = ['probe.wasm', 'one.wasm'].map((path) => new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path))).exports);
    one.work();`);
  const { status, stderr } = record('--lines', '--clock=instructions', '-o', 'probing.wperf', '--', process.execPath, 'probing.mjs');
  assert.deepEqual([status, stderr], [0, 'wasm-perf: the program called no function of probe.wasm\n']);
  assert.deepEqual(callCounts(read('probing.wperf')), { work: 1 });
  for (const symbols of [[], ['--symbols', 'one.wasm']])
    assert.match(tool('wasm-perf', ['annotate', ...symbols, 'work', 'probing.wperf']).stdout, /i32\.const 42/);
});
