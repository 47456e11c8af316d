/**
 * Reports of memory: each format shows any value of it, the same as the program's own accounts;
 * sizes and the time line, as text and for programs; two profiles compared.
 */

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import { packageFile, tool } from '../support/tools.mjs';
import { VALUES, at, compile, missingLibrary, selfBy, stacksBy, truthOf, wasmPerf } from './programs.mjs';

const skip = missingLibrary();
const firefoxReader = packageFile('@firefox-devtools/profiler-cli/dist/profiler-cli.js');
const noFirefoxReader = !existsSync(firefoxReader) && '@firefox-devtools/profiler-cli is not installed';
const profile = at('truth.wperf');
const truth = skip ? null : truthOf(wasmPerf('record', '--memory', '--clock=instructions', '-o', profile, compile('truth')));
const SHOWN = ['live_bytes', 'allocated_objects', 'peak_bytes', 'temporary_objects'];

/** The report of one value in a format, as text. */
const report = (format, value, file = profile) => wasmPerf('report', '--format', format, '--value', value, file);

const withoutZeros = (functions) => Object.fromEntries(Object.entries(functions).filter(([, n]) => n > 0));

test('folded stacks by any value', { skip }, () => {
  for (const value of SHOWN) {
    const sums = {};
    for (const [stack, n] of Object.entries(stacksBy(value, profile))) {
      const name = stack.split(';').at(-1);
      sums[name] = (sums[name] ?? 0) + n;
    }
    assert.deepEqual(withoutZeros(sums), truth.values[value], value);
  }
});

/** Notes that are about one value: those of times, and of a clock that measured nothing. */
const ABOUT_TIMES = /Hooks may take|The program had|Times are|never advanced|Samples outside|samples|inlined|overhead|time was not measured/;
const TOTALS = {
  self: { sampled: /^[\d.]+ (s|ms|µs) \(sampled\), /, instructions: /^[\d,]+ instructions, /, none: /^[\d,]+ calls, .*; time was not measured$/m },
  calls: /^[\d,]+ calls, /,
  bytes: /^[\d.]+ [KM]?B \(bytes \w+.*?\), /,
  objects: /^[\d,]+ objects \((blocks|structs) .*?\), /,
  pages: /^[\d,]+ pages \(pages added by memory\.grow\), /,
};

test('totals and notes have the unit of the value, whichever is shown', { skip }, () => {
  const values = [...VALUES, 'grown_pages', 'gc_objects', 'gc_bytes', 'calls', 'self'];
  for (const clock of ['sampled', 'instructions', 'none']) {
    const timed = at(`${clock}.wperf`);
    wasmPerf('record', '--memory', `--clock=${clock}`, '-o', timed, compile('truth'));
    for (const value of values) {
      const what = `${clock}, ${value}`;
      const totals = TOTALS[value] ?? TOTALS[value.split('_').at(-1)];
      for (const command of ['top', 'tree', 'explain']) {
        const text = wasmPerf(command, '--value', value, timed).replace(`${timed}\n`, '');
        assert.match(text, totals[clock] ?? totals, `${what}: ${command}`);
        const ofAnother = value !== 'self' && (value !== 'calls' || clock !== 'none');
        if (ofAnother) assert.doesNotMatch(text, ABOUT_TIMES, `${what}: ${command}`);
        const isChosen = ofAnother && !value.startsWith('gc_'); // of which there is no function to look at
        if (command === 'explain') assert.equal(text.includes(`\nwasm-perf callers --value ${value} `), isChosen, what);
      }
    }
    assert.match(wasmPerf('top', '--value', 'gc_bytes', timed), /^Nothing was counted: bytes of structs and arrays, estimated from their types\.$/m);
    const calls = wasmPerf('diff', '--value', 'calls', timed, timed).split('\n')[0];
    assert.equal(/time was not measured/.test(calls), clock === 'none', calls);
  }
  assert.match(wasmPerf('top', at('sampled.wperf')), /Times are from/);
});

/** The program's numbers as reports write bytes below a kilobyte, objects, or with three digits. */
function formatted(value, n) {
  if (value.endsWith('objects')) return `${n.toLocaleString('en-US')} object${n === 1 ? '' : 's'}`;
  const step = 10 ** (String(n).length - 3); // halves go up
  return n < 1000 ? `${n} B` : `${((Math.round(n / step) * step) / 1000).toPrecision(3)} KB`;
}

test('a flame graph by any value', { skip }, () => {
  for (const value of SHOWN) {
    const svg = report('flamegraph', value);
    const sums = stacksBy(value, profile);
    const whole = Object.values(sums).reduce((sum, n) => sum + n, 0);
    for (const [stack, n] of Object.entries(sums).filter(([stack, n]) => /ask_\w+$/.test(stack) && n > whole / 100)) {
      if (Object.keys(sums).some((other) => other.startsWith(`${stack};`))) continue; // has more below
      const title = `${stack.split(';').at(-1)} — ${formatted(value, n)} total`;
      assert(svg.includes(`<title>${title}`), `${value}: ${title}`);
    }
  }
});

test('speedscope by any value', { skip }, () => {
  for (const value of SHOWN) {
    const { shared, profiles } = JSON.parse(report('speedscope', value));
    assert.equal(profiles[0].unit, value.endsWith('bytes') ? 'bytes' : 'none');
    const sums = {};
    const open = [];
    let last = 0;
    for (const { type, frame, at: position } of profiles[0].events) {
      const { name } = shared.frames[open.at(-1)] ?? {};
      if (name) sums[name] = (sums[name] ?? 0) + position - last;
      last = position;
      if (type === 'O') open.push(frame);
      else open.pop();
    }
    assert.deepEqual(withoutZeros(sums), truth.values[value], value);
  }
});

/** What profiler-cli says of the functions by each of its strategies. */
async function askFirefox(file, strategies) {
  const folder = mkdtempSync(join(tmpdir(), 'wi-')); // a short name, since a socket goes there
  const env = { ...process.env, PROFILER_CLI_SESSION_DIR: folder };
  const session = ['--session', 'test'];
  const ask = (...command) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [firefoxReader, ...command, ...session], { env, encoding: 'utf8' });
    assert.equal(status, 0, `${command}: ${stderr}`);
    return stdout;
  };
  const daemon = spawn(process.execPath, [firefoxReader, '--daemon', file, ...session], { env, stdio: 'ignore' });
  try {
    const log = () => readFileSync(join(folder, 'test.log'), { encoding: 'utf8', flag: 'a+' });
    while (!/Profile loaded/.test(log())) await setTimeout(50);
    return strategies.map((strategy) => {
      ask('strategy', strategy);
      return JSON.parse(ask('thread', 'functions', '--thread', 't-0', '--limit', '0', '--json')).functions;
    });
  } finally {
    daemon.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

test("the Firefox Profiler's allocations: retained ones, all, and those freed", { skip: skip || noFirefoxReader }, async () => {
  wasmPerf('report', profile, '--format', 'firefox', '-o', at('truth.firefox.json'));
  const strategies = ['native-retained-allocations', 'native-allocations', 'native-deallocations-memory'];
  const [retained, all, freed] = (await askFirefox(at('truth.firefox.json'), strategies)).map((rows) =>
    Object.fromEntries(rows.map(({ name, selfSamples }) => [name, Math.abs(selfSamples)]).filter(([, n]) => n > 0)));
  assert.deepEqual(retained, truth.values.live_bytes);
  const allocated = selfBy('allocated_bytes', profile);
  const live = stacksBy('live_bytes', profile);
  const sums = { all: {}, freed: {} };
  for (const [stack, bytes] of Object.entries(stacksBy('allocated_bytes', profile))) {
    const name = stack.split(';').at(-1);
    const held = live[stack] ?? 0;
    sums.all[name] = (sums.all[name] ?? 0) + Math.max(bytes, held);
    sums.freed[name] = (sums.freed[name] ?? 0) + Math.max(bytes - held, 0);
  }
  assert.deepEqual(all, sums.all);
  assert.deepEqual(freed, withoutZeros(sums.freed));
  assert.equal(all.ask_small, allocated.ask_small);
});

test('sizes are those that the program has counted, and the time line has the peak', { skip }, () => {
  const { memory, ...head } = JSON.parse(report('json', 'live_objects'));
  assert.deepEqual([head.value, head.unit], ['live_objects', 'objects']);
  const counted = truth.sizes.map((allocated, bits) => ({
    first: bits === 0 ? 0 : 2 ** (bits - 1), last: bits === 0 ? 0 : 2 ** bits - 1, allocated }));
  const used = counted.filter(({ allocated }) => allocated > 0);
  assert.deepEqual(memory.sizes, counted.slice(counted.indexOf(used[0]), counted.indexOf(used.at(-1)) + 1));
  const peak = Object.values(truth.values.peak_bytes).reduce((sum, n) => sum + n, 0);
  assert.equal(Math.max(...memory.timeline.map(({ bytes }) => bytes)), peak);
  assert.equal(memory.timeline.at(-1).allocations, memory.allocations);
  const at = memory.timeline.findIndex(({ bytes }) => bytes === peak);
  assert((memory.timeline[at - 1]?.allocations ?? 0) < truth.peakAllocation && truth.peakAllocation <= memory.timeline[at].allocations);
});

test('wasm-perf memory: two tables with bars, in as many columns as there are', { skip }, () => {
  const { memory } = JSON.parse(report('json', 'calls'));
  const text = wasmPerf('memory', '--width', '60', profile);
  const [, sizes, times] = text.split('\n\n').map((part) => part.trimEnd().split('\n'));
  const cells = (line) => /^ *(.*?) {2,}([\d,.]+ ?[KMG]?B?) *(█*)$/.exec(line).slice(1);
  assert.equal(sizes.length - 1, memory.sizes.length);
  sizes.slice(1).map(cells).forEach(([, count, bar], i) => {
    assert.equal(Number(count.replaceAll(',', '')), memory.sizes[i].allocated);
    assert.equal(bar.length > 0, memory.sizes[i].allocated > 0);
  });
  assert(times.length - 1 <= 20);
  assert.equal(Number(cells(times.at(-1))[0].replaceAll(',', '')), memory.allocations);
  for (const line of text.split('\n').slice(1)) assert([...line].length <= 60, line);
});

test('a profile without memory has no such view', { skip }, () => {
  wasmPerf('record', '-o', at('calls.wperf'), '--clock=none', at('truth.wasm'));
  const { status, stderr } = spawnSync(tool('wasm-perf'), ['memory', at('calls.wperf')], { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /no memory data: record it with --memory/);
  assert.match(wasmPerf('report', '--format', 'memory', at('calls.wperf')), /record it with --memory/);
});

test('two profiles are compared by any value', { skip }, () => {
  const calm = truthOf(wasmPerf('record', '--memory', '-o', at('calm.wperf'), compile('truth', '-DCALM', '-DKEPT=200')));
  const folded = wasmPerf('diff', '--value', 'live_bytes', '--format', 'folded', profile, at('calm.wperf'));
  const sums = {};
  for (const line of folded.trim().split('\n')) {
    const [, name, before, after] = /([^;]+) (\d+) (\d+)$/.exec(line);
    sums[name] = [(sums[name]?.[0] ?? 0) + Number(before), (sums[name]?.[1] ?? 0) + Number(after)];
  }
  for (const [name, n] of Object.entries(truth.values.live_bytes))
    assert.deepEqual(sums[name], [n, calm.values.live_bytes[name]], name);
  assert.match(wasmPerf('diff', '--value', 'peak_bytes', profile, at('calm.wperf')), /^[\d.]+ % less: \d+ KB → \d+ KB/);
});
