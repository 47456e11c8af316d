/** The .wperf file, as include/wasm_perf/format.h describes it. */

/** enum wasm_perf_clock */
export const CLOCKS = { none: 0, wall: 1, instructions: 2, hybrid: 3, sampled: 4 };

/** Where the fields of struct wasm_perf_header are that are used here. */
export const HEADER = {
  version: 8,
  headerSize: 12,
  nodeSize: 16,
  nodeCount: 20,
  nameCount: 24,
  clock: 28,
  ticksPerSecond: 32,
  hostFunctionCount: 68,
  clockReadCount: 72,
  innerHookCost: 104,
  hookCostError: 120,
  functionCount: 128,
  hookedFunctionCount: 132,
};

/** The same of struct wasm_perf_node. */
export const NODE = { function: 0, parent: 4, callCount: 8, self: 16 };

export const FUNCTION_ROOT = 0xffffffff;
export const FUNCTION_TRUNCATED = 0xfffffffe; // this and above name no function
export const COST_CALL_COUNT = 1024; // the calls whose hooks cost what the header says
export const NS_PER_SECOND = 1_000_000_000n;

const MAGIC = [0x89, 0x77, 0x70, 0x65, 0x72, 0x66, 0x0d, 0x0a];
const VERSION = 1;
const HEADER_SIZE = 136;
const NODE_SIZE = 24;

const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Header and nodes of a file, in place. */
export class Tree {
  #offset;
  #size;

  /** @param {Uint8Array} bytes of the file, or of its beginning */
  constructor(bytes) {
    if (MAGIC.some((byte, i) => bytes[i] !== byte)) throw new TypeError('no .wperf file');
    this.view = viewOf(bytes);
    this.#offset = this.u32(HEADER.headerSize);
    this.#size = this.u32(HEADER.nodeSize);
    this.nodeCount = this.u32(HEADER.nodeCount);
  }

  u32(field) {
    return this.view.getUint32(field, true);
  }

  u64(field) {
    return this.view.getBigUint64(field, true);
  }

  setU32(field, value) {
    this.view.setUint32(field, value, true);
  }

  setU64(field, value) {
    this.view.setBigUint64(field, value, true);
  }

  #at(node, field) {
    return this.#offset + node * this.#size + field;
  }

  functionOf(node) {
    return this.u32(this.#at(node, NODE.function));
  }

  parentOf(node) {
    return this.u32(this.#at(node, NODE.parent));
  }

  callsOf(node) {
    return this.u64(this.#at(node, NODE.callCount));
  }

  selfOf(node) {
    return this.u64(this.#at(node, NODE.self));
  }

  setSelf(node, ticks) {
    this.setU64(this.#at(node, NODE.self), ticks);
  }

  /** The functions that occur, in increasing order. */
  functions() {
    const functions = new Set();
    for (let node = 0; node < this.nodeCount; node++) functions.add(this.functionOf(node));
    return [...functions].filter((index) => index < FUNCTION_TRUNCATED).sort((a, b) => a - b);
  }
}

/** The names part of a file. */
function encodeNames(functions, nameOf) {
  const encoder = new TextEncoder();
  const texts = functions.map((index) => encoder.encode(nameOf(index)));
  const bytes = new Uint8Array(texts.reduce((size, utf8) => size + 8 + utf8.length, 0));
  const view = viewOf(bytes);
  let offset = 0;
  texts.forEach((utf8, i) => {
    view.setUint32(offset, functions[i], true);
    view.setUint32(offset + 4, utf8.length, true);
    bytes.set(utf8, offset + 8);
    offset += 8 + utf8.length;
  });
  return bytes;
}

/** A file of these bytes of header and nodes, and the names of all functions that occur. */
export function withNames(tree, nameOf) {
  const functions = new Tree(tree).functions();
  const names = encodeNames(functions, nameOf);
  const bytes = new Uint8Array(tree.length + names.length);
  bytes.set(tree);
  bytes.set(names, tree.length);
  new Tree(bytes).setU32(HEADER.nameCount, functions.length);
  return bytes;
}

/** Header and nodes of which parents come first: [{function, parent, self}], the root aside. */
export function encodeTree(nodes) {
  const bytes = new Uint8Array(HEADER_SIZE + (nodes.length + 1) * NODE_SIZE);
  const view = viewOf(bytes);
  bytes.set(MAGIC);
  const header = {
    version: VERSION,
    headerSize: HEADER_SIZE,
    nodeSize: NODE_SIZE,
    nodeCount: nodes.length + 1,
  };
  for (const [field, value] of Object.entries(header)) view.setUint32(HEADER[field], value, true);
  view.setUint32(HEADER_SIZE + NODE.function, FUNCTION_ROOT, true);
  nodes.forEach((node, i) => {
    const at = HEADER_SIZE + (i + 1) * NODE_SIZE;
    view.setUint32(at + NODE.function, node.function, true);
    view.setUint32(at + NODE.parent, node.parent, true);
    view.setBigUint64(at + NODE.self, node.self, true);
  });
  return bytes;
}
