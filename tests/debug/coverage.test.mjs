// Branches, as --coverage counts them in Node and wasmtime: the same as clang's gcov counts in the program compiled for
// this machine.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { lacks, noWasmtime, temporaryFolder, tool } from '../support/tools.mjs';
import { programs } from './programs.mjs';

const folder = temporaryFolder();
const path = (name) => join(folder, name);

function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', ...options });
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${error ?? stderr}`);
  return stdout;
}

const noOracle = lacks('llvm-cov');

const byNumber = (a, b) => a - b;
/** {line: the sorted counts of its branches' ways}. */
function sorted(lines) {
  for (const counts of Object.values(lines)) counts.sort(byNumber);
  return lines;
}

/** The branches of a file in lcov's tracefile, whose totals must be right. */
function branchesOf(trace, source) {
  const record = trace.split('end_of_record\n').find((part) => part.includes(`SF:${source}\n`));
  const ways = [...record.matchAll(/^BRDA:(\d+),\d+,\d+,(-|\d+)$/gm)].map(([, line, count]) => [line, Number(count === '-' ? 0 : count)]);
  const hits = ways.filter(([, count]) => count > 0).length;
  assert.match(record, new RegExp(`^BRF:${ways.length}\nBRH:${hits}$`, 'm'));
  const lines = {};
  for (const [line, count] of ways) (lines[line] ??= []).push(count);
  return sorted(lines);
}

/** The same by clang's instrumentation of edges and gcov's reader. */
function natively(source) {
  const name = source.replaceAll(/\W/g, '_');
  mkdirSync(path(name));
  const options = { cwd: path(name) };
  run(process.env.WI_CLANG, ['--coverage', '-O0', source, '-o', 'program'], options);
  run('./program', [], options);
  const data = readdirSync(path(name)).find((file) => file.endsWith('.gcda'));
  const lines = {};
  let line;
  for (const row of run('llvm-cov', ['gcov', '-b', '-c', '-t', data], options).split('\n')) {
    line = /^ *[-#\d]+\*?: *(\d+):/.exec(row)?.[1] ?? line;
    const count = /^branch +\d+ (?:taken (\d+)|never executed)/.exec(row);
    if (count) (lines[line] ??= []).push(Number(count[1] ?? 0));
  }
  return sorted(lines);
}

function compile(source, version) {
  const module = `${source.replace(/.*\/(\w+)\.c/, '$1')}-${version}.wasm`;
  run(process.env.WI_CLANG, ['--target=wasm32-wasi', '-c', `-gdwarf-${version}`, '-O0', source, '-o', `${module}.o`]);
  run(process.env.WI_CLANG, ['--target=wasm32-wasi', `${module}.o`, '-o', module]);
  return module;
}

const lcov = (profile, module, ...args) => run(tool('wasm-perf'), ['report', '--format=lcov', `--symbols=${module}`, ...args, profile]);

const engines = {
  node: (module, output, ...args) => run(tool('wasm-perf'), ['record', '--engine=node', '--coverage', ...args, '-o', output, module]),
  wasmtime(module, output, ...args) {
    run(tool('wasm-instrument'), ['--embed', '--coverage', ...args, module, '-o', `${module}.prof.wasm`]);
    run('wasmtime', ['run', '--dir=.', `--env=WASM_PERF_FILE=${output}`, `${module}.prof.wasm`]);
  },
  'a single memory'(module, output) {
    engines.wasmtime(module, output, '--single-memory');
  },
  'the clock instructions': (module, output) => engines.node(module, output, '--clock=instructions'),
};

for (const name of ['counted.c', 'branches.c']) {
  const source = join(programs, name);
  const expected = noOracle ? {} : natively(source);
  for (const version of [4, 5])
    for (const engine of Object.keys(engines))
      test(`${name}, DWARF ${version}, ${engine}`, { skip: noOracle || (/wasmtime|memory/.test(engine) && noWasmtime) }, () => {
        const module = compile(source, version);
        engines[engine](module, 'a.wperf');
        const found = branchesOf(lcov('a.wperf', module), source);
        // The compiler makes comparisons of a switch over distant values: each case is one of their ways.
        const chain = readFileSync(source, 'utf8').split('\n').findIndex((line) => line.includes('sparse')) + 2;
        if (expected[chain]) for (const count of [1, 1, 0, 0]) assert(found[chain].includes(count));
        assert.deepEqual({ ...found, [chain]: 0 }, { ...expected, [chain]: 0 });
        assert(Object.keys(expected).length >= 10);
      });
}

test('several runs add up', { skip: noOracle }, () => {
  const source = join(programs, 'branches.c');
  const module = compile(source, 5);
  for (const name of ['one.wperf', 'two.wperf']) engines.node(module, name);
  run(tool('wasm-perf'), ['merge', 'one.wperf', 'two.wperf', '-o', 'both.wperf']);
  const [one, both] = ['one.wperf', 'both.wperf'].map((name) => branchesOf(lcov(name, module), source));
  for (const [line, counts] of Object.entries(one)) assert.deepEqual(both[line], counts.map((count) => 2 * count), line);
});

test('libraries are left out', () => {
  const module = compile(join(programs, 'counted.c'), 5);
  engines.node(module, 'own.wperf');
  const files = [...lcov('own.wperf', module).matchAll(/^SF:(.*)$/gm)].map(([, name]) => name);
  assert.deepEqual(files, [join(programs, 'counted.c')]);
});

test('without branches, none are written', () => {
  const module = compile(join(programs, 'counted.c'), 5);
  run(tool('wasm-perf'), ['record', '--engine=node', '--lines', '-o', 'lines.wperf', module]);
  const trace = lcov('lines.wperf', module);
  assert.match(trace, /^DA:/m);
  assert.doesNotMatch(trace, /^BR/m);
});

const record = (...args) => spawnSync(tool('wasm-perf'), ['record', ...args], { cwd: folder, encoding: 'utf8' });

/** The program in the folder itself, so that its sources may be shown. */
function compileHere(name) {
  copyFileSync(join(programs, name), path(name));
  return compile(name, 5);
}

test('record writes coverage.info and a page', () => {
  const module = compileHere('branches.c');
  const { status, stderr } = record('--engine=node', '--coverage', module);
  assert.equal(status, 0);
  const trace = readFileSync(path('coverage.info'), 'utf8');
  const [lines, hit, ways, taken] = ['LF', 'LH', 'BRF', 'BRH'].map((key) => Number(new RegExp(`^${key}:(\\d+)$`, 'm').exec(trace)[1]));
  const percent = (part, whole) => `${(Math.floor((part * 1000) / whole) / 10).toFixed(1)} %`;
  assert.equal(stderr.trimEnd(), `wasm-perf: coverage: ${percent(hit, lines)} of ${lines} lines, ${percent(taken, ways)} of ${ways} ways of branches`);
  const page = readFileSync(path('coverage.html'), 'utf8');
  const rows = [...page.matchAll(/^<tr id="f0l(\d+)"( class="\w+")?><td>.*?<td>(\d*)<td>([\d: ]*)<td>\d+<td>(.*)$/gm)];
  const text = readFileSync(path('branches.c'), 'utf8').split('\n');
  for (const [, line, , , , shown] of rows)
    assert.equal(shown, text[line - 1].replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
  const counts = [...trace.matchAll(/^DA:(\d+),(\d+)$/gm)];
  assert.deepEqual(rows.filter(([, , , count]) => count !== '').map(([, line, , count]) => [line, count]), counts.map(([, line, count]) => [line, count]));
  const states = Object.fromEntries(rows.map(([, line, state = '']) => [line, state]));
  const never = text.findIndex((line) => line.includes('int never')) + 1;
  assert.equal(states[never], ' class="no"');
  assert.equal(states[text.findIndex((line) => line.includes('argc > 100')) + 1], ' class="part"');
  for (const [, target] of page.matchAll(/href="#(\w+)"/g)) assert(page.includes(`id="${target}"`), target);
});

test('a page shows no source outside of the folder', () => {
  record('--engine=node', '--coverage', compile(join(programs, 'counted.c'), 5));
  assert.doesNotMatch(readFileSync(path('coverage.html'), 'utf8'), /collatz\(long/);
});

test('all formats have the same sums', () => {
  const module = compileHere('branches.c');
  engines.node(module, 'f.wperf');
  const report = (...args) => run(tool('wasm-perf'), ['report', ...args, 'f.wperf']);
  const trace = report('--format=lcov');
  const sum = (key) => Number(new RegExp(`^${key}:(\\d+)$`, 'm').exec(trace)[1]);
  const { files, totals } = JSON.parse(report('--format=llvm-cov')).data[0];
  assert.deepEqual([totals.lines.count, totals.lines.covered, totals.branches.count, totals.branches.covered, totals.functions.count, totals.functions.covered],
    ['LF', 'LH', 'BRF', 'BRH', 'FNF', 'FNH'].map(sum));
  assert.deepEqual(files.map(({ filename }) => filename), ['branches.c']);
  const segments = files[0].segments.filter(([, , , has]) => has).map(([line, , count]) => `DA:${line},${count}`);
  assert.deepEqual(segments, trace.match(/^DA:.*$/gm));
  const counted = new Set(files[0].segments.filter(([, , , has]) => has).map(([line]) => line));
  const ends = files[0].segments.filter(([, , , has]) => !has).map(([line]) => line);
  assert.deepEqual(ends, [...counted].map((line) => line + 1).filter((line) => !counted.has(line)));
  const xml = report('--format=xml');
  assert.match(xml, new RegExp(` lines-covered="${sum('LH')}" lines-valid="${sum('LF')}" branches-covered="${sum('BRH')}" branches-valid="${sum('BRF')}" `));
  const rows = [...xml.matchAll(/<line number="(\d+)" hits="(\d+)" branch/g)].map(([, line, count]) => `DA:${line},${count}`);
  assert.deepEqual(rows, trace.match(/^DA:.*$/gm));
  const table = report('--format=coverage').split('\n');
  assert.deepEqual(table[0].trim().split(/ +/), ['lines', 'missed', 'branches', 'functions', 'file']);
  assert.match(table[1], new RegExp(` % +${sum('LF') - sum('LH')}  .* %  branches.c$`));
});

test('genhtml reads the branches', { skip: lacks('genhtml') }, () => {
  const module = compileHere('branches.c');
  record('--engine=node', '--coverage', '-o', 'g.info', module);
  const [, hit, found] = /branches\.*: .*\((\d+) of (\d+) branches\)/.exec(run('genhtml', ['--branch-coverage', 'g.info', '-o', 'g']));
  assert.match(readFileSync(path('g.info'), 'utf8'), new RegExp(`^BRF:${found}\nBRH:${hit}$`, 'm'));
});

test('pycobertura reads the lines', { skip: lacks('pycobertura') }, () => {
  record('--engine=node', '--coverage', '-o', 'p.xml', compileHere('counted.c'));
  assert.match(run('pycobertura', ['show', 'p.xml']), /^counted\.c +48 +9 .*35-39, ~50, 51, ~68, 69$/m);
});

test('a limit fails with 3, unless the program failed', () => {
  const module = compileHere('counted.c');
  const status = (...args) => record('--engine=node', '--coverage', '-o', 'l.info', ...args).status;
  assert.deepEqual(['80.9%', '81%', '100%', '0'].map((limit) => status(`--fail-under=${limit}`, module)), [0, 3, 3, 0]);
  engines.node(module, 'l.wperf');
  const report = (limit) => spawnSync(tool('wasm-perf'), ['report', `--fail-under=${limit}`, 'l.wperf'], { cwd: folder }).status;
  assert.deepEqual(['80.9%', '81%'].map(report), [0, 3]);
  writeFileSync(path('fails.c'), 'int main(int argc, char **argv) {\n  if (argc > 5)\n    return 1;\n  return 7;\n}\n');
  assert.equal(status('--fail-under=100%', compile('fails.c', 5)), 7);
  for (const wrong of ['101%', 'all', '-1']) assert.equal(status(`--fail-under=${wrong}`, module), 2);
  assert.equal(record('--engine=node', '--fail-under=80%', module).status, 2);
  assert.equal(status('--fail-under=1%', '--coverage-of=none/*', module), 3, 'no lines');
});

test('files are chosen by --coverage-of', () => {
  const module = compileHere('counted.c');
  engines.node(module, 'o.wperf');
  const files = (...globs) => [...lcov('o.wperf', module, ...globs.map((glob) => `--coverage-of=${glob}`)).matchAll(/^SF:(.*)$/gm)].map(([, name]) => name);
  assert.deepEqual(files('*ounted.c'), ['counted.c']);
  assert(files('*').length > 1);
  assert(files('*musl*', 'c*.c').includes('counted.c'));
});

const target = 'wasm32-wasip1';
const hasRust = spawnSync('sh', ['-c', `test -d "$(rustc --print target-libdir --target ${target})"`]).status === 0;
test('cargo test runs every test program in Node', { skip: !(hasRust && !lacks('cargo')) && `no cargo with ${target}` }, () => {
  for (const name of ['sums/src', 'sums/tests']) mkdirSync(path(name), { recursive: true });
  writeFileSync(path('sums/Cargo.toml'), '[package]\nname = "sums"\nversion = "0.1.0"\nedition = "2021"\n');
  writeFileSync(path('sums/src/lib.rs'), `pub fn classify(value: i32) -> &'static str {
    if value < 0 {
        "negative"
    } else if value == 0 {
        "zero"
    } else {
        "positive"
    }
}
pub fn item(list: &[i32], index: usize) -> i32 {
    list[index]
}
#[test]
fn unit() {
    assert_eq!(classify(-1), "negative");
    assert_eq!(item(&[1, 2], 1), 2);
}
`);
  writeFileSync(path('sums/tests/other.rs'), '#[test]\nfn positive() {\n    assert_eq!(sums::classify(5), "positive");\n}\n');
  const options = { cwd: path('sums'), env: { ...process.env, PATH: `${dirname(process.env.WASM_PERF_NODE ?? process.execPath)}:${process.env.PATH}` } };
  run(tool('wasm-perf'), ['record', '--coverage', '--', 'cargo', 'test', '--offline', '--target', target], options);
  const trace = readFileSync(path('sums/coverage.info'), 'utf8');
  assert.deepEqual([...trace.matchAll(/^SF:(.*)$/gm)].map(([, name]) => name), ['src/lib.rs', 'tests/other.rs']);
  const counts = new Map([...trace.split('end_of_record')[0].matchAll(/^DA:(\d+),(\d+)$/gm)].map(([, line, count]) => [Number(line), Number(count)]));
  assert.deepEqual([2, 3, 4, 5, 7, 11].map((line) => counts.get(line)), [2, 1, 1, 0, 1, 1]);
  // The bounds check and the assertions are the compiler's.
  assert.deepEqual(trace.match(/^BRDA:.*$/gm), ['BRDA:2,0,0,1', 'BRDA:2,0,1,1', 'BRDA:4,0,0,1', 'BRDA:4,0,1,0']);
});

test('every module of a JavaScript program counts', () => {
  const modules = ['counted.c', 'branches.c'].map(compileHere);
  writeFileSync(path('app.mjs'), `import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';
for (const name of ${JSON.stringify([...modules, modules[0]])}) {
  const wasi = new WASI({ version: 'preview1', returnOnExit: true });
  const { instance } = await WebAssembly.instantiate(await readFile(name), wasi.getImportObject());
  wasi.start(instance);
}`);
  const { status, stderr } = record('--coverage', '-o', 'js.info', '--', process.execPath, 'app.mjs');
  assert.equal(status, 0, stderr);
  const trace = readFileSync(path('js.info'), 'utf8');
  assert.deepEqual([...trace.matchAll(/^SF:(.*)$/gm)].map(([, name]) => name), ['branches.c', 'counted.c']);
  assert.match(trace, /^FNDA:598,collatz$/m);
});
