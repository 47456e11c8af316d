// Makes the page's data from a profile that the browser reads; C packs data in the same form (data.h).

const NAME_KINDS = { program: 0, host: 2, collection: 4, wait: 5, unnamed: 6, cut: 7 }; // see model/color.h

/** Limit on the number of nodes made from one file. */
const MAX_NODES = 8_000_000;

/** A function without a name: "func[12]", possibly followed by a hint. */
const NUMBERED_NAME = /^func\[(\d+)\](?: .*)?$/;

function kindOf(name) {
  if (NUMBERED_NAME.test(name)) return NAME_KINDS.unnamed;
  if (name === '(garbage collector)') return NAME_KINDS.collection;
  if (name === '(idle)') return NAME_KINDS.wait;
  if (['(program)', '(native code)'].includes(name)) return NAME_KINDS.host; // V8's name, and ours for Firefox's addresses
  if (/^\[[^\]]*\]$/.test(name)) return NAME_KINDS.cut; // "[truncated]"
  return NAME_KINDS.program;
}

/** Collects stacks and their values. */
export class DataBuilder {
  /** `values`: [{key, name, unit}]; the first is shown. */
  constructor(title, values) {
    this.title = title;
    this.values = values;
    this.names = [];
    this.labels = new Map();
    this.places = [];
    this.confidences = [];
    this.kids = [new Map()];
    this.parents = [0];
    this.labelOfNode = [-1];
    this.columns = values.map(() => [0]);
  }

  /** Returns the label of a function. File and line are optional, and so are thousandths of confidence in its name. */
  label(name, file = '', line = 0, confidence = 0) {
    const text = String(name).replace(/[\u0000-\u001f\u007f]/g, '_').slice(0, 16_384) || '(anonymous)';
    let label = this.labels.get(text);
    if (label === undefined) {
      label = this.names.push(text) - 1;
      this.labels.set(text, label);
      if (file !== '') this.places.push([label, file, line]);
      if (confidence > 0) this.confidences.push([label, confidence]);
    }
    return label;
  }

  /** Returns the node of a function called from node `parent`; 0 is the root. */
  child(parent, label) {
    let node = this.kids[parent].get(label);
    if (node === undefined) {
      node = this.parents.push(parent) - 1;
      if (node > MAX_NODES) throw new Error('it has too many call stacks');
      this.kids[parent].set(label, node);
      this.kids.push(new Map());
      this.labelOfNode.push(label);
      for (const column of this.columns) column.push(0);
    }
    return node;
  }

  add(node, value, index = 0) {
    if (!(value > 0)) return;
    this.columns[index][node] += value;
  }

  /** Returns the data. Values outside of functions are ignored: they would become the root's. */
  finish() {
    const { names, values, columns, parents } = this;
    if (parents.length === 1) throw new Error('it has no call stack');
    const whole = columns.map((column) => Float64Array.from(column, Math.round));
    const hasCalls = values.some(({ key }) => key === 'calls');
    return {
      head: {
        mode: 'report', nodes: parents.length, values, runs: [{ name: this.title }], names,
        kinds: names.map(kindOf), places: this.places, confidences: this.confidences,
        uncounted: hasCalls ? [] : names.map((_, i) => i),
        sourceUrl: '', sourceFolder: '',
      },
      count: parents.length,
      parent: Int32Array.from(parents),
      label: Int32Array.from(this.labelOfNode),
      columns: [whole],
    };
  }
}

/** Merges two profiles with these titles, to compare the second with the first. Throws if their units differ. */
export function compareData(before, after, titles) {
  const key = before.head.values[0].unit;
  const second = after.head.values.findIndex(({ unit }) => unit === key);
  if (second < 0) throw new Error(`one counts ${key}, the other ${after.head.values[0].unit}`);
  const value = before.head.values[0];
  const builder = new DataBuilder('', [value, { ...value, key: 'other' }]);
  [[before, 0], [after, second]].forEach(([data, index], run) => {
    const places = new Int32Array(data.count);
    const column = data.columns[0][index];
    const fileOf = new Map(data.head.places.map(([label, ...place]) => [label, place]));
    const confidenceOf = new Map(data.head.confidences);
    const labels = data.head.names.map((name, i) => builder.label(name, ...(fileOf.get(i) ?? ['', 0]), confidenceOf.get(i)));
    for (let i = 1; i < data.count; i++) {
      places[i] = builder.child(places[data.parent[i]], labels[data.label[i]]);
      builder.add(places[i], column[i], run);
    }
  });
  const data = builder.finish();
  const runs = titles.map((name) => ({ name }));
  return { ...data, columns: data.columns[0].map((column) => [column]), head: { ...data.head, mode: 'diff', values: [value], runs } };
}

/** Returns the data with names for functions without one; `names` maps function indices, as texts, to names. */
export function nameFunctions(data, names) {
  const renamed = data.head.names.map((name) => {
    const index = NUMBERED_NAME.exec(name)?.[1];
    return (index !== undefined && names.get(index)) || name;
  });
  const kinds = renamed.map((name, i) => (name === data.head.names[i] ? data.head.kinds[i] : kindOf(name)));
  return { ...data, head: { ...data.head, names: renamed, kinds } };
}
