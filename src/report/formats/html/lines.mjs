// Source lines of the chosen function with their costs, if the profile has them, and what was inlined into it.
import { formatCount, formatShare } from './units.mjs';

const TEXT_PREFIX = 'WebAssembly of '; // see wasm_perf/profile.h
const MOST_INLINED = 5;
const FAINT = 0.0005; // share that is shown as 0.0 %
// The text comes before the long numbers: the part is beside the graph, and narrow. {heading, title}
const COLUMNS = [
  { heading: '%', title: 'Own instructions, of all own instructions of the function' },
  { heading: 'Total %', title: 'Instructions with callees, of those of the function', isTotal: true },
  { heading: 'Executed', title: 'How often the line was executed' },
  { heading: 'Line', title: '' },
  { heading: 'Source', title: '', isText: true },
  { heading: 'Instructions', title: 'Own instructions' },
  { heading: 'With callees', title: 'Instructions with callees', isTotal: true },
  { heading: 'Calls', title: 'Calls that the line made' },
];

/** A line of the JSON; `total` is undefined where no line has callees. */
const lineOf = ([file, line, instructions, executions, calls, text, total]) =>
  ({ file, line, instructions, executions, calls, text, total });

export class SourceLines {
  /** `lines` is from the JSON, or undefined; `links` shows places. */
  constructor(part, lines, names, links) {
    this.part = part;
    this.names = names;
    this.heading = part.querySelector('h2');
    this.table = part.querySelector('table');
    this.scroller = part.querySelector('.scroller');
    this.note = part.querySelector('.note');
    this.links = links;
    this.files = lines?.files ?? [];
    this.functions = new Map((lines?.functions ?? []).map(([label, ...rest]) => [label, rest]));
    this.leftOut = lines?.leftOut ?? 0;
    this.inlined = new Map(); // by function: [label, name, instructions] each, largest first
    for (const item of lines?.inlined ?? []) this.inlined.set(item[0], [...(this.inlined.get(item[0]) ?? []), item]);
  }

  get isEmpty() {
    return this.functions.size === 0;
  }

  /** The names of the functions that were inlined into a function. */
  inlinedInto(label) {
    return (this.inlined.get(label) ?? []).map(([, name]) => name);
  }

  /** Shows a function; `label` < 0: none. `self`: its instructions, NaN if another value is shown. */
  show(label, self) {
    const [lines, total = 0, unplaced = 0] = this.functions.get(label) ?? [];
    const isMissing = lines === undefined && this.leftOut > 0;
    this.part.hidden = label < 0 || (lines === undefined && !isMissing);
    this.table.replaceChildren();
    if (this.part.hidden) return;
    if (isMissing) {
      this.heading.textContent = this.names[label];
      this.note.textContent = `Lines are in this page for the ${formatCount(this.functions.size)} functions that took most; ` +
        'wasm-perf annotate has those of all.';
      return;
    }
    this.total = total; // 0: no line has callees
    this.fill(label, lines.map(lineOf), self, unplaced);
  }

  /** `unplaced`: what calls cost whose line is unknown. */
  fill(label, lines, self, unplaced) {
    const sum = lines.reduce((all, { instructions }) => all + instructions, 0);
    const whole = Math.max(sum, self || 0);
    this.file = this.mainFile(lines);
    const path = this.files[this.file];
    this.isText = path.startsWith(TEXT_PREFIX);
    this.heading.textContent = this.isText ? `${this.names[label]}, as WebAssembly` : `${path.slice(path.lastIndexOf('/') + 1)}: ${this.names[label]}`;
    this.heading.title = this.isText ? '' : path;
    const hasText = lines.some(({ text }) => text !== '');
    this.note.textContent = `${this.noteOf(label, whole)}${hasText ? '' : '. Their text: report --source FOLDER'}`;
    this.columns = COLUMNS.filter(({ isTotal, isText }) =>
      (!isTotal || this.total > 0) && (!isText || hasText));
    const head = this.table.createTHead().insertRow();
    for (const { heading, title, isText } of this.columns)
      head.append(Object.assign(document.createElement('th'), { scope: 'col', textContent: heading, title, className: isText ? 'source' : '' }));
    const body = this.table.createTBody();
    let last = null;
    let hottest = null;
    for (const line of lines) {
      if (last !== null && (last.file !== line.file || line.line === 0 || last.line + 1 < line.line)) body.insertRow().className = 'gap';
      const row = this.addLine(body.insertRow(), line, whole);
      const cost = line.total ?? line.instructions;
      if (line.line > 0 && cost > (hottest?.cost ?? 0)) hottest = { cost, row };
      last = line;
    }
    // Add the cost of functions that are charged to this one, so that the lines add up to its self value.
    const other = { file: this.file, line: 0, executions: null, calls: 0 };
    const counted = whole - sum;
    if (counted > 0) this.addLine(body.insertRow(), { ...other, instructions: counted, text: '(functions that are counted in it)', total: counted }, whole);
    if (unplaced > 0) this.addLine(body.insertRow(), { ...other, instructions: null, text: '(calls whose line is unknown)', total: unplaced }, whole);
    if (hottest === null) return;
    hottest.row.classList.add('hottest');
    this.scroller.scrollTop = hottest.row.offsetTop - this.scroller.clientHeight / 3;
  }

  /** The file with most of the instructions. */
  mainFile(lines) {
    const sums = new Map();
    for (const { file, line, instructions } of lines) if (line > 0) sums.set(file, (sums.get(file) ?? 0) + instructions);
    return [...sums].sort((a, b) => b[1] - a[1])[0]?.[0] ?? lines[0].file;
  }

  /** What the percentages are of, and what was inlined. */
  noteOf(label, whole) {
    const base = `% of ${formatCount(whole)} own instructions${this.total > 0 ? `, total % of ${formatCount(this.total)} with callees` : ''}`;
    const inlined = (this.inlined.get(label) ?? []).slice(0, MOST_INLINED)
      .map(([, name, instructions]) => `${name} ${formatShare(instructions, whole)}`);
    return inlined.length === 0 ? base : `${base}. Inlined into it: ${inlined.join(', ')}`;
  }

  /** The number of a line, with its file unless that is the heading's. */
  placeOf({ file, line }) {
    if (line === 0) return '(no line)';
    if (this.isText) return String(line);
    const place = this.links.elementOf({ file: this.files[file], line }, true);
    if (file === this.file) place.textContent = String(line);
    return place;
  }

  addLine(row, line, whole) {
    const { instructions, executions, calls, text, total } = line;
    const isCode = instructions !== null;
    const code = Object.assign(document.createElement('code'), { textContent: text });
    const hasText = this.columns.some(({ isText }) => isText);
    const cells = {
      '%': isCode ? formatShare(instructions, whole) : '',
      'Total %': total === undefined ? '' : formatShare(total, this.total),
      Executed: executions === null ? '' : formatCount(executions),
      Line: line.line === 0 && !hasText && text !== '' ? text : this.placeOf(line),
      Source: code,
      Instructions: isCode ? formatCount(instructions) : '',
      'With callees': total > 0 ? formatCount(total) : '',
      Calls: calls > 0 ? formatCount(calls) : '',
    };
    for (const { heading, isText } of this.columns) {
      const cell = row.insertCell();
      cell.append(cells[heading]);
      if (isText) cell.className = 'source';
    }
    row.cells[0].className = 'share';
    row.cells[0].style.setProperty('--share', `${isCode && whole > 0 ? instructions / whole : 0}`);
    const isSmall = (part, all) => !(part >= FAINT * all) || all === 0;
    row.classList.toggle('never', isSmall(instructions, whole) && isSmall(total ?? 0, this.total));
    return row;
  }
}
