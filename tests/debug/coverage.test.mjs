// Branches, as --coverage counts them in Node and wasmtime: the same as clang's gcov counts in the program compiled for
// this machine.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { noWasmtime, temporaryFolder, tool } from '../support/tools.mjs';
import { programs } from './programs.mjs';

const folder = temporaryFolder();
const path = (name) => join(folder, name);

function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', ...options });
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${error ?? stderr}`);
  return stdout;
}

const exists = (command) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
const noOracle = !exists('llvm-cov') && 'llvm-cov is not installed';

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

test('record writes coverage.info', () => {
  const module = compile(join(programs, 'branches.c'), 5);
  run(tool('wasm-perf'), ['record', '--engine=node', '--coverage', module]);
  assert.match(readFileSync(path('coverage.info'), 'utf8'), /^BRDA:\d+,0,0,\d+$/m);
});
