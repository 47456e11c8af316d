// A flame graph: rectangles on a canvas. Elements above it show the names that fit; they are also the interface
// for screen readers and the keyboard.
import { formatQuantity } from './units.mjs';
import { longestForm } from './labels.mjs';
import { findFrames, nodeAt } from './layout.mjs';

const ROW = 18; // pixels per level
const MIN_LABEL = 28; // pixels; narrower frames have no name
const SMALL = 10 / 12; // of the font size, see page.css
const ANIMATION = 160; // milliseconds
const PAPER_CONTEXT = 3; // levels around the chosen frame on paper, if not all fit
const MAX_HEIGHT = 8_000_000; // pixels that browsers can scroll
const MAX_WIDTHS = 100_000; // size of the cache of text widths
const DRAG = 4; // pixels; a shorter drag is a click
const VEIL = 'rgba(205, 208, 214, 0.6)'; // fades other frames, with readable names

function create(tag, className, parent) {
  const element = document.createElement(tag);
  element.className = className;
  return parent.appendChild(element);
}

/** Returns a context that measures text in the labels' font. */
function measuringContext(holder) {
  const context = document.createElement('canvas').getContext('2d');
  context.font = `12px ${getComputedStyle(holder).fontFamily}`;
  return context;
}

function makeStripes(context) {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 6;
  const pen = tile.getContext('2d');
  pen.fillStyle = 'rgba(90, 92, 98, 0.22)';
  for (let i = 0; i < 6; i++) pen.fillRect((6 - i) % 6, i, 2, 1);
  return context.createPattern(tile, 'repeat');
}

const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

export class FlameView {
  /**
   * `style`: {color(node), name(node), describe(node), isMatch(node), isSelected(node)}, and optionally
   * isStriped(node), isFaded(node), and hasNoRoot: the tree's root is not drawn, only its single child. `on`:
   * {choose(node), hover(node or -1, event)}, with nodes of the shown tree, and optionally view({left, width}),
   * pan({left, width}) and menu(node, event).
   */
  constructor(holder, title, style, on) {
    this.style = style;
    this.on = on;
    this.topLevel = style.hasNoRoot ? 1 : 0; // level, and number, of the node at the top
    this.holder = holder;
    holder.classList.add('flame');
    holder.tabIndex = 0;
    holder.setAttribute('role', 'tree');
    holder.setAttribute('aria-label', title);
    this.sheet = create('div', 'sheet', holder);
    this.canvas = create('canvas', '', this.sheet);
    this.canvas.setAttribute('aria-hidden', 'true');
    this.labels = create('div', 'labels', this.sheet);
    this.outline = create('div', 'outline', this.sheet);
    this.outline.hidden = true;
    this.pool = [];
    this.context = measuringContext(holder);
    this.widths = new Map(); // text -> pixels
    this.tree = null;
    this.isUp = false;
    this.current = this.topLevel; // position of the keyboard
    this.hovered = -1;
    this.levelCount = 1;
    this.outermost = this.topLevel; // level of the first row
    this.paper = null; // or {width, rows}
    this.paperNote = document.createElement('p');
    this.paperNote.className = 'fact';
    this.paperNote.hidden = true;
    holder.after(this.paperNote);
    this.pending = 0;
    this.fingers = new Map(); // on the graph: pointer -> horizontal position
    this.listen();
  }

  /** Shows a whole tree. `isUp`: the root is at the bottom. */
  setTree(tree, isUp) {
    this.tree = tree;
    this.isUp = isUp;
    this.current = this.topLevel;
    this.hovered = -1;
    this.zoomed = 0;
    this.view = { left: 0, width: tree.total[0] };
    this.measure();
    this.holder.scrollTop = isUp ? this.holder.scrollHeight : 0;
    this.draw();
  }

  // --- the view ---

  get pixels() {
    return this.paper?.width ?? this.holder.clientWidth;
  }

  /** Measures the levels of the view and sets the height. Paper limits the rows around the chosen frame. */
  measure() {
    const view = { ...this.view, pixels: this.pixels, firstLevel: 0, lastLevel: -1 };
    const deepest = findFrames(this.tree, view, () => {}, () => {});
    const zoomedLevel = this.tree.depth[this.zoomed];
    const levelCount = Math.max(deepest, zoomedLevel) + 1;
    const rows = this.paper?.rows ?? Infinity;
    const isCut = levelCount - this.topLevel > rows;
    this.outermost = isCut ? Math.max(this.topLevel, Math.min(zoomedLevel - PAPER_CONTEXT, levelCount - rows)) : this.topLevel;
    this.levelCount = isCut ? this.outermost + rows : levelCount;
    this.innerLeftOut = levelCount - this.levelCount;
    const height = Math.min(this.rowCount * ROW, MAX_HEIGHT);
    this.sheet.style.setProperty('height', `${height}px`);
    this.tallest = Math.max(this.tallest ?? 0, height); // avoids moving what is below the graph
    this.holder.style.setProperty('min-height', `min(${this.tallest}px, var(--tallest))`);
  }

  get rowCount() {
    return this.levelCount - this.outermost;
  }

  topOf(level) {
    return (this.isUp ? this.levelCount - 1 - level : level - this.outermost) * ROW;
  }

  levelAt(y) {
    const row = Math.floor(y / ROW);
    return this.isUp ? this.levelCount - 1 - row : row + this.outermost;
  }

  /** Makes a frame as wide as the view. */
  zoom(node, isInstant = false) {
    const { tree } = this;
    this.zoomed = node;
    this.current = node;
    const from = this.view;
    const to = { left: tree.start[node], width: tree.total[node] };
    if (isInstant || isCalm() || this.paper !== null) {
      this.view = to;
      this.endZoom(node);
      return;
    }
    const begin = performance.now();
    const step = (now) => {
      if (this.zoomed !== node || this.tree !== tree) return;
      const t = Math.min(1, Math.max(0, (now - begin) / ANIMATION));
      const eased = 1 - (1 - t) ** 3;
      this.view = t === 1 ? to : {
        left: from.left + (to.left - from.left) * eased,
        width: from.width + (to.width - from.width) * eased,
      };
      if (t === 1) {
        this.endZoom(node);
      } else {
        this.drawNow();
        requestAnimationFrame(step);
      }
    };
    requestAnimationFrame(step);
  }

  /** Draws for paper, {width: in pixels, rows}, and notes omitted levels below the graph; null: for the window. */
  setPaper(paper) {
    this.paper = paper;
    if (this.tree === null) return;
    this.measure();
    this.drawNow();
    const leftOut = [[this.outermost - this.topLevel, 'outer'], [this.innerLeftOut, 'inner']]
      .filter(([count]) => count > 0).map(([count, which]) => formatQuantity(count, `${which} level`));
    this.paperNote.hidden = leftOut.length === 0;
    this.paperNote.textContent = `Not printed: ${leftOut.join(', ')}`;
  }

  endZoom(node) {
    this.measure();
    this.reveal(node);
    this.drawNow();
  }

  /** Scrolls to a frame's level and some levels around it. */
  reveal(node) {
    const top = this.topOf(this.tree.depth[node]);
    const height = this.holder.clientHeight;
    const margin = Math.min(3 * ROW, height / 3);
    if (top < this.holder.scrollTop + margin || top + ROW > this.holder.scrollTop + height - margin) {
      this.holder.scrollTop = this.isUp ? top + ROW + margin - height : top - margin;
    }
  }

  /** Whether a frame is in the view and wide enough to be seen. */
  isSeen(node) {
    const { start, total } = this.tree;
    const { left, width } = this.view;
    const inside = Math.min(start[node] + total[node], left + width) - Math.max(start[node], left);
    return (inside / width) * this.pixels >= 3;
  }

  // --- drawing ---

  draw() {
    if (this.pending !== 0) return;
    this.pending = requestAnimationFrame(() => this.drawNow());
  }

  drawNow() {
    cancelAnimationFrame(this.pending);
    this.pending = 0;
    if (this.tree === null || this.pixels === 0) return;
    const height = this.paper === null ? this.holder.clientHeight : this.rowCount * ROW;
    const scroll = this.paper === null ? this.holder.scrollTop : 0;
    const context = this.prepareCanvas(height, scroll);
    const [one, other] = [this.levelAt(scroll), this.levelAt(scroll + height)];
    const view = { ...this.view, pixels: this.pixels,
      firstLevel: Math.max(this.topLevel, Math.min(one, other) - 1), lastLevel: Math.max(one, other) + 1 };
    let labelCount = 0;
    findFrames(this.tree, view, (node, level, x, width) => {
      const y = this.topOf(level) - scroll;
      this.drawFrame(context, node, x, y, width);
      if (width >= MIN_LABEL) this.placeLabel(labelCount++, node, x, y + scroll, width);
    }, (level, x, width) => {
      context.fillStyle = this.palette.rest;
      context.fillRect(x, this.topOf(level) - scroll, Math.max(width - 0.5, 0.5), ROW - 1);
    });
    for (let i = labelCount; i < this.pool.length; i++) this.pool[i].hidden = true;
    this.placeOutline();
    this.markCurrent();
    this.on.view?.(this.view);
  }

  prepareCanvas(height, scroll) {
    const ratio = this.paper === null ? devicePixelRatio || 1 : 2;
    const { canvas } = this;
    const [width, tall] = [Math.round(this.pixels * ratio), Math.round(height * ratio)];
    if (canvas.width !== width || canvas.height !== tall) {
      canvas.width = width;
      canvas.height = tall;
      canvas.style.setProperty('width', `${this.pixels}px`);
      canvas.style.setProperty('height', `${height}px`);
    }
    canvas.style.setProperty('top', `${scroll}px`);
    const context = canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.pixels, height);
    const style = getComputedStyle(this.holder);
    const variable = (name) => style.getPropertyValue(name).trim();
    this.palette = { rest: variable('--rest'), match: variable('--match'), root: variable('--root'),
      line: variable('--select') };
    return context;
  }

  drawFrame(context, node, x, y, width) {
    const { style } = this;
    context.fillStyle = node === 0 ? this.palette.root
      : style.isMatch(node) ? this.palette.match : style.color(node);
    const isAround = this.tree.depth[node] < this.tree.depth[this.zoomed];
    const shown = Math.max(width - 0.75, 0.75);
    context.fillRect(x, y, shown, ROW - 1);
    if (node !== 0 && style.isStriped?.(node)) this.drawOver(context, this.stripes, x, y, shown);
    if (isAround || (node !== 0 && style.isFaded?.(node))) this.drawOver(context, VEIL, x, y, shown);
    if (node !== 0 && style.isSelected(node) && width > 2) {
      context.strokeStyle = this.palette.line;
      context.lineWidth = 2;
      context.strokeRect(x + 1, y + 1, Math.max(width - 2.75, 1), ROW - 3);
    }
  }

  drawOver(context, fill, x, y, width) {
    context.fillStyle = fill;
    context.fillRect(x, y, width, ROW - 1);
  }

  /** Grey stripes, for functions without names. */
  get stripes() {
    this.stripePattern ??= makeStripes(this.context);
    return this.stripePattern;
  }

  placeLabel(index, node, x, y, width) {
    let label = this.pool[index];
    if (label === undefined) {
      label = create('div', 'frame', this.labels);
      label.setAttribute('role', 'treeitem');
      label.id = `${this.holder.id}-${index}`;
      this.pool.push(label);
    }
    label.hidden = false;
    if (label.node !== node || label.tree !== this.tree) {
      label.node = node;
      label.tree = this.tree;
      label.setAttribute('aria-label', this.style.describe(node));
      label.setAttribute('aria-level', this.tree.depth[node] + 1 - this.topLevel);
    }
    const { text, isSmall } = this.fitText(this.style.forms(node), width - 6);
    label.classList.toggle('small', isSmall);
    if (label.firstChild?.data !== text) label.textContent = text;
    label.style.setProperty('transform', `translate(${x}px, ${y}px)`);
    label.style.setProperty('width', `${width}px`);
  }

  widthOf(text) {
    let width = this.widths.get(text);
    if (width === undefined) {
      if (this.widths.size > MAX_WIDTHS) this.widths.clear();
      this.widths.set(text, width = this.context.measureText(text).width);
    }
    return width;
  }

  /** Returns the longest of the forms of a name that fits into `room` pixels. The own name shrinks before it is cut. */
  fitText(forms, room) {
    const fits = (text, pixels = room) => text.length * 3 < pixels && this.widthOf(text) <= pixels;
    const own = forms.at(-1);
    const isSmall = !fits(own) && fits(own, room / SMALL);
    return { text: isSmall ? own : longestForm(forms, (text) => fits(text)), isSmall };
  }

  /** Tells screen readers the position of the keyboard. */
  markCurrent() {
    let active = null;
    for (const label of this.pool) {
      const isCurrent = !label.hidden && label.node === this.current;
      if (label.classList.contains('current') !== isCurrent) {
        label.classList.toggle('current', isCurrent);
        label.setAttribute('aria-selected', isCurrent);
      }
      if (isCurrent) active = label;
    }
    if (active === null) this.holder.removeAttribute('aria-activedescendant');
    else this.holder.setAttribute('aria-activedescendant', active.id);
  }

  // --- events ---

  nodeAtPoint(event) {
    const box = this.sheet.getBoundingClientRect();
    const level = this.levelAt(event.clientY - box.top);
    if (level < 0) return -1;
    const value = this.view.left + ((event.clientX - box.left) / this.pixels) * this.view.width;
    return nodeAt(this.tree, value, level);
  }

  hover(node, event) {
    const isNew = node !== this.hovered;
    this.hovered = node;
    if (isNew) this.placeOutline();
    this.on.hover(node, event);
  }

  outlineFrame(node) {
    this.hovered = node;
    this.placeOutline();
  }

  /** Outlines the frame under the pointer. */
  placeOutline() {
    const { tree, hovered, outline } = this;
    outline.hidden = hovered < 0 || this.paper !== null;
    if (outline.hidden) return;
    const scale = this.pixels / this.view.width;
    const left = Math.max(0, (tree.start[hovered] - this.view.left) * scale);
    const right = Math.min(this.pixels, (tree.start[hovered] + tree.total[hovered] - this.view.left) * scale);
    outline.style.setProperty('transform', `translate(${left}px, ${this.topOf(tree.depth[hovered])}px)`);
    outline.style.setProperty('width', `${Math.max(1, right - left)}px`);
  }

  listen() {
    const { holder } = this;
    holder.addEventListener('scroll', () => this.draw(), { passive: true });
    holder.addEventListener('pointermove', (event) => {
      if (!this.pinch(event) && !this.drag(event)) this.hover(this.nodeAtPoint(event), event);
    });
    holder.addEventListener('pointerleave', (event) => this.hover(-1, event));
    holder.addEventListener('pointerdown', (event) => this.press(event));
    for (const type of ['pointerup', 'pointercancel'])
      holder.addEventListener(type, ({ pointerId }) => this.fingers.delete(pointerId));
    holder.addEventListener('contextmenu', (event) => {
      const node = this.nodeAtPoint(event);
      if (node <= 0 || this.on.menu === undefined) return;
      this.on.menu(node, event);
      event.preventDefault();
    });
    holder.addEventListener('click', (event) => {
      const node = this.nodeAtPoint(event);
      if (node >= 0 && !this.wasDragged) this.on.choose(node);
    });
    holder.addEventListener('wheel', (event) => this.onWheel(event), { passive: false });
    holder.addEventListener('keydown', (event) => this.onKey(event));
    new ResizeObserver(() => {
      if (this.tree !== null && this.paper === null) {
        this.measure();
        this.draw();
      }
    }).observe(holder);
  }

  /** Starts dragging with a mouse; with a finger, the browser scrolls up and down. */
  press({ button, pointerType, pointerId, clientX, clientY }) {
    this.wasDragged = this.fingers.size > 0;
    if (pointerType === 'touch') this.fingers.set(pointerId, clientX);
    const isMouse = button === 0 && pointerType === 'mouse';
    this.pressed = isMouse ? { clientX, clientY, left: this.view.left, scroll: this.holder.scrollTop } : null;
  }

  /** Moves the view with one finger, scales it with two. Returns whether the event is of a finger. */
  pinch({ pointerId, clientX }) {
    const { fingers, pixels } = this;
    if (!fingers.has(pointerId)) return false;
    const [from, other] = [fingers.get(pointerId), ...[...fingers].filter(([id]) => id !== pointerId).map(([, x]) => x)];
    fingers.set(pointerId, clientX);
    const { left, width } = this.view;
    if (other === undefined) {
      if (width < this.tree.total[0]) this.show(left - ((clientX - from) / pixels) * width, width);
    } else if (clientX !== other) {
      this.scaleView(Math.abs((from - other) / (clientX - other)), (other - this.sheet.getBoundingClientRect().left) / pixels);
    }
    return true;
  }

  drag({ buttons, pointerId, clientX, clientY }) {
    const { pressed, view } = this;
    if (!pressed || (buttons & 1) === 0) return false;
    const [x, y] = [clientX - pressed.clientX, clientY - pressed.clientY];
    if (!this.wasDragged && Math.hypot(x, y) < DRAG) return false;
    if (!this.wasDragged) this.holder.setPointerCapture(pointerId);
    this.wasDragged = true;
    this.holder.scrollTop = pressed.scroll - y;
    if (view.width < this.tree.total[0]) this.show(pressed.left - (x / this.pixels) * view.width, view.width);
    return true;
  }

  /** Zooms around a position from 0 (left) to 1 (right). */
  scaleView(factor, place) {
    const { left, width } = this.view;
    const wanted = Math.min(this.tree.total[0], width * factor);
    this.show(left + (width - wanted) * place, wanted);
  }

  /** With Ctrl, zooms at the pointer; sideways, moves. */
  onWheel(event) {
    const whole = this.tree.total[0];
    const { left, width } = this.view;
    if (event.ctrlKey || event.metaKey) {
      this.scaleView(1.0025 ** event.deltaY, (event.clientX - this.sheet.getBoundingClientRect().left) / this.pixels);
      event.preventDefault();
    } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY) && width < whole) {
      this.show(left + (event.deltaX / this.pixels) * width, width);
      event.preventDefault();
    }
  }

  /** Shows a part of the whole that was chosen by hand. */
  show(left, width) {
    this.place(left, width);
    this.on.pan?.(this.view);
  }

  place(left, width) {
    const whole = this.tree.total[0];
    this.zoomed = 0;
    this.view = { left: Math.max(0, Math.min(left, whole - width)), width };
    this.measure();
    this.draw();
  }

  neighbour(node, step) {
    const { tree } = this;
    const above = tree.parent[node];
    const index = tree.kids.indexOf(node, tree.firstKid[above]) + step;
    return node > 0 && index >= tree.firstKid[above] && index < tree.firstKid[above + 1] ? tree.kids[index] : -1;
  }

  widestKid(node) {
    const { tree } = this;
    let best = -1;
    for (let k = tree.firstKid[node]; k < tree.firstKid[node + 1]; k++)
      if (best < 0 || tree.total[tree.kids[k]] > tree.total[best]) best = tree.kids[k];
    return best;
  }

  onKey(event) {
    const [inner, outer] = this.isUp ? ['ArrowUp', 'ArrowDown'] : ['ArrowDown', 'ArrowUp'];
    const node = this.current;
    const moves = {
      [inner]: () => this.widestKid(node),
      [outer]: () => (node > 0 ? this.tree.parent[node] : -1),
      ArrowLeft: () => this.neighbour(node, -1),
      ArrowRight: () => this.neighbour(node, 1),
      Home: () => this.topLevel,
    };
    const { left, width } = this.view;
    const views = {
      w: () => this.scaleView(0.8, 0.5),
      s: () => this.scaleView(1.25, 0.5),
      a: () => this.show(left - width / 5, width),
      d: () => this.show(left + width / 5, width),
    };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (views[event.key] !== undefined) views[event.key]();
    else if (event.key === 'Enter' || event.key === ' ') this.on.choose(node);
    else if (moves[event.key] === undefined) return;
    else this.goTo(moves[event.key]());
    event.preventDefault();
  }

  /** Moves the keyboard's position to a frame and makes it visible. */
  goTo(node) {
    if (node < this.topLevel) return;
    if (!this.isSeen(node)) this.zoom(this.tree.parent[node], true);
    this.current = node;
    this.reveal(node);
    this.drawNow();
    this.on.hover(node);
  }
}
