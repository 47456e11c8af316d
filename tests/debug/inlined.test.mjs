// What inlined functions took, of a function that is called from two others: each report says the same
// of it, `go tool pprof` sees inlined frames, and what it adds up by line is what annotate has.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { lacks, pprofSources, shortened, temporaryFolder, tool } from '../support/tools.mjs';
import { programs } from './programs.mjs';

const folder = temporaryFolder();
const source = join(programs, 'inlined.c');

function run(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${error ?? stderr}`);
  return stdout;
}

const perf = (...args) => run(tool('wasm-perf'), args);
const number = (text) => Number(text.replaceAll(',', ''));

for (const version of [4, 5]) {
  const profile = `p${version}.wperf`;
  const json = () => JSON.parse(perf('report', '--format=json', profile));
  const find = (name) => json().functions.find((row) => row.name === name);

  test(`record, DWARF ${version}`, () => {
    const clang = (...args) => run(process.env.WI_CLANG, ['--target=wasm32-wasi', ...args]);
    clang('-c', `-gdwarf-${version}`, '-O1', source, '-o', 'inlined.o');
    clang('inlined.o', '-o', `inlined${version}.wasm`);
    perf('record', '--engine=node', '--lines', '--clock=instructions', '-o', profile, `inlined${version}.wasm`);
  });

  test(`JSON and annotate, DWARF ${version}`, () => {
    const { inlined, self, calls } = find('nearest');
    assert.equal(calls, 8);
    assert.deepEqual(inlined.map(({ name, file, line }) => [name, file, line]),
                     [['square', shortened(source), 4], ['norm', shortened(source), 8]]);
    const executed = 10 + 7 * 100;
    for (const { instructions } of inlined) assert.equal(instructions % executed, 0);
    assert(inlined[0].instructions >= 2 * executed && inlined[0].instructions < self);
    const text = perf('annotate', 'nearest', profile);
    const rows = [...text.matchAll(/^ *([\d,]+) +[\d.]+ {2}(\w+) {2}inlined\.c:(\d+)$/gm)];
    assert.deepEqual(rows.map(([, instructions, name, line]) => [name, number(instructions), Number(line)]),
                     inlined.map(({ name, instructions, line }) => [name, instructions, line]));
    // Twice inlined, so twice executed each time around the loop.
    const [, instructions, count] = /^ *([\d,]+) +[\d.]+ +([\d,]+) +5 {4}return x \* x;$/m.exec(text);
    assert.deepEqual([number(instructions), number(count)], [inlined[0].instructions, 2 * executed]);
  });

  test(`pprof, DWARF ${version}`, { skip: lacks('go') }, () => {
    perf('report', '-o', `p${version}.pb.gz`, profile);
    const pprof = (...options) => run('go', ['tool', 'pprof', ...options, `p${version}.pb.gz`]);
    const { inlined, self } = find('nearest');
    const taken = Object.fromEntries(inlined.map(({ name, instructions }) => [name, instructions]));
    const top = pprof('-top', '-nodefraction=0');
    const flat = (name) => Number(new RegExp(`^ *(\\d+) .*% +${name}(?: \\(inline\\))?$`, 'm').exec(top)[1]);
    assert.deepEqual([flat('square'), flat('norm')], [taken.square, taken.norm]);
    assert.equal(flat('nearest'), self - taken.square - taken.norm);
    assert.match(top, / square \(inline\)$/m);
    const traces = pprof('-traces');
    for (const caller of ['few', 'many'])
      assert.match(traces, new RegExp(`\\d+ +square \\(inline\\)\\n +norm \\(inline\\)\\n +nearest\\n +${caller}\\n`));
    const listed = pprof(...pprofSources, '-list=nearest');
    for (const [, instructions, line] of perf('annotate', 'nearest', profile).matchAll(/^ *([\d,]+) +[\d.]+ +(?:[\d,]+ +[\d.]+ +)?[\d,]+ +(\d+) {2}/gm)) {
      if (Number(line) < 14) continue; // of what is inlined
      const [, own] = new RegExp(`^ +(\\d+) +\\d+ +${line}:`, 'm').exec(listed) ?? [];
      if (Number(line) > 14) assert.equal(Number(own), number(instructions), `line ${line}`);
    }
  });

  test(`--inlined makes functions of them, in all formats, DWARF ${version}`, () => {
    const before = find('nearest');
    const { total, functions } = JSON.parse(perf('report', '--inlined', '--format=json', profile));
    const after = Object.fromEntries(functions.map((row) => [row.name, row]));
    assert.deepEqual(['square', 'norm'].map((name) => [after[name].self, after[name].calls, after[name].file, after[name].line]),
                     before.inlined.map(({ instructions, file, line }) => [instructions, 0, file, line]));
    assert.equal(after.nearest.total, before.total);
    assert.equal(total, json().total);
    const folded = perf('report', '--inlined', '--format=folded', profile);
    for (const caller of ['few', 'many']) assert.match(folded, new RegExp(`;${caller};nearest;norm;square \\d+\n`));
    assert.match(perf('tree', '--inlined', profile), / norm .*\n.* square /);
    assert.match(perf('annotate', '--inlined', 'square', profile), /^square: 0 calls, (.*) instr[^]* 1,420 +5 {4}return x/);
    assert.match(perf('annotate', '--inlined', 'nearest', profile), /^nearest: 8 calls/);
    for (const format of ['speedscope', 'firefox', 'cpuprofile', 'html', 'flamegraph', 'chrome', 'otlp', 'pprof'])
      perf('report', '--inlined', `--format=${format}`, '-o', `x.${format}`, profile);
    const refused = (status, ...args) =>
      assert.equal(spawnSync(tool('wasm-perf'), args, { cwd: folder }).status, status, args.join(' '));
    refused(2, 'report', '--inlined', '--format=callgrind', profile);
    perf('record', '--engine=node', '--clock=instructions', '-o', 'bare.wperf', `inlined${version}.wasm`);
    refused(1, 'top', '--inlined', 'bare.wperf');
  });

  test(`the total is what it was, DWARF ${version}`, () => {
    const { total, functions } = json();
    assert.equal(functions.reduce((sum, { self }) => sum + self, 0), total);
    const folded = perf('report', '--format=folded', profile).trim().split('\n');
    assert.equal(folded.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0), total);
  });
}

test('of a time, an inlined function has the share that its instructions have of its caller\'s', () => {
  const shifts = Array.from({ length: 60 }, (_, i) => `  x += (x >> 1) ^ ${i};`).join('\n'); // most of the instructions
  writeFileSync(join(folder, 'slow.c'), `typedef unsigned long long number;
static inline number slow(number x) { return (x << 20) / 1000003; }
__attribute__((noinline)) static number fast(number x) {
${shifts}
  return x;
}
int main(int count, char **texts) {
  number x = count;
  for (int i = 0; i < 1000; i++) x = fast(x) + slow(slow(slow(x)));
  return x == 1;
}
`);
  const clang = (...args) => run(process.env.WI_CLANG, ['--target=wasm32-wasi', ...args]);
  clang('-c', '-g', '-O1', 'slow.c', '-o', 'slow.o');
  clang('slow.o', '-o', 'slow.wasm');
  const frames = ['_start', '__main_void', 'main', 'fast'].map((functionName, i) => ({ id: i + 2, callFrame: { functionName, url: 'wasm://wasm/1' }, children: i < 3 ? [i + 3] : [] }));
  const samples = [...Array(60).fill(4), ...Array(40).fill(5)]; // of main and fast
  writeFileSync(join(folder, 'slow.cpuprofile'), JSON.stringify({
    nodes: [{ id: 1, callFrame: { functionName: '(root)', url: '', scriptId: '0' }, children: [2] }, ...frames],
    startTime: 0, endTime: 101_000, samples, timeDeltas: samples.map(() => 1000),
  }));
  perf('record', '--engine=node', '--lines', '--times=slow.cpuprofile', '-o', 'slow.wperf', 'slow.wasm');
  const { findings } = JSON.parse(perf('explain', '--format=json', 'slow.wperf'));
  const found = findings.map(({ text }) => text).find((text) => text.startsWith('slow, inlined into '));
  const [, share, part] = /\(slow\.c:2\): about ([\d.]+) % of the time, by its (\d+) % of the function's instructions$/.exec(found);
  const percentage = Number(/([\d.]+) {2}slow {2}slow\.c:2$/m.exec(perf('annotate', 'main', 'slow.wperf'))[1]);
  assert.equal(Number(part), Math.round(percentage));
  assert(Math.abs(share - percentage * 0.6) < 0.5, `${share} %, ${percentage} % of main's`);
});
