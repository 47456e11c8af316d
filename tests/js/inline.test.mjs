/** Hooks inlined against hooks that call the runtime: the same calls have to give the same profile. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assemble, build, importHost, instrument, read } from './support.mjs';
import { callCounts, readProfile } from './wperf.mjs';

const { createProfiler } = await importHost('profiler.mjs');
const runtime = readFileSync(join(build, 'wasm_perf.wasm'));

// fan calls deep from 64 places, so that there are many stacks and each function has many callers.
const places = Array.from({ length: 64 }, (_, i) => i);
assemble(
  'trees',
  `(module
    (import "host" "work" (func $work))
    (func $leaf ${'nop '.repeat(20)})
    (func $deep (export "deep") (param i32)
      (call $leaf)
      (if (local.get 0) (then (call $deep (i32.sub (local.get 0) (i32.const 1))) (call $leaf))))
    ${places.map((i) => `(func $place${i} (call $deep (i32.const ${i})))`).join('\n')}
    (func $fan (export "fan") ${places.map((i) => `(call $place${i})`).join(' ')})
    (func $waits (export "waits") (call $leaf) (call $work) (call $leaf)))`,
);

async function start(instrumentOptions, options = {}, work = () => {}) {
  const module = read(instrument('trees', ...instrumentOptions));
  const profiler = await createProfiler({ runtime, module, ...options });
  const imports = { host: { work }, wasm_perf: profiler.imports };
  const { instance } = await WebAssembly.instantiate(module, imports);
  return { profiler, exports: profiler.wrapExports(instance.exports) };
}

/** What both ways must agree on; functions by name, since the imports that are added differ. */
function contents(bytes) {
  const { header, nodes, names } = readProfile(bytes);
  return {
    folded: header.foldedCallCount,
    open: header.openFrameCount,
    nodes: nodes.map(({ function: index, ...rest }) => ({ ...rest, name: names.get(index) })).slice(1),
  };
}

async function agree(clock, options, run) {
  const profiles = [];
  for (const more of [[], ['--inline']]) {
    const { profiler, exports } = await start(['--clock', clock, ...more], options);
    run(exports);
    profiles.push(contents(profiler.profile()));
  }
  const [{ nodes, ...header }, inlined] = profiles;
  const show = (node) => JSON.stringify(node, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
  assert.equal(inlined.nodes.length, nodes.length);
  nodes.forEach((node, i) => assert.equal(show(inlined.nodes[i]), show(node))); // the first that differs
  assert.deepEqual({ ...inlined, nodes: null }, { ...header, nodes: null });
  return inlined;
}

for (const clock of ['none', 'instructions'])
  for (const recursion of ['full', 'fold'])
    for (const nodeLimit of [0, 100, 10, 2])
      test(`the same tree: ${clock}, recursion ${recursion}, ${nodeLimit || 'many'} nodes`, async () => {
        const run = (exports) => {
          exports.fan();
          exports.deep(30);
          exports.fan();
        };
        const { folded, nodes } = await agree(clock, { recursion, nodeLimit }, run);
        if (nodeLimit) assert.ok(folded > 0n && nodes.length < nodeLimit);
        else if (recursion === 'full') assert.ok(nodes.length > 4000);
      });

test('its memory grows with the tree', async () => {
  const run = (exports) => exports.deep(8000);
  for (const clock of ['none', 'instructions']) {
    const { nodes, folded } = await agree(clock, {}, run);
    assert.equal(nodes.length, 16001 + 1);
    assert.equal(folded, 0n);
  }
});

test('the time of a host call is its caller\'s', async () => {
  let time = 0;
  const now = () => (time += 0.001);
  const options = ['--clock', 'hybrid', '--inline'];
  const { profiler, exports } = await start(options, { now }, () => (time += 5));
  for (let i = 0; i < 100; i++) {
    exports.waits();
    exports.fan();
    time += 7; // nobody's
  }
  const { nodes, names, header } = readProfile(profiler.profile());
  const self = (name) =>
    nodes.slice(1).reduce((sum, node) => sum + (names.get(node.function) === name ? node.self : 0n), 0n);
  assert.equal(header.clock, 3);
  const waited = Number(self('waits')) / 1e6;
  assert.ok(waited > 499 && waited < 502, `${waited} ms`);
  const all = Number(nodes.slice(1).reduce((sum, node) => sum + node.self, 0n)) / 1e6;
  assert.ok(all < 550, `${all} ms in the module`);
});

test('reset forgets what the module has counted', async () => {
  for (const clock of ['none', 'hybrid']) {
    const { profiler, exports } = await start(['--clock', clock, '--inline']);
    exports.fan();
    profiler.reset();
    assert.deepEqual(callCounts(profiler.profile()), {});
    exports.deep(1);
    assert.deepEqual(callCounts(profiler.profile()), {
      deep: 1,
      'deep;leaf': 2,
      'deep;deep': 1,
      'deep;deep;leaf': 1,
    });
  }
});

test('without the exports there is no profile', async () => {
  const module = read(instrument('trees', '--inline'));
  const profiler = await createProfiler({ runtime, module });
  assert.throws(() => profiler.profile(), /attach/);
  assert.throws(() => profiler.reset(), /attach/);
});
