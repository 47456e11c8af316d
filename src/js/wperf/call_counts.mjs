/** The call tree that profiles are added up in. */

import { FUNCTION_ROOT } from './format.mjs';
import { NO_VALUE } from './sections.mjs';

const FUNCTION_LIMIT = 2 ** 24; // more than a module may have
const ROOM = 1024; // nodes that may be added before all are copied
const WORDS = 6; // of a node: function, parent, calls, self; the last two have two
const [CALLS, SELF] = [2, 4]; // where they begin
const HIGH_WORD = 2 ** 32; // what one in the upper half of a u64 stands for

const same = (index) => index;

/** A set of function indices, of a module and its guests. They are small numbers. */
class FunctionSet {
  #has = new Uint8Array(0);

  add(index) {
    if (index >= this.#has.length) this.#reserve(index);
    this.#has[index] = 1;
  }

  #reserve(index) {
    if (index >= FUNCTION_LIMIT) return; // none, or of a damaged file
    const grown = new Uint8Array(2 * index + 1);
    grown.set(this.#has);
    this.#has = grown;
  }

  /** The indices in increasing order. */
  list() {
    const functions = [];
    this.#has.forEach((has, index) => has && functions.push(index));
    return functions;
  }
}

/**
 * Finds nodes by parent and function: a hash table with open addressing. A Map needs a key for both, a number
 * beyond 32 bits, with which it is ten times as slow.
 */
class Children {
  #tree;
  #slots; // nodes; 0: free, as the root is nobody's child
  #count = 0;

  constructor(tree) {
    this.#tree = tree;
    this.#fill(2 * tree.nodeCount);
  }

  /** Makes room for `count` nodes, at least one, and enters the nodes of the tree. */
  #fill(count) {
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * count)));
    this.#count = 0;
    const tree = this.#tree;
    for (let node = 1; node < tree.nodeCount; node++) this.add(node, tree.functionOf(node), tree.parentOf(node));
  }

  /** Where the child is, or would be entered. */
  #find(index, parent) {
    const [tree, slots] = [this.#tree, this.#slots];
    const mask = slots.length - 1;
    let hash = Math.imul(Math.imul(parent, 0x9e3779b1) + index, 0x85ebca6b);
    hash ^= hash >>> 15;
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const node = slots[at];
      if (node === 0 || (tree.functionOf(node) === index && tree.parentOf(node) === parent)) return at;
    }
  }

  /** Returns the node of the child; 0 if there is none. */
  get(index, parent) {
    return this.#slots[this.#find(index, parent)];
  }

  add(node, index, parent) {
    if (2 * ++this.#count > this.#slots.length) return this.#fill(2 * this.#count);
    this.#slots[this.#find(index, parent)] = node;
  }
}

/**
 * The sum of the call trees of several instances: calls and self values. Node 0 is the root. Numbers
 * are exact up to 2^53. Nodes are stored as in the file, as there may be millions.
 */
export class CallCounts {
  nodeCount = 1;
  #words = Uint32Array.of(FUNCTION_ROOT, 0, 0, 0, 0, 0);
  #functions = new FunctionSet();
  #hasSelfs = false;
  #children = null; // made when a second tree is added

  functionOf(node) {
    return this.#words[WORDS * node];
  }

  parentOf(node) {
    return this.#words[WORDS * node + 1];
  }

  #number(at) {
    return this.#words[at] + HIGH_WORD * this.#words[at + 1];
  }

  #setNumber(at, value) {
    this.#words[at] = value; // which keeps the low 32 bits
    this.#words[at + 1] = value / HIGH_WORD;
  }

  callsOf(node) {
    return this.#number(WORDS * node + CALLS);
  }

  selfOf(node) {
    return this.#number(WORDS * node + SELF);
  }

  /** A whole number. */
  setSelf(node, value) {
    this.#setNumber(WORDS * node + SELF, value);
  }

  /** Sets all self values to 0. */
  clearSelfs() {
    if (!this.#hasSelfs) return;
    const words = this.#words;
    for (let at = SELF; at < WORDS * this.nodeCount; at += WORDS) words[at] = words[at + 1] = 0;
  }

  /** Functions without hooks that have nodes, from samples: the number of their calls is unknown. */
  uncounted = new Set();

  /** Adds a node of a function without hooks. */
  addUncounted(index, parent) {
    this.uncounted.add(index);
    return this.#append(index, parent);
  }

  /** The functions that occur, in increasing order. */
  functions() {
    return this.#functions.list();
  }

  #reserve(count) {
    if (WORDS * count <= this.#words.length) return;
    const grown = new Uint32Array(Math.max(WORDS * (count + ROOM), 2 * this.#words.length));
    grown.set(this.#words);
    this.#words = grown;
  }

  #append(index, parent) {
    this.#reserve(this.nodeCount + 1);
    const node = this.nodeCount++;
    this.#words[WORDS * node] = index;
    this.#words[WORDS * node + 1] = parent;
    this.#functions.add(index);
    return node;
  }

  /** The next such child after a node; not before the number of nodes if there is none. */
  #next(index, parent, node) {
    const words = this.#words;
    do node++;
    while (node < this.nodeCount && (words[WORDS * node] !== index || words[WORDS * node + 1] !== parent));
    return node;
  }

  #child(index, parent) {
    this.#children ??= new Children(this);
    let node = this.#children.get(index, parent);
    if (node === 0) this.#children.add((node = this.#append(index, parent)), index, parent);
    return node;
  }

  /**
   * Adds the tree of a profile.
   *
   * @param {object} nodes the result of readNodes
   * @param {(index: number) => number} [renumber] maps its function indices to this tree's
   * @returns {(node: number) => number} maps a node of the profile to its node in this tree
   */
  add(nodes, renumber = same) {
    this.#hasSelfs ||= nodes.self !== NO_VALUE;
    if (nodes.self !== NO_VALUE) this.#addNumber(SELF, nodes.words, nodes.self); // of the root
    if (this.nodeCount > 1) return this.#addNodes(nodes, renumber);
    this.#copyNodes(nodes, renumber);
    return same;
  }

  /** Copies the nodes of the first profile. */
  #copyNodes({ words, size, count, calls, self }, renumber) {
    this.#reserve(count);
    const [copy, functions] = [this.#words, this.#functions];
    for (let from = size, to = WORDS; from < words.length; from += size, to += WORDS) {
      copy[to] = renumber(words[from]);
      copy[to + 1] = words[from + 1];
      functions.add(copy[to]);
      if (calls !== NO_VALUE) {
        copy[to + CALLS] = words[from + calls];
        copy[to + CALLS + 1] = words[from + calls + 1];
      }
      if (self !== NO_VALUE) {
        copy[to + SELF] = words[from + self];
        copy[to + SELF + 1] = words[from + self + 1];
      }
    }
    this.nodeCount = count;
  }

  /** Profiles of one instance have their nodes in the same order: while they do, no index is needed. */
  #addNodes({ words, size, count, calls, self }, renumber) {
    const nodes = new Uint32Array(count);
    let [last, isOrdered] = [0, !this.#children];
    for (let i = 1, from = size; i < count; i++, from += size) {
      const [index, parent] = [renumber(words[from]), nodes[words[from + 1]]];
      if (isOrdered) last = this.#next(index, parent, last);
      isOrdered &&= last < this.nodeCount;
      const node = isOrdered ? last : this.#child(index, parent);
      nodes[i] = node;
      if (calls !== NO_VALUE) this.#addNumber(WORDS * node + CALLS, words, from + calls);
      if (self !== NO_VALUE) this.#addNumber(WORDS * node + SELF, words, from + self);
    }
    return (node) => nodes[node];
  }

  #addNumber(at, words, from) {
    this.#setNumber(at, this.#number(at) + words[from] + HIGH_WORD * words[from + 1]);
  }

  /** The payload of the section of nodes. */
  encode() {
    return new Uint8Array(this.#words.buffer, 0, 4 * WORDS * this.nodeCount);
  }
}
