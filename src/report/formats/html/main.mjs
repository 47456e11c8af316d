// The page with a profile. What it shows is derived from the state (state.mjs), which every click changes.
import { Actions } from './actions.mjs';
import { Axis } from './axis.mjs';
import { Controls } from './controls.mjs';
import { doubtOf, figures, showDetails } from './details.mjs';
import { FirstLook } from './first_look.mjs';
import { FlameView } from './flame.mjs';
import { formatQuantity, formatRelative, formatShare } from './units.mjs';
import { groupFunctions } from './groups.mjs';
import { Forms } from './labels.mjs';
import { Legend } from './legend.mjs';
import { SourceLines } from './lines.mjs';
import { FrameMenu } from './menu.mjs';
import { Minimap } from './minimap.mjs';
import { Sandwich } from './sandwich.mjs';
import { matchFrames, matchNames } from './search.mjs';
import { SourceLinks } from './source_link.mjs';
import { History } from './state.mjs';
import { FunctionTable } from './table.mjs';
import { TimeStrip } from './time_strip.mjs';
import { makeChart, wholeRange } from './time_line.mjs';
import { functionStats } from './tree.mjs';
import { columnOf, makeTree } from './views.mjs';

const [LIFE_ROW, MAX_LIFE] = [54, 120]; // heights of a time line of memory, and of all, see page.css
const VIEW_RESTS = 250; // milliseconds without a movement
const SMALL_CHANGE = 0.005; // relative change that is not coloured

const find = (id) => document.getElementById(id);

/** Colours of changed and unchanged frames; names on them are readable in both colour schemes. */
const CHANGED = { more: '#f06a6a', less: '#4b9df5', same: { light: '#e4e5e9', dark: '#8d9099' } };

/** Shows a profile in the page, until it is closed. */
export class Report {
  constructor(data) {
    this.lifetime = new AbortController();
    this.data = data;
    this.head = data.head;
    this.names = data.head.names;
    this.links = new SourceLinks(data.head);
    this.confidences = new Map(data.head.confidences);
    this.hints = new Set(data.head.hints);
    this.forms = new Forms(data.head);
    const first = data.columns[0][0];
    const self = new Float64Array(this.names.length);
    for (let i = 1; i < data.count; i++) self[data.label[i]] += first[i];
    Object.assign(this, groupFunctions(data.head, self));
    this.largestChange = 1;
    this.chart = null;
    this.chartKey = null;
    this.history = new History(this.head, (state) => this.show(state), this.lifetime.signal);
    this.makeViews();
    this.controls = new Controls(this.head, this.history);
    this.actions = new Actions(this);
    this.followScheme(this.lifetime.signal);
    find('app').hidden = false;
    this.show(this.history.state);
  }

  /** Stops listening to events. */
  close() {
    this.lifetime.abort();
  }

  /** The label of a name, or null. There may be a million of them, and the state of the page names few. */
  labelOf(name) {
    const label = this.names.indexOf(name);
    return label < 0 ? null : label;
  }

  /** The labels of a function, or after a slash of all that match a pattern. */
  labelsOf(choice) {
    const label = this.labelOf(choice);
    if (label !== null) return [label];
    const { labels } = this.matchesOf(choice.slice(1));
    return [...labels.keys()].filter((i) => labels[i] === 1);
  }

  matchesOf(pattern) {
    return matchNames(this.names, pattern, (label) => this.lines.inlinedInto(label));
  }

  get state() {
    return this.history.state;
  }

  makeViews() {
    const labelOf = (node) => this.drawn.label[node];
    const nodeName = (node) => (node === 0 ? this.rootName : this.names[labelOf(node)]);
    const style = {
      color: (node) => this.colorOf(node),
      forms: (node) => (node === 0 ? [this.rootName] : this.forms.of(labelOf(node))),
      describe: (node) => `${nodeName(node)}, ${formatShare(this.drawn.total[node], this.drawn.total[0])}`,
      isMatch: (node) => this.matches !== null && this.matches.labels[labelOf(node)] === 1,
      isSelected: (node) => labelOf(node) === this.selected,
      isStriped: (node) => this.tree.other === null && this.ofLabel[labelOf(node)].kind === 'unnamed',
      isFaded: (node) => this.state.group !== null && this.ofLabel[labelOf(node)].name !== this.state.group,
    };
    this.graph = new FlameView(find('graph'), 'Flame graph', style, {
      choose: (node) => this.choose(node),
      hover: (node, event) => this.hover(node, event),
      view: (view) => this.minimap.show(view),
      pan: (view) => this.keepView(view),
      menu: (node, event) => this.openMenu(node, event),
    });
    this.minimap = new Minimap(find('minimap'), (left, width) => this.graph.show(left, width));
    this.menu = new FrameMenu(find('menu'), (action) => (action === 'zoom' ? this.choose(this.chosen) : find(action).click()));
    this.scale = new Axis(find('scale'));
    this.legend = new Legend(find('legend'), (group) => this.history.change({ group }));
    this.firstLook = new FirstLook(this.head, {
      label: (label) => this.selectWidest(label),
      node: (node) => this.choose(node),
      from: (time) => this.history.change({ range: `${time}-${wholeRange(this.data)[1]}`, zoom: 0 }),
    });
    this.table = new FunctionTable(find('function-part'), {
      choose: (label) => this.select(label === this.selected ? null : label),
      sort: (key, isAscending) => this.table.setSort(key, isAscending),
    });
    this.lines = new SourceLines(find('line-part'), this.head.lines, this.names, this.links);
    const hasTimes = (this.data.threads ?? []).some(({ nodes }) => nodes.length > 0);
    this.strip = hasTimes ? new TimeStrip(find('strip'), this.data, {
      range: (range) => this.history.change({ range: range?.join('-') ?? null, zoom: 0 }),
      thread: (thread) => this.history.change({ thread, range: null, zoom: 0 }),
    }) : null;
    find('chart').hidden = this.strip === null;
    this.sandwich = new Sandwich(find('sandwich'), this.forms, (label) => this.colors[label] ?? '#ccc',
      (label) => this.select(label));
  }

  /** The chosen [from, to] in microseconds, limited to the recorded time; null: all of the time. */
  rangeOf({ range, value }) {
    if (range === null || this.strip === null || value !== 'self') return null;
    const whole = wholeRange(this.data);
    const [from, to] = range.split('-').map((time) => Math.min(whole[1], Math.max(whole[0], Number(time))));
    return to > from ? [from, to] : null;
  }

  /** What the graph shows: the tree, or the chart, frames in order of time. */
  get drawn() {
    return this.chart ?? this.tree;
  }

  /** This report with the tree that the graph shows. */
  get ofDrawn() {
    return this.chart === null ? this : Object.create(this, { tree: { value: this.chart } });
  }

  /** What to know about the name of a function, or ''. */
  doubtOf(label) {
    return doubtOf(this.confidences, this.hints, label);
  }

  get rootName() {
    if (this.chart !== null) return this.data.threads[this.threadOf(this.state)].name;
    const { other, total, otherTotal } = this.tree;
    return other === null ? 'all' : `all ${formatRelative(otherTotal[0], total[0])}`;
  }

  /** The colour of a frame. In a comparison, red if its self value grew, blue if it shrank. */
  colorOf(node) {
    const { tree } = this;
    if (tree.other === null) return this.colors[this.drawn.label[node]];
    const change = tree.self[node] - tree.other[node];
    if (Math.abs(change) <= SMALL_CHANGE * tree.other[node]) return CHANGED.same[this.isDark ? 'dark' : 'light'];
    const strength = 0.25 + 0.75 * Math.sqrt(Math.abs(change) / this.largestChange);
    const rest = Math.round(225 - 110 * strength);
    return change > 0 ? `rgb(244, ${rest}, ${rest})` : `rgb(${rest}, ${Math.round((rest + 240) / 2)}, 245)`;
  }

  // --- display ---

  show(state) {
    this.range = this.rangeOf(state);
    const key = JSON.stringify([state.value, state.run, state.compare, state.hide, state.focus, state.fold, this.range]);
    const isNewTree = key !== this.treeKey;
    if (isNewTree) this.makeTree(state, key);
    const isNewChart = this.makeChart(state);
    const isNewOrder = isNewTree || isNewChart || this.order !== state.order || this.isUp !== state.up;
    if (isNewOrder) this.layOut(state);
    this.selected = this.labelOf(state.select) ?? -1;
    const zoom = state.zoom < this.drawn.count ? state.zoom : 0;
    this.search(state.query);
    if (isNewOrder) {
      this.graph.setTree(this.drawn, state.up);
      this.minimap.setTree(this.drawn, (node) => this.colorOf(node));
      this.scale.show(this.unit, this.drawn.total[0]);
    }
    const isMoved = state.view !== this.view;
    this.view = state.view;
    if (state.view !== null && (isNewOrder || isMoved)) this.graph.place(...state.view.split('-').map((part) => part * this.drawn.total[0]));
    else if (isNewOrder ? zoom !== 0 : zoom !== this.graph.zoomed || isMoved) this.graph.zoom(zoom, isNewOrder);
    this.graph.draw();
    this.chosen = this.findChosen(); // visits every node, so only once per change
    this.strip?.show(this.range, this.chart === null ? -1 : this.threadOf(state));
    this.controls.show(state, this.chart !== null);
    this.showLegend();
    this.showTable();
    const isWhole = this.unit === 'instructions' && state.hide.length === 0 && state.focus === null;
    this.lines.show(this.selected, isWhole ? this.stats.self[this.selected] : NaN);
    this.sandwich.show(this.tree, this.selected, { unit: this.unit, key });
    this.showDetails(this.graph.hovered);
  }

  threadOf({ thread }) {
    return Math.min(thread, this.data.threads.length - 1);
  }

  /** Updates the chart. Returns whether it changed. */
  makeChart(state) {
    const isWanted = state.chart && this.strip !== null && state.value === 'self';
    const key = isWanted ? JSON.stringify([this.threadOf(state), this.range]) : null;
    if (key === this.chartKey) return false;
    const range = this.range ?? (isWanted ? wholeRange(this.data) : null);
    this.chart = isWanted ? makeChart(this.data, this.data.threads[this.threadOf(state)], range) : null;
    this.chartKey = key;
    this.frames = null;
    return true;
  }

  makeTree(state, key) {
    const { values } = this.head;
    const value = values.findIndex((other) => other.key === state.value);
    this.unit = values[value].unit;
    this.isMemory = values[value].memory === true;
    this.tree = makeTree(this.data, {
      run: state.run,
      compare: state.compare,
      value,
      callsValue: values.findIndex((other) => other.key === 'calls'),
      hidden: new Set(state.hide.flatMap((choice) => this.labelsOf(choice))),
      focus: state.focus === null ? null : new Set(this.labelsOf(state.focus)),
      folds: state.fold,
      range: this.range,
    });
    this.samplePeriod = this.tree.samplePeriod;
    this.stats = functionStats(this.tree, this.names.length, state.focus !== null);
    this.noteChanges();
    this.placeMemory();
    this.treeKey = key;
    this.frames = null;
    this.wholeOfProfile = columnOf(this.data, state.run, value).reduce((sum, self) => sum + self, 0);
    this.firstLook.show(this.findingSource, state, this.range);
  }

  /** Sums a value per function; null if the profile does not have it. */
  sumOf(key) {
    const { run } = this.history.state;
    const value = this.head.values.findIndex((other) => other.key === key);
    if (value < 0) return null;
    const column = columnOf(this.data, run, value);
    const sums = new Float64Array(this.names.length);
    for (let i = 1; i < column.length; i++) sums[this.data.label[i]] += column[i];
    return sums;
  }

  /** What is known of functions' own times, by function: positions in head.noteTexts. */
  get timeNotes() {
    const { value, run } = this.history.state;
    return new Map(value === 'self' && run !== null ? this.head.timeNotes : []);
  }

  /** For whom layers of an allocator allocate, by function. */
  get layers() {
    const { value, run } = this.history.state;
    const shown = run !== null && this.head.values.findIndex(({ key }) => key === value);
    return new Map(this.head.layers.filter(([of]) => of === shown).map(([, label, text]) => [label, text]));
  }

  /** The source for findings and the summary. */
  get findingSource() {
    const { head, tree, stats, names, forms, unit, isMemory, state } = this;
    const { value, run, compare } = state;
    const sumOf = (key) => (isMemory ? this.sumOf(key) : null);
    const isPart = this.range !== null; // then calls are of the whole run
    const isChanged = isPart || state.hide.length > 0; // hiding changes callers
    return { head, tree, stats, names, forms, unit, isMemory, isPart, hasAllCalls: !isChanged && !isMemory, notes: this.timeNotes,
      title: document.title, isWhole: !isChanged && state.focus === null && !state.fold && value === head.values[0].key,
      isRough: value === 'self' && head.runs.some(({ isRough }, i) => isRough && (run === null || run === i || compare === i)),
      temporary: sumOf('temporary_objects'), allocated: sumOf('allocated_objects') };
  }

  /** Puts the time line of memory below the graph if that shows memory, in place of the strip of samples. */
  placeMemory() {
    const [lines, strip] = [find('memory-time'), find('strip')];
    if (lines === null) return;
    if (this.isMemory) strip.after(lines);
    else find('memory').prepend(lines);
    strip.hidden = this.isMemory || this.strip === null;
    const height = this.isMemory ? Math.min(lines.children.length * LIFE_ROW, MAX_LIFE) : this.strip?.height ?? 0;
    find('stage').style.setProperty('--strip', `${height}px`);
  }

  noteChanges() {
    const { count, self, other, total, otherTotal, parent } = this.tree;
    this.largestChange = 0;
    this.undrawn = { count: 0, total: 0 };
    if (other === null) return;
    for (let i = 1; i < count; i++) {
      this.largestChange = Math.max(this.largestChange, Math.abs(self[i] - other[i]));
      if (total[i] > 0 || otherTotal[i] === 0) continue;
      this.undrawn.count++;
      if (parent[i] === 0 || total[parent[i]] > 0) this.undrawn.total += otherTotal[i];
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
      this.matches = this.matchesOf(query);
      this.query = query;
      this.frames = null;
    }
    if (this.matches !== null && this.frames === null) {
      this.frames = matchFrames(this.drawn, this.matches);
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
        `${formatQuantity(matches.functionCount, 'function')}, ${formatShare(frames.total, this.drawn.total[0])}` +
        `${matches.isText ? '; no valid pattern, so searched as text' : ''}`;
    }
    find('search').setAttribute('aria-invalid', matches?.isText === true);
    for (const id of ['focus-matches', 'hide-matches']) find(id).hidden = matches === null;
    const isNone = matches === null || frames.nodes.length === 0;
    for (const id of ['previous', 'next', 'focus-matches', 'hide-matches']) find(id).disabled = isNone;
  }

  showTable() {
    this.table.setModel({
      names: this.names,
      forms: this.forms,
      doubtOf: (label) => this.doubtOf(label),
      links: this.links,
      stats: this.stats,
      unit: this.unit,
      whole: this.tree.total[0],
      isCompared: this.tree.other !== null,
      isPart: this.range !== null,
      isMemory: this.isMemory,
      hasCalls: this.head.values.some(({ key }) => key === 'calls'),
      samplePeriod: this.samplePeriod,
      errorOf: (before, after) => this.tree.changeError(before, after),
      timeNotes: this.timeNotes,
      noteTexts: this.head.noteTexts,
      layers: this.layers,
      matches: this.shownLabels,
      groups: this.ofLabel,
      selected: this.selected,
    });
  }

  /** Marks functions that match the search and belong to the chosen group; null: all. */
  get shownLabels() {
    const { group } = this.state;
    const matches = this.matches?.labels ?? null;
    if (group === null) return matches;
    return Uint8Array.from(this.ofLabel, ({ name }, i) => (name === group && (matches === null || matches[i] === 1) ? 1 : 0));
  }

  /** Returns the chosen frame: the zoomed one, or the widest of the chosen function; 0: none. */
  findChosen() {
    const { drawn, selected } = this;
    if (selected < 0 || drawn.label[this.graph.zoomed] === selected) return this.graph.zoomed;
    return this.widestOf(selected);
  }

  showDetails(node) {
    this.shown = node >= 0 ? node : this.chosen;
    showDetails(this.ofDrawn, this.shown, (other) => this.choose(other));
    for (const id of ['focus', 'hide', 'callers', 'since', 'copy']) find(id).disabled = this.chosen === 0;
    for (const button of [find('since'), find('menu').querySelector('[data-action="since"]')])
      button.hidden = this.strip === null || this.state.value !== 'self' || this.tree.other !== null;
  }

  /** Shows a frame's figures in the details and, with a mouse, in a tooltip. */
  hover(node, event) {
    this.showDetails(node);
    const tip = find('tooltip');
    tip.hidden = node < 0 || event?.pointerType !== 'mouse';
    if (tip.hidden) return;
    const name = document.createElement('b');
    name.textContent = node === 0 ? this.rootName : this.names[this.drawn.label[node]];
    tip.replaceChildren(name, document.createElement('br'), figures(this.ofDrawn, node).join(', '));
    const doubt = node === 0 ? '' : this.doubtOf(this.drawn.label[node]);
    if (doubt !== '') tip.append(document.createElement('br'), doubt);
    const { clientX, clientY } = event;
    const { width, height } = tip.getBoundingClientRect();
    const left = Math.max(4, Math.min(clientX + 14, innerWidth - width - 8));
    const top = clientY + 22 + height > innerHeight ? clientY - height - 12 : clientY + 22;
    tip.style.setProperty('transform', `translate(${left}px, ${top}px)`);
  }

  showLegend() {
    const { tree } = this;
    if (tree.other !== null) {
      const same = CHANGED.same[this.isDark ? 'dark' : 'light'];
      this.legend.showChanges([[CHANGED.more, 'took more'], [CHANGED.less, 'took less'], [same, 'unchanged']], this.undrawn, tree.otherTotal[0]);
      return;
    }
    const sums = new Map();
    this.ofLabel.forEach(({ name }, i) => sums.set(name, (sums.get(name) ?? 0) + this.stats.self[i]));
    this.legend.showGroups(this.groups, sums, tree.total[0], this.state.group);
  }

  // --- input ---

  /** Keeps what the wheel, keys or the minimap show, once they rest; Back undoes all of it. */
  keepView({ left, width }) {
    clearTimeout(this.viewTimer);
    this.viewTimer = setTimeout(() => {
      if (this.lifetime.signal.aborted || this.graph.zoomed !== 0) return;
      const whole = this.drawn.total[0];
      const isWhole = width >= whole;
      const isStep = this.state.view === null;
      this.view = isWhole ? null : [left, width].map((value) => (value / whole).toFixed(9)).join('-');
      this.history.change({ view: this.view, ...(isWhole || this.state.zoom === 0 ? {} : { zoom: 0, view: this.view }) }, isStep);
    }, VIEW_RESTS);
  }

  choose(node) {
    const name = node > 0 ? this.names[this.drawn.label[node]] : null;
    this.history.change({ zoom: node, select: name });
  }

  select(label) {
    this.history.change({ select: label === null ? null : this.names[label] });
  }

  /** Returns the widest frame of a function, or 0. */
  widestOf(label) {
    const tree = this.drawn;
    let widest = 0;
    for (let i = 1; i < tree.count; i++)
      if (tree.label[i] === label && (widest === 0 || tree.total[i] > tree.total[widest])) widest = i;
    return widest;
  }

  /** Chooses a function and shows its widest frame. */
  selectWidest(label) {
    this.history.change({ select: this.names[label], zoom: 0 });
    const widest = this.widestOf(label);
    if (widest > 0) this.graph.goTo(widest);
  }

  goToMatch(direction) {
    if (this.matches === null || this.frames.nodes.length === 0) return;
    const { nodes } = this.frames;
    this.step = this.step < 0 && direction < 0 ? nodes.length - 1
      : (this.step + direction + nodes.length) % nodes.length;
    const node = nodes[this.step];
    this.history.change({ select: this.names[this.drawn.label[node]] }, false);
    this.graph.goTo(node);
    this.graph.outlineFrame(node);
    this.chosen = node;
    this.showDetails(node);
    this.showMatches();
  }

  /** Redraws when the colour scheme changes. */
  followScheme(signal) {
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    this.isDark = scheme.matches;
    scheme.addEventListener('change', () => {
      this.isDark = scheme.matches;
      this.show(this.state);
    }, { signal });
  }

  get chosenName() {
    return this.chosen > 0 ? this.names[this.drawn.label[this.chosen]] : null;
  }

  /** Selects a frame, and offers what can be done with it. */
  openMenu(node, event) {
    this.history.change({ select: this.names[this.drawn.label[node]] }, false);
    this.chosen = node;
    this.showDetails(node);
    find('tooltip').hidden = true;
    this.menu.open(event);
  }
}
