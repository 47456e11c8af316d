// Above the graph: totals of what is shown, and findings with links to their functions.
import { formatValue } from './units.mjs';
import { fitName } from './labels.mjs';
import { findIn } from './reader.mjs';

const FINDING_NAME = 34; // maximum length of a name in a finding

/** The blank between a finding's name and the text behind it, or ''. */
const spaced = (after) => (/^[,;:]|^$/.test(after) ? '' : ' ');

const findingOf = ([label, node, before, after, end]) => ({ label, node, before, after, end });

export class FirstLook {
  /** `head` is the JSON; `on`: {label(label), node(node)} chooses the subject of a finding, from(time) what is shown. */
  constructor({ runs, values, findings }, on) {
    this.runs = runs;
    this.values = values;
    this.first = findings; // of the whole profile; undefined: not known
    this.on = on;
    this.totals = document.getElementById('totals');
    this.list = document.getElementById('findings');
    this.recorded = this.totals.textContent; // text for a single profile
    this.turn = 0;
  }

  /**
   * Shows `source`: {tree, stats, names, forms, unit, isWhole: it is all of the first value, and what reader.mjs needs}.
   */
  show(source, { value, run }, range) {
    const isCompared = source.tree.other !== null;
    if (range !== null) this.totals.textContent = `${formatValue(source.unit, source.tree.total[0])} in the chosen part of the time`;
    else if (!isCompared) this.totals.textContent = this.totalsOf(source, run, value);
    this.turn++;
    if (isCompared || !source.isWhole || this.first === undefined) this.ask(source, this.turn);
    else this.showList(this.first, source);
  }

  /** Lets the reader find. Until then, and where it cannot run, there are no findings. */
  async ask(source, turn) {
    this.showList([], source);
    this.list.setAttribute('aria-busy', 'true');
    const { findings, headline } = await findIn(source).catch(() => ({ findings: [] }));
    if (turn !== this.turn) return; // something else is shown by now
    if (headline !== undefined) this.totals.textContent = headline;
    this.showList(findings, source);
    this.list.setAttribute('aria-busy', 'false');
  }

  showList(found, source) {
    this.list.replaceChildren(...found.map((finding) => this.element(findingOf(finding), source)));
    const stage = document.getElementById('stage');
    stage.style.setProperty('--above', `${stage.offsetTop}px`); // the graph uses the rest of the window
  }

  totalsOf(source, run, value) {
    const { tree, unit } = source;
    const isFirst = value === this.values[0].key;
    if (this.runs.length === 1 && isFirst && this.recorded !== '') return this.recorded;
    const name = this.values.find(({ key }) => key === value).name;
    const total = `${formatValue(unit, tree.total[0])}${isFirst || name === unit ? '' : ` (${name})`}`;
    if (this.runs.length === 1) return total;
    return `${total} in ${run === null ? 'all' : this.runs[run].name}`;
  }

  element(finding, source) {
    const item = document.createElement('li');
    item.append(finding.label < 0 ? finding.after : this.link(finding, source));
    if (finding.end !== undefined) {
      const leaveOut = Object.assign(document.createElement('button'), { type: 'button', className: 'act', textContent: 'Leave it out' });
      leaveOut.addEventListener('click', () => this.on.from(finding.end));
      item.append(' ', leaveOut);
    }
    return item;
  }

  /** The sentence, which leads to its function or frame. */
  link({ label, node, before, after }, { names, forms }) {
    const link = document.createElement('button');
    const name = document.createElement('b');
    name.textContent = fitName(forms.of(label), FINDING_NAME);
    const rest = spaced(after) + after;
    link.type = 'button';
    link.title = `${before}${names[label]}${rest}`;
    link.append(before, name, rest);
    link.addEventListener('click', () => (node === 0 ? this.on.label(label) : this.on.node(node)));
    return link;
  }
}
