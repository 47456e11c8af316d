// The page: what is shown follows from the state (state.mjs), and whatever is clicked changes that.
import { loadProfile } from './data.mjs';
import { showDetails } from './details.mjs';
import { findingsOf, headlineOf, summaryOf } from './findings.mjs';
import { FlameView } from './flame.mjs';
import { fitName, formatQuantity, formatShare, formatValue } from './format.mjs';
import { SourceLines } from './lines.mjs';
import { Sandwich } from './sandwich.mjs';
import { matchFrames, matchNames } from './search.mjs';
import { SourceLinks } from './source_link.mjs';
import { History } from './state.mjs';
import { FunctionTable } from './table.mjs';
import { functionStats } from './tree.mjs';
import { columnOf, makeTree } from './views.mjs';

const PAPER = { width: 1046, rows: 30 }; // of a graph, in pixels and levels, as in page.css
const PAPER_TABLE_ROWS = 40;
const FINDING_NAME = 48; // characters of a name in a finding

const find = (id) => document.getElementById(id);
const toHex = (color) => `#${color.toString(16).padStart(6, '0')}`;

class Report {
  constructor(data) {
    this.data = data;
    this.head = data.head;
    this.names = data.head.names;
    this.labelOf = new Map(this.names.map((name, label) => [name, label]));
    this.links = new SourceLinks(data.head);
    this.colors = data.head.colors.map(toHex);
    this.largestChange = 1;
    this.totals = find('totals').textContent;
    this.history = new History(this.head, (state) => this.show(state));
    this.makeViews();
    this.fillMenus();
    this.listen();
    find('app').hidden = false;
    this.show(this.history.state);
  }

  get state() {
    return this.history.state;
  }

  makeViews() {
    const nodeName = (node) => (node === 0 ? 'all' : this.names[this.tree.label[node]]);
    const style = {
      color: (node) => this.colorOf(node),
      name: nodeName,
      describe: (node) => `${nodeName(node)}, ${formatShare(this.tree.total[node], this.tree.total[0])}`,
      isMatch: (node) => this.matches !== null && this.matches.labels[this.tree.label[node]] === 1,
      isSelected: (node) => this.tree.label[node] === this.selected,
    };
    this.graph = new FlameView(find('graph'), 'Flame graph', style, {
      choose: (node) => this.choose(node),
      hover: (node) => this.showDetails(node),
    });
    this.table = new FunctionTable(find('function-part'), {
      choose: (label) => this.select(label === this.selected ? null : label),
      sort: (key, isAscending) => this.table.setSort(key, isAscending),
    });
    this.lines = new SourceLines(find('line-part'), this.head.lines, this.names, this.links);
    this.sandwich = new Sandwich(find('sandwich'), this.names, (label) => this.colors[label] ?? '#ccc',
      (label) => this.select(label));
  }

  /** Warm where its own value grew, cold where it shrank, where two profiles are compared. */
  colorOf(node) {
    const { tree } = this;
    if (tree.other === null) return this.colors[tree.label[node]];
    const change = tree.self[node] - tree.other[node];
    if (change === 0) return this.isDark ? '#4a4d55' : '#e4e5e9';
    const strength = 0.25 + 0.75 * Math.sqrt(Math.abs(change) / this.largestChange);
    const rest = Math.round(225 - 150 * strength);
    return change > 0 ? `rgb(240, ${rest}, ${rest})` : `rgb(${rest}, ${Math.round((rest + 240) / 2)}, 245)`;
  }

  // --- what is shown ---

  show(state) {
    const key = JSON.stringify([state.value, state.run, state.compare, state.hide, state.focus, state.fold]);
    const isNewTree = key !== this.treeKey;
    if (isNewTree) this.makeTree(state, key);
    const isNewOrder = isNewTree || this.order !== state.order || this.isUp !== state.up;
    if (isNewOrder) this.layOut(state);
    this.selected = this.labelOf.get(state.select) ?? -1;
    const zoom = state.zoom < this.tree.count ? state.zoom : 0;
    this.search(state.query);
    if (isNewOrder) this.graph.setTree(this.tree, state.up);
    if (isNewOrder ? zoom !== 0 : zoom !== this.graph.zoomed) this.graph.zoom(zoom, isNewOrder);
    this.graph.draw();
    this.showControls(state);
    this.showTable();
    this.lines.show(this.selected);
    this.sandwich.show(this.tree, this.selected, { unit: this.unit, key });
    this.showDetails(this.graph.hovered);
  }

  makeTree(state, key) {
    const { values, runs } = this.head;
    const value = values.findIndex((other) => other.key === state.value);
    this.unit = values[value].unit;
    this.isMemory = values[value].memory === true;
    this.errorPerCall = state.value === 'self' && state.run !== null ? runs[state.run].errorPerCall : 0;
    this.tree = makeTree(this.data, {
      run: state.run,
      compare: state.compare,
      value,
      callsValue: values.findIndex((other) => other.key === 'calls'),
      hidden: new Set(state.hide.map((name) => this.labelOf.get(name))),
      focus: this.labelOf.get(state.focus) ?? null,
      folds: state.fold,
    });
    this.stats = functionStats(this.tree, this.names.length);
    this.noteChanges();
    this.treeKey = key;
    this.frames = null;
    this.showFindings(state);
  }

  /** The sum per function of a value that the profile may have, or null. */
  sumOf(key) {
    const { run } = this.history.state;
    const value = this.head.values.findIndex((other) => other.key === key);
    if (value < 0) return null;
    const column = columnOf(this.data, run, value);
    const sums = new Float64Array(this.names.length);
    for (let i = 1; i < column.length; i++) sums[this.data.label[i]] += column[i];
    return sums;
  }

  /** What findings and the summary are made from. */
  get findingSource() {
    const { tree, stats, names, unit, isMemory } = this;
    const sumOf = (key) => (isMemory ? this.sumOf(key) : null);
    return { tree, stats, names, unit, isMemory, kinds: this.head.kinds,
      temporary: sumOf('temporary_objects'), allocated: sumOf('allocated_objects') };
  }

  /** Rough times would make them chance. */
  showFindings(state) {
    const list = find('findings');
    const isRough = state.value === 'self' &&
      this.head.runs.some((run, i) => run.isRough && (state.run === null || state.run === i || state.compare === i));
    if (this.tree.other !== null) find('totals').textContent = headlineOf(this);
    else find('totals').textContent = this.head.runs.length === 1 ? this.totals : this.totalOfRuns(state.run);
    if (isRough) {
      list.replaceChildren('No findings: the times are too rough for them');
      return;
    }
    list.replaceChildren(...findingsOf(this.findingSource).map((finding) => this.findingElement(finding)));
  }

  totalOfRuns(run) {
    return `${formatValue(this.unit, this.tree.total[0])} in ${run === null ? 'all' : this.head.runs[run].name}`;
  }

  findingElement({ label, node, text }) {
    const item = document.createElement('li');
    if (label < 0) {
      item.textContent = text;
      return item;
    }
    const link = document.createElement('button');
    const name = document.createElement('b');
    name.textContent = fitName(this.names[label], FINDING_NAME);
    link.type = 'button';
    link.title = `${this.names[label]}: ${text}`;
    link.append(name, ` ${text}`);
    link.addEventListener('click', () => (node === undefined ? this.selectWidest(label) : this.choose(node)));
    item.append(link);
    return item;
  }

  noteChanges() {
    const { count, self, other, total, otherTotal, parent } = this.tree;
    this.largestChange = 0;
    this.gone = { count: 0, total: 0 };
    if (other === null) return;
    for (let i = 1; i < count; i++) {
      this.largestChange = Math.max(this.largestChange, Math.abs(self[i] - other[i]));
      if (total[i] > 0 || otherTotal[i] === 0) continue;
      this.gone.count++;
      if (parent[i] === 0 || total[parent[i]] > 0) this.gone.total += otherTotal[i];
    }
  }

  layOut(state) {
    const isHeavyFirst = state.order === 'heavy';
    if (this.tree.isHeavyFirst !== isHeavyFirst) this.tree.layOut(isHeavyFirst);
    this.order = state.order;
    this.isUp = state.up;
  }

  search(query) {
    if (query !== this.query || this.matches === undefined) {
      this.matches = matchNames(this.names, query);
      this.query = query;
      this.frames = null;
    }
    if (this.matches !== null && this.frames === null) {
      this.frames = matchFrames(this.tree, this.matches);
      this.step = -1;
    }
    this.showMatches();
  }

  showMatches() {
    const { matches, frames, step } = this;
    if (matches === null) {
      find('matches').textContent = '';
    } else {
      const place = step >= 0 ? `${(step + 1).toLocaleString('en-US')} of ` : '';
      find('matches').textContent = `${place}${formatQuantity(frames.nodes.length, 'frame')} of ` +
        `${formatQuantity(matches.functionCount, 'function')}, ${formatShare(frames.total, this.tree.total[0])}`;
    }
    for (const id of ['previous', 'next']) find(id).disabled = matches === null || frames.nodes.length === 0;
  }

  showTable() {
    this.table.setModel({
      names: this.names,
      links: this.links,
      stats: this.stats,
      unit: this.unit,
      whole: this.tree.total[0],
      isCompared: this.tree.other !== null,
      errorPerCall: this.errorPerCall,
      isMemory: this.isMemory,
      matches: this.matches?.labels ?? null,
      selected: this.selected,
    });
  }

  showDetails(node) {
    const shown = node >= 0 ? node : this.graph.zoomed;
    this.shown = shown;
    showDetails(this, shown, (other) => this.choose(other));
  }

  showControls(state) {
    find('search').value === state.query || (find('search').value = state.query);
    find('value').value = state.value;
    find('run').value = state.run ?? 'all';
    find('compare').value = state.compare ?? 'all';
    find('order').value = state.order;
    find('up').setAttribute('aria-pressed', state.up);
    find('fold').setAttribute('aria-pressed', state.fold);
    find('reset').disabled = state.zoom === 0 && state.focus === null && state.hide.length === 0;
    this.showFilters(state);
    this.showLegend();
  }

  showFilters({ focus, hide }) {
    const chips = [];
    const add = (text, name, changes) => {
      const chip = document.createElement('button');
      chip.type = 'button';
      chip.textContent = `${text} ${name} \u00d7`;
      chip.title = `Undo: ${text.toLowerCase()} ${name}`;
      chip.addEventListener('click', () => this.history.change({ ...changes, zoom: 0 }));
      chips.push(chip);
    };
    if (focus !== null) add('Only stacks with', focus, { focus: null });
    for (const name of hide) add('Hidden:', name, { hide: hide.filter((other) => other !== name) });
    find('filters').replaceChildren(...chips);
  }

  showLegend() {
    const legend = find('legend');
    const entries = this.tree.other === null
      ? this.head.legend.map(({ color, text }) => [toHex(color), text])
      : [['#f06a6a', 'took more'], ['#4b9df5', 'took less'], [this.isDark ? '#4a4d55' : '#e4e5e9', 'unchanged']];
    legend.replaceChildren(...entries.map(([color, text]) => {
      const item = document.createElement('span');
      const patch = document.createElement('i');
      patch.style.setProperty('background', color);
      item.append(patch, text);
      return item;
    }));
    if (this.gone.count > 0)
      legend.append(`Gone, so not drawn: ${formatQuantity(this.gone.count, 'frame')} with ` +
        `${formatShare(this.gone.total, this.tree.otherTotal[0])} of what is compared with.`);
  }

  // --- what changes it ---

  choose(node) {
    const name = node > 0 ? this.names[this.tree.label[node]] : null;
    this.history.change({ zoom: node, select: name });
  }

  select(label) {
    this.history.change({ select: label === null ? null : this.names[label] });
  }

  /** Chooses a function and shows its widest frame. */
  selectWidest(label) {
    const { tree } = this;
    let widest = 0;
    for (let i = 1; i < tree.count; i++)
      if (tree.label[i] === label && (widest === 0 || tree.total[i] > tree.total[widest])) widest = i;
    this.history.change({ select: this.names[label], zoom: 0 });
    if (widest > 0) this.graph.goTo(widest);
  }

  goToMatch(direction) {
    if (this.matches === null || this.frames.nodes.length === 0) return;
    const { nodes } = this.frames;
    this.step = this.step < 0 && direction < 0 ? nodes.length - 1
      : (this.step + direction + nodes.length) % nodes.length;
    this.graph.goTo(nodes[this.step]);
    this.showMatches();
  }

  reset() {
    this.history.change({ zoom: 0, focus: null, hide: [], select: null });
  }

  fillMenus() {
    const { values, runs } = this.head;
    const fill = (id, options) => {
      find(id).replaceChildren(...options.map(([value, text]) => new Option(text, value)));
      find(`${id}-label`).hidden = options.length < 2;
    };
    const names = runs.map(({ name }, i) => [i, name]);
    fill('value', values.map(({ key, name }) => [key, name]));
    fill('run', this.head.mode === 'diff' || runs.length < 2 ? names : [['all', 'all together'], ...names]);
    fill('compare', runs.length < 2 ? [] : [['all', 'nothing'], ...names]);
  }

  listen() {
    const run = (value) => (value === 'all' ? null : Number(value));
    const on = (id, type, handler) => find(id).addEventListener(type, handler);
    on('value', 'change', ({ target }) => this.history.change({ value: target.value }));
    on('run', 'change', ({ target }) => this.history.change({ run: run(target.value) }));
    on('compare', 'change', ({ target }) => this.history.change({ compare: run(target.value) }));
    on('order', 'change', ({ target }) => this.history.change({ order: target.value }));
    on('up', 'click', () => this.history.change({ up: !this.state.up }));
    on('fold', 'click', () => this.history.change({ fold: !this.state.fold, zoom: 0 }));
    on('back', 'click', () => history.back());
    on('reset', 'click', () => this.reset());
    on('search', 'input', ({ target }) => this.history.change({ query: target.value }, false));
    on('previous', 'click', () => this.goToMatch(-1));
    on('next', 'click', () => this.goToMatch(1));
    on('focus', 'click', () => this.filter((name) => ({ focus: name })));
    on('hide', 'click', () => this.filter((name) => ({ hide: [...this.state.hide, name] })));
    on('callers', 'click', () => this.showSandwich());
    on('copy', 'click', () => this.copy());
    on('summary', 'click', () => this.copySummary());
    document.addEventListener('keydown', (event) => this.onKey(event));
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    this.isDark = scheme.matches;
    scheme.addEventListener('change', () => {
      this.isDark = scheme.matches;
      this.show(this.state);
    });
    window.addEventListener('beforeprint', () => this.setPrinting(true));
    window.addEventListener('afterprint', () => this.setPrinting(false));
  }

  get shownName() {
    return this.shown > 0 ? this.names[this.tree.label[this.shown]] : null;
  }

  filter(changesFor) {
    const name = this.shownName;
    if (name !== null) this.history.change({ ...changesFor(name), zoom: 0, select: name });
  }

  showSandwich() {
    if (this.shownName !== null) this.history.change({ select: this.shownName });
    find('sandwich').scrollIntoView({ block: 'start' });
  }

  /** Without the clipboard, which pages from files may lack, the stack is selected for Ctrl+C. */
  copy() {
    const stack = this.tree.path(this.shown).map((node) => this.names[this.tree.label[node]]).join('\n');
    this.copyText(stack, 'copy', () => getSelection().selectAllChildren(find('path')));
  }

  copySummary() {
    const text = summaryOf(this.findingSource, document.title, find('totals').textContent);
    this.copyText(text, 'summary', () => {
      find('summary-text').hidden = false;
      find('summary-text').textContent = text;
      getSelection().selectAllChildren(find('summary-text'));
    });
  }

  async copyText(text, id, onFailure) {
    const button = find(id);
    const caption = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = caption; }, 1500);
    } catch {
      onFailure();
    }
  }

  onKey(event) {
    const field = find('search');
    const isSearching = event.target === field;
    const isFind = (event.ctrlKey || event.metaKey) && event.key === 'f';
    if (!isSearching && (isFind || event.key === '/')) { // pressed again: the browser's own search
      field.focus();
      field.select();
    } else if (isSearching && event.key === 'Enter') {
      this.goToMatch(event.shiftKey ? -1 : 1);
    } else if (isSearching && event.key === 'Escape') {
      this.history.change({ query: '' }, false);
      this.graph.holder.focus();
    } else if (event.key === 'Escape') {
      this.reset();
    } else {
      return;
    }
    event.preventDefault();
  }

  /** On paper the graphs are as wide as page.css has them and light, and nothing scrolls. */
  setPrinting(isPrinting) {
    document.documentElement.classList.toggle('printing', isPrinting);
    if (isPrinting) find('about').open = true;
    for (const view of [this.graph, ...this.sandwich.graphs]) view.setPaper(isPrinting ? PAPER : null);
    this.table.setPaper(isPrinting ? PAPER_TABLE_ROWS : null);
  }
}

async function open() {
  const begin = performance.now();
  const element = find('profile');
  const data = await loadProfile(element.textContent.trim());
  element.remove(); // its text is large
  new Report(data);
  performance.measure('open', { start: begin });
}

open().catch((error) => {
  const line = document.createElement('p');
  line.className = 'caution';
  line.textContent = `This page cannot be shown: ${error.message}. It needs a browser of 2023 or later.`;
  document.querySelector('main').prepend(line);
});
