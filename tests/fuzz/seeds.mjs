// Writes seeds for the fuzz targets: node seeds.mjs FOLDER
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { stripped } from '../component/component.mjs';
import { writeProfile } from '../js/wperf.mjs';
import { sections } from '../debug/oracle.mjs';
import { temporaryFolder } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';

const folder = process.argv[2];
const keep = (target, name, bytes) => {
  mkdirSync(join(folder, target), { recursive: true });
  writeFileSync(join(folder, target, name), bytes);
};

const cases = join(import.meta.dirname, '../rewrite/cases');
for (const name of readdirSync(cases)) {
  const text = readFileSync(join(cases, name), 'utf8');
  const isWhole = name.endsWith('.wat') && !text.includes('…'); // expectations may leave parts out
  if (isWhole) keep('module', name, await parse(text));
}

const component = join(import.meta.dirname, '../component/two.wat');
const two = await parse(readFileSync(component, 'utf8'));
keep('module', 'component', two);

// The first byte says which section the rest is.
const nameSection = [1, 8, 2, 0, 1, 0x65, 1, 2, 0x66, 0x67, 2, 6, 1, 1, 1, 0, 1, 0x78, 3, 6, 1, 2, 1, 0, 1, 0x6c];
keep('names', 'name', Uint8Array.of(0, ...nameSection));
keep('names', 'marker', Buffer.from('\x01\x01\x050.1.0\x04wall\x09wasm_perf\x00\x01\x00', 'latin1'));
keep('names', 'producers', Buffer.from('\x02\x01\x0cprocessed-by\x01\x05clang\x0214', 'latin1'));
keep('names', 'hints', Uint8Array.of(3, 1, 2, 1, 3, 1, 0));
keep('names', 'annotation', Uint8Array.of(4, 1, 0, 0, 0));

// A row of sections: an index into the names of src/debug/dwarf.h, the size in two bytes, the contents.
const header = readFileSync(join(import.meta.dirname, '../../src/debug/dwarf.h'), 'utf8');
const debugNames = [...header.matchAll(/^  X\(\w+, "(\w+)"\)/gm)].map((match) => `.debug_${match[1]}`);
const row = (parts) => Buffer.concat(parts.flatMap(([kind, bytes]) =>
  [Uint8Array.of(kind, bytes.length & 0xff, bytes.length >> 8), bytes]));
const programs = join(import.meta.dirname, '../debug/programs');
const temporary = temporaryFolder();
for (const version of [2, 4, 5]) {
  for (const program of ['first.c', 'second.c', 'third.cc']) {
    const [object, module] = [join(temporary, 'o'), join(temporary, 'm')];
    execFileSync('clang', ['--target=wasm32', '-O2', `-gdwarf-${version}`, '-gdwarf-aranges', '-fdebug-macro',
                           '-fno-exceptions', '-fno-rtti', '-c', join(programs, program), '-o', object]);
    execFileSync('wasm-ld', ['--no-entry', '--export-all', '--allow-undefined', object, '-o', module]);
    const bytes = readFileSync(module);
    const parts = sections(bytes).filter(({ name }) => debugNames.includes(name));
    keep('debug', `${program}-${version}`, row(parts.map(({ name, start, end }) =>
      [debugNames.indexOf(name), bytes.subarray(start, end)])));
  }
}
const map = Buffer.from('{"version":3,"sources":["a"],"sourcesContent":["\\u0041"],"names":[],"mappings":"gDAAA,GACA,K"}');
const indexed = Buffer.from(`{"sections":[{"offset":{"line":0,"column":60},"map":${map}}]}`);
const url = Buffer.from(`data:application/json;base64,${map.toString('base64')}`);
keep('debug', 'map', row([[debugNames.length + 1, map]]));
keep('debug', 'indexed', row([[debugNames.length + 1, indexed]]));
keep('debug', 'url', row([[debugNames.length, Buffer.concat([Uint8Array.of(url.length & 127 | 128, url.length >> 7), url])]]));

keep('samples', 'v8.json', JSON.stringify({
  nodes: [
    { id: 1, callFrame: { functionName: '(root)', url: '' }, children: [2, 4] },
    { id: 2, callFrame: { functionName: 'main', url: 'wasm://wasm/1' }, children: [3] },
    { id: 3, callFrame: { functionName: 'wasm-function[3]', url: 'wasm://wasm/1' }, hitCount: 2 },
    { id: 4, callFrame: { functionName: '(garbage collector)', url: '' }, parent: 1 },
  ],
  startTime: 0, endTime: 500, samples: [3, 4, 2], timeDeltas: [100, 100, 100],
}));
keep('samples', 'trace.json', JSON.stringify([
  { name: 'Profile', ph: 'P', id: '0x1', pid: 1, tid: 2, args: { data: { startTime: 0 } } },
  { name: 'ProfileChunk', ph: 'P', id: '0x1', pid: 1, tid: 3, args: { data: {
    cpuProfile: { nodes: [{ id: 1, callFrame: { functionName: 'main', url: 'wasm://wasm/1' } }], samples: [1, 1] },
    timeDeltas: [100, 100] } } },
  { name: 'thread_name', ph: 'M', pid: 1, tid: 2, args: { name: 'CrRendererMain' } },
]));
keep('samples', 'firefox.json', JSON.stringify({
  meta: { interval: 1 },
  shared: { stringArray: ['main', '<wasm function 3>'] },
  threads: [{
    funcTable: { name: [0, 1] },
    frameTable: { func: [0, 1] },
    stackTable: { prefix: [null, 0], frame: [0, 1] },
    samples: { stack: [1, null, 0], weight: [1, 1, 2], weightType: 'samples' },
  }],
}));
keep('samples', 'perf.txt', `node 12 1.000001:  250000 cycles:u:
\t 7f11 JS:g-3-turbofan+0x12 (/tmp/perf-12.map)
\t 7f12 JS:wasm-function[1]-1-liftoff (/tmp/perf-12.map)
\t 7f13 JS:~ app.js:1:1 (/tmp/perf-12.map)
\t 7f14 main+0x1 (/bin/node)

wasmtime 12 [001] 1.000301:  250000 cycles:u:
\t 7f15 wasm[0]::function[3]::g+0x1 (/tmp/perf-12.map)
\t 7f16 a::f(int, int) (/tmp/perf-12.map)

node 13 2.0: cycles:  7f17 main (/tmp/perf-13.map)
`);
keep('symbols', 'signatures', 'wasm-perf signatures 1\nmalloc\t0123456789ab 00ff00ff00ff\nstd::x\tfedcba987654\n');
keep('symbols', 'all', '0:run_js\r\n# comment\n\n12:shape::area\\28int\\29\n12:again\n4294967295:x\n3:\n');
// Parts that a module repeats: the place, the size, the bytes; see fuzz_work.c.
const repeated = (...parts) => Uint8Array.from(parts.flatMap(([place, ...bytes]) => [place, bytes.length - 1, ...bytes]));
keep('work', 'types', repeated([0, 0x60, 0, 0]));
keep('work', 'exports', repeated([5, 2, 0x61, 0x62, 0, 0]));
keep('work', 'hints', repeated([8, 0, 1, 3, 1, 0], [19, 0x41, 0, 0x0d, 0]));
keep('work', 'subsections', repeated([11, 3, 6, 1, 0, 1, 0, 1, 0x6c], [19, 0x02, 0x40, 0x0b]));
keep('work', 'names', repeated([18, 0, 1, 0x61], [20, 1]));
keep('work', 'sections', repeated([21, 4, 0x6e, 0x61, 0x6d, 0x65, 1, 3, 1, 0, 0]));
keep('whitelist', 'all', '# comment\nname\nglob*?\n/re(g|ex)+$/\n@1\n@0-2\n!f\n  blank  \r\n');
keep('demangle', 'cxx', '_ZNSt6vectorIiSaIiEE9push_backERKi');
keep('demangle', 'newer', '_Z1fIiTniLi0EENSt9enable_ifIXsr3std7is_sameIT_iEE5valueEvE4typeES1_');
keep('demangle', 'rust', '_RNvCs1234_7mycrate3foo');
keep('demangle', 'legacy', '_ZN4core3fmt9Formatter9write_str17h0123456789abcdefE');
const nodes = [
  { function: 1, parent: 0, calls: 3, self: 100 },
  { function: 2, parent: 1, calls: 4, self: 50 },
  { function: 1, parent: 2, calls: 1, self: 7 },
];
keep('profile', 'wall', writeProfile(nodes, [[1, 'main'], [2, 'a;b<&>']]));
const facts = { identity: '00112233aabbccdd', command: 'a b', runTime: 5, places: [[1, 7, 'a.c']] };
keep('profile', 'facts', writeProfile(nodes, [], { clock: 4, ...facts }));
const threads = [{ start: 9, process: 7, number: 0, name: 'main', stretches: [[5, 1], [300, 0], [70, 2], [1, 1]] }];
keep('profile', 'threads', writeProfile(nodes, [[1, 'main']], { clock: 5, threads }));
const calls = {
  histograms: [{ node: 2, values: [5, 5, 70, 2e9] }, { node: 2, measure: 1, values: [3, 9] }],
  kept: [
    { node: 1, why: 1, number: 2, start: 9, values: [2e9, 40], rows: [[1, 0, 1, 3], [2, 0, 7, 30], [3, 1, 2, 7]] },
    { node: 2, why: 9, number: 1, values: [70, 4] },
    { node: 1, why: 6, number: 1, values: [6, 4], rows: [[1, 0, 1, 4]] },
  ],
};
keep('profile', 'calls', writeProfile(nodes, [[1, 'main']], { clock: 2, ticksPerSecond: 0, measured: calls }));
keep('profile', 'none', writeProfile(nodes, [], { clock: 0, ticksPerSecond: 0 }));

// The size of the first of two profiles in two bytes, then both.
const more = [...nodes, { function: 3, parent: 1, calls: 2, self: 9 }];
const first = writeProfile(nodes, [[1, 'main'], [2, 'a;b<&>']], { hookCosts: [2048, 1024, 5] });
const second = writeProfile(more, [[1, 'main'], [3, '']], { ticksPerSecond: 3, functionCounts: [5, 4] });
const grown = writeProfile(more, [[1, 'main'], [3, '']], { hookCosts: [2048, 1024, 5] });
const pairs = { same: [first, first], changed: [first, second], grown: [first, grown] };
for (const [name, pair] of Object.entries(pairs)) {
  const size = Uint8Array.of(pair[0].length & 0xff, pair[0].length >> 8);
  keep('pair', name, Buffer.concat([size, ...pair]));
}

// Two builds of a module: the size of the first in two bytes, then both.
const build = (extra) => parse(`(module (import "env" "log" (func $log (param i32))) (memory 1) (table 2 funcref)
  (elem (i32.const 0) $twin $same) (data (i32.const 1024) "a text of some length")
  (func $twin (param i32) (result i32) local.get 0 i32.load offset=8)
  (func $same (param i32) (result i32) local.get 0 i32.load offset=8)
  (func $long (param i32) (result i32) (call $log (i32.const 1024)) (i32.mul (i32.const 98765) (call $twin (local.get 0))) ${extra})
  (func (export "main") (drop (call $long (i32.const 123456))) (drop (call $same (i32.const 4)))))`);
const builds = [await build(''), await build('i32.const 4711 i32.xor')];
const bare = stripped(Buffer.from(two));
for (const [name, pair] of Object.entries({ same: [builds[0], builds[0]], changed: builds, components: [bare, two], mixed: [bare, builds[0]] })) {
  const size = Uint8Array.of(pair[0].length & 0xff, pair[0].length >> 8);
  keep('match', name, Buffer.concat([size, ...pair]));
}

// A list of benchmarks, and a baseline.
keep('suite', 'list', Buffer.from(`# comment
[benchmark.a]
module = "a.wasm"
args = ["1", '2', # two
  "\\t\\"", ]
[benchmark."b c"]
invoke = 'bench_*'
fail-above = "0.5%"
x = "refused"
`));
const saved = (name) => ({
  name, module: 'de2de7e78e9e19c8', values: { instructions: 12, calls: 3, peak_bytes: 0 },
  functions: [{ name: 'f', self: 12, calls: 3, callers: ['1 [host]', '2 f'], lines: ['12 a.c:1'] }, { name: '', self: 0, calls: 0 }],
});
keep('baseline', 'two', Buffer.from(JSON.stringify({ format: 1, tool: '1.0.0', benchmarks: [saved('a'), saved('b')] })));
