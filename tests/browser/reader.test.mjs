// What the page reads of files that are dropped on it: the same as wasm-perf report writes of them. The reader is
// taken out of a page and run here.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { runInMemory } from '../../src/js/package/wasi.mjs';
import { instructions, sections } from '../debug/oracle.mjs';
import { programs } from '../debug/programs.mjs';
import { KINDS, writeProfile } from '../js/wperf.mjs';
import { importPackage, temporaryFolder, tool } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';

const folder = temporaryFolder();
const env = { ...process.env, HOME: '' }; // which the page does not know: it shows whole paths
const run = (command, ...args) => execFileSync(command, args, { cwd: folder, env, encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'ignore'] });
const wasmPerf = (...args) => run(tool('wasm-perf'), ...args);
const clang = (...args) => run(process.env.WI_CLANG, '--target=wasm32-wasi', ...args);

const textOf = (html, id) => new RegExp(`id="${id}">([^<]*)</script>`).exec(html)[1];
const unpack = (text) => gunzipSync(Buffer.from(text, 'base64'));

const view = wasmPerf('report', '--format=html', writeIn('any.wperf', writeProfile([{ function: 1, parent: 0, calls: 1, self: 2 }], [])));
const reader = new WebAssembly.Module(unpack(textOf(view, 'reader')));

function writeIn(name, bytes) {
  writeFileSync(join(folder, name), bytes);
  return name;
}

function read(...names) {
  const files = Object.fromEntries(names.map((name) => [name, new Uint8Array(readFileSync(join(folder, name)))]));
  return runInMemory(reader, ['reader', 'profile', ...names.filter((name) => !name.endsWith('.map'))], files);
}

/** The reader writes the same as a report of these files: totals, details, memory and data. */
function compare(name, ...symbols) {
  const { status, stdout, stderr } = read(name, ...symbols);
  assert.equal(status, 0, stderr);
  const given = symbols.filter((symbol) => !symbol.endsWith('.map')).map((symbol) => `--symbols=${symbol}`);
  const page = wasmPerf('report', '--format=html', ...given, name);
  const data = unpack(textOf(stdout, 'profile'));
  assert.deepEqual(data, unpack(textOf(page, 'profile')));
  const parts = stdout.split(textOf(stdout, 'profile'))[0].split(/(?=<section id="memory")/);
  for (const part of parts) assert(page.includes(part), part);
  return { head: JSON.parse(data.subarray(4, 4 + data.readUInt32LE(0)).toString()), stdout };
}

const names = [[0, 'print'], [1, 'run'], [2, 'step'], [3, 'loop'], [4, '(garbage collector)'], [5, '(idle)'], [6, 'profiling']];
const nodes = [
  { function: 3, parent: 0, calls: 0, self: 40_000 }, // node 1: JavaScript
  { function: 1, parent: 1, calls: 7, self: 200_000 },
  { function: 2, parent: 2, calls: 90, self: 500_000 },
  { function: 0, parent: 3, calls: 5, self: 60_000 },
  { function: 4, parent: 3, calls: 0, self: 30_000 },
  { function: 5, parent: 0, calls: 0, self: 900_000 },
  { function: 6, parent: 2, calls: 0, self: 10_000 },
  { function: 2, parent: 7, calls: 2, self: 3_000 }, // below what is hidden, so beside the other
];
const kinds = [[3, KINDS.javascript], [4, KINDS.collection], [5, KINDS.idle], [6, KINDS.profiler]];
const threads = [
  { start: 5000, process: 7, number: 0, name: 'main', stretches: [[40, 1], [200, 2], [500, 3], [900, 6], [10, 7], [300, 0]] },
  { start: 4000, dropped: 12, process: 7, number: 1, name: 'worker', stretches: [[3, 8]] },
];

test("kinds, hidden parts, uncounted functions and the time line equal the report's", () => {
  const options = { clock: 4, kinds, threads, hostFunctionCount: 1, functionCount: 3, uncounted: [2, 5] };
  const { head } = compare(writeIn('all.wperf', writeProfile(nodes, names, options)));
  assert.deepEqual(head.threads.map(({ name, dropped }) => [name, dropped]), [['worker', 12], ['main', 0]].reverse());
  assert(head.names.includes('loop') && !head.names.includes('(idle)'));
});

test('ticks become nanoseconds', () => {
  const options = { clock: 4, ticksPerSecond: 1_000_000 };
  const { head } = compare(writeIn('ticks.wperf', writeProfile(nodes.slice(0, 3), [[3, 'loop']], options)));
  assert.deepEqual(head.values.map(({ unit }) => unit), ['nanoseconds', 'calls']);
});

clang('-c', '-gdwarf-4', '-O0', join(programs, 'counted.c'), '-o', 'counted.o');
clang('counted.o', '-o', 'counted.wasm');
wasmPerf('record', '--engine=node', '--lines', '--memory', '--clock=instructions', '-o', 'counted.wperf', 'counted.wasm');

test('lines and memory of a module that comes with its profile', () => {
  const { head, stdout } = compare('counted.wperf', 'counted.wasm');
  assert(head.lines.functions.length > 3);
  assert.match(stdout, /Details/);
});

test('lines of a source map, which lies beside the module', async () => {
  const { SourceMapGenerator } = (await importPackage('source-map')).default;
  const url = '\x10sourceMappingURL\x08made.map';
  const module = Buffer.concat([await parse(`(module
    (memory (export "memory") 1)
    (func $square (param i32) (result i32) (i32.mul (local.get 0) (local.get 0)))
    (func (export "_start") (i32.store (i32.const 0) (call $square (i32.const 3)))))`),
  Buffer.from([0, url.length]), Buffer.from(url)]);
  const path = join(folder, writeIn('made.wasm', module));
  const start = sections(module).find(({ id }) => id === 10).start;
  const generator = new SourceMapGenerator({ file: 'made.wasm' });
  instructions(path).filter((_, i) => i % 2 === 0).forEach((address, i) =>
    generator.addMapping({ generated: { line: 1, column: start + address }, original: { line: i + 1, column: 0 }, source: 'made.ts' }));
  writeIn('made.map', JSON.stringify(generator.toJSON()));
  wasmPerf('record', '--engine=node', '--lines', '--clock=instructions', '-o', 'made.wperf', 'made.wasm');
  const { head } = compare('made.wperf', 'made.wasm', 'made.map');
  assert.deepEqual(head.lines.files.map((file) => basename(file)), ['made.ts']);
});

test('without the module there are no lines', () => {
  const { status, stdout } = read('counted.wperf');
  assert.equal(status, 0);
  assert(!unpack(textOf(stdout, 'profile')).includes('"lines"'));
});

test('a profile of a newer tool is refused with the reason', () => {
  const bytes = Buffer.from(readFileSync(join(folder, 'all.wperf')));
  bytes.writeUInt32LE(99, 8);
  const { status, stdout, stderr } = read(writeIn('future.wperf', bytes));
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /future\.wperf: .*version 99/);
});

test('a module of another program does not fit', () => {
  clang('-c', '-O0', '-DOTHER', '-x', 'c', join(programs, 'counted.c'), '-o', 'other.o');
  clang('other.o', '-o', 'other.wasm', '-Wl,--export-all');
  const { status, stderr } = read('counted.wperf', 'other.wasm');
  assert.equal(status, 1);
  assert.match(stderr, /other\.wasm: .*not the module of counted\.wperf/);
});

test('a module or a symbol file names functions without a name', () => {
  const functions = new TextEncoder().encode(['6\t0\t\tfunc[3]', '6\t0\t\tfunc[12] calls f', '0\t4\ta.c\tmain', '6\t0\t\tfunc[90000]', '']
    .join('\n'));
  const namesIn = (name, bytes) => {
    const { status, stdout, stderr } = runInMemory(reader, ['reader', 'names', 'functions', name], { functions, [name]: bytes });
    return status === 0 ? JSON.parse(stdout) : stderr;
  };
  const named = namesIn('counted.wasm', new Uint8Array(readFileSync(join(folder, 'counted.wasm'))));
  assert.doesNotMatch(named.names[0], /^func/);
  const { names, kinds, places } = namesIn('app.symbols', new TextEncoder().encode('3:malloc\n12:parse\\20it\n'));
  assert.deepEqual([names, kinds, places], [['malloc', 'parse it', 'main', 'func[90000]'], [1, 0, 0, 6], [[2, 'a.c', 4]]]);
  assert.match(namesIn('app.symbols', new TextEncoder().encode('main\n')), /line 1/);
  assert.match(namesIn('app.symbols', new TextEncoder().encode('# none\n')), /it has no names/);
});
