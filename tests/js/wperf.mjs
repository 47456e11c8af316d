/** A reader of .wperf files for tests: written from the format's description, strict throughout. */

import assert from 'node:assert/strict';

const MAGIC = Buffer.from('\x89wperf\r\n', 'latin1');
const ROOT = 0xffffffff;
const HEADER_SIZE = 136;
const NODE_SIZE = 24;

function readHeader(view) {
  const fields = ['version', 'headerSize', 'nodeSize', 'nodeCount', 'nameCount', 'clock'];
  const header = {};
  fields.forEach((name, i) => (header[name] = view.getUint32(8 + 4 * i, true)));
  header.ticksPerSecond = view.getBigUint64(32, true);
  header.foldedCallCount = view.getBigUint64(40, true);
  header.unbalancedCount = view.getBigUint64(48, true);
  header.openFrameCount = view.getUint32(56, true);
  header.nodeLimit = view.getUint32(60, true);
  header.recursion = view.getUint32(64, true);
  header.hostFunctionCount = view.getUint32(68, true);
  const times = ['clockReadCount', 'measuredTime', 'deviation', 'hostTime'];
  times.push('innerHookCost', 'outerHookCost', 'hookCostError');
  times.forEach((name, i) => (header[name] = view.getBigUint64(72 + 8 * i, true)));
  header.functionCount = view.getUint32(128, true);
  header.hookedFunctionCount = view.getUint32(132, true);
  return header;
}

function readNode(view, offset) {
  return {
    function: view.getUint32(offset, true),
    parent: view.getUint32(offset + 4, true),
    calls: view.getBigUint64(offset + 8, true),
    self: view.getBigUint64(offset + 16, true),
  };
}

/** The parts of a profile: {header, nodes, names: Map from function to name}. */
export function readProfile(bytes) {
  assert.deepEqual(Buffer.from(bytes.subarray(0, 8)), MAGIC);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = readHeader(view);
  assert.equal(header.version, 1);
  let offset = header.headerSize;

  const nodes = [];
  for (let i = 0; i < header.nodeCount; i++, offset += header.nodeSize) {
    nodes.push(readNode(view, offset));
    assert(i === 0 ? nodes[i].function === ROOT : nodes[i].parent < i);
  }

  const names = new Map();
  let last = -1;
  for (let i = 0; i < header.nameCount; i++) {
    const index = view.getUint32(offset, true);
    const size = view.getUint32(offset + 4, true);
    assert(index > last, 'names are in increasing order');
    last = index;
    names.set(index, Buffer.from(bytes.subarray(offset + 8, offset + 8 + size)).toString());
    offset += 8 + size;
  }
  assert.equal(offset, bytes.length, 'nothing follows the names');
  return { header, nodes, names };
}

/** {"outer;inner": 3, ...}: the number of calls of each stack, sorted by stack. */
export function callCounts(bytes) {
  const { nodes, names } = readProfile(bytes);
  const stacks = [];
  const counts = [];
  nodes.forEach((node, i) => {
    if (i === 0) return stacks.push('');
    const name = names.get(node.function) ?? `?${node.function}`;
    stacks.push(node.parent === 0 ? name : `${stacks[node.parent]};${name}`);
    counts.push([stacks[i], Number(node.calls)]);
  });
  return Object.fromEntries(counts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * The bytes of a profile; the opposite of readProfile.
 *
 * @param {{function: number, parent: number, calls: number, self: number}[]} nodes without the root
 * @param {[number, string][]} names
 */
export function writeProfile(nodes, names, options = {}) {
  const { clock = 1, ticksPerSecond = 1_000_000_000 } = options;
  const { hostFunctionCount = 0, hookCosts = [], functionCounts = [] } = options;
  const { measuredTime = 0, deviation = 0 } = options;
  const texts = names.map(([, text]) => Buffer.from(text));
  const namesSize = texts.reduce((size, text) => size + 8 + text.length, 0);
  const bytes = Buffer.alloc(HEADER_SIZE + NODE_SIZE * (nodes.length + 1) + namesSize);
  MAGIC.copy(bytes);
  const counts = [1, HEADER_SIZE, NODE_SIZE, nodes.length + 1, names.length, clock];
  counts.forEach((value, i) => bytes.writeUInt32LE(value, 8 + 4 * i));
  bytes.writeBigUInt64LE(BigInt(ticksPerSecond), 32);
  bytes.writeUInt32LE(hostFunctionCount, 68);
  functionCounts.forEach((count, i) => bytes.writeUInt32LE(count, 128 + 4 * i));
  bytes.writeBigUInt64LE(BigInt(measuredTime), 80);
  bytes.writeBigUInt64LE(BigInt(deviation), 88);
  hookCosts.forEach((cost, i) => bytes.writeBigUInt64LE(BigInt(cost), 104 + 8 * i));

  const root = { function: ROOT, parent: 0, calls: 0, self: 0 };
  let offset = HEADER_SIZE;
  for (const node of [root, ...nodes]) {
    bytes.writeUInt32LE(node.function, offset);
    bytes.writeUInt32LE(node.parent, offset + 4);
    bytes.writeBigUInt64LE(BigInt(node.calls), offset + 8);
    bytes.writeBigUInt64LE(BigInt(node.self), offset + 16);
    offset += NODE_SIZE;
  }
  names.forEach(([index], i) => {
    bytes.writeUInt32LE(index, offset);
    bytes.writeUInt32LE(texts[i].length, offset + 4);
    texts[i].copy(bytes, offset + 8);
    offset += 8 + texts[i].length;
  });
  return bytes;
}
