// Compares two profiles in the page: both trees become one.

/** The nodes of both profiles, by their parents and functions. */
class MergedTree {
  /** `size`: the number of values. */
  constructor(size) {
    this.children = [new Map()];
    this.parents = [0];
    this.functions = [-1];
    this.columns = [0, 1].map(() => Array.from({ length: size }, () => [0]));
  }

  child(parent, label) {
    let node = this.children[parent].get(label);
    if (node === undefined) {
      node = this.parents.push(parent) - 1;
      this.children[parent].set(label, node);
      this.children.push(new Map());
      this.functions.push(label);
      for (const column of this.columns.flat()) column.push(0);
    }
    return node;
  }

  /** Adds the nodes of a profile, with a column for each value. Returns their places. */
  add(data, labels, columns, run) {
    const places = new Int32Array(data.count);
    for (let i = 1; i < data.count; i++) {
      places[i] = this.child(places[data.parent[i]], labels[data.label[i]]);
      columns.forEach((column, value) => { this.columns[run][value][places[i]] += column[i]; });
    }
    return places;
  }
}

/** The positions of the values to compare, in both profiles: the first one's, and calls if both have them. */
function commonValues(before, after) {
  const [value, ...others] = before.head.values;
  const second = after.head.values.findIndex(({ unit }) => unit === value.unit);
  if (second < 0) throw new Error(`one counts ${value.unit}, the other ${after.head.values[0].unit}`);
  const calls = others.findIndex(({ key }) => key === 'calls') + 1;
  const secondCalls = after.head.values.findIndex(({ key }) => key === 'calls');
  return calls > 0 && secondCalls >= 0 ? [[0, calls], [second, secondCalls]] : [[0], [second]];
}

/**
 * Merges two profiles with these titles, to compare the second with the first. Throws if their units differ. `functions`:
 * what pairFunctions of reader.mjs returns.
 */
export function compareData(before, after, titles, { labels, ...names }) {
  const positions = commonValues(before, after);
  const tree = new MergedTree(positions[0].length);
  const shared = [];
  const confidences = [];
  const uncounted = [before, after].flatMap((data, run) => {
    const places = tree.add(data, labels[run], positions[run].map((value) => data.columns[0][value]), run);
    shared.push((data.shared?.[0] ?? []).map((entry) => ({ ...entry, node: places[entry.node], group: `${run} ${entry.group}` })));
    for (const [label, value] of data.head.confidences) confidences.push([labels[run][label], value]);
    return (data.head.uncounted ?? []).map((label) => labels[run][label]);
  });
  const counts = [before, after].every(({ count }, run) => count === 1 || tree.columns[run].at(-1).some((calls) => calls > 0));
  return {
    head: {
      ...names, confidences, layers: [], mode: 'diff', nodes: tree.parents.length, values: positions[0].map((value) => before.head.values[value]),
      runs: [before, after].map(({ head }, run) => ({ ...head.runs[0], name: titles[run] })),
      uncounted: counts ? uncounted : names.names.map((_, i) => i), sourceUrl: '', sourceFolder: '',
    },
    count: tree.parents.length,
    parent: Int32Array.from(tree.parents),
    label: Int32Array.from(tree.functions),
    shared,
    columns: tree.columns.map((columns) => columns.map((column) => Float64Array.from(column))),
  };
}
