/**
 * How much longer requests to a server wait, two of whose threads sleep, as it is, under `wasm-perf record`, and with a
 * snapshot every second; and what CPU time it takes while nobody asks for anything. Each way in a run of its own. Then
 * what a server of one thread spends on profiling.
 */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { temporaryFolder, tool } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';
import { median } from './measure.mjs';

const SECONDS = Number(process.env.WI_SECONDS ?? 20);
const GAP = 5; // ms between two requests
const SETTLED = 3000; // ms after which a server that nobody asks is idle
const TICK = 10; // ms of CPU time, of which the kernel tells how many there were

const folder = temporaryFolder();
const env = { ...process.env, WASM_PERF_CACHE: join(folder, 'modules') };

writeFileSync(join(folder, 'server.wasm'), await parse(`(module
  (memory 1 1 shared)
  (func $fib (export "fib") (param i32) (result i32)
    (if (result i32) (i32.lt_s (local.get 0) (i32.const 2))
      (then (local.get 0))
      (else (i32.add (call $fib (i32.sub (local.get 0) (i32.const 1))) (call $fib (i32.sub (local.get 0) (i32.const 2)))))))
  (func (export "sleep") (drop (memory.atomic.wait32 (i32.const 0) (i32.const 0) (i64.const -1)))))`));
writeFileSync(join(folder, 'server.mjs'), `
  import { readFileSync } from 'node:fs';
  import { createServer } from 'node:http';
  import { Worker } from 'node:worker_threads';
  const module = new WebAssembly.Module(readFileSync(${JSON.stringify(join(folder, 'server.wasm'))}));
  const { fib } = new WebAssembly.Instance(module).exports;
  const sleeps = [
    'new WebAssembly.Instance(module).exports.sleep()',
    'new WebAssembly.Instance(module).exports.fib(9); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
  ];
  for (const code of process.argv[2] === 'threads' ? sleeps : [])
    new Worker('const { workerData: module } = require("node:worker_threads");' + code, { eval: true, workerData: module });
  const server = createServer((_request, response) => response.end(String(fib(20))));
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));`);

async function start(words) {
  const child = spawn(words[0], words.slice(1), { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const [port] = await once(child.stdout, 'data');
  await sleep(SETTLED);
  return { child, port: Number(port) };
}

async function end(child) {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function ask(options) {
  const begin = performance.now();
  const [response] = await once(get(options), 'response');
  await once(response.resume(), 'end');
  return performance.now() - begin;
}

/** What each request waits for, in milliseconds; `gap`: ms between two of them. */
async function latencies(words, gap) {
  const { child, port } = await start(words);
  const options = { port, host: '127.0.0.1', agent: new Agent({ keepAlive: true }) };
  const all = [];
  for (const last = performance.now() + 1000 * SECONDS; performance.now() < last; await sleep(gap)) all.push(await ask(options));
  options.agent.destroy();
  await end(child);
  return all.sort((a, b) => a - b);
}

/** Milliseconds that a server of one thread is busy, and those of profiling. */
async function busyTimes(gap) {
  await latencies([tool('wasm-perf'), 'record', '-o', 'server.wperf', '--', ...plain], gap);
  const report = spawnSync(tool('wasm-perf'), ['report', '-f', 'json', 'server.wperf'], { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 });
  const { summary } = JSON.parse(report.stdout);
  return [summary.total_nanoseconds, summary.profiler_nanoseconds].map((time) => time / 1e6);
}

/** CPU time in milliseconds of a process and those that it has started. */
function cpuOf(pid) {
  const fields = (id) => readFileSync(`/proc/${id}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ');
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).filter((id) => {
    try {
      return fields(id)[1] === String(pid);
    } catch {
      return false; // it has ended
    }
  });
  const [user, system] = fields(pid).slice(11, 13).map(Number);
  return TICK * (user + system) + children.reduce((sum, id) => sum + cpuOf(id), 0);
}

/** The share of one core that a server takes while it has nothing to do. */
async function idleShare(words) {
  const { child } = await start(words);
  const [begin, before] = [performance.now(), cpuOf(child.pid)];
  await sleep(1000 * SECONDS);
  const share = (cpuOf(child.pid) - before) / (performance.now() - begin);
  await end(child);
  return share;
}

const plain = [process.execPath, 'server.mjs'];
const record = (...options) => [tool('wasm-perf'), 'record', ...options, '-o', 'server.html', '--', ...plain];
const ways = [['as it is', plain], ['record', record()], ['record --every 1s', record('--every', '1s')]];

console.log('| server | requests | median ms | 99 of 100 | longest | CPU while idle, % |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
for (const [name, words] of ways) {
  const all = await latencies([...words, 'threads'], GAP);
  const times = [median(all), all[Math.floor(0.99 * all.length)], all.at(-1)];
  const share = 100 * await idleShare(words);
  console.log(`| ${[name, all.length, ...times.map((ms) => ms.toFixed(1)), share.toFixed(1)].join(' | ')} |`);
}

console.log('\n| requests a second | busy ms | profiling ms |');
console.log('| ---: | ---: | ---: |');
for (const rate of [5, 20, 200]) {
  const times = await busyTimes(1000 / rate);
  console.log(`| ${[rate, ...times.map((ms) => ms.toFixed(0))].join(' | ')} |`);
}
