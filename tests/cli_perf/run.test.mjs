/** wasm-perf record of instrumented modules: the program's streams and exit code are its own, and its profile stays. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as programs from '../js/programs.mjs';
import { assemble, at, build, folder, instrument, read, run, tool } from '../js/support.mjs';
import { callCounts, readProfile } from '../js/wperf.mjs';
import { noWasmtime } from '../support/tools.mjs';

for (const [name, text] of Object.entries(programs)) {
  assemble(name, text);
  instrument(name, '--flush');
}

const temporary = at('temporary');
mkdirSync(temporary);
process.env.TMPDIR = temporary; // so that what is left behind can be seen

const engines = ['node', 'wasmtime'];

/** The same test with every engine; one that is not installed is skipped, and says so. */
function testEngines(title, body) {
  for (const engine of engines) {
    const skip = engine === 'wasmtime' && noWasmtime;
    test(`${engine}: ${title}`, { skip }, () => body(engine));
  }
}

const perf = (...args) => tool('wasm-perf', args);
const lines = (...words) => words.map((line) => `${line}\n`).join('');

testEngines('a profile is kept when the program returns', (engine) => {
  const result = perf('record', '--engine', engine, '-o', 'a.wperf', 'returns.prof.wasm');
  assert.deepEqual([result.status, result.stdout, result.stderr], [0, '', '']);
  assert.deepEqual(callCounts(read('a.wperf')), {
    _start: 1,
    '_start;middle': 1,
    '_start;middle;deep': 1,
    '_start;middle;deep;leaf': 1,
    '_start;middle;leaf': 1,
  });
  assert.equal(readProfile(read('a.wperf')).header.clock, engine === 'node' ? 4 : 1);
});

test('the clock of linked hooks is the choice of Node', () => {
  for (const [clock, number] of [['none', 0], ['wall', 1], ['sampled', 4]]) {
    const result = perf('record', '--clock', clock, '-o', 'a.wperf', 'returns.prof.wasm');
    const warning = clock === 'wall' ? /^wasm-perf: returns\.prof\.wasm: warning: --clock wall is for few, long functions, but all 4 have hooks.*\n$/ : /^$/;
    assert.equal(result.status, 0, clock);
    assert.match(result.stderr, warning);
    assert.equal(readProfile(read('a.wperf')).header.clock, number);
  }
  const wrong = perf('record', '--clock', 'instructions', '-o', 'a.wperf', 'returns.prof.wasm');
  assert.equal(wrong.status, 1);
  assert.match(wrong.stderr, /^wasm-perf: returns\.prof\.wasm: its hooks are for the clock 'wall': wasm-instrument --clock instructions makes others\n$/);
});

test('samples of a module with linked hooks go to its functions, without the time of hooks', () => {
  assemble('spins', `(module (memory (export "memory") 1)
    (func $leaf)
    (func $calls (param i32) (loop (call $leaf) (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))
    (func $spins (param i32) (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))
    (func (export "_start") (call $calls (i32.const 5000000)) (call $spins (i32.const 500000000))))`);
  instrument('spins');
  const { status, stderr } = perf('record', '-o', 'a.wperf', 'spins.prof.wasm');
  assert.deepEqual([status, stderr], [0, '']);
  const { header, nodes, names } = readProfile(read('a.wperf'));
  const node = (name) => nodes.find(({ function: index }) => names.get(index) === name);
  assert.equal(node('leaf').calls, 5_000_000n);
  assert(node('spins').self > 20_000_000n, String(node('spins').self)); // ns
  assert(header.linkedTime > 1_000_000n, String(header.linkedTime));
});

testEngines('a profile is kept when the program exits in the middle', (engine) => {
  const result = perf('record', '--engine', engine, '-o', 'a.wperf', 'exits.prof.wasm');
  assert.deepEqual([result.status, result.stdout, result.stderr], [3, '', '']);
  assert.deepEqual(callCounts(read('a.wperf')), {
    _start: 1,
    '_start;middle': 1,
    '_start;middle;deep': 1,
    '_start;middle;deep;leaf': 1,
  });
  assert.equal(readProfile(read('a.wperf')).header.openFrameCount, 3);
});

test('node: a trap is printed, and the profile is kept', () => {
  const result = perf('record', '--engine', 'node', '-o', 'a.wperf', 'traps.prof.wasm');
  assert.equal(result.status, 134);
  assert.match(result.stderr, /^wasm-perf: traps\.prof\.wasm: unreachable\n {4}at deep \(wasm:/);
  assert.equal(callCounts(read('a.wperf'))['_start;middle;deep;leaf'], 1);
});

test('node: so is one when it traps in its start function', () => {
  const result = perf('record', '--engine', 'node', '-o', 'a.wperf', 'trapsFirst.prof.wasm');
  assert.equal(result.status, 134);
  assert.match(result.stderr, /^wasm-perf: trapsFirst\.prof\.wasm: unreachable\n/);
  assert.deepEqual(callCounts(read('a.wperf')), { initialize: 1 });
});

test('node: so is one when it throws an exception and does not catch it', () => {
  const result = perf('record', '--engine', 'node', '-o', 'a.wperf', 'throws.prof.wasm');
  assert.equal(result.status, 134);
  assert.match(result.stderr, /^wasm-perf: throws\.prof\.wasm: .*did not catch/);
  assert.deepEqual(callCounts(read('a.wperf')), { _start: 1 });
});

test('node: programs for the WASI of before preview 1 run as well', () => {
  const result = perf('record', '--engine', 'node', '-o', 'a.wperf', 'unstable.prof.wasm');
  assert.deepEqual([result.status, result.stderr], [3, '']);
});

test('node: running out of stack is a trap', () => {
  const result = perf('record', '--engine', 'node', '-o', 'a.wperf', 'overflows.prof.wasm');
  assert.equal(result.status, 134);
  assert.match(
    result.stderr,
    /^wasm-perf: overflows\.prof\.wasm: Maximum call stack size exceeded/,
  );
  const { header } = readProfile(read('a.wperf'));
  assert(header.openFrameCount > 100);
});

test('wasmtime: a trap leaves no profile, with a message', { skip: noWasmtime }, () => {
  rmSync(at('a.wperf'), { force: true });
  const result = perf('record', '--engine', 'wasmtime', '-o', 'a.wperf', 'traps.prof.wasm');
  assert.equal(result.status, 134);
  assert.match(result.stderr, /wasm-perf: traps\.prof\.wasm: .*without leaving a profile.*trap.*\n$/);
  assert(!existsSync(at('a.wperf')));
});

testEngines('arguments, environment and streams pass through', (engine) => {
  const input = 'some input\n'.repeat(20_000);
  const options = ['--engine', engine, '--env', 'A=1', '--env', 'B=x=y', '-o', 'a.wperf'];
  const args = ['one', '--two', '', '-o'];
  const result = tool('wasm-perf', ['record', ...options, 'mirror.prof.wasm', ...args], { input });
  assert.equal(result.status, 7);
  assert.equal(result.stdout, input);
  const words = result.stderr.split('\n');
  assert.equal(words[0], 'mirror.prof.wasm\0one\0--two\0\0-o\0');
  assert.match(words[1], /A=1\0B=x=y\0$/);
});

test('node: more output than a pipe takes passes through record, too', () => {
  const input = 'some input\n'.repeat(20_000);
  const { status, stdout } = tool('wasm-perf', ['record', '--clock=none', '-o', 'a.wperf', 'mirror.wasm'], { input });
  assert.deepEqual([status, stdout.length, stdout], [7, input.length, input]);
});

testEngines('options of the engine are handed to it', (engine) => {
  const depthWith = (option) => {
    perf(
      'record',
      '--engine',
      engine,
      '--engine-option',
      option,
      '-o',
      'a.wperf',
      'overflows.prof.wasm',
    );
    return readProfile(read('a.wperf')).header.openFrameCount;
  };
  if (engine === 'node') {
    assert(depthWith('--stack-size=400') > 1.5 * depthWith('--stack-size=200'));
  } else {
    const result = perf('record', '--engine=wasmtime', '--engine-option=-Wfuel=1', 'loops.prof.wasm');
    assert.match(result.stderr, /fuel/);
  }
});

testEngines('the environment holds nothing else', (engine) => {
  const result = perf('record', '--engine', engine, '-o', 'a.wperf', 'mirror.prof.wasm');
  const folder = engine === 'wasmtime' ? ['/wasm_perf'] : [];
  assert.equal(result.stderr, lines('mirror.prof.wasm\0', '', ...folder));
});

mkdirSync(at('shared'));
writeFileSync(at('shared/input'), 'file');

testEngines('folders can be seen under the names they are given', (engine) => {
  for (const [option, guest] of [
    ['shared', 'shared'],
    ['shared::/data', '/data'],
  ]) {
    const result = perf('record', '--engine', engine, '--dir', option, 'mirror.prof.wasm');
    assert.equal(result.stderr, lines('mirror.prof.wasm\0', '', guest));
    assert.equal(result.stdout, 'file');
  }
});

test('an option about hooks has no effect on hooks that are there, and a warning says so', () => {
  for (const option of ['--only=leaf', '--memory', '--lines']) {
    const { status, stderr } = perf('record', option, '-o', 'a.wperf', 'returns.prof.wasm');
    assert.deepEqual([status, stderr], [0, `wasm-perf: returns.prof.wasm: warning: it is instrumented already, so ${option.split('=')[0]} has no effect\n`]);
    assert.equal(callCounts(read('a.wperf'))['_start;middle;deep;leaf'], 1);
  }
});

test('the output is named after the module and goes to the current folder', () => {
  mkdirSync(at('elsewhere'));
  perf('record', 'returns.prof.wasm');
  assert.match(read('returns.prof.html').toString(), /<title>returns\.prof\.wasm</);
  tool('wasm-perf', ['record', '../exits.prof.wasm'], { cwd: at('elsewhere') });
  assert.deepEqual(readdirSync(at('elsewhere')), ['exits.prof.html']);
});

test('-o FILE at the end is ours, unless -o was given or -- follows the module', () => {
  const wordsOf = (...args) => perf('record', '--engine=node', ...args).stderr.split('\n')[0];
  const program = 'mirror.prof.wasm';
  assert.equal(wordsOf(program, 'x', '-o', 'end.wperf'), `${program}\0x\0`);
  assert(existsSync(at('end.wperf')));
  assert.equal(wordsOf('-o', 'a.wperf', program, '-o', 'b.wperf'), `${program}\0-o\0b.wperf\0`);
  assert.equal(wordsOf(program, '--', '-o', 'b.wperf'), `${program}\0-o\0b.wperf\0`);
  assert.equal(wordsOf(program, 'x', '--', '-o', 'c.wperf'), `${program}\0x\0--\0`);
  assert(!existsSync(at('b.wperf')));
  assert(existsSync(at('c.wperf')));
});

test('names: of functions without any, the index before the module was instrumented', () => {
  assemble('nameless', programs.returns, { names: false });
  instrument('nameless');
  perf('record', '--engine=node', '-o', 'a.wperf', 'nameless.prof.wasm');
  assert.deepEqual(callCounts(read('a.wperf')), {
    _start: 1,
    '_start;func[3]': 1,
    '_start;func[3];func[2]': 1,
    '_start;func[3];func[2];func[1]': 1,
    '_start;func[3];func[1]': 1,
  });
});

testEngines('without a clock calls are counted and nothing is timed', (engine) => {
  instrument('returns', '--clock', 'none', '--flush');
  perf('record', '--engine', engine, '-o', 'a.wperf', 'returns.prof.wasm');
  instrument('returns', '--flush');
  const { header, nodes } = readProfile(read('a.wperf'));
  assert.equal(header.clock, 0);
  assert(nodes.every((node) => node.self === 0n));
});

testEngines('a module that has the runtime inside needs no other', (engine) => {
  instrument('returns', '--embed', '--clock=instructions');
  instrument('traps', '--embed', '--clock=none');
  rmSync(at('a.wperf'), { force: true });
  const run = (module) => perf('record', '--engine', engine, '-o', 'a.wperf', module);
  const returned = run('returns.prof.wasm');
  const { header, nodes } = readProfile(read('a.wperf'));
  assert.deepEqual([returned.status, returned.stdout, returned.stderr], [0, '', '']);
  assert.deepEqual([header.clock, header.functionCount], [2, 4]);
  assert(nodes[1].self > 0n);
  const trapped = run('traps.prof.wasm');
  const counts = callCounts(read('a.wperf'));
  instrument('returns', '--flush');
  instrument('traps', '--flush');
  assert.equal(trapped.status, 134);
  assert.equal(counts['_start;middle;deep;leaf'], 1);
  assert.deepEqual(readdirSync(temporary), []);
});

test('a module with the sampled clock is sampled', () => {
  instrument('returns', '--clock', 'sampled');
  perf('record', '--engine', 'node', '-o', 'a.wperf', 'returns.prof.wasm');
  instrument('returns', '--flush');
  const { header, nodes, kinds } = readProfile(read('a.wperf'));
  const { clock, clockReadCount } = header;
  assert.equal(clock, clockReadCount > 0n ? 4 : 0); // it may end before the first sample
  const counted = nodes.filter((node) => !kinds.has(node.function));
  assert.deepEqual(counted.map(({ calls }) => calls), [0n, 1n, 1n, 1n, 1n, 1n]);
});

testEngines('past the node limit stacks fold', (engine) => {
  perf('record', '--engine', engine, '--node-limit=4', '-o', 'a.wperf', 'returns.prof.wasm');
  const { header } = readProfile(read('a.wperf'));
  assert.deepEqual([header.nodeLimit, header.nodeCount, header.truncatedCallCount], [4, 4, 3n]);
});

testEngines('recursion folds where that is wanted', (engine) => {
  assemble(
    'recurses',
    `(module
      (memory (export "memory") 1)
      (func $down (param i32)
        (if (local.get 0) (then (call $down (i32.sub (local.get 0) (i32.const 1))))))
      (func (export "_start") (call $down (i32.const 5))))`,
  );
  instrument('recurses', '--flush', '--exclude=_start');
  perf('record', '--engine', engine, '--recursion=fold', '-o', 'a.wperf', 'recurses.prof.wasm');
  assert.deepEqual(callCounts(read('a.wperf')), { down: 6 });
  const { header } = readProfile(read('a.wperf'));
  assert.equal(header.hostFunctionCount, 0);
  assert.deepEqual([header.functionCount, header.hookedFunctionCount], [2, 1]);
});

test('recursion folds by itself from a sixteenth of the nodes on, and the report says so', () => {
  const notes = (limit) => {
    instrument('recurses', '--embed', '--clock=none', `--node-limit=${limit}`);
    perf('record', '--engine', 'node', '-o', 'a.wperf', 'recurses.prof.wasm');
    return { count: readProfile(read('a.wperf')).header.nodeCount, text: perf('report', 'a.wperf').stdout };
  };
  const all = notes(16 * 100);
  assert.equal(all.count, 8); // the root, _start and six of down
  assert.doesNotMatch(all.text, /Recursion/);
  const folded = notes(16 * 4);
  assert.equal(folded.count, 5);
  assert.match(folded.text, /^Recursion folded beyond 4 call stacks: /m);
});

testEngines('the import module may have another name', (engine) => {
  instrument('returns', '--import-module', 'probe', '--flush');
  const result = perf('record', '--engine', engine, '-o', 'a.wperf', 'returns.prof.wasm');
  instrument('returns', '--flush');
  assert.equal(result.stderr, '');
  assert.equal(callCounts(read('a.wperf'))._start, 1);
});

test(
  'wasmtime: a module that does not flush is refused, with what to do',
  { skip: noWasmtime },
  () => {
    instrument('exits');
    const result = perf('record', '--engine', 'wasmtime', '-o', 'a.wperf', 'exits.prof.wasm');
    instrument('exits', '--flush');
    assert.equal(result.status, 1);
    assert.match(result.stderr, /^wasm-perf: exits\.prof\.wasm: .*wasm-instrument --flush\n$/);
  },
);

test('node: a module that Node cannot run is refused, with the reason', () => {
  assemble('library', '(module (func (export "run")))');
  assemble('memoryless', '(module (func (export "_start")))');
  assemble('foreign', '(module (import "env" "f" (func)) (memory (export "memory") 1) (func (export "_start")))');
  for (const [name, reason] of [
    ['library', /^wasm-perf: .*library\.prof\.wasm: .*does not export _start\n/],
    ['memoryless', /^wasm-perf: memoryless\.prof\.wasm: .*does not export a memory named memory\n/],
    ['foreign', /^wasm-perf: .*foreign\.prof\.wasm: .*"env"/],
  ]) {
    instrument(name);
    const result = perf('record', '--engine=node', '-o', 'none.wperf', `${name}.prof.wasm`);
    assert.equal(result.status, 1);
    assert.match(result.stderr, reason);
    assert.match(result.stderr, /^.*\n(  .*\n)?$/); // and what to do
    assert(!existsSync(at('none.wperf')));
  }
});

test('node: a module that Node cannot compile is refused, with the reason', () => {
  const bytes = read('returns.prof.wasm');
  // It exports a function that is not there.
  bytes[bytes.indexOf('_start') + '_start'.length + 1] = 0x7f;
  writeFileSync(at('broken.prof.wasm'), bytes);
  const result = perf('record', '--engine=node', '-o', 'none.wperf', 'broken.prof.wasm');
  assert.equal(result.status, 1);
  assert.match(
    result.stderr,
    /^wasm-perf: broken\.prof\.wasm: Node v[^ ]+ cannot compile it: .+\n  .*--engine wasmtime\n$/,
  );
});

test("an output that cannot be written fails before the program runs; if it fails later, the exit code is 1 or the program's", () => {
  symlinkSync('/dev/full', at('full.wperf'));
  writeFileSync(at('locked.wperf'), '', { mode: 0o444 });
  for (const [module, output, status] of [
    ['exits.prof.wasm', 'no/such/folder.wperf', 1],
    ['exits.prof.wasm', 'locked.wperf', 1],
    ['returns.prof.wasm', 'full.wperf', 1],
    ['exits.prof.wasm', 'full.wperf', 3],
  ]) {
    const result = perf('record', '-o', output, module);
    assert.deepEqual([result.status, result.stderr.split(': ').slice(0, 2)], [status, ['wasm-perf', output]]);
  }
  const { stderr } = perf('record', '-o', 'no/such.svg', '--', process.execPath, '-e', 'console.error("runs")');
  assert.equal(stderr, 'wasm-perf: no/such.svg: No such file or directory\n');
});

test('the environment can name the engine, by its path too', () => {
  symlinkSync(process.execPath, at('my-node'));
  mkdirSync(at('bin'));
  symlinkSync(process.execPath, at('bin/node'));
  for (const [WASM_PERF_NODE, PATH] of [
    ['./my-node', at('elsewhere')],
    ['my-node', `${at('elsewhere')}:${folder}`],
    ['', at('bin')],
  ]) {
    const env = { ...process.env, WASM_PERF_NODE, PATH };
    const result = tool('wasm-perf', ['record', '-o', 'a.wperf', 'returns.prof.wasm'], { env });
    assert.deepEqual([result.status, result.stderr], [0, '']);
  }
});

test('a missing engine fails with a message', () => {
  const missing = (variables, ...args) => {
    const { WASM_PERF_NODE: _, WASM_PERF_WASMTIME: __, ...others } = process.env;
    const env = { ...others, ...variables };
    const result = tool('wasm-perf', ['record', ...args, 'returns.prof.wasm'], { env });
    assert.equal(result.status, 1);
    return result.stderr;
  };
  const nowhere = { PATH: at('elsewhere') };
  assert.match(missing(nowhere), /^wasm-perf: no engine on PATH: node or wasmtime\n$/);
  assert.match(
    missing(nowhere, '--engine=node'),
    /^wasm-perf: no node on PATH; set WASM_PERF_NODE/,
  );
  assert.equal(
    missing({ WASM_PERF_NODE: './none' }),
    'wasm-perf: ./none: cannot be executed (WASM_PERF_NODE names it)\n',
  );
  assert.match(missing({ WASM_PERF_SHARE: folder }), /^wasm-perf: wasm_perf\.wasm is not in /);
});

test('a signal ends the program and us with it; the profile is kept', async () => {
  const child = spawn(join(build, 'wasm-perf'), ['record', '-o', 's.wperf', 'loops.prof.wasm'], {
    cwd: folder,
  });
  child.stderr.setEncoding('utf8');
  let errors = '';
  child.stderr.on('data', (text) => (errors += text));
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  const [status] = await once(child, 'close');
  assert.equal(status, 128 + 15);
  assert.equal(errors, '');
  assert(readProfile(read('s.wperf')).nodes.length > 1);
});

test('no run left anything in the temporary folder', () => {
  assert.deepEqual(readdirSync(temporary), []);
});
