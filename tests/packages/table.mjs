/**
 * Runs each program plain and under `wasm-perf record -- node`, and prints what differs.
 *
 *     table.mjs FOLDER [--clock=CLOCK] [PROGRAM...]
 *
 * FOLDER has the packages in node_modules; programs and reports go there, too.
 */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TIMEOUT_MS = 120_000;
const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const command = at('../../build/wasm-perf');
const [folder, ...rest] = process.argv.slice(2);
const options = rest.filter((argument) => argument.startsWith('-'));
const wanted = rest.filter((argument) => !argument.startsWith('-'));

const programs = join(folder, 'programs');
const reports = join(folder, 'reports');
cpSync(at('programs'), programs, { recursive: true });
mkdirSync(reports, { recursive: true });

/** Programs start Node by its name, too. */
const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };

function run(file, args) {
  const start = performance.now();
  const { status, signal, stdout, stderr } = spawnSync(file, args, {
    cwd: programs, env, encoding: 'utf8', timeout: TIMEOUT_MS, maxBuffer: 1 << 28,
  });
  return { end: signal ?? status, stdout, stderr, seconds: (performance.now() - start) / 1000 };
}

/** What the profile has in it, as another reader sees it: the JSON report. */
function measure(profile) {
  const json = join(reports, 'last.json');
  const { end, stderr } = run(command, ['report', profile, '-o', json]);
  if (end !== 0) throw new Error(stderr);
  const { calls, nodes } = JSON.parse(readFileSync(json));
  return { calls, nodes: nodes.parent.length };
}

const columns = [-18, 7, 12, 10, 8, 9];
const row = (...cells) =>
  console.log(cells.map((cell, i) => (columns[i] < 0 ? `${cell}`.padEnd(-columns[i]) : `${cell}`.padStart(columns[i] ?? 0))).join('  '));

function try_(program) {
  const name = basename(program, '.mjs');
  const profile = join(reports, `${name}.wperf`);
  const plain = run(process.execPath, [program]);
  const profiled = run(command, ['record', '-o', profile, ...options, '--', process.execPath, program]);
  const isSame = ['end', 'stdout', 'stderr'].every((key) => plain[key] === profiled[key]);
  if (!isSame) {
    row(name, 'NO');
    console.log(profiled.stderr.slice(0, 2000));
    return false;
  }
  const { calls, nodes } = measure(profile);
  run(command, ['report', profile, '-o', join(reports, `${name}.html`)]);
  row(name, 'same', calls.toLocaleString('en'), nodes.toLocaleString('en'),
    `${plain.seconds.toFixed(2)} s`, `${profiled.seconds.toFixed(2)} s`);
  return plain.end === 0 && calls > 0;
}

row('program', 'output', 'calls', 'nodes', 'plain', 'profiled');
const results = readdirSync(at('programs'))
  .filter((program) => wanted.length === 0 || wanted.includes(basename(program, '.mjs')))
  .map(try_);
const passed = results.filter(Boolean).length;
console.log(`\n${passed} passed, ${results.length - passed} failed`);
process.exitCode = passed === results.length && passed > 0 ? 0 : 1;
