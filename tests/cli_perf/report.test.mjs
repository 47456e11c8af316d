/** wasm-perf report: which form a profile is shown in, and where. */

import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { assemble, at, build, read, run, tool } from '../js/support.mjs';
import { readProfile, writeProfile } from '../js/wperf.mjs';

const profile = writeProfile(
  [
    { function: 5, parent: 0, calls: 2, self: 0 },
    { function: 6, parent: 1, calls: 3, self: 0 },
    { function: 7, parent: 1, calls: 5, self: 0 },
  ],
  [
    [5, 'main'],
    [6, '_ZN4shop3buyEi'],
    [7, '_RNvC4shop4sell'],
  ],
  { clock: 0, ticksPerSecond: 0 },
);
writeFileSync(at('a.wperf'), profile);

const report = (...args) => tool('wasm-perf', ['report', ...args]);
const text = (name) => read(name).toString();
const folded = ['main 2', 'main;shop::buy(int) 3', 'main;shop::sell 5'].join('\n') + '\n';

test('by default a table goes to stdout', () => {
  const { status, stdout, stderr } = report('a.wperf');
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /shop::sell[^]*shop::buy\(int\)[^]*main/);
  assert.equal(stdout, report('--format', 'top', '-o', '-', 'a.wperf').stdout);
});

test('--format chooses the form', () => {
  const sorted = (lines) => lines.split('\n').sort().join('\n');
  const { status, stdout, stderr } = report('--format', 'folded', 'a.wperf');
  assert.deepEqual([status, stderr], [0, '']);
  assert.equal(sorted(stdout), sorted(folded));
  assert.match(report('-f', 'flamegraph', 'a.wperf').stdout, /<svg[^]*<\/svg>\s*$/);
});

test('the name of the output chooses the form where --format does not', () => {
  const expected = report('--format', 'folded', 'a.wperf').stdout;
  for (const name of ['a.folded', 'a.txt']) {
    assert.deepEqual(report('-o', name, 'a.wperf').stdout, '');
    assert.equal(text(name), expected);
  }
  report('-o', 'a.svg', 'a.wperf');
  assert.match(text('a.svg'), /<svg/);
  report('-o', 'b.svg', '--format', 'folded', 'a.wperf');
  assert.equal(text('b.svg'), expected);
});

test('an extension may have several parts', () => {
  const { status, stdout } = report('-o', 'a.b.pb.gz', 'a.wperf');
  assert.deepEqual([status, stdout], [0, '']);
  const bytes = gunzipSync(read('a.b.pb.gz'));
  assert(bytes.includes('shop::buy(int)') && bytes.includes('a.wperf'));
  report('--format', 'pprof', '-o', 'named', 'a.wperf');
  assert.deepEqual(read('named'), read('a.b.pb.gz'));
  report('-o', 'a.pb.gz.callgrind', 'a.wperf');
  assert.match(text('a.pb.gz.callgrind'), /^# callgrind format\n[^]*^ob=\(1\) a\.wperf$/m);
  for (const name of ['a.gz', 'a.pb', 'apb.gz', 'a.Pb.gz', 'a.pb.gz.x', 'pb.gz']) {
    const { status, stderr } = report('-o', name, 'a.wperf');
    assert.equal(status, 2);
    assert(stderr.includes(`cannot tell the format from the name '${name}'`), stderr);
    assert(!existsSync(at(name)));
  }
});

test('what the hooks cost is taken out, unless it is to stay', () => {
  // Each call costs 20 ns: half of it is charged to the function, half to its caller.
  const nodes = [
    { function: 1, parent: 0, calls: 1, self: 2010 },
    { function: 2, parent: 1, calls: 100, self: 9000 },
    { function: 3, parent: 1, calls: 100, self: 3000 },
    { function: 4, parent: 3, calls: 10, self: 60 }, // less than the hooks cost on average
  ];
  const names = [
    [1, 'main'],
    [2, 'complex'],
    [3, 'simple'],
    [4, 'tiny'],
  ];
  const hookCosts = [10, 10, 2].map((cost) => cost * 1024);
  writeFileSync(at('cost.wperf'), writeProfile(nodes, names, { hookCosts }));
  const folded = (...args) => report('--format', 'folded', ...args, 'cost.wperf').stdout;
  assert.equal(folded(), 'main;complex 8000\nmain;simple 1900\n');
  const raw = 'main 2010\nmain;complex 9000\nmain;simple 3000\nmain;simple;tiny 60\n';
  assert.equal(folded('--show=hooks'), raw);
  const top = report('cost.wperf').stdout;
  const cost = 'Hooks took at least 4.17 µs, which is not in the times: 10.0 ns per call and 10.0 ns in its caller, measured in this run';
  assert(top.split('\n').includes(cost), top);
  assert.match(top, / 8\.00 µs .* complex  mostly hooks$/m);
  assert.doesNotMatch(report('--show=hooks', 'cost.wperf').stdout, /took/);
});

test('the cost of hooks is subtracted from wall and sampled times only', () => {
  const nodes = [{ function: 1, parent: 0, calls: 100, self: 5000 }];
  const folded = (clock) => {
    writeFileSync(at('clock.wperf'), writeProfile(nodes, [[1, 'main']], { clock, hookCosts: [3 * 1024] }));
    return report('--format', 'folded', 'clock.wperf').stdout;
  };
  assert.deepEqual([1, 4].map(folded), ['main 4700\n', 'main 4700\n']);
  assert.equal(folded(2), 'main 5000\n');
});

test('calls of the host are shown, or left out with their time', () => {
  const nodes = [
    { function: 2, parent: 0, calls: 1, self: 50 },
    { function: 0, parent: 1, calls: 7, self: 1000 },
    { function: 3, parent: 2, calls: 4, self: 20 },
    { function: 1, parent: 2, calls: 1, self: 200 },
    { function: 3, parent: 1, calls: 2, self: 3 },
  ];
  const names = [
    [0, 'env.read'],
    [1, 'env.log'],
    [2, 'main'],
    [3, 'callback'],
  ];
  writeFileSync(at('host.wperf'), writeProfile(nodes, names, { hostFunctionCount: 2 }));
  const folded = (...args) => report('--format', 'folded', ...args, 'host.wperf').stdout.split('\n');
  const shown = ['main 50', 'main;callback 3', 'main;env.read 1000', 'main;env.read;callback 20'];
  assert.deepEqual(folded().sort(), ['', ...shown, 'main;env.read;env.log 200']);
  assert.deepEqual(folded('--show=no-host').sort(), ['', 'main 50', 'main;callback 23']);
  assert.match(report('host.wperf').stdout, /^Host functions: 1.20 µs in 8 calls$/m);
  const hidden = report('--show=no-host', 'host.wperf').stdout;
  assert.match(hidden, /^73 ns \(wall clock\), 7 calls/);
  assert.match(hidden, /^Host functions, excluded: 1.20 µs in 8 calls$/m);
  assert.doesNotMatch(hidden, /hooks/);
});

/** main calls 300 functions, one of them for half of the time, each in 40 frames of its own. */
function writeLarge() {
  const nodes = [{ function: 0, parent: 0, calls: 1, self: 0 }];
  for (let i = 1; i <= 300; i++) {
    let parent = 1;
    for (let depth = 0; depth < 40; depth++) {
      nodes.push({ function: i, parent, calls: 2, self: depth < 39 ? 0 : i === 7 ? 3_000_000 : 1000 });
      parent = nodes.length;
    }
  }
  writeFileSync(at('large.wperf'), writeProfile(nodes, [[0, 'main'], [7, 'large']]));
}

test('formats that repeat stacks sum up the small ones of large profiles, and say so', () => {
  writeLarge();
  const sums = {};
  for (const [name, ...args] of [['few'], ['all', '--min-share', '0'], ['some', '--min-share=0.1%']]) {
    const { status, stdout, stderr } = report('--format', 'folded', ...args, 'large.wperf');
    assert.equal(status, 0, stderr);
    const lines = stdout.trim().split('\n');
    sums[name] = { lines, total: lines.reduce((sum, line) => sum + Number(line.match(/\d+$/)[0]), 0), stderr };
  }
  assert.equal(sums.all.lines.length, 300);
  assert.equal(sums.some.lines.length, 2);
  assert(sums.some.lines.includes('main;[small] 299000'));
  assert.equal(sums.some.stderr + sums.all.stderr, '');
  assert.deepEqual(new Set(Object.values(sums).map(({ total }) => total)), new Set([3_299_000]));
  assert.equal(sums.few.lines.length, 300, 'it is not large');
  assert.equal(report('--min-share', 'x', 'large.wperf').status, 2);
});

test('merges the smallest stacks until few enough are left', () => {
  writeLarge();
  const read = (...args) => JSON.parse(report('--format=json', ...args, 'large.wperf').stdout);
  const all = read(), sum = ({ functions }, name) => functions.reduce((total, row) => total + row[name], 0);
  for (const limit of [1, 2, 3, 50, 1000, all.summary.call_stacks, 20_000]) {
    const some = read(`--max-stacks=${limit}`), { call_stacks: stacks } = some.summary;
    const most = Math.min(limit, all.summary.call_stacks);
    assert(stacks <= most && stacks >= most - 1, `${stacks} of ${limit}`); // one more may need another [small]
    assert.deepEqual([sum(some, 'self'), sum(some, 'calls')], [sum(all, 'self'), sum(all, 'calls')]);
  }
  const names = read('--max-stacks=42').functions.map(({ name }) => name);
  assert.deepEqual(new Set(names), new Set(['main', 'large', '[small]']), 'the largest are kept');
  assert.equal(report('--max-stacks=0', 'large.wperf').status, 2);
});

test('says what is left out of a large profile', () => {
  const nodes = [{ function: 0, parent: 0, calls: 1, self: 10_000_000 }];
  for (let i = 1; i <= 100_001; i++) nodes.push({ function: i, parent: 1, calls: 1, self: 10 });
  writeFileSync(at('small.wperf'), writeProfile(nodes, [[0, 'main']]));
  for (const format of ['folded', 'speedscope', 'chrome', 'cpuprofile']) {
    const { stdout, stderr } = report('--format', format, 'small.wperf');
    assert.match(stderr, /^wasm-perf: small.wperf: merged 100001 stacks with less than 0.01 % each/);
    assert(stdout.length < 2000, format);
    assert(stdout.includes('[small]'), format);
  }
  const { stderr } = report('-o', 'small.json', 'small.wperf');
  assert(text('small.json').length > 1_000_000 && stderr === '');
});

test('a .cpuprofile has only stacks with a value, because it has no calls', () => {
  const nodes = [{ function: 0, parent: 0, calls: 1, self: 1000 }];
  for (let i = 1; i <= 1000; i++) nodes.push({ function: i, parent: 1, calls: 1, self: 0 });
  nodes.push({ function: 1001, parent: 1000, calls: 1, self: 10 });
  writeFileSync(at('calls.wperf'), writeProfile(nodes, [[0, 'main'], [999, 'outer'], [1001, 'hot']]));
  const written = JSON.parse(report('--format', 'cpuprofile', 'calls.wperf').stdout).nodes;
  assert.deepEqual(written.map(({ callFrame }) => callFrame.functionName), ['(root)', 'main', 'outer', 'hot']);
  assert.deepEqual(written.map(({ children }) => children), [[written[1].id], [written[2].id], [written[3].id], []]);
});

test('says how many functions have no hooks', () => {
  const nodes = [{ function: 0, parent: 0, calls: 1, self: 50 }];
  writeFileSync(at('some.wperf'), writeProfile(nodes, [[0, 'main']], { functionCounts: [1968, 1200] }));
  const told = /^1,200 of 1,968 functions profiled; the others are charged to their callers$/m;
  assert.match(report('some.wperf').stdout, told);
  writeFileSync(at('all.wperf'), writeProfile(nodes, [[0, 'main']], { functionCounts: [1968, 1968] }));
  assert.doesNotMatch(report('all.wperf').stdout, /hooks/);
});

test('calls that were not counted are shown as no number', () => {
  // main, which has hooks, calls hot, which has none and calls cold, which has none either; leaf has hooks.
  const nodes = [
    { function: 0, parent: 0, calls: 1, self: 10_000 },
    { function: 1, parent: 1, calls: 0, self: 60_000 },
    { function: 2, parent: 2, calls: 0, self: 20_000 },
    { function: 3, parent: 1, calls: 7, self: 10_000 },
  ];
  const names = ['main', 'hot', 'cold', 'leaf'].map((name, i) => [i, name]);
  const places = names.map(([index]) => [index, index + 1, 'a.c']);
  const options = { clock: 4, functionCounts: [4, 2], uncounted: [1, 2], clockReadCount: 100, places };
  writeFileSync(at('unknown.wperf'), writeProfile(nodes, names, options));
  const row = (text, name) => text.split('\n').find((line) => line.includes(` ${name}  a.c`)) ?? text;
  const top = report('--format=top', 'unknown.wperf').stdout;
  assert.match(row(top, 'hot'), / \?  +\?  hot/);
  assert.match(row(top, 'leaf'), / 7  +1\.4\d µs  leaf/);
  assert.match(top, /8 calls/);
  assert.match(top, /^2 of 4 functions profiled; the others have sampled times, but no calls$/m);
  assert.match(top, /^Calls were counted in functions with 20\.0 % of the time; /m);
  assert.match(report('--format=tree', 'unknown.wperf').stdout, / \?  .*hot/m);
  const callers = tool('wasm-perf', ['callers', 'hot', 'unknown.wperf']).stdout;
  assert.match(callers, /^calls not counted, self /m);
  assert.match(callers, / \?  .*main/m);
  const json = JSON.parse(report('--format=json', 'unknown.wperf').stdout);
  const callsOf = Object.fromEntries(json.functions.map(({ name, calls }) => [name, calls]));
  assert.deepEqual(callsOf, { main: 1, hot: null, cold: null, leaf: 7 });
  assert.deepEqual([json.calls, json.nodes.calls.filter((calls) => calls === null).length], [8, 2]);
  const events = JSON.parse(report('--format=chrome', 'unknown.wperf').stdout).traceEvents;
  const args = Object.fromEntries(events.filter(({ ph }) => ph === 'B').map(({ name, args }) => [name, args]));
  assert.deepEqual(args, { main: { calls: 1 }, hot: {}, cold: {}, leaf: { calls: 7 } });
  assert.match(report('--format=flamegraph', 'unknown.wperf').stdout, /hot[^<]*calls not counted/);
  const lcov = report('--format=lcov', 'unknown.wperf').stdout;
  assert.match(lcov, /^FNDA:7,leaf$/m);
  assert.doesNotMatch(lcov, /hot|cold/);
});

test('profiles that are put together: a sum of which a part is not known is not known', () => {
  const nodes = [{ function: 0, parent: 0, calls: 1, self: 10 }, { function: 1, parent: 1, calls: 4, self: 10 }];
  const others = [nodes[0], { ...nodes[1], calls: 0, self: 30 }];
  const write = (name, list, uncounted) =>
    writeFileSync(at(name), writeProfile(list, [[0, 'main'], [1, 'hot']], { uncounted }));
  write('known.wperf', nodes, []);
  write('part.wperf', others, [1]);
  const merged = (...args) => {
    assert.equal(tool('wasm-perf', ['merge', ...args, '-o', 'sum.wperf']).status, 0);
    return readProfile(read('sum.wperf'));
  };
  assert.deepEqual([...merged('known.wperf', 'part.wperf').uncounted], [1]);
  const sum = JSON.parse(report('--format=json', 'sum.wperf').stdout);
  assert.deepEqual(sum.functions.map(({ name, calls }) => [name, calls]), [['hot', null], ['main', 2]]);
  assert.deepEqual([...merged('part.wperf').uncounted], [1]);
  const diff = tool('wasm-perf', ['diff', 'known.wperf', 'sum.wperf']).stdout;
  assert.match(diff, / \?  +\?  +\?  +\?  +hot$/m);
  assert.doesNotMatch(diff, /5 calls → 1/);
});

test('names are demangled unless they are to stay', () => {
  const raw = report('--format', 'folded', '--no-demangle', 'a.wperf').stdout;
  assert.match(raw, /main;_ZN4shop3buyEi 3\n/);
  assert.match(raw, /main;_RNvC4shop4sell 5\n/);
});

test('- reads stdin', () => {
  const { status, stdout } = tool('wasm-perf', ['report', '--format=folded', '-'], {
    input: profile,
  });
  assert.deepEqual([status, stdout], [0, report('--format', 'folded', 'a.wperf').stdout]);
});

test('an error in a damaged profile names its place, and there is no output', () => {
  const damaged = Buffer.from(profile);
  damaged.writeUInt32LE(9, profile.indexOf('\xff\xff\xff\xff', 'latin1') + 24 * 2 + 4); // the parent of node 2
  writeFileSync(at('damaged.wperf'), damaged);
  writeFileSync(at('cut.wperf'), profile.subarray(0, 100));
  for (const name of ['damaged.wperf', 'cut.wperf']) {
    const { status, stdout, stderr } = report('-o', 'damaged.svg', name);
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, new RegExp(`^wasm-perf: ${name}: offset 0x[0-9a-f]+: .+\n$`));
  }
  assert(!existsSync(at('damaged.svg')));
});

test('an output that cannot be written fails with a message', () => {
  const missing = report('-o', 'no/such.svg', 'a.wperf');
  assert.equal(missing.status, 1);
  assert.equal(missing.stderr, 'wasm-perf: no/such.svg: No such file or directory\n');
  if (!existsSync('/dev/full')) return;
  const full = report('-f', 'folded', '-o', '/dev/full', 'a.wperf');
  assert.equal(full.status, 1);
  assert.equal(full.stderr, 'wasm-perf: /dev/full: No space left on device\n');
});

test('a reader that closes its pipe causes no message', () => {
  assemble('piped', '(module (func (export "f")))');
  writeFileSync(at('piped.wperf'), writeProfile([{ function: 0, parent: 0, calls: 1, self: 1 }], [[0, 'f']]));
  const perf = [process.execPath, join(build, 'npm/js/command/wasm_perf.mjs')];
  const commands = [
    [join(build, 'wasm-perf'), 'top', 'piped.wperf'],
    [join(build, 'wasm-perf'), 'report', '--format', 'html', 'piped.wperf'],
    [join(build, 'wasm-perf'), 'functions', 'piped.wperf'],
    [join(build, 'wasm-perf'), 'diff', 'piped.wperf', 'piped.wperf'],
    [join(build, 'wasm-perf'), '--help'],
    [join(build, 'wasm-instrument'), '--list', 'piped.wasm'],
    [join(build, 'wasm-instrument'), 'piped.wasm', '-o', '-'],
    ...(existsSync(perf[1]) ? [[...perf, 'top', 'piped.wperf'], [...perf, 'report', '--format', 'html', 'piped.wperf']] : []),
  ];
  for (const words of commands) {
    const { status, stderr } = run('bash', ['-c', `trap '' PIPE; exec 3> >(:); wait $!; exec "$@" >&3`, 'sh', ...words]);
    assert.notEqual(status, 0); // or SIGPIPE, of what people read
    assert.equal(stderr, '', words.join(' '));
  }
});
