// Call trees as arrays. Parents precede their children; node 0 is the root and represents the host.
import { SharedCalls } from './calls.mjs';

/** Maps (parent, label) to a node, while a tree is derived from another one. */
class Places {
  constructor(capacity) {
    let size = 64;
    while (size < capacity * 2) size *= 2;
    this.mask = size - 1;
    this.nodes = new Int32Array(size).fill(-1);
  }

  /** Returns the slot of the node, or the free slot for it. */
  find(parents, labels, parent, label) {
    let slot = (Math.imul(parent, 0x9e3779b1) ^ Math.imul(label + 1, 0x85ebca6b)) >>> 0;
    slot = (slot ^ (slot >>> 15)) & this.mask;
    for (;;) {
      const node = this.nodes[slot];
      if (node < 0 || (parents[node] === parent && labels[node] === label)) return slot;
      slot = (slot + 1) & this.mask;
    }
  }
}

/**
 * Builds a tree node by node. Nodes with the same parent and label are merged. `other` is the self value in the
 * profile to compare with.
 */
export class TreeBuilder {
  constructor(capacity) {
    this.places = new Places(capacity + 1);
    this.parent = new Int32Array(capacity + 1);
    this.label = new Int32Array(capacity + 1);
    this.self = new Float64Array(capacity + 1);
    this.calls = new Float64Array(capacity + 1);
    this.other = new Float64Array(capacity + 1);
    this.label[0] = -1;
    this.count = 1;
  }

  child(parent, label) {
    const slot = this.places.find(this.parent, this.label, parent, label);
    let node = this.places.nodes[slot];
    if (node < 0) {
      node = this.count++;
      this.places.nodes[slot] = node;
      this.parent[node] = parent;
      this.label[node] = label;
    }
    return node;
  }

  add(node, self, calls, other) {
    this.self[node] += self;
    this.calls[node] += calls;
    this.other[node] += other;
  }

  finish() {
    const cut = (array) => array.slice(0, this.count);
    return new Tree(cut(this.parent), cut(this.label), cut(this.self), cut(this.calls), cut(this.other));
  }
}

function sumTotals(self, parent) {
  const total = Float64Array.from(self);
  for (let i = total.length - 1; i > 0; i--) total[parent[i]] += total[i];
  return total;
}

export class Tree {
  constructor(parent, label, self, calls, other) {
    this.count = parent.length;
    this.parent = parent;
    this.label = label;
    this.self = self;
    this.calls = calls;
    this.other = other;
    this.shared = new SharedCalls();
    this.total = sumTotals(self, parent);
    this.otherTotal = other === null ? null : sumTotals(other, parent);
    this.layOut(false);
  }

  /** Sums the calls of nodes: {calls, isAtMost: whether some may have been on other stacks}. */
  callsOf(nodes) {
    return this.shared.sum(nodes, this.calls);
  }

  /** Lays out the children of each node side by side: largest first, or in the order of their first calls. */
  layOut(isHeavyFirst) {
    const { count, parent, total } = this;
    this.firstKid = new Int32Array(count + 1);
    for (let i = 1; i < count; i++) this.firstKid[parent[i] + 1]++;
    for (let i = 0; i < count; i++) this.firstKid[i + 1] += this.firstKid[i];
    const next = this.firstKid.slice(0, count);
    this.kids = new Int32Array(Math.max(0, count - 1));
    for (let i = 1; i < count; i++) this.kids[next[parent[i]]++] = i;
    this.isHeavyFirst = isHeavyFirst;
    if (isHeavyFirst) this.sortKids();
    this.start = new Float64Array(count);
    this.depth = new Int32Array(count);
    for (let i = 0; i < count; i++) {
      let at = this.start[i];
      for (let k = this.firstKid[i]; k < this.firstKid[i + 1]; k++) {
        const kid = this.kids[k];
        this.start[kid] = at;
        this.depth[kid] = this.depth[i] + 1;
        at += total[kid];
      }
    }
    return this;
  }

  sortKids() {
    const { kids, firstKid, total, count } = this;
    for (let i = 0; i < count; i++) {
      const from = firstKid[i];
      const size = firstKid[i + 1] - from;
      if (size > 12) {
        kids.subarray(from, from + size).sort((a, b) => total[b] - total[a] || a - b);
        continue;
      }
      for (let k = from + 1; k < from + size; k++) {
        const kid = kids[k];
        let at = k;
        for (; at > from && total[kids[at - 1]] < total[kid]; at--) kids[at] = kids[at - 1];
        kids[at] = kid;
      }
    }
  }

  /** Returns the nodes from the outermost frame to `node`, without the root. */
  path(node) {
    const path = [];
    for (; node > 0; node = this.parent[node]) path.push(node);
    return path.reverse();
  }

  end(node) {
    return this.start[node] + this.total[node];
  }

  contains(outer, inner) {
    for (; inner > outer; inner = this.parent[inner]);
    return inner === outer;
  }
}

/** Functions in a part of a tree may have been called on stacks that it does not have. */
function boundCalls(tree, stats) {
  const nodesOf = new Map();
  for (const node of tree.shared.entries.keys()) {
    const nodes = nodesOf.get(tree.label[node]);
    if (nodes === undefined) nodesOf.set(tree.label[node], [node]);
    else nodes.push(node);
  }
  for (const [label, nodes] of nodesOf) {
    const { calls, isAtMost } = tree.callsOf(nodes);
    stats.calls[label] += calls - nodes.reduce((sum, node) => sum + tree.calls[node], 0);
    if (isAtMost) stats.atMost.add(label);
  }
}

/**
 * Sums per label: self, total (recursion counted once), calls, nodes, stacks (nodes without an ancestor of that
 * label), and self and total in the profile to compare with; `atMost`: the labels with at most so many calls, if the
 * tree `isPart` of another.
 */
export function functionStats(tree, labelCount, isPart) {
  const make = () => new Float64Array(labelCount);
  const stats = { self: make(), total: make(), calls: make(), nodes: make(), stacks: make(),
    otherSelf: make(), otherTotal: make(), atMost: new Set() };
  const { label, total, self, calls, other, otherTotal } = tree;
  const isInner = innerNodes(tree, labelCount);
  for (let i = 1; i < tree.count; i++) {
    const of = label[i];
    stats.self[of] += self[i];
    stats.calls[of] += calls[i];
    stats.nodes[of]++;
    if (!isInner[i]) {
      stats.total[of] += total[i];
      stats.stacks[of]++;
    }
    if (other !== null) {
      stats.otherSelf[of] += other[i];
      if (!isInner[i]) stats.otherTotal[of] += otherTotal[i];
    }
  }
  if (isPart) boundCalls(tree, stats);
  return stats;
}

/** Per node: 1 if an ancestor has the same function. */
export function innerNodes(tree, labelCount) {
  const { label, kids, firstKid, count } = tree;
  const isInner = new Uint8Array(count);
  const openCounts = new Int32Array(labelCount);
  const path = [0];
  const next = firstKid.slice(0, count); // per node: the first child not visited yet
  while (path.length > 0) {
    const node = path[path.length - 1];
    if (next[node] < firstKid[node + 1]) {
      const kid = kids[next[node]++];
      isInner[kid] = openCounts[label[kid]]++ > 0 ? 1 : 0;
      path.push(kid);
    } else {
      path.pop();
      if (node > 0) openCounts[label[node]]--;
    }
  }
  return isInner;
}
