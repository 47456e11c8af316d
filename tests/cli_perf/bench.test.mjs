/** wasm-perf bench: a planted instruction is found, with its function, caller and line; nothing else is an alarm. */

import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { assemble, at, folder, read, run, tool } from '../js/support.mjs';
import { noWasmtime } from '../support/tools.mjs';

const SOURCE = `#include <stdio.h>
#include <stdlib.h>
#ifdef REORDERED
int hash(const char *text);
int work(int rounds);
int main(int argc, char **argv) { printf("%d\\n", work(argc > 1 ? atoi(argv[1]) : 100)); }
#endif
__attribute__((noinline)) int hash(const char *text) {
  int sum = 0;
  __asm__ volatile(""); /* each call counts */
  while (*text)
    sum = sum * 33 + *text++;
  sum ^= EXTRA; // planted
  return sum;
}
__attribute__((noinline)) int work(int rounds) {
  int sum = 0;
  for (int i = 0; i < rounds; i++) {
    char *text = malloc(40);
    snprintf(text, 40, "item %d", i);
    for (int k = 0; k < CALLS; k++)
      sum += hash(text) > 1 << 29;
    free(text);
  }
  return sum;
}
#ifndef REORDERED
int main(int argc, char **argv) { printf("%d\\n", work(argc > 1 ? atoi(argv[1]) : 100)); }
#endif
`;
writeFileSync(at('work.c'), SOURCE);

function compile(name, ...defines) {
  const clang = (...args) => assert.equal(run(process.env.WI_CLANG, ['--target=wasm32-wasi', ...args]).status, 0);
  const flags = ['-DEXTRA=0', '-DCALLS=2', ...defines];
  clang('-O1', '-g', '-w', ...flags, '-c', 'work.c', '-o', 'work.o');
  clang('work.o', '-o', name);
}
compile('good.wasm');
compile('extra.wasm', '-UEXTRA', '-DEXTRA=(sum>>3)');
compile('calls.wasm', '-UCALLS', '-DCALLS=3');
compile('reordered.wasm', '-DREORDERED');
compile('renamed.wasm', '-DREORDERED', '-Dhash=digest', '-Dwork=labour');
compile('renamed_extra.wasm', '-DREORDERED', '-Dhash=digest', '-Dwork=labour', '-UEXTRA', '-DEXTRA=(sum>>3)');

const use = (name) => copyFileSync(at(`${name}.wasm`), at('app.wasm'));
const bench = (...args) => tool('wasm-perf', ['bench', ...args], { timeout: 600_000 });
const ends = (code, { status, stdout, stderr }) => {
  assert.equal(status, code, stdout + stderr);
  return stdout;
};
const list = (text) => writeFileSync(at('wasm-perf.toml'), text);
const USUAL = `# what is measured
[benchmark.work]
module = "app.wasm"
args = [
  "200", # rounds
]

[benchmark."work of 3"]
module = 'app.wasm'
args = ["3"]
fail-above = "50%"
`;
list(USUAL);
use('good');

test('without a baseline nothing passes', () => {
  const { status, stderr } = bench();
  assert.equal(status, 1);
  assert.equal(stderr, 'wasm-perf: wasm-perf.baseline.json: there is no baseline to compare with; bench --save makes one\n');
});

test('a baseline is saved, and the same program is the same', () => {
  assert.match(ends(0, bench('--save')), /^work +new +[\d,]+ instructions\nwork of 3 +new /);
  assert.match(ends(0, bench('--fail-above=0%')), /^work +same +[\d,]+ instructions\nwork of 3 +same +[\d,]+ instructions\n$/);
  const { benchmarks } = JSON.parse(read('wasm-perf.baseline.json'));
  const [work] = benchmarks;
  const hash = work.functions.find(({ name }) => name === 'hash');
  assert.deepEqual([hash.calls, hash.callers], [400, ['400 work']]);
  const withLine = hash.lines.reduce((sum, line) => sum + parseInt(line), 0);
  assert(withLine <= hash.self && withLine > hash.self / 2, `${withLine} of ${hash.self} have a line`);
  assert.equal(work.functions.reduce((sum, { self }) => sum + self, 0), work.values.instructions);
  assert.equal(work.functions.reduce((sum, { calls }) => sum + calls, 0), work.values.calls);
  const blocks = (allocator) => work.functions.find(({ name }) => name === allocator)?.calls ?? 0;
  assert.equal(work.values.allocated_blocks, blocks('malloc') + blocks('calloc'));
  assert.equal(work.values.module_bytes, read('app.wasm').length);
});

test('the baseline has a function on each line, so that it can be merged', () => {
  const lines = read('wasm-perf.baseline.json').toString().split('\n');
  const { benchmarks } = JSON.parse(lines.join('\n'));
  const count = benchmarks.reduce((sum, { functions }) => sum + functions.length, 0);
  assert.equal(lines.filter((line) => /^\{"name":.*"self":/.test(line)).length, count);
});

test('a planted instruction is found, with its function and line', () => {
  use('extra');
  const table = ends(3, bench('--fail-above=0%'));
  assert.match(table, /^work +grew +.* instructions, \+\d\.\d\d %$/m);
  assert.match(table, /^ +hash: \+[\d,]+ instructions; at work\.c:\d+ /m);
  assert.match(table, /^work of 3 +changed /m); // its own limit
  const line = SOURCE.split('\n').findIndex((text) => text.includes('// planted')) + 1;
  const why = ends(3, bench('--why=work', '--fail-above=0%'));
  assert.match(why, new RegExp(`^ +hash: \\+[\\d,]+ instructions; at work\\.c:${line} \\+[\\d,]+`, 'm'));
  use('good');
});

test('a longer copy is growth, although it is still one instruction', () => {
  const copy = (size) => `(module (memory (export "memory") 40)
    (func $copy (memory.copy (i32.const 65536) (i32.const 1310720) (i32.const ${size})))
    (func (export "_start") (call $copy)))`;
  const once = (name, ...args) => {
    copyFileSync(at(name), at('copying.wasm'));
    return bench('--baseline=copies.json', ...args, 'copying.wasm');
  };
  assemble('short', copy(1 << 10));
  assemble('long', copy(1 << 20));
  ends(0, once('short.wasm', '--save'));
  assert.match(ends(0, once('short.wasm')), /same/);
  const grown = ends(3, once('long.wasm'));
  assert.match(grown, /^ +1,024 → 1,048,576 bytes copied or filled, /m);
  const old = JSON.parse(read('copies.json'));
  for (const { values } of old.benchmarks) delete values.bulk_bytes, delete values.bulk_elements;
  writeFileSync(at('copies.json'), JSON.stringify(old));
  assert.doesNotMatch(ends(0, once('long.wasm')), /copied|same/); // the file is longer, and nothing else is known
});

test('more calls are found, with their caller', () => {
  use('calls');
  const why = ends(3, bench('--why=work'));
  assert.match(why, /^ +hash: \+[\d,]+ instructions, 400 → 600 calls; by work 400 → 600 calls/m);
  use('good');
});

test('another order of the functions does not count as a change', () => {
  use('reordered');
  assert.match(ends(0, bench('--fail-above=0%')), /^work +(same|changed) +[\d,]+ instructions$/m);
  use('good');
});

/** The lines about functions. */
const causes = (table) => table.split('\n').filter((line) => /: [+-][\d,]+ instructions/.test(line));

test('renamed functions are neither new nor gone', () => {
  use('renamed');
  const same = ends(0, bench('--fail-above=0%', '--why=work'));
  assert.match(same, /^work +(same|changed) +[\d,]+ instructions$/m);
  assert.deepEqual(causes(same), []);
  use('renamed_extra');
  const why = ends(3, bench('--fail-above=0%', '--why=work'));
  assert.match(causes(why)[0], /^ +digest, was hash: \+[\d,]+ instructions; at work\.c:\d+ /);
  assert.doesNotMatch(why, /, (new|gone)/);
  use('good');
});

test('functions without names are found where they moved', () => {
  const strip = (name) => assert.equal(run('wasm-strip', [`${name}.wasm`, '-o', 'nameless.wasm']).status, 0);
  const why = (...args) => bench('--baseline=nameless.json', '--fail-above=0%', ...args);
  list('[benchmark.work]\nmodule = "nameless.wasm"\nargs = ["200"]\n');
  strip('good');
  ends(0, why('--save'));
  const { functions } = JSON.parse(read('nameless.json')).benchmarks[0];
  assert(functions.every(({ code }) => /^[0-9a-f]{1,16}$/.test(code)));
  strip('reordered');
  assert.deepEqual(causes(ends(0, why('--why=work'))), []);
  strip('renamed_extra');
  const grown = ends(3, why('--why=work'));
  assert.match(causes(grown)[0], /^ +func\[\d+\], was func\[\d+\]: \+[\d,]+ instructions$/);
  assert.doesNotMatch(grown, /, (new|gone)/);
  list(USUAL);
});

test('growth within the limit passes', () => {
  use('extra');
  assert.match(ends(0, bench('--fail-above=20%')), /^work +changed /);
  use('good');
});

test('formats: Markdown with a marker, JUnit, JSON', () => {
  use('extra');
  ends(3, bench('--fail-above=0%', '-o', 'a.md'));
  const markdown = read('a.md').toString();
  assert.match(markdown, /^<!-- wasm-perf bench -->\n.*\n\n1 of 2 benchmarks failed\./);
  assert.match(markdown, /^\| work \| \*\*grew\*\* \| .*<br>hash: \+/m);
  ends(3, bench('--fail-above=0%', '-o', 'a.xml'));
  const junit = read('a.xml').toString();
  assert.match(junit, /<testsuite name="wasm-perf bench" tests="2" failures="1" errors="0">/);
  assert.match(junit, /<testcase classname="wasm-perf bench" name="work">\n +<failure type="grew" message="[\d,]+ → /);
  const { stdout } = bench('--fail-above=0%', '--format=json');
  const [work] = JSON.parse(stdout).benchmarks;
  assert.equal(work.verdict, 'grew');
  assert(work.after.instructions > work.before.instructions);
  use('good');
});

test('profiles are kept beside', () => {
  ends(0, bench('--profiles=profiles', 'work of 3'));
  assert(existsSync(at('profiles/work of 3.wperf')));
  assert.equal(tool('wasm-perf', ['top', 'profiles/work of 3.wperf']).status, 0);
});

test('names with slashes have profiles of their own', () => {
  list(['a/b', 'a_b', 'a%2Fb', '.b'].map((name) => `[benchmark."${name}"]\nmodule = "app.wasm"\nargs = ["3"]\n`).join(''));
  ends(0, bench('--profiles=names', '--baseline=names.json', '--save'));
  assert.deepEqual(readdirSync(at('names')).sort(), ['%2Eb.wperf', 'a%252Fb.wperf', 'a%2Fb.wperf', 'a_b.wperf']);
  list(USUAL);
});

test('a program that asks how many processors there are is refused with this reason', { skip: availableParallelism() < 2 && 'one processor' }, () => {
  assemble('many', `(module (func (export "spin") (param i32)
    (loop $again (br_if $again (i32.gt_s (local.tee 0 (i32.sub (local.get 0) (i32.const 1))) (i32.const 0))))))`);
  writeFileSync(at('many.mjs'), `import { execSync } from 'node:child_process';
    import { readFileSync } from 'node:fs';
    const { spin } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync('many.wasm'))).exports;
    spin(100 * Number(execSync('nproc')));`);
  const { stdout } = bench('--save', '--baseline=many.json', '--', process.execPath, 'many.mjs');
  assert.match(stdout, /^many\.mjs +failed +two runs differ first in spin: .*; the second run had one processor instead of several$/m);
});

test('--save of one benchmark keeps the others', () => {
  const before = JSON.parse(read('wasm-perf.baseline.json'));
  use('extra');
  ends(0, bench('--save', 'work of 3'));
  const after = JSON.parse(read('wasm-perf.baseline.json'));
  assert.deepEqual(after.benchmarks[0], before.benchmarks[0]);
  assert.notDeepEqual(after.benchmarks[1], before.benchmarks[1]);
  use('good');
  ends(0, bench('--save'));
});

test('another folder and another way to call it', () => {
  mkdirSync(at('elsewhere'));
  const result = run(`${process.env.WI_BUILD}/wasm-perf`, ['bench', '--file=../wasm-perf.toml', '-o', 'here.json'], { cwd: at('elsewhere') });
  ends(0, result);
  assert.equal(JSON.parse(read('elsewhere/here.json')).benchmarks.length, 2);
  ends(0, bench('--baseline=one.json', '--save', 'app.wasm', '7'));
  assert.match(ends(0, bench('--baseline=one.json', 'app.wasm', '7')), /^app\.wasm +same/);
  assert.match(ends(3, bench('--baseline=one.json', 'app.wasm', '8')), /^app\.wasm +grew/);
});

test('test runners: a module without an extension, and a name without the hash that cargo appends', () => {
  copyFileSync(at('good.wasm'), at('app.test'));
  copyFileSync(at('good.wasm'), at('app-0123456789abcdef.wasm'));
  copyFileSync(at('good.wasm'), at('app-fedcba9876543210.wasm'));
  ends(0, bench('--baseline=runner.json', '--save', './app.test', '-test.v'));
  ends(0, bench('--baseline=runner.json', '--save', 'app-0123456789abcdef.wasm'));
  assert.match(ends(0, bench('--baseline=runner.json', './app.test', '-test.v')), /^app\.test +same /);
  assert.match(ends(0, bench('--baseline=runner.json', 'app-fedcba9876543210.wasm')), /^app\.wasm +same /);
  writeFileSync(at('no.test'), 'text');
  assert.match(bench('--baseline=runner.json', './no.test').stderr, /no\.test: no benchmark has this name/);
});

test('a benchmark that is gone fails, a new one does not', () => {
  list(`[benchmark.work]\nmodule = "app.wasm"\nargs = ["200"]\n[benchmark.more]\nmodule = "app.wasm"\n`);
  const table = ends(1, bench());
  assert.match(table, /^work of 3 +gone +it is only in the baseline/m);
  assert.match(table, /^more +new /m);
  ends(0, bench('more', 'work'));
  list(USUAL);
});

const RANDOM = `import { readFileSync, openSync, readSync } from 'node:fs';
  const { spin } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync('random.wasm'))).exports;
  const bytes = new Uint8Array(8);
  readSync(openSync('/dev/urandom'), bytes);
  spin(bytes.reduce((sum, byte) => sum * 7 + byte, 1) % 100000);`;

test('what differs from run to run is refused, with the function', () => {
  assemble('random', `(module (func $steady (export "steady")) (func $spin (export "spin") (param i32)
    (call $steady)
    (loop $again (br_if $again (i32.gt_s (local.tee 0 (i32.sub (local.get 0) (i32.const 1))) (i32.const 0))))))`);
  writeFileSync(at('random.mjs'), RANDOM);
  const { status, stdout, stderr } = bench('--save', '--baseline=random.json', '--', process.execPath, 'random.mjs');
  assert.equal(status, 1);
  assert.match(stdout, /^random\.mjs +failed +two runs differ first in spin: [\d]+ and [\d]+ instructions, 1 and 1 calls$/m);
  assert.match(stderr, /random\.json: not saved, as a benchmark failed/);
  assert(!existsSync(at('random.json')));
});

test('a JavaScript program', () => {
  writeFileSync(at('js.mjs'), RANDOM.replace(/const bytes[^]*/, 'for (let i = 0; i < 9; i++) spin(Math.floor(Math.random() * 1000));'));
  ends(0, bench('--save', '--baseline=js.json', '--', process.execPath, 'js.mjs'));
  assert.match(ends(0, bench('--fail-above=0%', '--baseline=js.json', '--', process.execPath, 'js.mjs')), /^js\.mjs +same/);
});

test('what another process saves meanwhile stays', () => {
  ends(0, bench('--save', '--baseline=first.json', 'work'));
  writeFileSync(at('meanwhile.mjs'), `${read('js.mjs')}
    import { copyFileSync } from 'node:fs';
    copyFileSync('first.json', 'shared.json');`);
  ends(0, bench('--save', '--baseline=shared.json', '--', process.execPath, 'meanwhile.mjs'));
  assert.deepEqual(JSON.parse(read('shared.json')).benchmarks.map(({ name }) => name), ['meanwhile.mjs', 'work']);
});

test('a command counts the modules that are chosen', () => {
  assemble('other', '(module (func $other (export "spin") (param i32) nop))');
  writeFileSync(at('both.mjs'), `${read('js.mjs')}
    new WebAssembly.Instance(new WebAssembly.Module(readFileSync('other.wasm'))).exports.spin(1);`);
  writeFileSync(at('chosen.toml'), `[benchmark.all]\ncommand = ["${process.execPath}", "both.mjs"]
    [benchmark.one]\ncommand = ["${process.execPath}", "both.mjs"]\nmodules = ["oth*.wasm"]`);
  ends(0, bench('--file=chosen.toml', '--save', '--baseline=chosen.json'));
  const names = JSON.parse(read('chosen.json')).benchmarks.map(({ functions }) => functions.map(({ name }) => name).filter((name) => !name.endsWith('.wasm')).map((name) => name.replace(/ \(in .*/, '')));
  assert.deepEqual(names, [['other', 'spin', 'steady'], ['other']]);
});

test('the mix of instructions is exact', () => {
  assemble('mix', `(module (memory (export "memory") 1) (func $three (export "three") (result f64) (f64.const 1))
    (func (export "_start") (local i32)
      (loop $again
        (drop (i32.load (i32.const 0)))                                 ;; 10 times
        (drop (f64.add (call $three) (f64.const 2)))
        (v128.store (i32.const 16) (i32x4.splat (i32.const 1)))
        (br_if $again (i32.lt_s (local.tee 0 (i32.add (local.get 0) (i32.const 1))) (i32.const 10))))
      (memory.fill (i32.const 0) (i32.const 0) (i32.const 0))))`);
  const values = (name, command) => {
    const { stdout } = bench('--format=json', `--baseline=${name}.json`, '--save', ...command);
    return JSON.parse(stdout).benchmarks[0].after;
  };
  const { instructions, calls, vector_instructions, memory_instructions, call_instructions, float_instructions } = values('mix', ['mix.wasm']);
  assert.deepEqual([vector_instructions, memory_instructions, call_instructions, float_instructions], [20, 11, 10, 30]);
  assert.deepEqual([instructions, calls], [1 + 10 * 18 + 10 + 4, 11]);
});

test('a command has lines, of each of its modules', () => {
  writeFileSync(at('lines.mjs'), `import { readFileSync } from 'node:fs'; import { WASI } from 'node:wasi';
    for (const file of ['good.wasm', 'extra.wasm']) {
      const wasi = new WASI({ version: 'preview1', args: [file, '50'] });
      wasi.start(new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), wasi.getImportObject()));
    }`);
  ends(0, bench('--baseline=lines.json', '--save', '--', process.execPath, 'lines.mjs'));
  const [{ functions, values }] = JSON.parse(read('lines.json')).benchmarks;
  assert(values.memory_instructions > 0);
  for (const file of ['good.wasm', 'extra.wasm']) {
    const { lines } = functions.find(({ name }) => name === `hash (in ${file})`);
    assert(lines.some((line) => /^\d+ work\.c:\d+$/.test(line)), file);
  }
});

test('a row for each export, called alone', () => {
  assemble('exports', `(module (memory (export "memory") 1)
    (func $step (export "step") (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))
    (func (export "bench_one") (drop (call $step (i32.const 1))))
    (func (export "bench_two") (drop (call $step (call $step (i32.const 1))))))`);
  writeFileSync(at('exports.toml'), '[benchmark.all]\nmodule = "exports.wasm"\ninvoke = "bench_*"\nfail-above = "0%"\n[benchmark.other]\nmodule = "exports.wasm"\ninvoke = "step"\nargs = ["4"]\n');
  const all = (...args) => bench('--file=exports.toml', '--baseline=exports.json', ...args);
  const names = (table) => table.split('\n').map((line) => line.split(' ')[0]).filter(Boolean);
  assert.deepEqual(names(ends(0, all('--save'))), ['other', 'all/bench_one', 'all/bench_two']);
  const [one, two] = JSON.parse(ends(0, all('--format=json', 'all'))).benchmarks;
  assert.deepEqual([one.after.calls, two.after.calls, two.verdict], [2, 3, 'same']);
  assert.deepEqual(names(ends(0, all('all/bench_two'))), ['all/bench_two']);
  writeFileSync(at('exports.toml'), '[benchmark.all]\nmodule = "exports.wasm"\ninvoke = "never_*"\n');
  assert.match(all().stderr, /all: no exported function matches 'never_\*'/);
});

test('what cannot be measured fails', () => {
  writeFileSync(at('nothing.mjs'), '1;');
  const fails = (pattern, ...args) => {
    const { status, stdout, stderr } = bench('--save', '--baseline=none.json', ...args);
    assert.equal(status, 1);
    assert.match(stdout + stderr, pattern);
  };
  fails(/nothing\.mjs +failed +the program ended without instantiating a WebAssembly module in Node\.js\n/, '--', process.execPath, 'nothing.mjs');
  writeFileSync(at('three.mjs'), `${read('js.mjs')}\nconsole.error('why'); process.exitCode = 3;`);
  fails(/^why$[^]*three\.mjs +failed +it ended with exit code 3\n|three\.mjs +failed +it ended with exit code 3\n[^]*^why$/m, '--', process.execPath, 'three.mjs');
  fails(/never +failed +never: command not found\n/, '--', 'never');
  writeFileSync(at('liar.mjs'), `${read('js.mjs')}\nconsole.error('wasm-perf: \\u001b[31mred'); process.exitCode = 1;`);
  fails(/liar\.mjs +failed +it ended with exit code 1\n/, '--', process.execPath, 'liar.mjs');
  assemble('idle', '(module (memory (export "memory") 1) (func (export "_start")))');
  fails(/idle\.wasm +failed +nothing was measured/, 'idle.wasm');
  assemble('traps', `(module (memory (export "memory") 1) (func (export "_start") unreachable))`);
  fails(/traps\.wasm +failed +it ended with exit code 134\n/, 'traps.wasm');
  fails(/gone\.wasm: No such file/, 'gone.wasm');
  assert(!existsSync(at('none.json')));
});

test('the table says why a benchmark failed, whole, and stderr has only what the program printed', () => {
  const noNode = 'no Node.js ran that can be profiled. Programs that clear the environment, such as env -i and sudo, hide it: start wasm-perf inside of them';
  assemble('idle', '(module (memory (export "memory") 1) (func (export "_start")))');
  writeFileSync(at('none.toml'), '[benchmark.none]\nmodule = "idle.wasm"\ninvoke = "none"\n');
  mkdirSync(at('kept/idle.wasm.wperf'), { recursive: true });
  for (const [reason, ...args] of [
    ['never: command not found', '--', 'never'],
    [noNode, '--', 'true'],
    ["idle.wasm: it exports no function 'none'; its functions are: _start", '--file=none.toml'],
    [`${at('kept/idle.wasm.wperf')}: Is a directory`, '--profiles=kept', 'idle.wasm'],
  ]) {
    const { status, stdout, stderr } = bench('--save', '--baseline=none.json', ...args);
    assert.deepEqual([status, stderr], [1, `wasm-perf: ${at('none.json')}: not saved, as a benchmark failed\n`], reason);
    assert.match(stdout, new RegExp(` +failed +${reason.replaceAll('.', '\\.')}$`, 'm'));
  }
});

/** Text, and what is said of it. */
const WRONG = {
  'x = 1': /line 1, offset 0x4: expected a quoted string/,
  '[benchmark.a]\nmodule = "a" "b"': /line 2, offset 0x1b: unexpected text after the value/,
  '[benchmark.a]\nmodul = "a"': /line 2, .*unknown key 'modul'; keys are module, .*, fail-above$/m,
  '[benchmark.a]\nmodule = ["a"]': /'module' wants a string/,
  '[benchmark.a]\nargs = "a"': /'args' wants an array/,
  '[benchmark.a]\nmodule = "a\n"': /unterminated string/,
  '[benchmark.a]\nmodule = "\\q"': /only .* are known in strings/,
  '[benchmark.a]\nargs = ["a" "b"]': /expected a comma or \]/,
  '[benchmark.a]\nargs = ["a"': /expected a comma or \]/,
  '[benchmark.a]\nmodule = "a"\nmodule = "b"': /'module' is given twice/,
  '[benchmark.a]\nmodule = "a"\n[benchmark.a]': /duplicate benchmark 'a'/,
  '[[benchmark]]': /arrays of tables are not supported/,
  '[other]': /unknown table 'other'/,
  '[benchmark."a\\tb"]': /cannot be shown/,
  '[benchmark.a': /\] is missing/,
  'module = "a"': /belongs below \[benchmark\.NAME\]/,
  '[benchmark.a]\nfail-above = "x"': /fail-above wants a percentage/,
  '[benchmark.a]': /wants either a module or a command/,
  '': /it lists no benchmark; add \[benchmark\.NAME\]/,
  [Array.from({ length: 10001 }, (_, i) => `[benchmark.a${i}]\n`).join('')]: /line 10001, .*too many benchmarks/,
  '[benchmark.a]\u0000': /the file has a NUL byte/,
};

test('lists that cannot be read', () => {
  for (const [text, pattern] of Object.entries(WRONG)) {
    writeFileSync(at('wrong.toml'), text);
    const { status, stderr } = bench('--file=wrong.toml');
    assert.equal(status, 1, text);
    assert.match(stderr, pattern, text);
  }
  assert.match(bench('--file=missing.toml').stderr, /missing\.toml: there is no such list of benchmarks; make one/);
});

test('baselines that cannot be read', () => {
  const { benchmarks, ...rest } = JSON.parse(read('wasm-perf.baseline.json'));
  const [work] = benchmarks;
  const [first] = work.functions;
  const texts = [
    ['{', /line 1, offset 0x1: /],
    ['[]', /not a baseline/],
    [{}, /not a baseline; bench --save writes one/],
    [{ ...rest, format: 2, tool: '9.8.7', benchmarks }, /wasm-perf 9\.8\.7 saved it in a format .* save it again with bench --save/],
    ['<<<<<<< main\n{}', /line 1, .*; bench --save writes it anew/],
    [{ ...rest, benchmarks: [] }, /it has none of these benchmarks/],
    [{ ...rest, benchmarks: [{ ...work, values: {} }] }, /instructions are missing/],
    [{ ...rest, benchmarks: [{ ...work, values: { instructions: -1 } }] }, /expected a whole number/],
    [{ ...rest, benchmarks: Array(10001).fill(1) }, /'benchmarks': there are too many/],
    [{ ...rest, benchmarks: [work, work] }, /there is another benchmark with that name/],
    [{ ...rest, benchmarks: [{ ...work, functions: [{ ...first, callers: ['main'] }] }] }, /function 1, 'callers and lines'/],
    [{ ...rest, benchmarks: [{ ...work, functions: [{ ...first, code: 'x' }] }] }, /function 1, 'code': expected a hash/],
    [{ ...rest, benchmarks: [{ ...work, functions: 1 }] }, /expected an array/],
    [{ ...rest, benchmarks: [{ ...work, name: '\u001b[31m\u0007' }] }, /./],
  ];
  for (const [content, pattern] of texts) {
    writeFileSync(at('wrong.json'), typeof content === 'string' ? content : JSON.stringify(content));
    const { status, stdout, stderr } = bench('--baseline=wrong.json');
    assert.equal(status, 1, String(pattern));
    assert.match(stdout + stderr, pattern);
    assert(!(stdout + stderr).includes('\u001b'));
  }
  assert.match(bench('--baseline=.').stderr, /: Is a directory/);
});

test('a baseline that cannot be read is written anew', () => {
  writeFileSync(at('wrong.json'), '<<<<<<< main');
  assert.equal(bench('--baseline=wrong.json', '--save', 'work').status, 1); // which would lose the others
  ends(0, bench('--baseline=wrong.json', '--save'));
  assert.equal(JSON.parse(read('wrong.json')).benchmarks.length, 2);
});

test('a stripped module has the names of another build', () => {
  copyFileSync(at('good.wasm'), at('bare.wasm'));
  assert.equal(run('wasm-strip', ['bare.wasm']).status, 0);
  writeFileSync(at('bare.toml'), '[benchmark.bare]\nmodule = "bare.wasm"\nsymbols = ["extra.wasm"]\n');
  ends(0, bench('--file=bare.toml', '--baseline=bare.json', '--profiles=.', '--save'));
  assert.match(tool('wasm-perf', ['top', 'bare.wperf']).stdout, / ~work$/m);
});

test('how to keep names, for functions that have none', () => {
  copyFileSync(at('good.wasm'), at('bare.wasm'));
  assert.equal(run('wasm-strip', ['bare.wasm']).status, 0);
  ends(0, bench('--baseline=bare.json', '--save', 'bare.wasm'));
  copyFileSync(at('calls.wasm'), at('bare.wasm'));
  assert.equal(run('wasm-strip', ['bare.wasm']).status, 0);
  const advice = /\n +No names for [12] functions?: keep them in the build .*, or set symbols in wasm-perf\.toml to a build that has them\n$/;
  assert.match(ends(3, bench('--baseline=bare.json', '--fail-above=0%', 'bare.wasm')), advice);
  use('calls');
  assert.doesNotMatch(ends(3, bench('--fail-above=0%', 'work')), /No names/);
  use('good');
});

test('nothing to compare with fails', () => {
  ends(0, bench('--baseline=first.json', '--save', 'work'));
  const { status, stderr } = bench('--baseline=first.json', 'work of 3');
  assert.equal(status, 1);
  assert.match(stderr, /first\.json: it has none of these benchmarks, so nothing was compared; bench --save adds them/);
});

/** What the interval says; times themselves decide nothing here. */
const verdictOf = ({ low, high }) => (high < 1 ? 'faster' : low > 1 ? 'slower' : 'unclear');

test('times of two builds, each in its folder', () => {
  mkdirSync(at('other'));
  const text = (line) => `import { appendFileSync } from 'node:fs';\nappendFileSync('runs', 'x');\n${line}`;
  writeFileSync(at('sleeps.mjs'), text('setTimeout(() => {}, 250);'));
  writeFileSync(at('other/sleeps.mjs'), text(''));
  const [row] = JSON.parse(ends(0, bench('--time=other', '--pairs=6', '--format=json', '--', process.execPath, 'sleeps.mjs'))).benchmarks;
  assert.deepEqual([row.name, row.time.pairs, row.verdict], ['sleeps.mjs', 6, verdictOf(row.time)]);
  assert(row.time.after_ns >= 250e6);
  assert(row.time.low <= row.time.factor && row.time.factor <= row.time.high);
  for (const path of ['runs', 'other/runs']) assert.equal(read(path).toString(), 'x'.repeat(7), path); // the first is not counted
});

test('times of two modules, in each engine', () => {
  copyFileSync(at('good.wasm'), at('other/app.wasm'));
  for (const engine of ['node', ...(noWasmtime ? [] : ['wasmtime'])]) {
    const table = ends(0, bench('--time=other', '--pairs=6', `--engine=${engine}`));
    const row = '(faster|slower|unclear) +(no difference can be shown: )?.* → .*, [+-].* %; with 95 % confidence .* to .* % \\(6 pairs\\)';
    assert.match(table, new RegExp(`^work +${row}\\nwork of 3 +${row}\\n$`), engine);
  }
  assert.match(ends(0, bench('--time=extra.wasm', '--pairs=6', 'work')), /^work +(faster|slower|unclear) /);
});

test('what cannot be timed fails', () => {
  assemble('other/traps', '(module (memory (export "memory") 1) (func (export "_start") unreachable))');
  const fails = (pattern, ...args) => assert.match(ends(1, bench(...args)), pattern);
  fails(/^work +failed +both builds are the same file/, '--time=app.wasm', 'work');
  fails(/^work +failed +.*missing: No such file/, '--time=missing', 'work');
  fails(/^work +failed +it ended with exit code 134/, '--time=other/traps.wasm', 'work');
  writeFileSync(at('none.toml'), '[benchmark.none]\nmodule = "app.wasm"\ninvoke = "none"\n');
  fails(/^none +failed +app\.wasm: it exports no function 'none'; its functions are: /, '--file=none.toml', '--time=other');
  fails(/failed +a command is timed against a folder/, '--time=app.wasm', '--', process.execPath, '-e', '1');
  assert.match(bench('--time=app.wasm').stderr, /app\.wasm: it is not a folder; name the one benchmark/);
});

test('wrong usage', () => {
  for (const args of [['--fail-above=x'], ['--why=work', 'work'], ['-o', 'a.doc'], ['--'], ['--save', '--why=work'], ['--time=other', '--save'], ['--pairs=6'], ['--time=other', '--pairs=5']])
    assert.equal(bench(...args).status, 2, args.join(' '));
  for (const args of [['never'], ['--why=never']]) {
    const { status, stderr } = bench(...args);
    assert.equal(status, 1);
    assert.match(stderr, /never: no benchmark has this name; known: work/);
  }
  assert.match(bench('work', '--save').stderr, /^wasm-perf: --save: options come before the names of benchmarks$/m);
  assert.match(bench('--time=other', '--pairs=5').stderr, /--pairs wants at least 6, not '5'/);
});
