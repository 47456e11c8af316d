// Calls that are only known for several nodes together: several JavaScript stacks led to one stack of WebAssembly.

/**
 * The shared calls of a tree. A node's entry {group, isOpen, calls} says how many of the calls counted there may have been
 * calls of the group's other nodes and, if it is open, of stacks that are not in the tree.
 */
export class SharedCalls {
  entries = new Map(); // node -> list of entries
  groups = new Map(); // group -> {calls, nodes, isOpen}

  /** `list`: {node, group, isOpen, calls} */
  static from(list) {
    const made = new SharedCalls();
    for (const { node, ...entry } of list) made.add(node, entry);
    made.groups = sumGroups(list);
    return made;
  }

  add(node, entry) {
    const entries = this.entries.get(node);
    if (entries === undefined) this.entries.set(node, [entry]);
    else entries.push(entry);
  }

  /** For these nodes, whose calls are at most what they say. */
  static atMost(nodes) {
    return SharedCalls.from(nodes.map((node) => ({ node, group: node, isOpen: true, calls: 0 })));
  }

  /** The same groups in a tree that was made of this one; `places[node]`: where its calls are counted, 0: nowhere. */
  moved(places) {
    const made = new SharedCalls();
    made.groups = this.groups;
    for (const [node, entries] of this.entries)
      if (places[node] > 0) for (const entry of entries) made.add(places[node], entry);
    return made;
  }

  /** Sums the calls of nodes: {calls, isAtMost}; `counts`: per node; `hasOthers`: also those on stacks not in the tree. */
  sum(nodes, counts, hasOthers = false) {
    let calls = 0;
    const found = [];
    for (const node of nodes) {
      calls += counts[node];
      for (const entry of this.entries.get(node) ?? []) found.push(entry);
    }
    let isAtMost = false;
    for (const [group, part] of sumGroups(found)) {
      const whole = this.groups.get(group);
      calls += whole.calls - part.calls;
      isAtMost ||= (part.isOpen && !hasOthers) || part.nodes < whole.nodes;
    }
    return { calls, isAtMost };
  }
}

function sumGroups(entries) {
  const groups = new Map();
  for (const { group, isOpen, calls } of entries) {
    const sum = groups.get(group) ?? { calls: 0, nodes: 0, isOpen: false };
    groups.set(group, { calls: sum.calls + calls, nodes: sum.nodes + 1, isOpen: sum.isOpen || isOpen });
  }
  return groups;
}
