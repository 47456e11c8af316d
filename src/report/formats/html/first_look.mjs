// Above the graph: totals of what is shown, and findings with links to their functions.
import { findingsOf, headlineOf } from './findings.mjs';
import { formatValue, valueName } from './units.mjs';
import { fitName } from './labels.mjs';

const FINDING_NAME = 34; // maximum length of a name in a finding

export class FirstLook {
  /** `head` is the JSON; `on`: {label(label), node(node)} chooses the subject of a finding. */
  constructor({ runs, values }, on) {
    this.runs = runs;
    this.values = values;
    this.on = on;
    this.totals = document.getElementById('totals');
    this.list = document.getElementById('findings');
    this.recorded = this.totals.textContent; // text for a single profile
  }

  /** Shows a source for findings.mjs. Rough times have no findings: they would be random. */
  show(source, { value, run, compare }, range) {
    const isRough = value === 'self' &&
      this.runs.some((other, i) => other.isRough && (run === null || run === i || compare === i));
    this.totals.textContent = range === null ? this.totalsOf(source, run, value)
      : `${formatValue(source.unit, source.tree.total[0])} in the chosen part of the time`;
    if (isRough) this.list.replaceChildren('No findings: the times are too rough for them');
    else this.list.replaceChildren(...findingsOf(source).map((finding) => this.element(finding, source)));
  }

  totalsOf(source, run, value) {
    const { tree, unit } = source;
    if (tree.other !== null) return headlineOf(source);
    const isFirst = value === this.values[0].key;
    if (this.runs.length === 1 && isFirst && this.recorded !== '') return this.recorded;
    const name = valueName(this.values, value);
    const total = `${formatValue(unit, tree.total[0])}${isFirst || name === unit ? '' : ` (${name})`}`;
    if (this.runs.length === 1) return total;
    return `${total} in ${run === null ? 'all' : this.runs[run].name}`;
  }

  element({ label, node, text }, { names, forms }) {
    const item = document.createElement('li');
    if (label < 0) {
      item.textContent = text;
      return item;
    }
    const link = document.createElement('button');
    const name = document.createElement('b');
    name.textContent = fitName(forms.of(label), FINDING_NAME);
    link.type = 'button';
    link.title = `${names[label]}: ${text}`;
    link.append(name, ` ${text}`);
    link.addEventListener('click', () => (node === undefined ? this.on.label(label) : this.on.node(node)));
    item.append(link);
    return item;
  }
}
