/** wasm_perf.wasm as an engine sees it: imports, exports, configuration, memory. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as support from './support.mjs';

const { CLOCK, TRUNCATED, instantiate, profileOf, totalCalls } = support;
const WASI = 'wasi_snapshot_preview1';

test('it imports these WASI functions and nothing else', () => {
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(support.moduleBytes));
  assert.deepEqual(
    imports.map(({ module, name, kind }) => `${module}.${name} ${kind}`).sort(),
    [
      `${WASI}.clock_time_get function`,
      `${WASI}.environ_get function`,
      `${WASI}.environ_sizes_get function`,
      `${WASI}.fd_close function`,
      `${WASI}.fd_prestat_dir_name function`,
      `${WASI}.fd_prestat_get function`,
      `${WASI}.fd_write function`,
      `${WASI}.path_open function`,
    ],
  );
});

test('it exports these names and nothing else', () => {
  const exports = WebAssembly.Module.exports(new WebAssembly.Module(support.moduleBytes));
  assert.deepEqual(exports.map(({ name }) => name).sort(), [
    'memory',
    'perf_configure',
    'perf_depth',
    'perf_end',
    'perf_end_at',
    'perf_flush',
    'perf_profile',
    'perf_profile_size',
    'perf_reset',
    'perf_start',
    'perf_start_at',
    'perf_unwind',
    'perf_unwind_at',
  ]);
});

test('hooks keep the tree', () => {
  const runtime = instantiate();
  runtime.perf_configure(CLOCK.none, 0);
  runtime.perf_start(4);
  runtime.perf_start(5);
  assert.equal(runtime.perf_depth(), 2);
  runtime.perf_unwind(1);
  runtime.perf_start(5);
  runtime.perf_end();
  runtime.perf_end();
  runtime.perf_end();
  runtime.perf_start(6);
  const { header, nodes } = profileOf(runtime);
  assert.equal(header.unbalancedCount, 1n);
  assert.equal(header.openFrameCount, 1);
  assert.equal(header.clock, CLOCK.none);
  assert.equal(header.ticksPerSecond, 0n);
  assert.deepEqual(
    nodes.map((node) => [node.function, node.parent, node.calls]),
    [
      [support.ROOT, 0, 0n],
      [4, 0, 1n],
      [5, 1, 2n],
      [6, 0, 1n],
    ],
  );
});

/** An instance whose clock goes on by one nanosecond at each reading. */
function withClock(variables) {
  let time = 0n;
  let messages;
  const runtime = instantiate((memory) => {
    const files = support.filesHost(memory);
    messages = files.stderr;
    return {
      ...files.host,
      ...support.clockHost(memory, () => time++),
      ...(variables && support.environmentHost(memory, variables)),
    };
  });
  return { runtime, messages: () => messages() };
}

function callOnce({ runtime }, { at } = {}) {
  if (at) {
    runtime.perf_start_at(1, 5n);
    runtime.perf_end_at(25n);
  } else {
    runtime.perf_start(1);
    runtime.perf_end();
  }
  return profileOf(runtime);
}

test('hooks are measured while they run, at nobody\'s expense', () => {
  const { runtime } = withClock(); // goes on by 1 with each reading
  runtime.perf_configure(CLOCK.wall, 0, 0);
  for (let i = 0; i < 100; i++) {
    runtime.perf_start(1);
    runtime.perf_end();
  }
  const { header, nodes } = profileOf(runtime);
  assert.equal(header.innerHookCost, 1024n);
  assert.equal(header.outerHookCost, 1024n);
  assert.equal(header.hookCostError, 0n);
  assert.deepEqual(
    nodes.map(({ calls, self }) => [calls, self]),
    [[0n, 100n], [100n, 100n]], // one reading of each call, and one after it, although some hooks read twice
  );
});

test('time is charged up to the moment of the profile', () => {
  const { runtime } = withClock();
  runtime.perf_configure(CLOCK.wall, 0);
  runtime.perf_start(1);
  runtime.perf_start(2);
  runtime.perf_end();
  runtime.perf_unwind(1); // nothing to drop: the clock is not read
  const { header, nodes } = profileOf(runtime);
  assert.equal(header.ticksPerSecond, 1_000_000_000n);
  assert.deepEqual(nodes.map(({ self }) => self), [0n, 2n, 1n]);
});

test('without a configuration, the environment chooses', () => {
  const byEnvironment = (variables, options) => {
    const instance = withClock(variables);
    const { header } = callOnce(instance, options);
    assert.equal(instance.messages(), '');
    return header;
  };
  assert.equal(byEnvironment(undefined).clock, CLOCK.wall);
  assert.equal(byEnvironment({}).clock, CLOCK.wall);
  assert.equal(byEnvironment({ A: 'b', WASM_PERF_CLOCK: 'none' }).clock, CLOCK.none);
  assert.equal(byEnvironment({ WASM_PERF_CLOCK: 'wall', C: '' }).clock, CLOCK.wall);
  assert.equal(byEnvironment({ WASM_PERF_CLOCKS: 'none' }).clock, CLOCK.wall);
  assert.equal(byEnvironment({}, { at: true }).clock, CLOCK.instructions);
  assert.equal(byEnvironment({ WASM_PERF_CLOCK: 'none' }, { at: true }).clock, CLOCK.none);
  assert.equal(byEnvironment({ WASM_PERF_CLOCK: 'instructions' }, { at: true }).clock, CLOCK.instructions);
  assert.equal(byEnvironment({ WASM_PERF_CLOCK: 'instructions' }).clock, CLOCK.wall); // no such hooks
  assert.equal(byEnvironment({ WASM_PERF_CLOCK: 'wall' }, { at: true }).clock, CLOCK.instructions);
  assert.equal(byEnvironment({}).nodeLimit, 1 << 20);
  assert.equal(byEnvironment({ WASM_PERF_NODE_LIMIT: '12' }).nodeLimit, 12);
  assert.equal(byEnvironment({ WASM_PERF_NODE_LIMIT: '18446744073709551628' }).nodeLimit, 1 << 26);
  assert.equal(byEnvironment({ WASM_PERF_RECURSION: 'full' }).recursion, 0);
  assert.equal(byEnvironment({ WASM_PERF_RECURSION: 'fold' }).recursion, 1);
});

test('the first event is not lost to the configuration', () => {
  const wall = callOnce(withClock({}));
  assert.deepEqual(wall.nodes.map(({ calls }) => calls), [0n, 1n]);
  assert.equal(wall.nodes[1].self, 1n);
  const instructions = callOnce(withClock({}), { at: true });
  assert.deepEqual(instructions.nodes.map(({ self }) => self), [5n, 20n]);
});

test('unknown values are ignored, with a message', () => {
  const clock = withClock({ WASM_PERF_CLOCK: 'sundial' });
  assert.equal(callOnce(clock).header.clock, CLOCK.wall);
  assert.equal(clock.messages(), 'wasm_perf: WASM_PERF_CLOCK is not a known clock: sundial\n');
  const limit = withClock({ WASM_PERF_NODE_LIMIT: '1k' });
  assert.equal(callOnce(limit).header.nodeLimit, 1 << 20);
  assert.equal(limit.messages(), 'wasm_perf: WASM_PERF_NODE_LIMIT is not a number: 1k\n');
  const recursion = withClock({ WASM_PERF_RECURSION: 'f' });
  assert.equal(callOnce(recursion).header.recursion, 0);
  assert.equal(
    recursion.messages(),
    'wasm_perf: WASM_PERF_RECURSION is neither full nor fold: f\n',
  );
});

test('a host without a clock still gets counts', () => {
  let files;
  const runtime = instantiate((memory) => (files = support.filesHost(memory)).host);
  const { header, nodes } = callOnce({ runtime });
  assert.equal(header.clock, CLOCK.none);
  assert.equal(nodes[1].calls, 1n);
  const message = 'wasm_perf: no wall clock, calls are only counted: WASI error 52\n';
  assert.equal(files.stderr(), message);
});

test('a wall clock leaves out the time that growing takes', () => {
  let time = 0n;
  const runtime = instantiate((memory) => support.clockHost(memory, () => time++));
  runtime.perf_configure(CLOCK.wall, 0);
  for (let i = 0; i < 100_000; i++) runtime.perf_start(i);
  const readings = time - 1n; // the last event's and those before
  const { nodes } = profileOf(runtime);
  const sum = nodes.reduce((total, { self }) => total + self, 0n);
  const pauseCount = readings - 1n - 100_000n; // beside one at each event
  assert(pauseCount > 8n);
  assert.equal(sum, 100_000n); // a tick from each event or pause to the next reading for the tree
});

test('a configuration by the host leaves the environment alone', () => {
  const { runtime } = withClock({ WASM_PERF_CLOCK: 'none', WASM_PERF_NODE_LIMIT: '5' });
  runtime.perf_configure(CLOCK.wall, 77);
  const { header } = callOnce({ runtime });
  assert.equal(header.clock, CLOCK.wall);
  assert.equal(header.nodeLimit, 77);
});

test('an unknown clock is an error of the host', () => {
  assert.throws(() => instantiate().perf_configure(3, 0, 0), WebAssembly.RuntimeError);
  assert.throws(() => instantiate().perf_configure(0, 0, 2), WebAssembly.RuntimeError);
});

test('a profile before the first event is empty and decides nothing', () => {
  const { runtime } = withClock({ WASM_PERF_CLOCK: 'none', WASM_PERF_NODE_LIMIT: '9' });
  runtime.perf_reset();
  assert.equal(profileOf(runtime).nodes.length, 1);
  const { header, nodes } = callOnce({ runtime });
  assert.equal(header.nodeLimit, 9);
  assert.equal(nodes.length, 2);
});

test('configuring again starts anew', () => {
  const { runtime } = withClock();
  runtime.perf_configure(CLOCK.none, 0);
  for (let i = 0; i < 5000; i++) runtime.perf_start(i);
  runtime.perf_configure(CLOCK.wall, 50);
  assert.equal(runtime.perf_depth(), 0);
  const { header, nodes } = callOnce({ runtime });
  assert.equal(header.nodeLimit, 50);
  assert.deepEqual(nodes.map(({ calls }) => calls), [0n, 1n]);
});

test('memory grows with the tree and stays below 64 MB', () => {
  const runtime = instantiate();
  assert.equal(runtime.memory.buffer.byteLength, 2 << 16);
  runtime.perf_configure(CLOCK.none, 0);
  assert(runtime.memory.buffer.byteLength < 16e6);
  for (let i = 0; i < 1_100_000; i++) {
    runtime.perf_start(i);
    runtime.perf_end();
  }
  const { header } = profileOf(runtime);
  assert.equal(header.nodeCount, 1 << 20);
  assert.equal(header.nodeLimit, 1 << 20);
  assert(runtime.memory.buffer.byteLength < 64 << 20);
});

/** Calls `count` functions from the host and one from each of them. */
function callMany(runtime, count) {
  for (let i = 0; i < count; i++) {
    runtime.perf_start(i);
    runtime.perf_start(i + 1);
    runtime.perf_end();
    runtime.perf_end();
  }
}

test('memory that cannot grow is a node limit', () => {
  const bytes = support.withMemoryMaximum(support.moduleBytes, 80); // 5 MB, of which 4 for the stack
  const runtime = instantiate(undefined, bytes);
  runtime.perf_configure(CLOCK.none, 1 << 16);
  callMany(runtime, 40_000);
  const profile = profileOf(runtime);
  assert(profile.header.nodeCount > 10_000);
  assert(profile.header.nodeCount < 30_000);
  assert.equal(profile.header.nodeLimit, profile.header.nodeCount);
  assert.equal(profile.nodes.at(-1).function, TRUNCATED);
  assert.equal(profile.nodes.at(-1).calls, profile.header.truncatedCallCount);
  assert.equal(totalCalls(profile), 80_000n);
  assert.equal(profile.header.openFrameCount, 0);
});

test('with next to no memory, limits shrink', () => {
  for (const pages of [2, 3, 10, 50]) {
    const runtime = instantiate(undefined, support.withMemoryMaximum(support.moduleBytes, pages));
    runtime.perf_configure(CLOCK.none, 0);
    callMany(runtime, 10_000);
    const profile = profileOf(runtime);
    assert(profile.header.nodeCount >= 50, `${pages} pages: ${profile.header.nodeCount} nodes`);
    assert(profile.header.nodeCount <= profile.header.nodeLimit);
    assert.equal(totalCalls(profile), 20_000n);
    for (let i = 0; i < 100_000; i++) runtime.perf_start(1);
    assert.equal(runtime.perf_depth(), 100_000);
    assert.equal(totalCalls(profileOf(runtime)), 120_000n);
  }
});
