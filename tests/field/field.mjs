// One program under this profiler and under others: node field.mjs PAGE writes the page. See scripts/field.sh.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';

import { packageFile, temporaryFolder, tool } from '../support/tools.mjs';

const RUNS = Number(process.env.WI_FIELD_RUNS ?? 3); // of each plain program and each cheap profiler
const source = resolve(import.meta.dirname, '../..');
const folder = temporaryFolder();
const at = (name) => join(folder, name);
const read = (name) => readFileSync(at(name));
const NODE = process.execPath;
const plain = tool('js/node/node_wasi.mjs');

/** Runs a command in the folder: seconds, and stdout. */
function run(command, args, env = {}) {
  const start = process.hrtime.bigint();
  const { status, stdout, stderr, error } = spawnSync(command, args,
    { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 30, env: { ...process.env, ...env } });
  assert.ifError(error);
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${stderr}`);
  return { seconds: Number(process.hrtime.bigint() - start) / 1e9, stdout };
}
const fastest = (count, ...command) => Math.min(...Array.from({ length: count }, () => run(...command).seconds));

// ---- The program: words.c, a quarter of its words --------------------------------------------------
const text = readFileSync(join(source, 'tests/bench/programs/words.c'), 'utf8');
writeFileSync(at('words.c'), text.replace('16000000u', '4000000u'));
const target = '--target=wasm32-wasi';
const file = (...args) => run('clang', [target, ...args]).stdout.trim();
run('clang', [target, '-O1', '-fno-inline', '-fno-optimize-sibling-calls', '-c', 'words.c', '-o', 'words.o']);
run('wasm-ld', [file('--print-file-name=crt1-command.o'), 'words.o', file('--print-file-name=libc.a'),
                file('--rtlib=compiler-rt', '--print-libgcc-file-name'), '-o', 'words.wasm']);

// ---- Reading what they write: {self: seconds or counts by function, stacks, calls by function} -----------
const add = (map, key, value) => map.set(key, (map.get(key) ?? 0) + value);

/** V8's: samples whose innermost frame is WebAssembly's, and where they stand. */
function readV8(name) {
  const { nodes } = JSON.parse(read(name));
  const self = new Map();
  let stacks = 0;
  for (const { callFrame, hitCount } of nodes) {
    if (!callFrame.url.startsWith('wasm://') || hitCount === 0) continue;
    add(self, callFrame.functionName, hitCount);
    stacks++;
  }
  return { self, stacks };
}

/** Firefox's form, as wasmtime writes it. Stacks that differ in addresses alone are one. */
function readGuest(name) {
  const [thread] = JSON.parse(read(name)).threads;
  const { stackTable, frameTable, funcTable, samples, stringArray } = thread;
  const nameOf = (stack) => stringArray[funcTable.name[frameTable.func[stackTable.frame[stack]]]];
  const path = (stack) => (stack === null ? '' : `${path(stackTable.prefix[stack])};${nameOf(stack)}`);
  const self = new Map();
  for (const [i, stack] of samples.stack.entries()) if (stack !== null) add(self, nameOf(stack), samples.weight?.[i] ?? 1);
  return { self, stacks: new Set(samples.stack.map(path).filter((names) => names !== '')).size };
}

function readPprof(name) {
  const values = (index) => {
    const { stdout } = run('go', ['tool', 'pprof', '-top', `-sample_index=${index}`, '-unit=ns', '-nodecount=100000', '-nodefraction=0', name]);
    const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/)).filter(([flat]) => /^[\d.]+(ns)?$/.test(flat));
    return new Map(rows.filter((row) => row.length > 5).map(([flat, , , , , ...words]) => [words.join(' '), parseFloat(flat)]));
  };
  const [samples, locations] = run('go', ['tool', 'pprof', '-raw', name]).stdout.split('\nLocations\n');
  const names = new Map([...locations.matchAll(/^\s+(\d+): \S+ (?:M=\d+ )?(\S+)/gm)].map(([, id, of]) => [id, of]));
  const stacks = [...samples.matchAll(/^\s+\d+\s+\d+: ([\d ]+)$/gm)].map(([, ids]) => ids.trim().split(' ').map((id) => names.get(id)).join(';'));
  return { self: values('cpu'), calls: values('samples'), stacks: new Set(stacks).size };
}

function readOurs(name) {
  const { stdout } = run(tool('wasm-perf'), ['report', '--format', 'json', name]);
  const { functions } = JSON.parse(stdout);
  const [, stacks] = run(tool('wasm-perf'), ['top', '-n', '1', name]).stdout.match(/([\d,]+) call stacks/);
  return { self: new Map(functions.map((f) => [f.name, Number(f.self)])), calls: new Map(functions.map((f) => [f.name, Number(f.calls)])),
           stacks: Number(stacks.replaceAll(',', '')) };
}

// ---- Comparing -------------------------------------------------------------------------------------
const shares = (self) => {
  const sum = [...self.values()].reduce((a, b) => a + b, 0);
  return new Map([...self].map(([name, value]) => [name, value / sum]));
};
const mean = (a, b) => new Map([...new Set([...a.keys(), ...b.keys()])].map((name) => [name, ((a.get(name) ?? 0) + (b.get(name) ?? 0)) / 2]));
/** Which part of the time stands under other functions. */
const distance = (a, b) => [...new Set([...a.keys(), ...b.keys()])]
  .reduce((sum, name) => sum + Math.abs((a.get(name) ?? 0) - (b.get(name) ?? 0)), 0) / 2;
const percent = (share) => `${(100 * share).toFixed(1)} %`;
const number = (value) => Math.round(value).toLocaleString('en-US');

// ---- The engines, plain, and the profilers ----------------------------------------------------------------
const cpuProf = (name, ...options) => [NODE, ['--cpu-prof', `--cpu-prof-name=${name}`, '--cpu-prof-interval=500', ...options, plain, '--plain', 'words.wasm']];
const base = {
  V8: fastest(RUNS, NODE, [plain, '--plain', 'words.wasm']),
  wasmtime: fastest(RUNS, 'wasmtime', ['run', 'words.wasm']),
  wazero: fastest(1, process.env.WZPROF, ['words.wasm']),
};
const inlined = '--no-wasm-inlining'; // V8 gives the samples of inlined functions to those that they are in
run(...cpuProf('first.cpuprofile', inlined));
run(...cpuProf('second.cpuprofile', inlined));
const [first, second] = ['first', 'second'].map((name) => shares(readV8(`${name}.cpuprofile`).self));
const truth = mean(first, second);

const rows = [];
function profiler(name, engine, shown, misses, count, command, reader, env) {
  const seconds = fastest(count, ...command, ...(env ? [env] : []));
  rows.push({ name, engine, shown, misses, seconds, words: [command[0], ...command[1]], ...reader() });
  console.error(`${name}: ${seconds.toFixed(1)} s`);
}

const record = (name, clock) => [tool('wasm-perf'), ['record', '--clock', clock, 'words.wasm', '-o', name]];
profiler('wasm-perf, sampled', 'V8', 'exact calls and stacks, sampled times', 'time within a function', RUNS,
         record('sampled.wperf', 'sampled'), () => readOurs('sampled.wperf'));
profiler('wasm-perf, instructions', 'V8', 'exact calls, stacks and instructions', 'caches, and time in the host', RUNS,
         record('instructions.wperf', 'instructions'), () => readOurs('instructions.wperf'));
profiler('V8 `--cpu-prof`', 'V8', 'sampled stacks, JavaScript among them', 'calls; inlined functions apart from their callers', RUNS,
         cpuProf('default.cpuprofile'), () => readV8('default.cpuprofile'));
profiler('wasmtime `--profile=guest`', 'wasmtime', 'sampled stacks', 'calls', RUNS,
         ['wasmtime', ['run', '--profile=guest,guest.json,1ms', 'words.wasm']], () => readGuest('guest.json'));
profiler('wzprof, 1 of 19 calls', 'wazero', 'every 19th call, scaled up, and the time of these', 'other calls; its hooks are part of the time', 1,
         [process.env.WZPROF, ['-cpuprofile', 'some.pb.gz', 'words.wasm']], () => readPprof('some.pb.gz'));
profiler('wzprof, all calls', 'wazero', 'all calls, stacks and times', 'its hooks are part of the time', 1,
         [process.env.WZPROF, ['-sample', '1', '-cpuprofile', 'all.pb.gz', 'words.wasm']], () => readPprof('all.pb.gz'));

run(NODE, [packageFile('binaryen/bin/wasm-opt'), '--log-execution', 'words.wasm', '-o', 'logged.wasm']);
writeFileSync(at('logged.mjs'), `
  import { readFileSync } from 'node:fs';
  import { WASI } from 'node:wasi';
  const wasi = new WASI({ version: 'preview1' });
  let count = 0;
  const log_execution = () => { count++; };
  const module = new WebAssembly.Module(readFileSync('logged.wasm'));
  const imports = { env: { log_execution }, wasi_snapshot_preview1: { ...wasi.wasiImport, log_execution } };
  wasi.start(await WebAssembly.instantiate(module, imports));
  console.log(count);`);
profiler('Binaryen `--log-execution`', 'V8', 'a number at each entry, return and turn of a loop', 'stacks, times; the host must interpret the numbers', 1,
         [NODE, ['--no-warnings', 'logged.mjs']], () => ({}));
const events = Number(run(NODE, ['--no-warnings', 'logged.mjs']).stdout.trim().split('\n').at(-1));

// ---- The page ------------------------------------------------------------------------------------------------
const versions = { V8: `Node.js ${process.version}`, wasmtime: run('wasmtime', ['--version']).stdout.trim() };
const top = (self) => {
  const [[name, share]] = [...shares(self)].sort((a, b) => b[1] - a[1]);
  return `${name}, ${percent(share)}`;
};
const line = (cells) => `| ${cells.join(' | ')} |`;
const table = rows.map(({ name, engine, self, calls, stacks, seconds }) => line([
  name, calls ? number(calls.get('hash')) : '–', stacks === undefined ? '–' : number(stacks), self ? top(self) : '–',
  self ? percent(distance(shares(self), truth)) : '–', `${engine}, × ${(seconds / base[engine]).toFixed(2)}`]));
const hide = (word) => word.replace(folder + '/', '').replace(`${source}/`, '').replace(/^.*\/(wasm-perf|wzprof|node|binaryen\/bin\/wasm-opt)$/, '$1');
writeFileSync(resolve(source, process.argv[2]), `# Other profilers

One program under the profilers that are available today: \`words.c\` of the README with a quarter of its words. Its
source hashes 4,000,000 words. \`scripts/field.sh\` writes this page.

| | calls of \`hash\` | stacks | most time | time elsewhere | engine, time |
|---|---|---|---|---|---|
${table.join('\n')}

*Time elsewhere* is the share of time charged to other functions than in the reference. The reference is the mean of two V8
samplings of the unchanged program, without inlining. These two differ by ${percent(distance(first, second))} from each other. Other engines compile the
program differently, so part of their distance is real, and instructions are not times. *Time* compares the profiled run
with a plain one in the same engine (${Object.entries(base).map(([engine, seconds]) => `${engine} ${seconds.toFixed(2)} s`).join(', ')}), compilation included.

| | shows | does not show |
|---|---|---|
${rows.map(({ name, shown, misses }) => line([name, shown, misses])).join('\n')}

Binaryen's log has ${number(events)} numbers here; the host of the timed run only counts them. whamm is not
measured here: it injects what a script says, and its reports need a preloaded library.

The commands: the two samplings of the reference, then the rows of the table in their order.

\`\`\`sh
${[cpuProf('first.cpuprofile', inlined), cpuProf('second.cpuprofile', inlined)].map(([word, words]) => [word, ...words].map(hide).join(' ')).join('\n')}
${rows.map(({ words }) => words.map(hide).join(' ')).join('\n')}
wasm-opt --log-execution words.wasm -o logged.wasm   # before the last one
\`\`\`

${versions.V8}, ${versions.wasmtime}, wzprof 0.2.0, Binaryen 132, on ${cpus()[0].model}.
`);
