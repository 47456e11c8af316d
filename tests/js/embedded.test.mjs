/** embedded.mjs: profiles out of instances that keep them inside. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeFileSync } from 'node:fs';
import { at, importHost, read, tool } from './support.mjs';
import { readProfile } from './wperf.mjs';

const { countsOf, isEmbedded, resetProfile, takeFile } = await importHost('engine/embedded.mjs');
const { withFacts } = await importHost('wperf/file.mjs');

const ROOT = 0xffffffff;
const TRUNCATED = 0xfffffffe;
const UNITS = { calls: 'calls', self: 'instructions', bytes: 'bytes' };

/** u32 numbers, u64 BigInts, and texts, one after the other, padded to a multiple of 8. */
function pack(...items) {
  const parts = items.map((item) => {
    if (typeof item === 'string') return Buffer.from(item);
    const part = Buffer.alloc(typeof item === 'bigint' ? 8 : 4);
    if (typeof item === 'bigint') part.writeBigUInt64LE(item);
    else part.writeUInt32LE(item);
    return part;
  });
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat([...parts, Buffer.alloc(-size & 7)]);
}

const section = (id, payload) => Buffer.concat([pack(id, 0, BigInt(payload.length)), payload]);

function makeFile(values, nodes) {
  return Buffer.concat([
    Buffer.from('\x89wperf\r\n', 'latin1'),
    pack(2, 16),
    section(1, Buffer.concat([pack(1, 8, 2n), pack(65, 3, 'abc')])),
    section(2, Buffer.concat(values.map((name) => pack(name.length, UNITS[name].length, name + UNITS[name])))),
    section(3, Buffer.concat(nodes.map((node) => pack(...node)))),
  ]);
}

/** An instance that hands out the bytes of a file. */
function instanceOf(file) {
  const padded = Buffer.concat([file, Buffer.alloc(8)]);
  const exports = {
    wasm_perf_profile: () => file.length,
    wasm_perf_read: (offset) => padded.readBigInt64LE(offset),
    wasm_perf_reset: () => (exports.isReset = true),
  };
  return { exports };
}

const nodes = [
  [ROOT, 0, 0n, 0n],
  [3, 0, 2n, 0x8000000000000000n],
  [1, 1, 7n, 5n],
  [3, 2, 1n, 6n],
  [TRUNCATED, 0, 0n, 0n],
];

/** What wasm-perf makes of profiles one after another. */
function addUp(files) {
  writeFileSync(at('all.wperf'), Buffer.concat(files));
  const { status, stderr } = tool('wasm-perf', ['merge', '-o', 'sum.wperf', 'all.wperf']);
  assert.equal(status, 0, stderr);
  return readProfile(read('sum.wperf'));
}

test('a profile gains facts', () => {
  const instance = instanceOf(makeFile(['calls', 'self'], nodes));
  assert(isEmbedded(instance));
  const file = withFacts(takeFile(instance), { module: 'app.wasm', engine: 'V8', command: undefined });
  const { header, nodes: read } = addUp(file);
  assert.deepEqual(
    read.map((node) => [node.function, node.parent, node.calls, node.self]),
    nodes,
  );
  assert.equal(header.module, 'app.wasm');
  assert.equal(header.engine, 'V8');
  assert.equal(header.identity, 'abc');
  assert.equal(Number(header.clock), 2);
});

/** The calls of each stack, such as "1/5/2". */
function callsByStack({ nodes: read }) {
  const stacks = [''];
  const calls = new Map();
  read.forEach((node, i) => {
    if (i === 0) return;
    stacks[i] = `${stacks[node.parent]}/${node.function}`;
    assert(!calls.has(stacks[i]), stacks[i]);
    calls.set(stacks[i], node.calls);
  });
  return calls;
}

test('instances that made their nodes in another order are added up', () => {
  const levels = [7, 11, 13]; // children of the root, of those, and of those
  const made = (sign) => {
    const tree = [[ROOT, 0, 0n, 0n]];
    const grow = (parent, level) => {
      for (let i = 0; i < levels[level]; i++) {
        const child = sign > 0 ? i : levels[level] - 1 - i;
        tree.push([child, parent, BigInt(tree.length), 1n]);
        if (level < 2) grow(tree.length - 1, level + 1);
      }
    };
    grow(0, 0);
    tree.push([sign > 0 ? 1000 : 0xfffffe, 0, 1n, 1n], [TRUNCATED, 0, 1n, 1n]);
    return makeFile(['calls', 'self'], tree);
  };
  const files = [made(1), made(-1)];
  const [first, second, sum] = [[files[0]], [files[1]], files].map((some) =>
    callsByStack(addUp(some)));
  assert.equal(sum.size, first.size + 1);
  for (const [stack, calls] of sum) assert.equal(calls, (first.get(stack) ?? 0n) + (second.get(stack) ?? 0n), stack);
});

test('counts are unsigned', () => {
  const exports = { wasm_perf_count: (ofNodes) => (ofNodes ? 3n : -1n) };
  assert.deepEqual(countsOf({ exports }), { calls: 2n ** 64n - 1n, nodes: 3 });
});

test('other instances are recognised, and memory may run out', () => {
  assert(!isEmbedded({ exports: { memory: {} } }));
  assert.throws(() => takeFile(instanceOf(Buffer.alloc(0))), /out of memory/);
  const instance = instanceOf(makeFile(['calls'], []));
  resetProfile(instance);
  assert(instance.exports.isReset);
});
