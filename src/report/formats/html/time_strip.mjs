// The strip below the graph: the kind of code that each thread ran over time. Dragging selects a range.
import { Axis } from './axis.mjs';
import { formatValue } from './units.mjs';
import { NS_PER_US, visitStretches, wholeRange } from './time_line.mjs';

const STRIP_ROW = 18; // pixels per thread, including the gap below
const MAX_ROWS = 5; // visible at once, see page.css
const CAPTION = 42; // pixels below the rows, for the axis and the caption
const BRUSH = 4; // pixels; a shorter drag is a click

/** Kinds of code in drawing order, from the bottom; `of`: kinds of names, see model/color.h. */
const CODE_KINDS = [
  { text: 'WebAssembly', color: '#ee7d52', of: [0, 1, 6, 7] },
  { text: 'JavaScript', color: '#3fae94', of: [3] },
  { text: 'host', color: '#5a96d8', of: [2] },
  { text: 'garbage collection', color: '#9c7bd0', of: [4] },
  { text: 'waiting', color: '#c4c8cf', of: [5] },
];

const elementOf = (tag, className, text = '') => Object.assign(document.createElement(tag), { className, textContent: text });

export class TimeStrip {
  /** `on`: {range([from, to] or null), thread(index)}; times in microseconds. */
  constructor(holder, data, on) {
    this.holder = holder;
    this.on = on;
    this.data = data;
    this.whole = wholeRange(data);
    this.range = null;
    const kindOf = data.head.kinds.map((kind) => Math.max(0, CODE_KINDS.findIndex(({ of }) => of.includes(kind))));
    this.kindOfNode = Int8Array.from(data.label, (label) => (label < 0 ? -1 : kindOf[label]));
    this.caption = holder.querySelector('p');
    this.rows = holder.querySelector('[role="group"]');
    this.canvas = this.rows.querySelector('canvas');
    this.window = this.rows.querySelector('i');
    this.hasGaps = data.threads.some(({ nodes }) => nodes.some((node) => this.kindOfNode[node] < 0));
    const numbers = new Map(); // of several processes, threads may have the same name
    this.names = data.threads.map(({ name }, i) => {
      numbers.set(name, (numbers.get(name) ?? 0) + 1);
      const label = elementOf('span', '', `thread ${name}${numbers.get(name) > 1 ? ` (${numbers.get(name)})` : ''}`);
      label.style.setProperty('top', `${i * STRIP_ROW}px`);
      this.rows.append(label);
      return label;
    });
    this.rows.style.setProperty('height', `${data.threads.length * STRIP_ROW}px`);
    this.listen();
    new Axis(holder.querySelector('.axis')).show('nanoseconds', (this.whole[1] - this.whole[0]) * NS_PER_US);
    holder.hidden = false;
    // The graph leaves room for the strip, so that both fit in the window.
    this.height = Math.min(data.threads.length, MAX_ROWS) * STRIP_ROW + CAPTION;
  }

  listen() {
    this.rows.addEventListener('pointerdown', (event) => this.press(event));
    this.rows.addEventListener('pointermove', (event) => this.drag(event));
    this.rows.addEventListener('pointerup', (event) => this.release(event));
    this.rows.addEventListener('pointercancel', () => this.cancel());
    this.rows.addEventListener('keydown', (event) => this.onKey(event));
    new ResizeObserver(() => this.draw()).observe(this.rows);
  }

  /** Sums the time of each kind in each column of pixels, in microseconds. */
  sumColumns(thread, pixels) {
    const [from, to] = this.whole;
    const scale = pixels / (to - from);
    const sums = CODE_KINDS.map(() => new Float64Array(pixels));
    visitStretches(thread, this.whole, (node, begin, end) => {
      const kind = this.kindOfNode[node];
      if (kind < 0) return;
      const last = Math.min(pixels - 1, Math.floor((end - from) * scale));
      for (let x = Math.floor((begin - from) * scale); x <= last; x++) {
        const inside = Math.min(end, from + (x + 1) / scale) - Math.max(begin, from + x / scale);
        if (inside > 0) sums[kind][x] += inside;
      }
    });
    return { sums, whole: 1 / scale };
  }

  draw() {
    const pixels = this.rows.clientWidth;
    if (pixels === 0) return;
    const { threads } = this.data;
    this.canvas.width = pixels;
    this.canvas.height = threads.length * STRIP_ROW;
    const context = this.canvas.getContext('2d');
    threads.forEach((thread, row) => {
      const { sums, whole } = this.sumColumns(thread, pixels);
      for (let x = 0; x < pixels; x++) {
        let bottom = (row + 1) * STRIP_ROW - 2;
        CODE_KINDS.forEach(({ color }, kind) => {
          const height = (sums[kind][x] / whole) * (STRIP_ROW - 2);
          context.fillStyle = color;
          if (height > 0) context.fillRect(x, bottom - height, 1, height);
          bottom -= height;
        });
      }
    });
    this.showWindow(this.range);
  }

  /** Shows the selected range, and which thread has a chart; -1: none. */
  show(range, thread) {
    this.range = range;
    this.names.forEach((name, i) => name.classList.toggle('shown', i === thread));
    this.showWindow(range);
    this.showCaption(range);
  }

  showCaption(range) {
    const seen = CODE_KINDS.filter((_, kind) => this.kindOfNode.includes(kind));
    if (this.hasGaps) seen.push({ text: 'not running', color: 'var(--panel)' });
    const patches = seen.flatMap(({ text, color }) => {
      const [item, patch] = [elementOf('span', ''), elementOf('i', '')];
      patch.style.setProperty('background', color);
      item.append(patch, text);
      return [item, ' '];
    });
    const at = (time) => formatValue('nanoseconds', (time - this.whole[0]) * NS_PER_US);
    const lost = Math.max(...this.data.threads.map(({ dropped }) => dropped));
    const what = range === null ? `${at(this.whole[1])} from left to right, drag to choose a part`
      : `${at(range[0])} to ${at(range[1])}: tree, table and findings are of this part, calls of the whole run`;
    const gone = lost > 0 ? `; ${formatValue('nanoseconds', lost * NS_PER_US)} before were not kept` : '';
    this.caption.replaceChildren(`${what}${gone} `, ...patches);
    this.rows.setAttribute('aria-label', `Time line: ${what}`);
  }

  showWindow(range) {
    this.window.hidden = range === null;
    if (range === null) return;
    const [from, to] = this.whole;
    this.window.style.setProperty('left', `${(100 * (range[0] - from)) / (to - from)}%`);
    this.window.style.setProperty('width', `${(100 * (range[1] - range[0])) / (to - from)}%`);
  }

  timeAt({ clientX }) {
    const { left, width } = this.rows.getBoundingClientRect();
    const place = Math.min(1, Math.max(0, (clientX - left) / width));
    return Math.round(this.whole[0] + place * (this.whole[1] - this.whole[0]));
  }

  rangeTo(event) {
    const times = [this.pressed.time, this.timeAt(event)];
    return [Math.min(...times), Math.max(...times)];
  }

  press(event) {
    if (event.button !== 0) return;
    this.pressed = { x: event.clientX, time: this.timeAt(event), isDrag: false };
    this.rows.setPointerCapture(event.pointerId);
  }

  drag(event) {
    if (!this.pressed) return;
    this.pressed.isDrag ||= Math.abs(event.clientX - this.pressed.x) >= BRUSH;
    if (this.pressed.isDrag) this.showWindow(this.rangeTo(event));
  }

  release(event) {
    if (!this.pressed) return;
    const { isDrag } = this.pressed;
    const range = this.rangeTo(event);
    this.pressed = null;
    if (isDrag && range[1] > range[0]) return this.on.range(range);
    const row = Math.floor((event.clientY - this.rows.getBoundingClientRect().top) / STRIP_ROW);
    this.on.thread(Math.min(this.data.threads.length - 1, Math.max(0, row)));
  }

  cancel() {
    this.pressed = null;
    this.showWindow(this.range);
  }

  /** W and S scale the selected range, A and D move it, as in the graph. */
  onKey({ key }) {
    const [from, to] = this.range ?? this.whole;
    const width = to - from;
    const moved = { w: [from + width / 10, to - width / 10], s: [from - width / 8, to + width / 8],
      a: [from - width / 5, to - width / 5], d: [from + width / 5, to + width / 5] }[key];
    if (moved === undefined) return;
    const [first, last] = [Math.max(this.whole[0], Math.round(moved[0])), Math.min(this.whole[1], Math.round(moved[1]))];
    if (last > first) this.on.range(first === this.whole[0] && last === this.whole[1] ? null : [first, last]);
  }
}
