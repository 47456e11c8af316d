/**
 * A C program that allocates in all ways and keeps its own accounts: what we say of each of its
 * functions is what it says, in every form of module; the peak is massif's of the same program
 * built natively; go tool pprof reads the same.
 */

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';

import { strip } from '../matching/module.mjs';
import { noWasmtime, tool } from '../support/tools.mjs';
import { at, compile, factsOf, missingLibrary, selfBy, source, truthOf, VALUES, wasmPerf } from './programs.mjs';

const skip = missingLibrary();
const wasm = skip ? null : compile('truth');

const sum = (functions) => Object.values(functions).reduce((total, value) => total + value, 0);

function checkProfile(profile, truth) {
  for (const value of VALUES) assert.deepEqual(selfBy(value, profile), truth.values[value], value);
  assert.equal(factsOf(profile).peak_allocation, truth.peakAllocation);
  assert.equal(factsOf(profile).unknown_free_count ?? 0, 0);
  assert.equal(factsOf(profile).lost_block_count ?? 0, 0);
}

/** What all functions have together. */
function checkTotals(profile, truth) {
  for (const value of VALUES) assert.equal(sum(selfBy(value, profile)), sum(truth.values[value]), value);
}

test('every value of every function is what the program says itself', { skip }, () => {
  for (const options of [[], ['--clock', 'instructions'], ['--recursion', 'fold'], ['--host-calls']]) {
    const truth = truthOf(wasmPerf('record', '--memory', ...options, '-o', at('truth.wperf'), wasm));
    assert(sum(truth.values.live_bytes) > 0 && sum(truth.values.temporary_objects) > 0);
    checkProfile(at('truth.wperf'), truth);
  }
});

test('the same where few functions are chosen: allocators are among them', { skip }, () => {
  const only = ['--only', 'ask_*'];
  const truth = truthOf(wasmPerf('record', '--memory', ...only, '-o', at('few.wperf'), wasm));
  checkProfile(at('few.wperf'), truth);
});

test('of a stripped module, whose allocators are known by their code, the same in all', { skip }, () => {
  writeFileSync(at('stripped.wasm'), strip(readFileSync(wasm)));
  checkTotals(at('stripped.wperf'), truthOf(wasmPerf('record', '--memory', '-o', at('stripped.wperf'), at('stripped.wasm'))));
});

test('a plain engine leaves the same file', { skip }, (t) => {
  if (noWasmtime) return t.skip(noWasmtime);
  const run = (module) => {
    execFileSync(tool('wasm-instrument'), ['--embed', '--memory', module, '-o', at('engine.prof.wasm')]);
    return truthOf(execFileSync('wasmtime', ['run', '--dir', '.', 'engine.prof.wasm'], { cwd: at('.') }));
  };
  checkProfile(at('truth.wperf'), run(wasm));
  writeFileSync(at('bare.wasm'), strip(readFileSync(wasm)));
  checkTotals(at('bare.wperf'), run(at('bare.wasm')));
  return undefined;
});

test('two runs add up', { skip }, () => {
  const truth = truthOf(wasmPerf('record', '--memory', '-o', at('one.wperf'), wasm));
  wasmPerf('merge', at('one.wperf'), at('one.wperf'), '-o', at('two.wperf'));
  for (const value of VALUES) {
    const doubled = Object.entries(truth.values[value]).map(([name, n]) => [name, 2 * n]);
    assert.deepEqual(selfBy(value, at('two.wperf')), Object.fromEntries(doubled), value);
  }
});

test('go tool pprof reads what the program says', { skip }, (t) => {
  if (spawnSync('go', ['version']).error) return t.skip('no go');
  const truth = truthOf(wasmPerf('record', '--memory', '-o', at('truth.wperf'), wasm));
  wasmPerf('report', at('truth.wperf'), '-o', at('truth.pb.gz'));
  const names = { alloc_objects: 'allocated_objects', alloc_space: 'allocated_bytes',
    inuse_objects: 'live_objects', inuse_space: 'live_bytes', peak_space: 'peak_bytes' };
  for (const [index, value] of [['', 'live_bytes'], ...Object.entries(names)]) {
    const args = ['tool', 'pprof', '-top', '-unit=bytes', ...(index ? [`-sample_index=${index}`] : [])];
    const text = execFileSync('go', [...args, at('truth.pb.gz')], { encoding: 'utf8' });
    const rows = [...text.matchAll(/^ *(\d+)(?:B|bytes)? .* (ask_\w+)$/gm)].map(([, n, name]) => [name, Number(n)]);
    assert.deepEqual(Object.fromEntries(rows), truth.values[value], index);
  }
  return undefined;
});

test("the peak is massif's of the same program built natively", { skip }, (t) => {
  if (spawnSync('valgrind', ['--version']).error) return t.skip('no valgrind');
  execFileSync('cc', ['-O1', '-DCALM', source('truth.c'), '-o', at('truth')]);
  const massif = ['--tool=massif', '--peak-inaccuracy=0.0', `--massif-out-file=${at('massif.out')}`];
  execFileSync('valgrind', ['-q', ...massif, at('truth')]);
  const snapshots = readFileSync(at('massif.out'), 'utf8').split(/^snapshot=/m);
  const peak = snapshots.find((text) => text.includes('heap_tree=peak'));
  const calm = compile('truth', '-DCALM');
  wasmPerf('record', '--memory', '-o', at('truth.wperf'), calm);
  assert.equal(sum(selfBy('peak_bytes', at('truth.wperf'))), Number(/^mem_heap_B=(\d+)$/m.exec(peak)[1]));
  return undefined;
});
