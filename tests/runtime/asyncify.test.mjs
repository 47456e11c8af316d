/**
 * Tasks that Binaryen's Asyncify makes of plain functions: each waits again and again in the middle of others, and
 * its frames are unwound and rewound every time. Calls and stacks have to be those of the program as it was written.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readEmbedded } from '../js/embedded.mjs';
import { readProfile } from '../js/wperf.mjs';
import { packageFile, temporaryFolder, tool } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';

const binaryenFile = packageFile('binaryen/index.js');
const folder = temporaryFolder();
const at = (name) => join(folder, name);

const program = `(module
  (import "host" "pause" (func $pause))
  (memory (export "memory") 1)
  (global $leaves (export "leaves") (mut i32) (i32.const 0))
  (func $leaf (global.set $leaves (i32.add (global.get $leaves) (i32.const 1))))
  (func $step (call $leaf) (call $pause) (call $leaf))
  (func $deep (param $n i32)
    (if (local.get $n) (then (call $deep (i32.sub (local.get $n) (i32.const 1)))) (else (call $step)))
    (call $pause) (call $leaf))
  (func (export "task") (param $n i32) (local $i i32)
    (local.set $i (local.get $n))
    (loop $again
      (call $deep (local.get $n))
      (br_if $again (local.tee $i (i32.sub (local.get $i) (i32.const 1)))))))`;

/** What the program calls, by stack of function indices: pause is 0, leaf 1, step 2, deep 3, task 4. */
function expectedStacks(sizes) {
  const stacks = {};
  const enter = (path, callee) => {
    const below = path === '' ? `${callee}` : `${path};${callee}`;
    stacks[below] = (stacks[below] ?? 0) + 1;
    return below;
  };
  const step = (path) => { enter(path, 1); enter(path, 1); };
  const deep = (path, n) => {
    if (n > 0) deep(enter(path, 3), n - 1);
    else step(enter(path, 2));
    enter(path, 1);
  };
  for (const n of sizes) {
    const task = enter('', 4);
    for (let i = 0; i < n; i++) deep(enter(task, 3), n);
  }
  return stacks;
}

function stacksOf({ nodes }) {
  const paths = [''];
  const stacks = {};
  nodes.slice(1).forEach(({ function: index, parent, calls }, i) => {
    paths[i + 1] = parent === 0 ? `${index}` : `${paths[parent]};${index}`;
    if (calls > 0n) stacks[paths[i + 1]] = Number(calls);
  });
  return stacks;
}

async function asyncify(wat) {
  const { default: binaryen } = await import(pathToFileURL(binaryenFile));
  const module = binaryen.readBinary(await parse(wat));
  module.runPasses(['asyncify']);
  const bytes = module.emitBinary();
  module.dispose();
  return bytes;
}

const NORMAL = 0;
const REWINDING = 2;
const STACK_SIZE = 4096;

/** Runs a task of each size, a piece of each in turn; returns how often one waited. */
function runTasks(exports, sizes, host) {
  const memory = new Int32Array(exports.memory.buffer);
  const tasks = sizes.map((size, i) => ({ size, data: 1024 + i * STACK_SIZE, isBegun: false }));
  for (const { data } of tasks) memory.set([data + 8, data + STACK_SIZE], data / 4);
  let waits = 0;
  while (tasks.length > 0) {
    const task = tasks.shift();
    host.pause = () => {
      if (exports.asyncify_get_state() === REWINDING) exports.asyncify_stop_rewind();
      else exports.asyncify_start_unwind(task.data);
    };
    if (task.isBegun) exports.asyncify_start_rewind(task.data);
    task.isBegun = true;
    exports.task(task.size);
    if (exports.asyncify_get_state() === NORMAL) continue; // it has ended
    exports.asyncify_stop_unwind();
    waits++;
    tasks.push(task);
  }
  return waits;
}

test('tasks of Asyncify count each call once, below who called', { skip: !existsSync(binaryenFile) && 'no Binaryen' }, async () => {
  writeFileSync(at('tasks.wasm'), await asyncify(program));
  const sizes = [1, 4, 2, 7, 4];
  for (const options of [['--clock', 'none'], ['--clock', 'instructions']]) {
    const command = ['--embed', ...options, '--only', '@1-4', at('tasks.wasm'), '-o', at('out.wasm')];
    const { status, stderr } = spawnSync(tool('wasm-instrument'), command, { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const host = {};
    const imports = { host: { pause: () => host.pause() } };
    const { exports } = (await WebAssembly.instantiate(readFileSync(at('out.wasm')), imports)).instance;
    const expected = expectedStacks(sizes);
    assert(runTasks(exports, sizes, host) > 100);
    const leaves = Object.entries(expected).reduce((sum, [path, calls]) => sum + (path.endsWith(';1') ? calls : 0), 0);
    assert.equal(exports.leaves.value, leaves, 'the program counts as it was written');
    assert.deepEqual(stacksOf(readProfile(readEmbedded(exports))), expected);
  }
});
