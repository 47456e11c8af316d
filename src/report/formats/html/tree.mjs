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
 * Builds a tree node by node. Nodes with the same parent and label are merged. If it is compared with another profile,
 * `other` and `otherCalls` are the self value and the calls there.
 */
export class TreeBuilder {
  constructor(capacity, isCompared) {
    this.places = new Places(capacity + 1);
    this.parent = new Int32Array(capacity + 1);
    this.label = new Int32Array(capacity + 1);
    this.self = new Float64Array(capacity + 1);
    this.calls = new Float64Array(capacity + 1);
    this.other = isCompared ? new Float64Array(capacity + 1) : null;
    this.otherCalls = isCompared ? new Float64Array(capacity + 1) : null;
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

  /** Adds the values of node `i` of another tree, unless not `withCalls` all but its calls. */
  add(node, { self, calls, other, otherCalls }, i, withCalls = true) {
    this.self[node] += self[i];
    if (withCalls) this.calls[node] += calls[i];
    if (this.other === null) return;
    this.other[node] += other[i];
    if (withCalls) this.otherCalls[node] += otherCalls[i];
  }

  finish() {
    const cut = (array) => array?.slice(0, this.count) ?? null;
    return new Tree(cut(this.parent), cut(this.label), cut(this.self), cut(this.calls), cut(this.other), cut(this.otherCalls));
  }
}

function sumTotals(self, parent) {
  const total = Float64Array.from(self);
  for (let i = total.length - 1; i > 0; i--) total[parent[i]] += total[i];
  return total;
}

/** "new" or "gone" if all calls are on one side, each {calls, isAtMost, total}; a function may have run without samples. */
function appearance(before, after) {
  if (before.isAtMost || after.isAtMost) return '';
  const isMissing = ({ calls, total }) => calls === 0 && total === 0;
  return isMissing(before) && after.calls > 0 ? 'new' : isMissing(after) && before.calls > 0 ? 'gone' : '';
}

/** "new" or "gone" of a function in a comparison, or ''. */
export const appearanceOf = (stats, label) => appearance(
  { calls: stats.otherCalls[label], total: stats.otherTotal[label], isAtMost: stats.otherAtMost.has(label) },
  { calls: stats.calls[label], total: stats.total[label], isAtMost: stats.atMost.has(label) });

export class Tree {
  constructor(parent, label, self, calls, other = null, otherCalls = null) {
    this.count = parent.length;
    this.parent = parent;
    this.label = label;
    this.self = self;
    this.calls = calls;
    this.other = other;
    this.otherCalls = otherCalls;
    this.shared = new SharedCalls();
    this.otherShared = new SharedCalls();
    this.samplePeriod = 0; // nanoseconds; 0: values are not from samples
    this.otherPeriod = 0; // of the profile to compare with
    this.hasAllStacks = false; // of the profile, with all of their frames
    this.total = sumTotals(self, parent);
    this.otherTotal = other === null ? null : sumTotals(other, parent);
    this.layOut(false);
  }

  /**
   * Sums the calls of nodes: {calls, isAtMost: whether some may have been on other stacks}; `areAll`: the nodes are all of
   * a function, or all of it that have the same caller.
   */
  callsOf(nodes, areAll = false) {
    return this.shared.sum(nodes, this.calls, areAll && this.hasAllStacks);
  }

  /** The standard deviation of a sampled change, from the numbers of samples. change.c has the same. */
  changeError(before, after) {
    return Math.round(Math.sqrt(before * this.otherPeriod + after * this.samplePeriod));
  }

  /** Whether a frame of a comparison is "new" or "gone", or ''. */
  appearance(node) {
    return appearance({ total: this.otherTotal[node], ...this.otherShared.sum([node], this.otherCalls) },
      { total: this.total[node], ...this.callsOf([node]) });
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

/**
 * Functions in a part of a tree may have been called on stacks that it does not have: corrects their `sums` of the
 * nodes' `calls`, and returns the functions with at most so many.
 */
function boundCalls(label, shared, calls, sums) {
  const nodesOf = new Map();
  const atMost = new Set();
  for (const node of shared.entries.keys()) {
    const nodes = nodesOf.get(label[node]);
    if (nodes === undefined) nodesOf.set(label[node], [node]);
    else nodes.push(node);
  }
  for (const [of, nodes] of nodesOf) {
    const bound = shared.sum(nodes, calls);
    sums[of] += bound.calls - nodes.reduce((sum, node) => sum + calls[node], 0);
    if (bound.isAtMost) atMost.add(of);
  }
  return atMost;
}

/**
 * Sums per label: self, total (recursion counted once), calls, nodes, stacks (nodes without an ancestor of that
 * label), and self, total and calls in the profile to compare with; `atMost`: the labels with at most so many calls,
 * if the tree `isPart` of another.
 */
export function functionStats(tree, labelCount, isPart) {
  const make = () => new Float64Array(labelCount);
  const stats = { self: make(), total: make(), calls: make(), nodes: make(), stacks: make(),
    otherSelf: make(), otherTotal: make(), otherCalls: make(), atMost: new Set(), otherAtMost: new Set() };
  const { label, total, self, calls, other, otherTotal, otherCalls } = tree;
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
      stats.otherCalls[of] += otherCalls[i];
      if (!isInner[i]) stats.otherTotal[of] += otherTotal[i];
    }
  }
  if (isPart) stats.atMost = boundCalls(label, tree.shared, calls, stats.calls);
  if (isPart && other !== null) stats.otherAtMost = boundCalls(label, tree.otherShared, otherCalls, stats.otherCalls);
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
