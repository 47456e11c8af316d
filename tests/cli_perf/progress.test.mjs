/** What a long run says of itself: on a terminal, apart from what the program writes, and nowhere else. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loops, returns } from '../js/programs.mjs';
import { assemble, at, build, folder, instrument, run } from '../js/support.mjs';
import { noWasmtime } from '../support/tools.mjs';

const WIDTH = 80;
const wasmPerf = `'${join(build, 'wasm-perf')}'`;

/** The rows that a terminal shows once it has got that text. */
function screenOf(text) {
  const rows = [[]];
  let [row, column, saved] = [0, 0, [0, 0]];
  const actions = {
    '\r': () => (column = 0),
    '\n': () => (rows[++row] ??= []),
    '\x1b[m': () => {},
    '\x1b7': () => (saved = [row, column]),
    '\x1b8': () => ([row, column] = saved),
    '\x1b[A': () => (row = Math.max(0, row - 1)),
    '\x1b[K': () => (rows[row].length = Math.min(rows[row].length, column)),
    '\x1b[J': () => (actions['\x1b[K'](), (rows.length = row + 1)),
  };
  for (const [part] of text.matchAll(/\x1b\[[0-9;]*[A-Za-z]|\x1b.|[^]/g)) {
    if (actions[part]) {
      actions[part]();
    } else {
      assert(part.length === 1, JSON.stringify(part));
      if (column === WIDTH) [row, column] = [row + 1, 0];
      (rows[row] ??= [])[column++] = part;
    }
  }
  return rows.map((cells) => Array.from(cells, (cell) => cell ?? ' ').join('').trimEnd()).filter(Boolean);
}

/** What a terminal gets where that command of the shell runs in one: the text, and what it shows in the end. */
async function onTerminal(command, { TERM = 'xterm' } = {}) {
  const options = { cwd: folder, env: { ...process.env, TERM }, stdio: ['ignore', 'pipe', 'inherit'] };
  const child = spawn('script', ['-qec', `stty cols ${WIDTH}; ${command}`, '/dev/null'], options);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part) => (text += part));
  await once(child, 'close');
  return { text, rows: screenOf(text) };
}

/* A call takes some microseconds: a function that is called more often may or may not fit a budget. */
assemble('library', `(module (func (export "run") (local $i i32)
  (local.set $i (i32.const 20000))
  (loop $next (br_if $next (local.tee $i (i32.sub (local.get $i) (i32.const 1)))))))`);
assemble('loops', loops);
assemble('returns', returns);
instrument('loops');
writeFileSync(at('busy.cjs'), `
  const fs = require('node:fs');
  const { Worker, isMainThread } = require('node:worker_threads');
  const [seconds, ...words] = process.argv.slice(2);
  const { run } = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync('library.wasm'))).exports;
  const start = Date.now();
  const isOver = (s) => Date.now() - start > 1000 * s;
  if (words[0] === 'thread') new Worker('setTimeout(() => {}, 4000)', { eval: true });
  for (let i = 1; !isOver(seconds); run()) if (words[i] && isOver(i + 3)) console.log(words[i++]);
  if (words[0] === 'waits') require('node:child_process').execFileSync('sleep', ['7']);`);

const busy = (options, ...words) =>
  `${wasmPerf} record --clock=none ${options} -- ${process.execPath} busy.cjs ${words.join(' ')}`;
const ENDS = [/^Ran for [\d.]+ m?s: [\d,]+ calls?, [\d,]+ nodes?$/, /^Wrote /];

/** On a busy machine any run may take the two seconds after which its time is told. */
function assertRows(all, ...expected) {
  const rows = expected.includes(ENDS[0]) ? all : all.filter((row) => !ENDS[0].test(row));
  assert.equal(rows.length, expected.length, rows.join('\n'));
  expected.forEach((row, i) => (typeof row === 'string' ? assert.equal(rows[i], row) : assert.match(rows[i], row)));
}

test('on a terminal', { concurrency: true }, async (t) => {
  await Promise.all([
    t.test('a line says how long it runs, how many calls and nodes, and is gone in the end', async () => {
      const { text, rows } = await onTerminal(`printf before; ${busy('-o a.wperf', 6)}`);
      const counts = [...text.matchAll(/wasm-perf: \d s: ([\d,]+) calls, 1 node/g)].map(([, calls]) => Number(calls.replaceAll(',', '')));
      assert(counts.length >= 2 && counts.at(-1) > counts[0], text);
      assertRows(rows, 'before', ...ENDS);
    }),
    t.test('a program that writes is left alone from then on: no character of its output is lost', async () => {
      const { text, rows } = await onTerminal(busy('-o b.wperf', 7, 'says', 'one', 'two'));
      assertRows(rows, /^wasm-perf: \d s/, 'one', 'two', ...ENDS);
      assert(!/wasm-perf: \d s/.test(text.slice(text.indexOf('one'))), text);
    }),
    t.test('a program that does not answer was counted some time ago, which it says', async () => {
      const { text } = await onTerminal(busy('-o q.wperf', 3.5, 'waits'));
      assert.match(text, /wasm-perf: \d s: [\d,]+ calls, 1 node\x1b/);
      assert.match(text, /wasm-perf: \d+ s: [\d,]+ calls, 1 node \d+ s ago/);
    }),
    t.test('of a program with threads it says what is counted', async () => {
      const { text } = await onTerminal(busy('-o c.wperf', 5, 'thread'));
      assert.match(text, /wasm-perf: \d s: [\d,]+ calls, 1 node in main threads/);
    }),
    t.test('of several runs it says which pair it is, and in the end how long both took', async () => {
      const { text, rows } = await onTerminal(busy('--compare -o h.wperf', 0.5));
      assert.match(text, /wasm-perf: \d+ s: pair \d+ of at most 10, (without|with) the profiler/);
      const at = rows.findIndex((row) => /^wasm-perf: Ran for [\d.]+ m?s with the profiler, [\d.]+ m?s without:/.test(row));
      assert(at > 0, rows.join('\n'));
    }),
    t.test('also in the runs of a budget', async () => {
      const { text } = await onTerminal(busy('--budget 3% -o i.wperf', 0.5));
      assert.match(text, /: pair \d+ of at most 10, with all functions/);
      // On a machine with other work no function may fit.
      assert.match(text, /: pair \d+ of at most 10, with the functions that were chosen|: no function fits the budget: /);
    }),
    t.test('where calls cannot be asked for it says the time', async () => {
      const { text, rows } = await onTerminal(`${wasmPerf} record --duration 4s -o d.wperf loops.prof.wasm >/dev/null`);
      assert.match(text, /wasm-perf: \d s\x1b/);
      assertRows(rows, ...ENDS);
    }),
    t.test('an old Node counts instructions, which is said', async () => {
      writeFileSync(at('old-node'), `#!/bin/sh\n[ "$1" = --version ] && echo v20.1.0 || exec ${process.execPath} "$@"\n`, { mode: 0o755 });
      const { rows } = await onTerminal(`WASM_PERF_NODE=./old-node ${wasmPerf} record returns.wasm -o o.wperf`);
      assertRows(rows, 'wasm-perf: this Node.js is older than 22, so it counts instructions, not time',
        /^wasm-perf: node allows one memory/, /^Wrote /);
    }),
    t.test('an option after the module is the program\'s, which is said unless it is meant', async () => {
      const record = (...words) => onTerminal(`${wasmPerf} record --clock=none returns.wasm ${words.join(' ')} -o p.wperf`);
      const note = /^wasm-perf record: '--only=a' comes after the module/;
      assert.match((await record('x', '--only=a')).rows[0], note);
      assertRows((await record('--', '--only=a')).rows, /^Wrote/);
      assertRows((await record('--onl', '-', '--', '-5')).rows, /^Wrote/);
    }),
    t.test('of wasmtime it says that nothing is kept where the program is stopped', { skip: noWasmtime }, async () => {
      const { text, rows } = await onTerminal(`timeout --foreground -s INT 4 ${wasmPerf} record --engine wasmtime -o g.wperf loops.wasm >/dev/null`);
      const warning = 'wasmtime saves no profile if it is stopped, --engine node does';
      assert.match(text, new RegExp(`wasm-perf: \\d s; ${warning}`));
      assert.match(rows.join(''), /^wasm-perf: loops.wasm: the program ended without leaving a profile; wasmtime saves none/);
    }),
    t.test('there is none where the terminal knows no such thing', async () => {
      const { rows, text } = await onTerminal(busy('-o e.wperf', 4), { TERM: 'dumb' });
      assert(!/wasm-perf: \d s|\x1b/.test(text), text);
      assertRows(rows, ...ENDS);
    }),
    t.test('nor where standard error is none', async () => {
      assertRows((await onTerminal(`${busy('-o f.wperf', 4)} 2>errors`)).rows);
      assert.equal(run('cat', ['errors']).stdout, '');
    }),
  ]);
});
