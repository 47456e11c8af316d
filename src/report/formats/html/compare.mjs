// Compares two profiles in the page: both trees become one.

/** The functions of a profile: {name: without its mark, file: its name, line, order}. */
function functionsOf({ names, marks, places }) {
  const functions = names.map((name) => ({ name, file: '', line: 0, order: 0 }));
  for (const [label, size, order] of marks) Object.assign(functions[label], { name: names[label].slice(0, -size), order });
  for (const [label, path, line] of places) Object.assign(functions[label], { file: path.slice(path.lastIndexOf('/') + 1), line });
  return functions;
}

/** The labels of a profile that have each key. */
function labelsBy(functions, keyOf) {
  const labels = new Map();
  functions.forEach((of, label) => {
    const key = keyOf(of);
    if (labels.has(key)) labels.get(key).push(label);
    else labels.set(key, [label]);
  });
  return labels;
}

/**
 * Returns a key for each function of each of the profiles, by which it is found in the other one, as
 * report/model/identities.h describes. Its name is enough unless several functions of a profile have it. Otherwise it is
 * the file, if all have one, and the number of functions before it in that file with the same name. If the profiles do
 * not have equally many of those, they have one key, and a name that says so: `groups` has it by key.
 */
function findKeys(profiles) {
  const hasFiles = new Map(); // of names that are repeated
  for (const functions of profiles)
    for (const [name, labels] of labelsBy(functions, (of) => of.name)) if (labels.length > 1) hasFiles.set(name, true);
  for (const { name, file } of profiles.flat()) if (file === '' && hasFiles.has(name)) hasFiles.set(name, false);
  const keyOf = ({ name, file }) => (!hasFiles.has(name) ? name : hasFiles.get(name) ? `${name}\0${file}` : `${name}\0`);
  const byKey = profiles.map((functions) => labelsBy(functions, keyOf));
  const groups = new Map();
  const keys = profiles.map((functions, run) => {
    const keys = functions.map(keyOf);
    for (const [key, labels] of byKey[run]) {
      const counts = byKey.map((all) => all.get(key)?.length ?? labels.length);
      const [least, most] = [Math.min(...counts), Math.max(...counts)];
      if (most === 1) continue;
      if (least < most) {
        const [name, file] = key.split('\0');
        groups.set(key, `${name} (${file && `${file}, `}${least} to ${most} functions)`);
        continue;
      }
      labels.sort((a, b) => functions[a].line - functions[b].line || functions[a].order - functions[b].order || a - b);
      labels.forEach((label, i) => { keys[label] += `\0${i}`; });
    }
    return keys;
  });
  return { keys, groups };
}

/** The functions of both profiles, without repetition. */
class MergedFunctions {
  constructor() {
    this.labels = new Map();
    this.parts = new Map(); // by kind and name: the new index
    this.head = { names: [], kinds: [], forms: [], parts: [], partOf: [], places: [], confidences: [], hints: [] };
  }

  /** Returns the new index of each part of a profile. */
  addParts(parts) {
    const places = parts.map(({ kind, name }) => {
      const key = `${kind} ${name}`;
      if (!this.parts.has(key)) this.parts.set(key, this.parts.size);
      return this.parts.get(key);
    });
    parts.forEach((part, i) => {
      this.head.parts[places[i]] ??= part.outer === undefined ? part : { ...part, outer: places[part.outer] };
    });
    return places;
  }

  /** Returns the new label of each function of a profile; `keys` and `groups` come from findKeys. */
  add(head, keys, groups) {
    const { names, kinds, forms, partOf, places, confidences, hints } = this.head;
    const placeOf = new Map(head.places.map(([label, ...place]) => [label, place]));
    const confidenceOf = new Map(head.confidences);
    const hinted = new Set(head.hints);
    const parts = this.addParts(head.parts);
    return keys.map((key, i) => {
      if (!this.labels.has(key)) {
        const label = names.push(groups.get(key) ?? head.names[i]) - 1;
        this.labels.set(key, label);
        kinds.push(head.kinds[i]);
        forms.push(groups.has(key) ? [0] : head.forms[i]);
        partOf.push(parts[head.partOf[i]]);
        if (placeOf.has(i)) places.push([label, ...placeOf.get(i)]);
        if (confidenceOf.has(i)) confidences.push([label, confidenceOf.get(i)]);
        if (hinted.has(i)) hints.push(label);
      }
      return this.labels.get(key);
    });
  }
}

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

/** Merges two profiles with these titles, to compare the second with the first. Throws if their units differ. */
export function compareData(before, after, titles) {
  const positions = commonValues(before, after);
  const functions = new MergedFunctions();
  const tree = new MergedTree(positions[0].length);
  const { keys, groups } = findKeys([before, after].map(({ head }) => functionsOf(head)));
  const shared = [];
  const uncounted = [before, after].flatMap((data, run) => {
    const labels = functions.add(data.head, keys[run], groups);
    const places = tree.add(data, labels, positions[run].map((value) => data.columns[0][value]), run);
    shared.push((data.shared?.[0] ?? []).map((entry) => ({ ...entry, node: places[entry.node], group: `${run} ${entry.group}` })));
    return (data.head.uncounted ?? []).map((label) => labels[label]);
  });
  const counts = [before, after].every(({ count }, run) => count === 1 || tree.columns[run].at(-1).some((calls) => calls > 0));
  return {
    head: {
      ...functions.head, mode: 'diff', nodes: tree.parents.length, values: positions[0].map((value) => before.head.values[value]),
      runs: [before, after].map(({ head }, run) => ({ ...head.runs[0], name: titles[run] })),
      uncounted: counts ? uncounted : functions.head.names.map((_, i) => i), sourceUrl: '', sourceFolder: '',
    },
    count: tree.parents.length,
    parent: Int32Array.from(tree.parents),
    label: Int32Array.from(tree.functions),
    shared,
    columns: tree.columns.map((columns) => columns.map((column) => Float64Array.from(column))),
  };
}
