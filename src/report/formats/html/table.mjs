// The table of functions: sorted and filtered, with cumulative shares.
import { formatCallCount, formatCell, formatChange, formatCount, formatMean, formatRelative, formatShare } from './units.mjs';
import { appearanceOf } from './tree.mjs';

const PAGE_ROWS = 100; // shown at first
/** What columns mean that do not say it themselves; the glossary has the same. */
const TITLES = {
  self: 'By the function itself, without what it calls',
  error: 'One standard deviation, from the number of samples',
  'total-error': 'One standard deviation, from the numbers of samples',
  cumulative: 'Of this row and all rows above it',
  total: 'With all that the function calls; recursion counts once',
  calls: 'Exact, unless \u2264 stands before it: then at most so many',
  'per-call': 'Self divided by the calls',
  part: 'The part of the program, as in the legend',
  name: 'A name that begins with ~ comes from another build or a known library; (func 10) tells functions of one name apart',
};

/** Returns the columns; `value` is for sorting, `text` for display. */
function makeColumns(model) {
  const { stats, unit, whole, isCompared, samplePeriod, isMemory, hasCalls, isPart, timeNotes, noteTexts, errorOf } = model;
  const hidesMean = (i) => noteTexts?.[timeNotes.get(i)]?.[2];
  const share = (values) => (i) => formatShare(values[i], whole, 2);
  const amount = (values) => (i) => formatCell(unit, values[i]);
  const unitText = { nanoseconds: '', bytes: '', calls: '' }[unit] ?? ` ${unit}`;
  const self = [
    { key: 'self', heading: `Self${unitText}`, value: (i) => stats.self[i], text: amount(stats.self) },
    { key: 'self-share', heading: 'Self %', value: (i) => stats.self[i], text: share(stats.self), bar: true },
  ];
  const calls = { key: 'calls', heading: isPart ? 'Calls, whole run' : 'Calls', value: (i) => stats.calls[i] || 0,
    text: (i) => formatCallCount(stats.calls[i], stats.atMost.has(i)) };
  const cumulative = { key: 'cumulative', heading: 'Cumulative %', isFixed: true };
  if (isCompared) {
    const change = (now, then) => (i) => now[i] - then[i];
    const errors = (key, heading, now, then) => (samplePeriod === 0 ? [] : [{ key, heading, value: (i) => errorOf(then[i], now[i]),
      text: (i) => (errorOf(then[i], now[i]) > 0 ? formatCell(unit, errorOf(then[i], now[i])) : '') }]);
    return [
      { key: 'before', heading: 'Self before', value: (i) => stats.otherSelf[i], text: amount(stats.otherSelf) },
      { key: 'self', heading: 'Self after', value: (i) => stats.self[i], text: amount(stats.self) },
      { key: 'change', heading: `Change${unitText}`, value: change(stats.self, stats.otherSelf), isSize: true,
        text: (i) => formatChange(unit, stats.otherSelf[i], stats.self[i], formatCell) },
      ...errors('error', '\u00b1', stats.self, stats.otherSelf),
      { key: 'relative', heading: 'Change %', value: (i) => (stats.otherSelf[i] === 0 ? Infinity : stats.self[i] / stats.otherSelf[i]),
        text: (i) => formatRelative(stats.otherSelf[i], stats.self[i], appearanceOf(stats, i)) },
      { key: 'total-change', heading: `Total change${unitText}`, value: change(stats.total, stats.otherTotal), isSize: true,
        text: (i) => formatChange(unit, stats.otherTotal[i], stats.total[i], formatCell) },
      ...errors('total-error', 'Total \u00b1', stats.total, stats.otherTotal),
      ...(hasCalls ? [
        { key: 'calls-before', heading: 'Calls before', value: (i) => stats.otherCalls[i] || 0,
          text: (i) => formatCallCount(stats.otherCalls[i], stats.otherAtMost.has(i)) },
        { ...calls, heading: 'Calls after' },
      ] : []),
    ];
  }
  const total = [
    { key: 'total', heading: `Total${unitText}`, value: (i) => stats.total[i], text: amount(stats.total) },
    { key: 'total-share', heading: 'Total %', value: (i) => stats.total[i], text: share(stats.total) },
  ];
  if (!hasCalls) return [...self, cumulative, ...total];
  if (unit === 'calls') return [calls, { ...self[1], heading: 'Calls %' }, cumulative];
  /** Standard deviation of sampled times, from the number of samples. Functions without samples may have run. */
  const deviation = { key: 'error', heading: '\u00b1', value: (i) => Math.sqrt(stats.self[i] * samplePeriod),
    text: (i) => (stats.self[i] > 0 ? formatCell(unit, Math.round(Math.sqrt(stats.self[i] * samplePeriod))) : '') };
  const isUnseen = (i) => samplePeriod > 0 && stats.self[i] === 0 && stats.calls[i] > 0;
  if (samplePeriod > 0) {
    const { text } = self[0];
    self[0].text = (i) => (isUnseen(i) ? '<1 sample' : text(i));
  }
  const mean = { key: 'per-call', heading: 'Self per call',
    value: (i) => (stats.calls[i] > 0 ? stats.self[i] / stats.calls[i] : -1),
    text: (i) => (isUnseen(i) || hidesMean(i) || stats.atMost.has(i) ? '?' : formatMean(unit, stats.self[i], stats.calls[i])) };
  return [self[0], ...(samplePeriod > 0 ? [deviation] : []), self[1], cumulative, ...total, calls,
    ...(isMemory || isPart ? [] : [mean])]; // no mean of bytes, nor of a part of the time
}

function element(tag, text, attributes = {}) {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** The cell with the part of the program, as in the legend. */
function partElement({ text, color, kind }) {
  const cell = element('td', '', { class: 'part' });
  const patch = element('i', '', kind === 'unnamed' ? { class: 'striped' } : {});
  patch.style.setProperty('background', color);
  cell.append(patch, text);
  return cell;
}

/**
 * Divides a name where the function's own name begins: if space is short, the text before that is cut first. `doubt` is
 * what to know about it, or ''.
 */
function nameElement(name, at, doubt) {
  const made = element('span', '', { class: 'name', title: doubt === '' ? name : `${name} \u2014 ${doubt}` });
  if (at === 0) made.append(element('span', name, { class: 'own' }));
  else made.append(element('span', name.slice(0, at), { class: 'outer' }), element('span', name.slice(at), { class: 'own' }));
  return made;
}

export class FunctionTable {
  constructor(part, on) {
    this.on = on; // {choose(label), sort(key, isAscending)}
    this.table = part.querySelector('table');
    this.note = part.querySelector('.note');
    this.more = part.querySelector('button.more');
    this.limit = PAGE_ROWS;
    this.paperRows = null; // limit on paper; null: not printing
    this.more.addEventListener('click', () => {
      this.limit += 10 * PAGE_ROWS;
      this.render();
    });
    this.table.addEventListener('click', (event) => this.onClick(event));
    this.table.addEventListener('keydown', (event) => this.onKey(event));
  }

  /**
   * `model`: {names, doubtOf(label), links, stats, unit, whole, isCompared, isPart: of the time, samplePeriod, isMemory,
   * errorOf(before, after): of a change, hasCalls, timeNotes: what is known of functions' own times, by function, as positions in noteTexts,
   * layers: for whom layers of an allocator allocate, by function, groups, matches:
   * Uint8Array or null, selected}.
   */
  setModel(model) {
    this.model = model;
    this.columns = makeColumns(model);
    this.render();
  }

  setPaper(rows) {
    this.paperRows = rows;
    this.render();
  }

  get rowLimit() {
    return this.paperRows ?? this.limit;
  }

  setSort(key, isAscending) {
    this.sortKey = key;
    this.isAscending = isAscending;
    if (this.model) this.render();
  }

  get sorted() {
    const fallback = this.model.isCompared ? 'change' : this.columns[0].key;
    return this.sortKey === 'name' ? null
      : this.columns.find(({ key }) => key === this.sortKey) ?? this.columns.find(({ key }) => key === fallback);
  }

  /** Returns the labels of the shown functions, sorted. */
  rows() {
    const { names, stats, matches, isCompared, isMemory, isPart } = this.model;
    const column = this.sorted;
    const direction = this.isAscending ? 1 : -1;
    const rows = [];
    for (let i = 0; i < names.length; i++) {
      const isThere = stats.nodes[i] > 0 && ((!isCompared && !isMemory && !isPart) || stats.total[i] > 0 || stats.otherTotal[i] > 0);
      const isOnPaper = this.paperRows === null || stats.total[i] > 0 || stats.otherTotal[i] > 0;
      if (isThere && isOnPaper && (matches === null || matches[i] === 1)) rows.push(i);
    }
    const byName = (a, b) => (names[a] < names[b] ? -1 : names[a] > names[b] ? 1 : 0);
    const size = (i) => (column.isSize ? Math.abs(column.value(i)) : column.value(i));
    rows.sort(column === null
      ? (a, b) => (this.isAscending ?? true ? 1 : -1) * byName(a, b)
      : (a, b) => direction * (size(a) - size(b)) || stats.total[b] - stats.total[a] || byName(a, b));
    return rows;
  }

  render() {
    const rows = this.rows();
    this.renderHead();
    const body = document.createElement('tbody');
    let sum = 0;
    for (const i of rows.slice(0, this.rowLimit)) {
      sum += this.model.stats.self[i];
      body.append(this.makeRow(i, sum));
    }
    this.table.tBodies[0]?.remove();
    this.table.append(body);
    this.renderNote(rows);
  }

  renderHead() {
    const line = document.createElement('tr');
    const current = this.sorted?.key ?? 'name';
    const add = (key, heading, isFixed) => {
      const cell = element('th', isFixed ? heading : '', { scope: 'col', class: `of-${key}`, 'data-key': key, title: TITLES[key.replace(/-share$/, '')] ?? '' });
      if (!isFixed) cell.dataset.heading = heading; // for printing
      if (!isFixed) cell.append(element('button', heading, { type: 'button' }));
      const isUp = key === 'name' ? this.isAscending ?? true : this.isAscending;
      if (key === current) cell.setAttribute('aria-sort', isUp ? 'ascending' : 'descending');
      line.append(cell);
    };
    add('name', 'Function', false);
    for (const { key, heading, isFixed } of this.columns) add(key, heading, isFixed);
    add('part', 'Part', true);
    this.table.tHead.replaceChildren(line);
  }

  makeRow(i, sum) {
    const { names, forms, doubtOf, links, selected, whole, stats, timeNotes, noteTexts, layers } = this.model;
    const row = element('tr', '', { 'data-label': i, tabindex: -1 });
    const head = element('th', '', { scope: 'row' });
    head.append(nameElement(names[i], forms.ownStart(i), doubtOf(i)));
    const [note, remedy] = noteTexts?.[timeNotes.get(i)] ?? [];
    if (note) head.append(' ', element('span', note, { class: 'mark', title: remedy }));
    if (layers.has(i)) head.append(' ', element('span', layers.get(i), { class: 'mark', title: 'Who calls it: the innermost caller that does more than allocate' }));
    const place = links.element(i, true);
    const isInName = place !== null && names[i].includes(place.textContent);
    if (place !== null && !isInName) head.append(' ', place);
    row.append(head);
    for (const column of this.columns) {
      const cell = element('td', column.key === 'cumulative' ? formatShare(sum, whole, 1) : column.text(i), { class: `of-${column.key}` });
      if (column.bar) {
        cell.classList.add('share');
        cell.style.setProperty('--share', `${whole > 0 ? stats.self[i] / whole : 0}`);
      }
      row.append(cell);
    }
    row.append(partElement(this.model.groups[i]));
    if (i === selected) row.setAttribute('aria-current', 'true');
    return row;
  }

  renderNote(rows) {
    const hidden = rows.slice(this.rowLimit);
    const self = hidden.reduce((sum, i) => sum + this.model.stats.self[i], 0);
    this.more.hidden = hidden.length === 0;
    this.note.textContent = hidden.length === 0 ? ''
      : `${formatCount(hidden.length)} more functions with ${formatShare(self, this.model.whole, 2)} together. `;
    const first = this.table.querySelector('[aria-current]') ?? this.table.tBodies[0].rows[0];
    if (first) first.tabIndex = 0;
  }

  onClick(event) {
    const heading = event.target.closest('thead button');
    const row = event.target.closest('tbody tr');
    if (event.target.closest('a') !== null) return;
    if (heading !== null) {
      const { key } = heading.parentElement.dataset;
      const isCurrent = heading.parentElement.hasAttribute('aria-sort');
      const isAscending = isCurrent ? heading.parentElement.getAttribute('aria-sort') === 'descending' : key === 'name';
      this.on.sort(key, isAscending);
      this.table.querySelector(`[data-key="${key}"] button`).focus();
    } else if (row !== null) {
      this.on.choose(Number(row.dataset.label));
    }
  }

  onKey(event) {
    const row = event.target.closest('tbody tr');
    if (row === null) return;
    const other = { ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling }[event.key];
    if (event.key === 'Enter' || event.key === ' ') {
      const { label } = row.dataset;
      this.on.choose(Number(label));
      this.table.querySelector(`tr[data-label="${label}"]`)?.focus();
    } else if (other) {
      row.tabIndex = -1;
      other.tabIndex = 0;
      other.focus();
    } else if (other === undefined) {
      return;
    }
    event.preventDefault();
  }
}
