/** wasm-perf bench: a row for each performance.measure of a program, whose counts are those between its marks. */

import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assemble, at, linkPackages, read, run, source, tool } from '../js/support.mjs';

assemble('work', `(module
  (import "env" "back" (func $back))
  (memory (export "memory") 1)
  (global $top (mut i32) (i32.const 64))
  (func $malloc (param i32) (result i32)
    (global.get $top) (global.set $top (i32.add (global.get $top) (local.get 0))))
  (func $free (param i32))
  (func $leaf (param f64) (result f64) (f64.add (local.get 0) (f64.const 1)))
  (func (export "step") (drop (call $leaf (f64.const 3))) (drop (call $malloc (i32.const 24))))
  (func (export "swap") (call $free (call $malloc (i32.const 24))))
  (func (export "keep") (drop (call $malloc (i32.const 24))))
  (func (export "grow") (drop (memory.grow (i32.const 1))))
  (func (export "around") (drop (call $leaf (f64.const 1))) (call $back) (drop (call $leaf (f64.const 2)))))`);
const STEP = { instructions: 6 + 3 + 5, calls: 3, allocated_bytes: 24, allocated_blocks: 1, grown_pages: 0, float_instructions: 1 + 2 };
const GROW = { instructions: 3, calls: 1, allocated_bytes: 0, allocated_blocks: 0, grown_pages: 1, float_instructions: 0 };
const AROUND = { instructions: 7 + 2 * 3, calls: 3, allocated_bytes: 0, allocated_blocks: 0, grown_pages: 0, float_instructions: 2 + 2 * 2 };

/** The values of so many calls of each. */
const valuesOf = (counts) => Object.fromEntries(Object.keys(STEP).map((key) => [key, counts.reduce((sum, [count, of]) => sum + count * of[key], 0)]));
const pick = (values) => Object.fromEntries(Object.keys(STEP).map((key) => [key, values[key]]));

const LOAD = `import { readFileSync } from 'node:fs';
let back = () => {};
const work = new WebAssembly.Module(readFileSync('work.wasm'));
const { step, swap, keep, grow, around } = new WebAssembly.Instance(work, { env: { back: () => back() } }).exports;
const repeat = (count, run) => { for (let i = 0; i < count; i++) run(); };
`;
const script = (name, text) => writeFileSync(at(name), LOAD + text);

const bench = (...args) => tool('wasm-perf', ['bench', ...args], { timeout: 600_000 });
const ends = (code, { status, stdout, stderr }) => {
  assert.equal(status, code, stdout + stderr);
  return stdout;
};
let baselines = 0;
/** The rows of a program: name -> values. */
function rowsOf(name, command = [process.execPath, name]) {
  const stdout = ends(0, bench('--format=json', '--save', `--baseline=own-${baselines++}.json`, '--', ...command));
  return new Map(JSON.parse(stdout).benchmarks.map(({ name, after }) => [name, after]));
}
/** What bench says of a program that it refuses. */
function refusal(text, name = 'refused.mjs') {
  script(name, text);
  return ends(1, bench('--save', `--baseline=own-${baselines++}.json`, '--', process.execPath, name));
}

const PROGRAM = `
performance.mark('first');
repeat(10, step);
performance.measure('ten', 'first');
performance.mark('second');
repeat(20, step);
performance.measure('twenty', 'second');
performance.measure('thirty', 'first'); // contains both
repeat(3, () => { performance.mark('again'); grow(); performance.measure('three', 'again'); step(); });
performance.mark('third');
step();
performance.mark('fourth');
grow();
performance.mark('fifth');
performance.measure('overlaps 1', 'third', 'fifth');
performance.measure('overlaps 2', { start: 'fourth', detail: 1 });
performance.measure('until a mark', undefined, 'third');
performance.measure('all');
performance.measure('nothing', 'fifth', 'fifth');
`;

test('a row for each measure, with exactly what is counted in it', () => {
  script('regions.mjs', PROGRAM);
  const rows = rowsOf('regions.mjs');
  const expected = {
    'regions.mjs': [[34, STEP], [4, GROW]],
    'regions.mjs/all': [[34, STEP], [4, GROW]],
    'regions.mjs/overlaps 1': [[1, STEP], [1, GROW]],
    'regions.mjs/overlaps 2': [[1, GROW]],
    'regions.mjs/ten': [[10, STEP]],
    'regions.mjs/thirty': [[30, STEP]],
    'regions.mjs/three': [[3, GROW]], // added up
    'regions.mjs/twenty': [[20, STEP]],
    'regions.mjs/until a mark': [[33, STEP], [3, GROW]],
  };
  assert.deepEqual([...rows.keys()], Object.keys(expected));
  for (const [name, counts] of Object.entries(expected)) assert.deepEqual(pick(rows.get(name)), valuesOf(counts), name);
  assert.deepEqual([...rows].filter(([, values]) => 'peak_bytes' in values).map(([name]) => name), ['regions.mjs']);
});

test('a block that is not freed fails the gate', () => {
  const gate = (...args) => bench('--baseline=kept.json', ...args, '--', process.execPath, 'kept.mjs');
  script('kept.mjs', 'repeat(5, swap);');
  ends(0, gate('--save'));
  ends(0, gate());
  script('kept.mjs', 'repeat(4, swap); keep();');
  assert.match(ends(3, gate()), /0 → 24 bytes live at the end/);
});

test('marks that are forgotten leave the counts of the others', () => {
  script('forgotten.mjs', `
    const after = (count, name) => { repeat(count, step); performance.mark(name); };
    after(1, 'a');
    after(2, 'b');
    after(4, 'c');
    after(8, 'd');
    performance.clearMarks('b');
    performance.measure('a to c', 'a', 'c');
    performance.measure('until c', undefined, 'c');
    performance.clearMarks('a'); // the first
    performance.measure('until d', undefined, 'd');
    performance.measure('c to d', 'c', 'd');
    performance.clearMarks('d'); // the last
    repeat(16, step);
    performance.measure('since c', 'c');
    after(32, 'e');
    performance.measure('c to e', 'c', 'e');
    performance.clearMarks();
    after(64, 'f');
    after(128, 'g');
    performance.measure('f to g', 'f', 'g');
    performance.measure('until g', undefined, 'g');`);
  const rows = rowsOf('forgotten.mjs');
  const expected = { 'a to c': 2 + 4, 'c to d': 8, 'c to e': 8 + 16 + 32, 'f to g': 128, 'since c': 8 + 16, 'until c': 7, 'until d': 15, 'until g': 255 };
  assert.deepEqual([...rows.keys()].slice(1), Object.keys(expected).map((name) => `forgotten.mjs/${name}`));
  for (const [name, count] of Object.entries(expected)) assert.deepEqual(pick(rows.get(`forgotten.mjs/${name}`)), valuesOf([[count, STEP]]), name);
});

test('the rows are the same in each run', () => {
  const saved = () => {
    ends(0, bench('--save', '--baseline=same.json', '--', process.execPath, 'regions.mjs'));
    return read('same.json').toString();
  };
  const first = saved();
  assert.equal(saved(), first);
  assert.match(ends(0, bench('--fail-above=0%', '--baseline=same.json', '--', process.execPath, 'regions.mjs')), /^(regions\.mjs\S*.* same .*\n){9}$/);
});

test('a mark while a function runs divides its instructions', () => {
  script('inside.mjs', `
    back = () => performance.mark('inside');
    performance.mark('before');
    around();
    performance.measure('head', 'before', 'inside');
    performance.measure('tail', 'inside');`);
  const rows = rowsOf('inside.mjs');
  const [whole, head, tail] = ['', '/head', '/tail'].map((end) => rows.get(`inside.mjs${end}`));
  assert.deepEqual(pick(whole), valuesOf([[1, AROUND]]));
  for (const key of ['instructions', 'calls']) assert.equal(head[key] + tail[key], whole[key]);
  assert.equal(tail.instructions, 3 + 3); // the second call of $leaf
  assert.equal(tail.calls, 1);
});

test('threads and child processes add to the row', () => {
  writeFileSync(at('part.mjs'), `${LOAD}performance.mark('a'); repeat(5, step); performance.measure('part', 'a');`);
  script('threads.mjs', `
    import { once } from 'node:events';
    import { spawnSync } from 'node:child_process';
    import { Worker } from 'node:worker_threads';
    performance.mark('a');
    await Promise.all([1, 2].map(() => once(new Worker('./part.mjs'), 'exit')));
    spawnSync(process.execPath, ['part.mjs']);
    performance.measure('waits', 'a'); // another thread's work is not its own
    step();
    performance.measure('part', 'a');`);
  const rows = rowsOf('threads.mjs');
  assert.deepEqual([...rows.keys()], ['threads.mjs', 'threads.mjs/part']);
  assert.deepEqual(pick(rows.get('threads.mjs/part')), valuesOf([[16, STEP]]));
});

test('a measure has the counts of each module, and of new instances', () => {
  assemble('other', '(module (func $step (export "step")) (func $run (export "run") (call $step)))');
  script('two.mjs', `
    performance.mark('a');
    const other = new WebAssembly.Instance(new WebAssembly.Module(readFileSync('other.wasm'))).exports;
    other.run();
    step();
    const again = new WebAssembly.Instance(work, { env: { back } }).exports;
    repeat(2, again.step);
    performance.measure('both', 'a');`);
  const rows = rowsOf('two.mjs');
  const of = rows.get('two.mjs/both');
  assert.equal(of.instructions, 3 * STEP.instructions + 1);
  assert.equal(of.allocated_bytes, 3 * STEP.allocated_bytes);
  const { benchmarks } = JSON.parse(read(`own-${baselines - 1}.json`));
  assert.deepEqual(benchmarks[1].functions.map(({ name, calls }) => [name, calls]).filter(([name]) => !name.endsWith('.wasm')),
    [['leaf (in work.wasm)', 3], ['malloc (in work.wasm)', 3], ['run (in other.wasm)', 1], ['step (in other.wasm)', 1], ['step (in work.wasm)', 3]]);
});

/** Two modules with a function of one name; the second one calls it `rounds` times, so perhaps never. */
const namesakes = (file, second, rounds) => {
  const exported = (factor) => `(module (func $shared (result i32) (i32.const ${factor})) (func (export "call") (result i32) (i32.mul (call $shared) (i32.const 2))))`;
  assemble('first', exported(3));
  assemble(second, exported(4));
  script(file, `
    const load = (path) => new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path))).exports;
    const one = load('first.wasm'), two = load('${second}.wasm');
    repeat(5, one.call); repeat(${rounds}, two.call);`);
};

test('functions of one name in two modules are two functions, whichever runs', () => {
  namesakes('namesakes.mjs', 'second', 0);
  const command = ['--baseline=namesakes.json', '--', process.execPath, 'namesakes.mjs'];
  ends(0, bench('--save', ...command));
  assert.match(ends(0, bench(...command)), /^namesakes\.mjs +same /);
  namesakes('namesakes.mjs', 'second', 4);
  const stdout = ends(3, bench(...command));
  assert.match(stdout, /call \(in second\.wasm\): \+12 instructions, new/);
  assert.doesNotMatch(stdout, /shared \(in first/);
});

/** A module of functions that are all called helper, with these bodies, and one that calls each of them. */
function twins(...bodies) {
  const names = bodies.map((_, i) => `$twin_${i}`);
  assemble('twins', `(module ${bodies.map((body, i) => `(func ${names[i]} (result i32) ${body})`).join(' ')}
    (func (export "run") ${names.map((name) => `(drop (call ${name}))`).join(' ')}))`);
  writeFileSync(at('twins.wasm'), Buffer.from(read('twins.wasm').toString('latin1').replaceAll(/twin_\d/g, 'helper'), 'latin1'));
}

test('functions of one name in one module are two functions', () => {
  const command = ['--baseline=twins.json', '--', process.execPath, 'twins.mjs'];
  script('twins.mjs', `const twins = new WebAssembly.Instance(new WebAssembly.Module(readFileSync('twins.wasm'))).exports;
    twins.run(); twins.run();`);
  twins('(i32.const 1)', '(i32.const 3)');
  ends(0, bench('--save', ...command));
  const { functions } = JSON.parse(read('twins.json')).benchmarks[0];
  assert.deepEqual(functions.map(({ name, self }) => [name, self]), [['helper (1 of 2)', 2], ['helper (2 of 2)', 2], ['run', 8]]);
  twins('(i32.const 1)', '(i32.mul (i32.const 3) (i32.const 4))');
  const changed = ends(3, bench(...command));
  assert.match(changed, /helper \(2 of 2\): \+4 instructions\n/);
  assert.doesNotMatch(changed, /1 of 2|new|gone/);
  twins('(i32.clz (i32.const 1))', '(i32.mul (i32.const 3) (i32.const 4))', '(i32.ctz (i32.clz (i32.clz (i32.const 1))))');
  const more = ends(3, bench(...command));
  assert.match(more, /helper, 2 → 3 functions: \+14 instructions\n/);
  assert.doesNotMatch(more, /new|gone| of /);
});

test('functions of a renamed module are the same functions', () => {
  namesakes('renamed.mjs', 'other-1', 4);
  ends(0, bench('--save', '--baseline=renamed.json', '--', process.execPath, 'renamed.mjs'));
  namesakes('renamed.mjs', 'other-2', 9);
  const stdout = ends(3, bench('--baseline=renamed.json', '--', process.execPath, 'renamed.mjs'));
  assert.doesNotMatch(stdout, /(new|gone)$/m);
});

const LIST = `[benchmark.app]\ncommand = ["${process.execPath}", "app.mjs"]\n[benchmark.plain]\ncommand = ["${process.execPath}", "regions.mjs"]\nmeasures = ["t*n", "twenty"]\n`;
const APP = `performance.mark('a'); repeat(10, step); performance.measure('one', 'a');
  performance.mark('b'); repeat(10, step); performance.measure('two', 'b');`;

test('the list chooses measures, and so do names', () => {
  writeFileSync(at('wasm-perf.toml'), LIST);
  script('app.mjs', APP);
  assert.match(ends(0, bench('--save')), /^app +new .*\napp\/one +new .*\napp\/two +new .*\nplain +new .*\nplain\/ten +new .*\nplain\/twenty +new .*\n$/);
  assert.match(ends(0, bench('app/two')), /^app\/two +same +140 instructions\n$/);
  assert.match(ends(0, bench('app')), /^app +same .*\napp\/one +same .*\napp\/two +same .*\n$/);
  for (const args of [['app/three'], ['app', 'app/three'], ['--why=app/three']]) {
    const { status, stderr } = bench(...args);
    assert.equal(status, 1);
    assert.equal(stderr.split('\n')[0], 'wasm-perf: app/three: no benchmark and no measure has this name');
  }
  assert.match(bench('neither').stderr, /^wasm-perf: neither: no benchmark has this name; known: app, plain\n$/);
});

test('growth of a measure fails, in each format, and --why names the function', () => {
  script('app.mjs', APP.replace(/10(?=.*two)/, '11').replace(/10(?=.*one)/, '9')); // the whole is the same
  const table = ends(3, bench('app'));
  assert.match(table, /^app +same +[\d,]+ instructions\napp\/one +changed .*[^]*app\/two +grew +140 → 154 instructions, \+10\.00 %\n/);
  const why = ends(3, bench('--why=app/two'));
  assert.match(why, /^app\/two +grew +140 → 154 instructions, \+10\.00 %\n[^]* step: \+6 instructions, 10 → 11 calls; by \[host\] 10 → 11 calls\n/);
  assert(!why.includes('app/one'));
  ends(3, bench('-o', 'rows.md', 'app'));
  assert.match(read('rows.md').toString(), /^0 of 1 benchmarks and 1 of 2 measures failed\.$/m);
  assert.match(read('rows.md').toString(), /^\| app\/two \| \*\*grew\*\* \| 140 → 154 instructions/m);
  ends(3, bench('-o', 'rows.xml', 'app'));
  assert.match(read('rows.xml').toString(), /tests="3" failures="1" errors="0">[^]*name="app\/two">\n +<failure type="grew"/);
  ends(3, bench('--profiles=rows', 'app'));
  const top = tool('wasm-perf', ['top', 'rows/app%2Ftwo.wperf']);
  assert.match(top.stdout, /\b11\b.*step|step.*\b11\b/);
  script('app.mjs', APP);
});

test('a measure that is gone fails, until its benchmark is saved again', () => {
  script('app.mjs', APP.replaceAll("'two'", "'second'"));
  const gone = /^app\/two +gone +it is only in the baseline; --save removes it$/m;
  for (const args of [[], ['app'], ['app/two'], ['--why=app/two']]) assert.match(ends(1, bench(...args)), gone);
  assert.match(ends(0, bench('--format=markdown', 'app/one')), /^0 of 1 measures failed\.$/m);
  assert.match(ends(1, bench('--format=markdown')), /^0 of 2 benchmarks and 1 of 5 measures failed\.$/m);
  assert.doesNotMatch(ends(0, bench('app/one')), gone);
  ends(0, bench('--save', 'app'));
  assert.match(ends(0, bench()), /^app +same .*\napp\/one +same .*\napp\/second +same .*\nplain +same .*\nplain\/ten .*\nplain\/twenty .*\n$/);
  script('app.mjs', 'throw 1;');
  const failed = ends(1, bench('app'));
  assert.match(failed, /^app +failed .*\n$/); // and not its measures, too
  script('app.mjs', APP);
});

test('measures that differ from run to run are refused', () => {
  const runs = `import { appendFileSync, statSync } from 'node:fs';
    appendFileSync('runs', '.');
    const isOdd = statSync('runs').size % 2;\n`;
  rmSync(at('runs'), { force: true });
  const single = refusal(`${runs} repeat(10, step); if (isOdd) performance.measure('odd'); else performance.measure('even');`);
  assert.match(single, /^refused\.mjs +new .*\nrefused\.mjs\/even +failed +only one of two runs measures it\nrefused\.mjs\/odd +failed +only one of two runs measures it\n$/);
  const other = refusal(`${runs} repeat(5 + isOdd, step); performance.measure('half'); repeat(5 - isOdd, step);`);
  assert.match(other, /^refused\.mjs +new .*\nrefused\.mjs\/half +failed +two runs differ first in step: 3[06] and 3[06] instructions, [56] and [56] calls\n$/);
});

test('what cannot be counted fails, with the reason', () => {
  const begin = "performance.mark('a'); step(); performance.mark('b');";
  const time = /^refused\.mjs\/x +failed +it begins or ends at a time, but counts are only known at a mark$/m;
  for (const measure of ["'x', { start: performance.now() / 2 }", "'x', { start: 'a', end: performance.now() }", "'x', { start: 'a', duration: 1 }", "'x', 'nodeStart'"])
    assert.match(refusal(`${begin} performance.measure(${measure});`), time, measure);
  assert.match(refusal(`${begin} performance.mark('c', { startTime: 1 }); performance.measure('x', 'c');`), time);
  assert.match(refusal(`${begin} performance.measure('x', 'b', 'a');`), /^refused\.mjs\/x +failed +it ends before it begins$/m);
});

test('a bound that is exceeded is a failure by name', () => {
  const many = refusal(`repeat(1002, () => { step(); performance.measure('m' + performance.now()); });`);
  const lines = many.trimEnd().split('\n');
  assert.equal(lines.length, 1 + 1000 + 1);
  assert.equal(lines.filter((line) => /^refused\.mjs\/m[\d.]+ +failed +more than 1000 names of measures: this is the first of the others$/.test(line)).length, 1);
  // A tree of 2^16 stacks is 1.5 MB.
  assemble('tree', `(module (func $left (export "left") (param i32) (if (local.get 0) (then
      (call $left (i32.sub (local.get 0) (i32.const 1))) (call $right (i32.sub (local.get 0) (i32.const 1))))))
    (func $right (param i32) (if (local.get 0) (then
      (call $left (i32.sub (local.get 0) (i32.const 1))) (call $right (i32.sub (local.get 0) (i32.const 1)))))))`);
  const marks = (end) => `const { left } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync('tree.wasm'))).exports;
    for (let i = 0; i < 174; i++) { left(15); performance.mark('mark ' + i); ${end} }
    left(1);
    performance.measure('last', 'mark 173');`;
  assert.match(refusal(marks('')), /^refused\.mjs\/last +failed +the counts kept for mark 'mark 173' and others exceed 256 MB; performance\.clearMarks frees them$/m);
  script('cleared.mjs', marks("performance.clearMarks('mark ' + (i - 1));"));
  assert.equal(rowsOf('cleared.mjs').get('cleared.mjs/last').calls, 3);
});

test('a measure of a large tree that is taken many times is added up on the way', () => {
  const times = 50; // of 1.5 MB each, so that more than 64 MB come together
  script('often.mjs', `const { left } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync('tree.wasm'))).exports;
    left(15);
    repeat(${times}, () => { performance.mark('a'); left(1); performance.measure('often', 'a'); });`);
  const { calls, instructions } = rowsOf('often.mjs').get('often.mjs/often');
  assert.deepEqual([calls, instructions % times], [3 * times, 0]);
});

test('names are safe to show', () => {
  script('names.mjs', `step(); performance.measure('a\\u001b[31m\\nb'); performance.measure('');`);
  const rows = rowsOf('names.mjs');
  assert.deepEqual([...rows.keys()], ['names.mjs', 'names.mjs/(unnamed)', 'names.mjs/a\\u{1b}[31m\\u{a}b']);
  script('long.mjs', `step(); for (const end of ['a', 'b']) performance.measure('y'.repeat(600) + end);`);
  ends(0, bench('--save', '--baseline=long.json', '--profiles=long', '--', process.execPath, 'long.mjs'));
  const { benchmarks } = JSON.parse(read('long.json'));
  assert.match(benchmarks.map(({ name }) => name).join('\n'), /^long\.mjs\n(long\.mjs\/y{99,}….{8}\n?){2}$/);
});

test('a program sees its marks as they are; nothing is added to record', () => {
  script('sees.mjs', `
    const same = (text) => { try { return JSON.stringify(eval(text)); } catch (error) { return error.name + error.message; } };
    console.log(Object.hasOwn(performance, 'measure'), performance.measure.length, performance.mark.name);
    for (const text of ["performance.mark()", "performance.measure()", "performance.measure('x', 'never')", "performance.mark('a', { detail: 3 }).detail",
      "performance.measure('x', 'a').name", "performance.clearMarks(), performance.getEntriesByType('mark').length", "performance.measure('x', 'a')"])
      console.log(same(text));
    step();`);
  const plain = ends(0, run(process.execPath, ['sees.mjs']));
  assert.equal(ends(0, tool('wasm-perf', ['record', '--clock=instructions', '-o', 'sees.wperf', '--', process.execPath, 'sees.mjs'])), plain);
  assert.match(plain, /^false /);
  // In bench it sees them, too: what it prints goes into a file here.
  script('prints.mjs', `import { writeFileSync } from 'node:fs'; const lines = []; const console = { log: (...words) => lines.push(words.join(' ')) };
    ${read('sees.mjs').toString().slice(LOAD.length)} writeFileSync('seen', lines.join('\\n') + '\\n');`);
  rowsOf('prints.mjs');
  assert.equal(read('seen').toString().replace('true', 'false'), plain);
});

// ---- Names of tests, as the recipes have it ----

const page = readFileSync(join(source, 'src/docs/recipes.md'), 'utf8');
const [, recipe] = page.split('\n## Benchmarks: a row for each test\n');
const blocks = [...recipe.split('\n## ')[0].matchAll(/^```js\n\/\/ (\S+)\n([^]*?)^```/gm)].map(([, name, text]) => ({ name, text }));
const TESTS = `describe('sums', () => {
  test('ten', () => repeat(10, step));
  test('twenty', () => repeat(20, step));
});`;

function checkTests(name, command) {
  const rows = rowsOf(name, command);
  assert.deepEqual([...rows.keys()].filter((row) => row.includes('/')).map((row) => row.split(/[/ ]/).at(-1)), ['ten', 'twenty']);
  const [ten, twenty] = [...rows].filter(([row]) => row.includes('/')).map(([, values]) => pick(values));
  assert.deepEqual([ten, twenty], [valuesOf([[10, STEP]]), valuesOf([[20, STEP]])]);
}

test('a row for each test of node:test', () => {
  const { name, text } = blocks.find((block) => block.text.includes("'node:test'"));
  writeFileSync(at(name), text);
  script('sums.test.mjs', `import { describe, test } from 'node:test';\n${TESTS}`);
  checkTests('sums.test.mjs', [process.execPath, '--import', `./${name}`, '--test', 'sums.test.mjs']);
});

test('a row for each test of jest', { skip: !existsSync(join(process.env.WI_NPM ?? '', 'node_modules/jest')) && 'jest is not installed' }, () => {
  const { name, text } = blocks.find((block) => !block.text.includes('import '));
  writeFileSync(at(name), text);
  writeFileSync(at('package.json'), JSON.stringify({ jest: { setupFilesAfterEnv: [`./${name}`], testMatch: ['**/*.spec.js'] } }));
  linkPackages(at('.'), ['jest']);
  writeFileSync(at('sums.spec.js'), LOAD.replace(/^import .*\n/, "const { readFileSync } = require('node:fs');\n") + TESTS);
  checkTests('jest', [process.execPath, at('node_modules/.bin/jest')]);
});
