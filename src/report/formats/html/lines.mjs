// Source lines of the chosen function with their costs, if the profile has them.
import { formatCount, formatShare } from './units.mjs';

const TEXT_PREFIX = 'WebAssembly of '; // see wasm_perf/profile.h
const OF_TOTALS = ['Total %', 'With callees'];
// The text comes before the long numbers: the part is beside the graph, and narrow.
const HEADINGS = ['%', 'Total %', 'Executed', 'Line', 'Source', 'Instructions', 'With callees', 'Calls'];

function addCell(row, content) {
  row.insertCell().append(content);
}

export class SourceLines {
  /** `lines` is from the JSON, or undefined; `links` shows places. */
  constructor(part, lines, names, links) {
    this.part = part;
    this.names = names;
    this.heading = part.querySelector('h2');
    this.table = part.querySelector('table');
    this.note = part.querySelector('.note');
    this.links = links;
    this.files = lines?.files ?? [];
    this.functions = new Map((lines?.functions ?? []).map(([label, ...rest]) => [label, rest]));
    this.leftOut = lines?.leftOut ?? 0;
  }

  /** Shows a function; `label` < 0: none. `self`: its instructions, NaN if another value is shown. */
  show(label, self) {
    const [lines, total = 0, unplaced = 0] = this.functions.get(label) ?? [];
    const isMissing = lines === undefined && this.leftOut > 0;
    this.part.hidden = label < 0 || (lines === undefined && !isMissing);
    this.note.textContent = isMissing
      ? `Lines are in this page for the ${formatCount(this.functions.size)} functions that took most; ` +
        'wasm-perf annotate has those of all.' : '';
    const file = lines === undefined ? '' : this.files[lines[0][0]];
    this.heading.textContent = file.startsWith(TEXT_PREFIX) ? `${this.names[label]}, as WebAssembly` : `Lines of ${this.names[label] ?? ''}`;
    this.table.replaceChildren();
    this.total = total; // 0: no line has callees
    if (!this.part.hidden && lines !== undefined) this.fill(lines, self, unplaced);
  }

  /** `unplaced`: what calls cost whose line is unknown. */
  fill(lines, self, unplaced) {
    const sum = lines.reduce((all, [, , instructions]) => all + instructions, 0);
    const whole = Math.max(sum, self || 0);
    const head = this.table.createTHead().insertRow();
    for (const heading of HEADINGS.filter((other) => this.total > 0 || !OF_TOTALS.includes(other))) {
      const cell = document.createElement('th');
      cell.scope = 'col';
      cell.textContent = heading;
      if (heading === 'Source') cell.className = 'source';
      head.append(cell);
    }
    const body = this.table.createTBody();
    let last = null;
    for (const line of lines) {
      if (last !== null && (last[0] !== line[0] || line[1] === 0 || last[1] + 1 < line[1])) body.insertRow().className = 'gap';
      this.addLine(body.insertRow(), line, whole);
      last = line;
    }
    // Add the cost of functions that are charged to this one, so that the lines add up to its self value.
    const counted = whole - sum;
    if (counted > 0) this.addLine(body.insertRow(), [0, 0, counted, null, 0, '(functions that are counted in it)', counted], whole);
    if (unplaced > 0) this.addLine(body.insertRow(), [0, 0, null, null, 0, '(calls whose line is unknown)', unplaced], whole);
  }

  placeOf(file, line) {
    return file.startsWith(TEXT_PREFIX) ? String(line) : this.links.elementOf({ file, line }, true);
  }

  addLine(row, [file, line, instructions, executions, calls, text, total], whole) {
    const isCode = instructions !== null;
    const share = row.insertCell();
    share.textContent = isCode ? formatShare(instructions, whole) : '';
    share.className = 'share';
    share.style.setProperty('--share', `${whole > 0 ? instructions / whole : 0}`);
    if (this.total > 0) addCell(row, total === undefined ? '' : formatShare(total, this.total));
    addCell(row, executions === null ? '' : formatCount(executions));
    addCell(row, line > 0 ? this.placeOf(this.files[file], line) : '(no line)');
    const source = row.insertCell();
    source.className = 'source';
    source.append(document.createElement('code'));
    source.firstChild.textContent = text;
    addCell(row, isCode ? formatCount(instructions) : '');
    if (this.total > 0) addCell(row, total > 0 ? formatCount(total) : '');
    addCell(row, calls > 0 ? formatCount(calls) : '');
    row.classList.toggle('never', executions === 0);
  }
}
