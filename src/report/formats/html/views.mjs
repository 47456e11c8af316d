// Trees derived from the whole one: with hidden functions, a focus or folded recursion, and the callers and
// callees of a function.
import { SharedCalls } from './calls.mjs';
import { columnInRange } from './time_line.mjs';
import { innerNodes, Tree, TreeBuilder } from './tree.mjs';

const SANDWICH_SHARE = 1e-4; // of the function's total; smaller groups are omitted
const SANDWICH_DEPTH = 60;
const FUNCTION = 1; // the node of the function in trees of its callers and callees

/** Sums the columns of all runs if `run` is null; otherwise returns its column. */
export function columnOf(data, run, value) {
  if (run !== null) return data.columns[run][value];
  if (data.columns.length === 1) return data.columns[0][value];
  const sum = new Float64Array(data.count);
  for (const columns of data.columns) {
    const column = columns[value];
    for (let i = 0; i < sum.length; i++) sum[i] += column[i];
  }
  return sum;
}

/** Marks the nodes of the focused functions and all nodes below them. */
function nodesBelow(parent, label, focus) {
  const isBelow = new Uint8Array(parent.length);
  for (let i = 1; i < parent.length; i++) isBelow[i] = isBelow[parent[i]] || focus.has(label[i]) ? 1 : 0;
  return isBelow;
}

/** Returns the calls, with NaN for functions that were not counted, which makes sums NaN. */
function knownCalls(calls, { label, head }) {
  const uncounted = new Set(head.uncounted);
  return uncounted.size === 0 ? calls : calls.map((count, i) => (uncounted.has(label[i]) ? NaN : count));
}

/**
 * Makes the tree to show. `hidden`: Set of labels whose values are added to their callers; `callsValue`: < 0 if
 * calls are unknown; `range`: part of the time, or null; `focus`: Set of labels, one of which all stacks must contain, or null;
 * `folds`: count recursive calls in the function's existing frame.
 */
export function makeTree(data, { run, compare, value, callsValue, hidden, focus, folds, range }) {
  const callsIn = (of) =>
    (callsValue < 0 ? new Float64Array(data.count).fill(NaN) : knownCalls(columnOf(data, of, callsValue), data));
  const sharedIn = (of) => SharedCalls.from((of === null ? data.shared?.flat() : data.shared?.[of]) ?? []);
  const self = range === null ? columnOf(data, run, value) : columnInRange(data, range);
  const [other, otherCalls] = compare === null ? [null, null] : [columnOf(data, compare, value), callsIn(compare)];
  const calls = callsIn(run);
  const shares = { shared: sharedIn(run), otherShared: compare === null ? new SharedCalls() : sharedIn(compare) };
  const periodOf = (of) => (data.head.values[value].key === 'self' && run !== null && of !== null ? data.head.runs[of].samplePeriod ?? 0 : 0);
  const isWhole = hidden.size === 0 && focus === null && !folds;
  const tree = isWhole ? Object.assign(new Tree(data.parent, data.label, self, calls, other, otherCalls), { ...shares, hasAllStacks: true })
    : rebuild({ ...data, self, calls, other, otherCalls, ...shares }, { hidden, focus, folds });
  return Object.assign(tree, { samplePeriod: periodOf(run), otherPeriod: periodOf(compare) });
}

/** Returns the frame of the function among `node` and its ancestors in the new tree, or -1. */
function foldedPlace(builder, node, label) {
  for (; node > 0; node = builder.parent[node]) if (builder.label[node] === label) return node;
  return -1;
}

function rebuild(whole, { hidden, focus, folds }) {
  const { count, parent, label } = whole;
  const isKept = focus === null ? null : nodesBelow(parent, label, focus);
  const builder = new TreeBuilder(count, whole.other !== null);
  const places = new Int32Array(count);
  const counted = new Int32Array(count); // the places of nodes whose calls count
  for (let i = 1; i < count; i++) {
    const above = places[parent[i]];
    const isHidden = hidden.has(label[i]);
    const counts = isKept === null || isKept[i] === 1;
    places[i] = above;
    if (!isHidden) {
      const folded = folds ? foldedPlace(builder, above, label[i]) : -1;
      places[i] = folded >= 0 ? folded : builder.child(above, label[i]);
    }
    if (counts && places[i] > 0) builder.add(places[i], whole, i, !isHidden);
    if (counts && !isHidden) counted[i] = places[i];
  }
  const tree = finishFrom(builder, whole, counted);
  return focus === null ? tree : withoutEmpty(tree, focus);
}

/** Finishes a tree that was made of another one; `places[node]`: where its calls are counted, 0: nowhere. */
function finishFrom(builder, { shared, otherShared }, places) {
  return Object.assign(builder.finish(), { shared: shared.moved(places), otherShared: otherShared.moved(places) });
}

/** With a focus: removes frames that lead only to other functions. */
function withoutEmpty(tree, focus) {
  const { count, parent, label } = tree;
  const isWanted = nodesBelow(parent, label, focus);
  for (let i = count - 1; i > 0; i--) if (isWanted[i] === 1) isWanted[parent[i]] = 1;
  const builder = new TreeBuilder(count, tree.other !== null);
  const places = new Int32Array(count);
  for (let i = 1; i < count; i++) {
    if (isWanted[i] === 0) continue;
    places[i] = builder.child(places[parent[i]], label[i]);
    builder.add(places[i], tree, i);
  }
  return finishFrom(builder, tree, places);
}

/** Returns the frames of a function that have no ancestor of the same function. */
function outermostNodes(tree, label, isInner) {
  const nodes = [];
  for (let i = 1; i < tree.count; i++) if (tree.label[i] === label && isInner[i] === 0) nodes.push(i);
  return nodes;
}

/** Groups entries by label. */
function groupBy(entries, labelOf) {
  const groups = new Map();
  for (const entry of entries) {
    const label = labelOf(entry);
    const group = groups.get(label);
    if (group === undefined) groups.set(label, [entry]);
    else group.push(entry);
  }
  return groups;
}

/**
 * Returns the callers of a function as a tree, with the function as its first node. A width is the part of the
 * function's total that was called that way.
 */
export function callersOf(tree, label, labelCount) {
  const nodes = outermostNodes(tree, label, innerNodes(tree, labelCount));
  const arrays = makeLists();
  const sum = (entries, column) => entries.reduce((total, [, of]) => total + column[of], 0);
  const push = (parent, of, entries) => {
    arrays.parent.push(parent);
    arrays.label.push(of);
    arrays.sums.push(tree.callsOf(entries.map(([, node]) => node), parent <= FUNCTION));
    arrays.self.push(sum(entries, tree.total));
    return arrays.parent.length - 1;
  };
  const all = nodes.map((node) => [node, node]);
  const least = sum(all, tree.total) * SANDWICH_SHARE;
  let level = nodes.length > 0 ? [[push(0, label, all), all]] : [];
  for (let depth = 0; depth < SANDWICH_DEPTH && level.length > 0; depth++) {
    const next = [];
    for (const [place, entries] of level) {
      const above = entries.map(([node, of]) => [tree.parent[node], of]).filter(([node]) => node > 0);
      for (const [of, group] of groupBy(above, ([node]) => tree.label[node])) {
        const total = sum(group, tree.total);
        if (total < least || total === 0) continue;
        arrays.self[place] -= total;
        next.push([push(place, of, group), group]);
      }
    }
    level = next;
  }
  return treeOfLists(arrays);
}

/** Returns the callees of a function over all its frames as a tree, with the function as its first node. */
export function calleesOf(tree, label, labelCount) {
  const nodes = outermostNodes(tree, label, innerNodes(tree, labelCount));
  const arrays = makeLists();
  const sum = (group, column) => group.reduce((total, node) => total + column[node], 0);
  const push = (parent, of, group) => {
    arrays.parent.push(parent);
    arrays.label.push(of);
    arrays.sums.push(tree.callsOf(group, parent <= FUNCTION));
    arrays.self.push(sum(group, tree.total)); // the children's totals are subtracted later
    return arrays.parent.length - 1;
  };
  const least = sum(nodes, tree.total) * SANDWICH_SHARE;
  let level = nodes.length > 0 ? [[push(0, label, nodes), nodes]] : [];
  for (let depth = 0; depth < SANDWICH_DEPTH && level.length > 0; depth++) {
    const next = [];
    for (const [place, group] of level) {
      const below = [];
      for (const node of group)
        for (let k = tree.firstKid[node]; k < tree.firstKid[node + 1]; k++) below.push(tree.kids[k]);
      for (const [of, kids] of groupBy(below, (node) => tree.label[node])) {
        const total = sum(kids, tree.total);
        if (total < least || total === 0) continue;
        arrays.self[place] -= total;
        next.push([push(place, of, kids), kids]);
      }
    }
    level = next;
  }
  return treeOfLists(arrays);
}

/** Lists of the nodes of a tree, with the root; `sums`: results of callsOf. */
const makeLists = () => ({ parent: [0], label: [-1], self: [0], sums: [{ calls: 0, isAtMost: false }] });

function treeOfLists({ parent, label, self, sums }) {
  const tree = new Tree(Int32Array.from(parent), Int32Array.from(label),
    Float64Array.from(self, (value) => Math.max(0, value)), Float64Array.from(sums, ({ calls }) => calls));
  tree.shared = SharedCalls.atMost([...sums.keys()].filter((node) => sums[node].isAtMost));
  return tree.layOut(true);
}

/** Traverses the tree depth first. */
function walk(tree, enter, leave) {
  const { kids, firstKid, count } = tree;
  const path = [0];
  const next = firstKid.slice(0, count);
  while (path.length > 0) {
    const node = path[path.length - 1];
    if (next[node] < firstKid[node + 1]) {
      const kid = kids[next[node]++];
      enter(kid);
      path.push(kid);
    } else {
      path.pop();
      if (node > 0) leave(node);
    }
  }
}

/** Sums calls and totals by caller or callee. The total of a nested call of the same pair is not counted again. */
class Edges {
  constructor(tree) {
    this.tree = tree;
    this.edges = new Map();
  }

  enter(label, node) {
    let edge = this.edges.get(label);
    if (edge === undefined) this.edges.set(label, edge = { label, nodes: [], total: 0, open: 0 });
    edge.nodes.push(node);
    if (edge.open++ === 0) edge.total += this.tree.total[node];
  }

  leave(label) {
    this.edges.get(label).open--;
  }

  list() {
    const edges = [...this.edges.values()].map(({ label, nodes, total }) => ({ label, total, ...this.tree.callsOf(nodes, true) }));
    return edges.sort((a, b) => b.total - a.total || (b.calls || 0) - (a.calls || 0) || a.label - b.label);
  }
}

/** Returns the callers and callees of a function over all stacks: lists of {label, calls, isAtMost, total}; -1: the host. */
export function edgesOf(tree, label) {
  const callers = new Edges(tree);
  const callees = new Edges(tree);
  const labelAbove = (node) => tree.label[tree.parent[node]];
  walk(tree,
    (node) => {
      if (tree.label[node] === label) callers.enter(labelAbove(node), node);
      if (labelAbove(node) === label) callees.enter(tree.label[node], node);
    },
    (node) => {
      if (tree.label[node] === label) callers.leave(labelAbove(node));
      if (labelAbove(node) === label) callees.leave(tree.label[node]);
    });
  return { callers: callers.list(), callees: callees.list() };
}
