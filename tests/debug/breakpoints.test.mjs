// Breakpoints by line: V8's debugger, by DevTools' protocol, stops in a rewritten module at the same lines in
// the same order as in the original.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

import { temporaryFolder, tool } from '../support/tools.mjs';
import { sections } from './oracle.mjs';
import { compile } from './programs.mjs';

const folder = temporaryFolder();
const skip = spawnSync('llvm-dwarfdump', ['--version']).status !== 0 && 'llvm-dwarfdump is not installed';

/** The rows at which statements begin, as [offset in the file, "table:line"], by offset. */
function statements(path) {
  const start = sections(readFileSync(path)).find(({ id }) => id === 10).start;
  const { stdout } = spawnSync('llvm-dwarfdump', ['--debug-line', path]);
  const rows = [];
  let table = 0;
  for (const line of stdout.toString().split('\n')) {
    table += line.startsWith('debug_line[');
    const row = /^0x(\w+) +(\d+) .* is_stmt/.exec(line);
    if (row && Number(row[2]) > 0 && !line.includes('end_sequence')) rows.push([parseInt(row[1], 16) + start, `${table}:${row[2]}`]);
  }
  return rows.sort(([a], [b]) => a - b);
}

/** The debugger, in a thread of its own: it cannot stop the one that it runs in. */
const debuggerThread = `
const { Session } = require('node:inspector');
const { parentPort } = require('node:worker_threads');
const session = new Session();
session.connectToMainThread();
const post = (method, params) => new Promise((resolve, reject) =>
  session.post(method, params, (error, result) => (error ? reject(new Error(error.message)) : resolve(result))));
let hits = [];
const scripts = [];
session.on('Debugger.scriptParsed', ({ params }) => {
  if (params.scriptLanguage === 'WebAssembly') scripts.push(params.scriptId);
});
session.on('Debugger.paused', ({ params }) => {
  hits.push(params.callFrames[0].location.columnNumber);
  session.post('Debugger.resume');
});
parentPort.on('message', async ({ offsets }) => {
  if (offsets) {
    hits = [];
    const scriptId = scripts.at(-1);
    const set = [];
    for (const columnNumber of offsets)
      set.push((await post('Debugger.setBreakpoint', { location: { scriptId, lineNumber: 0, columnNumber } })).actualLocation.columnNumber);
    parentPort.postMessage(set);
  } else {
    parentPort.postMessage(hits);
  }
});
post('Debugger.enable').then(() => parentPort.postMessage('ready'));
`;

const ask = (worker, message) =>
  new Promise((resolve) => {
    worker.once('message', resolve);
    if (message) worker.postMessage(message);
  });

/** The lines at which a run of the module stops, with breakpoints at all statements. */
async function stops(worker, path) {
  const module = await WebAssembly.compile(readFileSync(path));
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = () => 0;
  const { exports } = await WebAssembly.instantiate(module, imports);
  const rows = statements(path);
  const set = await ask(worker, { offsets: [...new Set(rows.map(([offset]) => offset))] });
  const result = exports.run(3);
  const lines = new Map();
  const offsets = [...new Set(rows.map(([offset]) => offset))];
  rows.forEach(([offset, line]) => lines.set(set[offsets.indexOf(offset)], line));
  return { result, lines: (await ask(worker, {})).map((offset) => lines.get(offset)) };
}

for (const version of [4, 5])
  test(`DWARF ${version}: the debugger stops at the same lines`, { skip }, async () => {
    const worker = new Worker(debuggerThread, { eval: true });
    assert.equal(await ask(worker), 'ready');
    const module = compile(folder, `m${version}`, 'wasm32', [`-gdwarf-${version}`, '-O0']);
    const before = await stops(worker, module);
    assert(before.lines.length > 20, `${before.lines.length} stops`);
    assert(new Set(before.lines).size > 8);
    for (const options of [[], ['--embed'], ['--embed', '--clock=instructions', '--lines']]) {
      const output = module.replace('.wasm', '.out.wasm');
      assert.equal(spawnSync(tool('wasm-instrument'), [...options, module, '-o', output]).status, 0);
      assert.deepEqual(await stops(worker, output), before, options.join(' '));
    }
    await worker.terminate();
  });
