/** The .wperf file, as include/wasm_perf/format.h describes it: the form of its version 1. */

import { encodeText } from './clean.mjs';
import {
  CLOCKS,
  FUNCTION_ROOT,
  FUNCTION_TRUNCATED,
  HEADER,
  HEADER_SIZE,
  LINKED_CLOCKS,
  MAGIC,
  MEMORY_VERSION,
  NODE,
  NODE_SIZE,
  RECURSIONS,
} from './format.mjs';

export { CLOCKS, FUNCTION_ROOT, FUNCTION_TRUNCATED, HEADER, LINKED_CLOCKS, NODE, RECURSIONS };

export const NS_PER_SECOND = 1_000_000_000n;

const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Whether a file has the form of version 1, which the linked runtime has in memory. */
export const isInMemoryForm = (bytes) =>
  viewOf(bytes).getUint32(MAGIC.length, true) === MEMORY_VERSION;

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
    this.setU64(this.#at(node, NODE.self), BigInt(ticks));
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
  const texts = functions.map((index) => encodeText(nameOf(index)));
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

/** Header and nodes, parents first: [{function, parent, self}], the root aside. */
export function encodeTree(nodes) {
  const bytes = new Uint8Array(HEADER_SIZE + (nodes.length + 1) * NODE_SIZE);
  const view = viewOf(bytes);
  bytes.set(MAGIC);
  const header = {
    version: MEMORY_VERSION,
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
