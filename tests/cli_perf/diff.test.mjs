/** wasm-perf diff: a planted regression is found, told and fails a build. */

import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { assemble, at, folder, instrument, read, tool } from '../js/support.mjs';
import { writeProfile } from '../js/wperf.mjs';

const perf = (...args) => tool('wasm-perf', args);
const ok = (...args) => {
  const { status, stdout, stderr } = perf(...args);
  assert.deepEqual([status, stderr], [0, '']);
  return stdout;
};

/** A program of which sort takes `rounds` rounds; `extra` moves the numbers of its functions. */
const program = (rounds, extra = '') => `(module
  (memory (export "memory") 1)
  ${extra}
  (func $sort (local $i i32)
    (local.set $i (i32.const ${rounds}))
    (loop $again
      (br_if $again (local.tee $i (i32.sub (local.get $i) (i32.const 1))))))
  (func $print (local $i i32)
    (local.set $i (i32.const 900))
    (loop $again
      (br_if $again (local.tee $i (i32.sub (local.get $i) (i32.const 1))))))
  (func $main (export "_start") (call $sort) (call $print)))`;

/** Builds, instruments and runs a version of the program into NAME.wperf. */
function measure(name, text, options) {
  assemble(name, text, options);
  instrument(name, '--clock', 'instructions');
  ok('record', '-o', `${name}.wperf`, `${name}.prof.wasm`);
}
measure('before', program(100));
measure('again', program(100));
measure('slower', program(200, '(func $new) (func $newer)'));
measure('unnamed', program(100), { names: false });
measure('without', program(100).replace('(call $print)', ''));

test('a build whose function grew fails, and it is named', () => {
  const { status, stdout, stderr } = perf('diff', '--fail-above', '5%', 'before.wperf', 'slower.wperf');
  assert.equal(status, 3);
  const lines = stderr.split('\n');
  assert.equal(lines[0], 'wasm-perf: grew by more than 5 % of the total before:');
  assert.match(lines[1], /^the total: [\d,]+ instructions → [\d,]+ instructions, \+\d+\.\d\d % of/);
  assert.match(lines[2], /^sort: [\d,]+ instructions → [\d,]+ instructions, \+\d+\.\d\d % of/);
  assert.equal(lines.length, 4);
  assert.equal(stdout, ok('diff', 'before.wperf', 'slower.wperf')); // the report is written all the same
  const rows = stdout.slice(stdout.indexOf('function\n')).split('\n');
  assert.match(rows[1], / sort$/);
  assert.doesNotMatch(stdout, /^.* print$/m); // at another number, but the same
  assert.match(stdout, /\nUnchanged: 1 function\.\n$/);
});

test('a function that grew by its own measure fails a build whose total hardly did', () => {
  const above = (...args) => perf('diff', ...args, 'before.wperf', 'slower.wperf');
  assert.equal(above('--fail-above=30').status, 0); // of the total: sort is a tenth of it
  assert.equal(above('--fail-function-above=200').status, 0);
  const { status, stderr } = above('--fail-above=30', '--fail-function-above=50%');
  assert.equal(status, 3);
  assert.match(stderr, /^wasm-perf: grew by more than 50 % of its own before:\nsort: .*, \+9\d\.\d\d % of its own before\n$/);
  assert.match(above('--fail-function-above=x').stderr, /--fail-function-above wants a percentage like 5%/);
});

test('growth of sampled times that may be chance fails no build', () => {
  const samplesOf = (count) => {
    const nodes = [{ function: 0, parent: 0, calls: 1, self: count * 1e6 }];
    writeFileSync(at(`samples_${count}.wperf`), writeProfile(nodes, [[0, 'work']], { clock: 4, clockReadCount: count }));
    return `samples_${count}.wperf`;
  };
  const statusOf = (after, ...options) => perf('diff', ...options, samplesOf(100), after).status;
  for (const option of ['--fail-above=5', '--fail-function-above=5']) {
    assert.equal(statusOf(samplesOf(120), option), 0); // 20 ± 15
    assert.equal(statusOf(samplesOf(150), option), 3); // 50 ± 16
  }
});

test('the report of a build that fails is in its file', () => {
  const args = ['--fail-above=5', '-o', 'fails.svg', 'before.wperf', 'slower.wperf'];
  assert.equal(perf('diff', ...args).status, 3);
  assert.match(read('fails.svg').toString(), /<title>sort — total [^]*<\/svg>\s*$/);
});

test('a limit that is not passed, and a function that became faster', () => {
  ok('diff', '--fail-above', '400%', 'before.wperf', 'slower.wperf');
  ok('diff', '--fail-above', '0%', 'slower.wperf', 'before.wperf');
});

test('a new function has no percentage, and a removed one has lost 100 %', () => {
  const rowsOf = (...args) => ok('diff', ...args).split('\n').filter((line) => / print$/.test(line));
  const [added] = rowsOf('without.wperf', 'before.wperf');
  assert.match(added, /^ *0 +4,503 +\+4,503 +- .* new   print$/);
  assert.doesNotMatch(added, /%|\d{3,}\.\d/);
  const [gone] = rowsOf('before.wperf', 'without.wperf');
  assert.match(gone, /^ *4,503 +0 +-4,503 +-100(\.0+)? .* gone  print$/);
  const { stderr } = perf('diff', '--fail-function-above=0', 'without.wperf', 'before.wperf');
  assert.match(stderr, /^main: .* of its own before$/m);
  assert.doesNotMatch(stderr, /^print/m);
});

test('the same program run again has not changed at all', () => {
  const table = ok('diff', '--fail-above', '0%', 'before.wperf', 'again.wperf');
  assert.match(table, /^the same: ([\d,]+) instructions → \1 instructions; 3 calls → 3 calls, 0 %\n/);
  assert.match(table, /^Unchanged: 3 functions\.$/m);
  assert.doesNotMatch(table, /function$/m);
});

test('the same clock is needed', () => {
  const node = { function: 1, parent: 0, calls: 1, self: 5 };
  writeFileSync(at('wall.wperf'), writeProfile([node], [[1, 'main']]));
  const { status, stdout, stderr } = perf('diff', '-o', 'no.svg', 'before.wperf', 'wall.wperf');
  assert.deepEqual([status, stdout], [1, '']);
  assert.equal(stderr, 'wasm-perf: wall.wperf: its clock is wall, not instructions as before\n');
  assert(!existsSync(at('no.svg')));
});

test('functions without names are matched by number, with a warning', () => {
  const told = /^Matched by index, because they have no names: 2 functions before, 0 after$/m;
  assert.match(ok('diff', 'unnamed.wperf', 'before.wperf'), told); // one is named by its export
  assert.doesNotMatch(ok('diff', 'before.wperf', 'slower.wperf'), /Matched by index/);
});

/** A profile of functions called twin: {number of the function: [its instructions, its file and line]}. */
function twins(name, functions) {
  const entries = Object.entries(functions).map(([number, [self, file, line]]) => [Number(number), self, file, line]);
  const nodes = entries.map(([number, self]) => ({ function: number, parent: 0, calls: 1, self }));
  const places = entries.filter(([, , file]) => file).map(([number, , file, line]) => [number, line, file]);
  writeFileSync(at(`${name}.wperf`), writeProfile(nodes, entries.map(([number]) => [number, 'twin']), { clock: 2, ticksPerSecond: 0, places }));
}
/** Each function that differs, with its instructions before and after. */
function changes(before, after) {
  const table = ok('diff', `${before}.wperf`, `${after}.wperf`);
  const rows = table.slice(table.indexOf('function\n')).split('\n').slice(1).map((line) => line.match(/^ *([\d,]+) +([\d,]+) .*(twin.*)$/)?.slice(1));
  return rows.filter((row) => row && row[0] !== row[1]).map(([first, second, name]) => [name, Number(first), Number(second)]).sort();
}
const reversed = (rows) => rows.map(([name, before, after]) => [name, after, before]);

test('functions with the same name are distinguished by their files, whatever their order', () => {
  twins('files', { 1: [10, '/a/one.c', 3], 2: [20, '/a/two.c', 3] });
  twins('moved', { 4: [25, '/b/two.c', 9], 5: [10, '/b/one.c', 9] });
  assert.deepEqual(changes('files', 'moved'), [['twin (two.c)', 20, 25]]);
  assert.deepEqual(changes('moved', 'files'), [['twin (two.c)', 25, 20]]);
  twins('lines', { 4: [10, '/b/one.c', 3], 5: [10, '/b/one.c', 1], 6: [20, '/b/two.c', 9] });
  twins('later', { 4: [10, '/b/one.c', 8], 5: [30, '/b/one.c', 7], 6: [20, '/b/two.c', 9] });
  assert.deepEqual(changes('lines', 'later'), [['twin (one.c, 1 of 2)', 10, 30]]);
});

test('functions with the same name and no file are distinguished by their order', () => {
  twins('two', { 1: [10], 2: [20] });
  twins('shifted', { 6: [10], 8: [21] });
  assert.deepEqual(changes('two', 'shifted'), [['twin (2 of 2)', 20, 21]]);
  assert.deepEqual(changes('shifted', 'two'), [['twin (2 of 2)', 21, 20]]);
  assert.match(ok('diff', '-f', 'folded', 'two.wperf', 'shifted.wperf'), /^twin \(1 of 2\) 10 10\ntwin \(2 of 2\) 20 21\n$/);
});

test('as many functions as were there before, or they are compared as one', () => {
  twins('three', { 6: [10], 7: [5], 8: [21] });
  assert.deepEqual(changes('two', 'three'), [['twin (2 to 3 functions)', 30, 36]]);
  assert.deepEqual(changes('three', 'two'), reversed(changes('two', 'three')));
  assert.match(ok('diff', 'two.wperf', 'three.wperf'), /^Merged with a function of the same name: 1 function before, 2 after$/m);
  twins('both', { 1: [10, 'one.c', 3], 2: [20, 'one.c', 5], 3: [7, 'two.c', 1] });
  twins('fewer', { 1: [10, 'one.c', 3], 3: [8, 'two.c', 1] });
  assert.deepEqual(changes('both', 'fewer'), [['twin (one.c, 1 to 2 functions)', 30, 10], ['twin (two.c)', 7, 8]]);
  assert.doesNotMatch(ok('diff', 'before.wperf', 'slower.wperf'), /same name/);
});

test('a function of the same build is itself, even if others of its name did not run', () => {
  const of = (name, functions, facts) => writeFileSync(at(`${name}.wperf`), writeProfile(
    functions.map(([number, self]) => ({ function: number, parent: 0, calls: 1, self })), functions.map(([number]) => [number, 'twin']),
    { clock: 2, ticksPerSecond: 0, identity: 'same', functionCounts: [9, 9], ...facts }));
  of('first', [[1, 10], [2, 20]]);
  of('second', [[2, 20], [3, 30]]);
  assert.deepEqual(changes('first', 'second'), [['twin (1 of 3)', 10, 0], ['twin (3 of 3)', 0, 30]]);
  // An engine whose form imports two functions more, which its imports include or not.
  of('third', [[4, 20], [5, 30]], { addedImportCount: 2 });
  of('fourth', [[4, 20], [5, 30]], { addedImportCount: 2, hostFunctionCount: 3 });
  for (const other of ['third', 'fourth']) assert.deepEqual(changes('second', other), []);
  of('last', [[1, 10], [8, 90]]);
  assert.deepEqual(changes('last', 'second').map(([name]) => name).sort(), ['twin (1 of 4)', 'twin (2 of 4)', 'twin (3 of 4)', 'twin (4 of 4)']);
});

test('the form is that of --format, else of the name of the output', () => {
  const folded = ok('diff', '-f', 'folded', 'before.wperf', 'slower.wperf');
  const stacks = folded.split('\n').map((line) => line.replace(/ \d+ \d+$/, ''));
  const [main] = stacks;
  assert.deepEqual(stacks, [main, `${main};print`, `${main};sort`, '']);
  for (const name of ['a.folded', 'a.txt']) {
    assert.equal(ok('diff', '-o', name, 'before.wperf', 'slower.wperf'), '');
    assert.equal(read(name).toString(), folded);
  }
  const table = ok('diff', 'before.wperf', 'slower.wperf');
  ok('diff', '--format', 'table', '-o', 'a.svg', 'before.wperf', 'slower.wperf');
  assert.equal(read('a.svg').toString(), table);
  assert.match(ok('diff', '-f', 'flamegraph', 'before.wperf', 'slower.wperf'), /<svg[^]*<\/svg>\s*$/);
});

test('rows are functions or stacks, as many as wanted, in the order wanted', () => {
  const nodes = [1, 2, 3].map((n) => ({ function: n, parent: n === 3 ? 2 : 0, calls: n, self: 100 * n }));
  const names = [1, 2, 3].map((n) => [n, `f${n}`]);
  writeFileSync(at('x.wperf'), writeProfile(nodes, names));
  nodes[0].self += 50;
  nodes[1].calls += 9;
  nodes[2].self += 40;
  writeFileSync(at('y.wperf'), writeProfile(nodes, names));
  const rows = (...args) => {
    const lines = ok('diff', ...args, 'x.wperf', 'y.wperf').split('\n');
    const start = lines.findIndex((line) => / (function|stack)$/.test(line));
    return lines.slice(start + 1, lines.indexOf('', start)).map((line) => line.match(/\S+$/)[0]);
  };
  assert.deepEqual(rows(), ['f1', 'f3', 'f2']);
  assert.deepEqual(rows('--sort', 'total'), ['f1', 'f2', 'f3']);
  assert.deepEqual(rows('--sort', 'calls'), ['f2', 'f1', 'f3']);
  assert.deepEqual(rows('--by', 'stack'), ['f1', 'f2;f3', 'f2']);
  assert.deepEqual(rows('--limit', '2'), ['f1', 'f3']);
  assert.match(ok('diff', '-n', '1', 'x.wperf', 'y.wperf'), /\nChanged less: 2 functions\.\n$/);
});

test('the view is that of report: hooks, host and mangled names', () => {
  const nodes = (self) => [
    { function: 1, parent: 0, calls: 100, self },
    { function: 0, parent: 1, calls: 2, self: 500 },
  ];
  const names = [
    [0, 'env.read'],
    [1, '_ZN4shop3buyEi'],
  ];
  const options = { hostFunctionCount: 1, hookCosts: [10, 10, 1].map((cost) => cost * 1024) };
  writeFileSync(at('v.wperf'), writeProfile(nodes(5000), names, options));
  writeFileSync(at('w.wperf'), writeProfile(nodes(6000), names, options));
  const folded = (...args) => ok('diff', '-f', 'folded', ...args, 'v.wperf', 'w.wperf');
  assert.equal(folded(), 'shop::buy(int) 3980 4980\nshop::buy(int);env.read 480 480\n');
  const raw = '_ZN4shop3buyEi 5000 6000\n_ZN4shop3buyEi;env.read 500 500\n';
  assert.equal(folded('--show=hooks', '--no-demangle'), raw);
  assert.equal(folded('--show=hooks', '--show=no-host'), 'shop::buy(int) 5000 6000\n');
  const told = ok('diff', '--show=no-host', 'v.wperf', 'w.wperf');
  assert.match(told, /^Profiler overhead removed: 1.04 µs before, 1.04 µs after$/m);
  assert.match(told, /^Host functions, excluded: 2 calls before, 2 after$/m);
});

test('- reads one of them from stdin', () => {
  const input = read('slower.wperf');
  const expected = ok('diff', 'before.wperf', 'slower.wperf');
  assert.equal(tool('wasm-perf', ['diff', 'before.wperf', '-'], { input }).stdout, expected);
});

test('memory is not compared with time: it is said what is', () => {
  assemble('allocates', `(module (memory (export "memory") 1)
    (func $malloc (param i32) (result i32) (i32.const 16))
    (func (export "_start") (drop (call $malloc (i32.const 10)))))`);
  for (const [clock, ...options] of [['counted'], ['memory', '--memory']])
    assert.equal(perf('record', '--clock=none', ...options, '-o', `${clock}.wperf`, 'allocates.wasm').status, 0);
  const { status, stderr } = perf('diff', 'counted.wperf', 'memory.wperf');
  assert.deepEqual([status, stderr], [1, 'wasm-perf: memory.wperf: it shows bytes, not none as before; choose a value that all have with --value\n']);
  assert.equal(perf('diff', '--value=calls', 'counted.wperf', 'memory.wperf').status, 0);
});

test('bad files and outputs: exit code 1, no output', () => {
  writeFileSync(at('cut.wperf'), read('before.wperf').subarray(0, 10));
  const before = readdirSync(folder);
  const cases = [
    [['cut.wperf', 'before.wperf', '-o', 'z.svg'], 'cut.wperf: offset 0xa: the file ends inside the header'],
    [['before.wperf', 'none.wperf', '-o', 'z.svg'], 'none.wperf: No such file or directory'],
    [['before.wperf', 'again.wperf', '-o', 'no/z.svg'], 'no/z.svg: No such file or directory'],
  ];
  for (const [args, message] of cases) {
    const { status, stdout, stderr } = perf('diff', '--fail-above', '0', ...args);
    assert.deepEqual([status, stdout, stderr], [1, '', `wasm-perf: ${message}\n`]);
  }
  assert.deepEqual(readdirSync(folder), before);
  if (!existsSync('/dev/full')) return;
  for (const format of ['table', 'folded', 'flamegraph']) {
    const full = perf('diff', '-f', format, '-o', '/dev/full', 'before.wperf', 'slower.wperf');
    assert.equal(full.stderr, 'wasm-perf: /dev/full: No space left on device\n');
    assert.equal(full.status, 1);
  }
});

test('wrong usage', () => {
  const limit = (value) => [
    ['--fail-above', value, 'a', 'b'],
    `--fail-above wants a percentage like 5% or 0.25%, not '${value}'`,
  ];
  const nonsense = ['', '%', '-1', '+1', ' 1', '1 %', '5%%', '1.', '.5', '1.2.3', '1e3', '0x5', 'much', '1,5', '1234567890', '0.1234567890'];
  const wrong = [
    [[], 'two profiles are needed, not 0'],
    [['a'], 'two profiles are needed, not 1'],
    [['a', 'b', 'c'], 'two profiles are needed, not 3'],
    [['-', '-'], 'stdin can only be read once'],
    [['--format', 'top', 'a', 'b'], "--format wants flamegraph, folded, html or table, not 'top'"],
    [['-o', 'z.wperf', 'a', 'b'], "cannot tell the format from the name 'z.wperf'; give --format"],
    [['--by', 'line', 'a', 'b'], "--by wants function or stack, not 'line'"],
    [['--sort', 'name', 'a', 'b'], "--sort wants self, total or calls, not 'name'"],
    [['-n', '0', 'a', 'b'], "--limit wants a positive number, not '0'"],
    [['--limit', '1x', 'a', 'b'], "--limit wants a positive number, not '1x'"],
    [['--sing', 'a', 'b'], "unrecognized option '--sing'"],
    ...[...nonsense, '1234567890', '0.1234567890'].map(limit),
  ];
  for (const [args, message] of wrong) {
    const { status, stdout, stderr } = perf('diff', ...args);
    assert.deepEqual([status, stdout], [2, '']);
    assert.equal(stderr, `wasm-perf diff: ${message}\nTry 'wasm-perf diff --help'.\n`);
  }
  const help = ok('diff', '--help');
  assert.match(help, /^Usage: wasm-perf diff [^]*\n +flamegraph [^]*\n +--fail-above N%[^]*Exit status:[^]*\n  3  --fail-above/);
  assert.match(ok('--help'), /\n {2}diff +\S/);
});

test('functions of one name in two modules are compared within their modules', () => {
  const module = (name, factor) => assemble(name, `(module (func $shared (result i32) (i32.const ${factor}))
    (func (export "call") (result i32) (i32.mul (call $shared) (i32.const 2))))`);
  module('first', 3);
  module('second', 4);
  const recorded = (name, files, rounds) => {
    writeFileSync(at(`${name}.mjs`), `import { readFileSync } from 'node:fs';
      const load = (path) => new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path))).exports;
      const [one, two] = ${JSON.stringify(files)}.map(load);
      one.call();
      for (let i = 0; i < ${rounds}; i++) two.call();`);
    const { status, stderr } = perf('record', '--clock=instructions', '-o', `${name}.wperf`, '--', process.execPath, `${name}.mjs`);
    assert.equal(status, 0, stderr);
    return `${name}.wperf`;
  };
  const one = recorded('one', ['first.wasm', 'second.wasm'], 0);
  const both = recorded('both', ['first.wasm', 'second.wasm'], 7);
  const rows = (...args) => ok('diff', ...args).split('\n').filter((line) => line.includes('shared'));
  assert.match(rows(one, both).join('\n'), /shared \(in second\.wasm\) \+7 instructions \(new\)/);
  assert.doesNotMatch(rows(one, both).join('\n'), /shared \(in first|shared$/m);
  const stacks = rows('--by=stack', both, recorded('more', ['first.wasm', 'second.wasm'], 9)).join('\n');
  assert.match(stacks, /second\.wasm;call \(in second\.wasm\);shared \(in second\.wasm\)/);
  assert.doesNotMatch(stacks, /new|gone|shared \(in first/);

  module('second-2', 4); // a build whose name has changed
  assert.deepEqual(rows(both, recorded('built', ['first.wasm', 'second-2.wasm'], 7)), []);
});
