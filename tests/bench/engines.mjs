// What one call costs with hooks outside of V8: in wasmtime, linked to wasm_perf.wasm, and natively,
// the module turned into C by wasm2c and linked to libwasm_perf. And what the calls of a whole program cost
// where the profiler is inside, in wasmtime beside V8. Prints Markdown.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readProfile } from '../js/wperf.mjs';
import { temporaryFolder, tool } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';
import { calls } from './calls.mjs';
import { instrument, median, runReal } from './measure.mjs';
import { measured } from './measured.mjs';

const ROUNDS = 3;
const FEW = 4e6, MANY = 2.4e7; // the difference leaves out how long an engine takes to start
const RT = process.env.WASM_RT ?? '/usr/share/wabt/wasm2c';
const project = join(import.meta.dirname, '../..');
const folder = temporaryFolder();
const path = (name) => join(folder, name);
const run = (command, ...args) => execFileSync(command, args, { cwd: folder, encoding: 'utf8' });

const clocks = ['none', 'wall', 'instructions'];

function millisecondsOf(action) {
  const start = performance.now();
  action();
  return performance.now() - start;
}

async function write(name, text) {
  writeFileSync(path(name), await parse(text));
  return name;
}

const instrumented = (input, clock, ...options) =>
  instrument(path(input), path(input.replace('.wasm', `.${clock}.wasm`)),
    '--clock', clock, '--only', '@0-1', ...options);

const row = (name, values) => {
  const [base, ...others] = values;
  console.log(`| ${name} | ${base.toFixed(1)} | ${others.map((ns) => (ns - base).toFixed(1)).join(' | ')} |`);
};

/** Nanoseconds per call, as it is and with each clock. */
async function inWasmtime() {
  const modules = {};
  for (const count of [FEW, MANY]) {
    const name = await write(`calls${count}.wasm`,
      calls(`(func (export "_start") (call $run (i32.const ${count})))`));
    modules[count] = [
      ['wasmtime', 'run', name],
      ...clocks.map((clock) => [tool('wasm-perf'), 'record', '--engine=wasmtime', '-o', 'x.wperf',
        instrumented(name, clock, '--flush')]),
    ];
  }
  const times = modules[FEW].map(() => []);
  for (let round = -1; round < ROUNDS; round++)
    times.forEach((values, i) => {
      const [many, few] = [MANY, FEW].map((count) => millisecondsOf(() => run(...modules[count][i])));
      const difference = many - few;
      if (round >= 0) values.push((difference * 1e6) / (MANY - FEW));
    });
  return times.map(median);
}

function compileNatively(module, name, ...definitions) {
  run('wasm2c', '--module-name=calls', module, '-o', 'calls.c');
  run('cc', '-O2', '-w', ...definitions, `-I${RT}`, `-I${project}/include`, '-I.', 'calls.c',
    join(import.meta.dirname, 'native_hooks.c'), `${RT}/wasm-rt-impl.c`, tool('libwasm_perf.a'),
    '-lm', '-lpthread', '-o', name);
  return path(name);
}

async function natively() {
  const source = await write('calls.wasm', calls());
  const programs = [compileNatively(source, 'plain', '-DHOOKS_NONE')];
  for (const clock of clocks) {
    const counts = clock === 'instructions';
    programs.push(compileNatively(instrumented(source, clock), clock,
      `-DCLOCK=WASM_PERF_CLOCK_${clock.toUpperCase()}`, ...(counts ? ['-DHOOKS_AT'] : [])));
  }
  return programs.map((program) => Number(run(program)));
}

console.log(`| ns per call | without hooks | ${clocks.map((clock) => `${clock}, more`).join(' | ')} |`);
console.log(`|---|--:|${'--:|'.repeat(clocks.length)}`);
if (spawnSync('wasmtime', ['--version']).error) console.log('| wasmtime: not installed |');
else row('wasmtime', await inWasmtime());
row('native, by wasm2c', await natively());

/** The calls that a program makes, of a run in wasmtime. */
function callsOf(module) {
  run('wasmtime', 'run', '--dir=.', '--env=WASM_PERF_FILE=app.wperf', instrument(module, path('app.wasm'), '--embed', '--clock=none'));
  const { nodes } = readProfile(readFileSync(path('app.wperf')));
  return Number(nodes.reduce((sum, node) => sum + node.calls, 0n));
}

const hosts = {
  wasmtime: (module) => run('wasmtime', 'run', module),
  V8: (module) => runReal('command', [module]),
};

/** A program as it is and with the profiler inside, in each engine: rows of nanoseconds per call. */
function wholeProgram(name) {
  const module = measured[name].module();
  const count = callsOf(module);
  const modules = [module, ...['none', 'instructions'].map((clock) =>
    instrument(module, path(`${clock}.wasm`), '--embed', '--no-file', '--clock', clock))];
  for (const [engine, execute] of Object.entries(hosts)) {
    const times = modules.map(() => []);
    for (let round = -1; round < ROUNDS; round++)
      modules.forEach((file, i) => {
        const ms = millisecondsOf(() => execute(file));
        if (round >= 0) times[i].push(ms);
      });
    const [base, ...others] = times.map(median);
    const more = others.map((ms) => `${(ms / base).toFixed(2)} | ${(((ms - base) * 1e6) / count).toFixed(2)}`);
    console.log(`| ${name} | ${engine} | ${(base / 1000).toFixed(2)} | ${(count / 1e6).toFixed(1)} | ${more.join(' | ')} |`);
  }
}

if (!spawnSync('wasmtime', ['--version']).error) {
  console.log('\n| --embed | engine | as it is, s | million calls | none | ns per call | instructions | ns per call |');
  console.log('|---|---|--:|--:|--:|--:|--:|--:|');
  wholeProgram('Rust, shapes'); // which does little else than call
}
