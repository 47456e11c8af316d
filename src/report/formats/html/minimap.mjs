// The whole graph in a strip, one pixel per level. A draggable window marks the part that the graph shows.
import { findFrames } from './layout.mjs';

const LEVELS = 20;

export class Minimap {
  /** `move(left, width)` shows that part of the tree. */
  constructor(holder, move) {
    this.holder = holder;
    this.move = move;
    this.canvas = holder.querySelector('canvas');
    this.window = holder.querySelector('i');
    for (const type of ['pointerdown', 'pointermove']) holder.addEventListener(type, (event) => this.onPointer(event));
    new ResizeObserver(() => this.draw()).observe(holder);
  }

  setTree(tree, colorOf) {
    this.tree = tree;
    this.colorOf = colorOf;
    this.draw();
  }

  draw() {
    const { canvas, tree } = this;
    const pixels = this.holder.clientWidth;
    if (!tree || pixels === 0) return;
    canvas.width = pixels;
    canvas.height = LEVELS;
    const context = canvas.getContext('2d');
    const view = { left: 0, width: tree.total[0], pixels, firstLevel: 1, lastLevel: LEVELS };
    findFrames(tree, view, (node, level, x, width) => {
      context.fillStyle = this.colorOf(node);
      context.fillRect(x, level - 1, width, 1);
    }, () => {});
    this.show(this.view ?? view);
  }

  show(view) {
    this.view = view;
    const whole = this.tree?.total[0] ?? 0;
    const isPart = whole > 0 && view.width < whole;
    this.holder.classList.toggle('part', isPart);
    this.window.hidden = !isPart;
    this.window.style.setProperty('left', `${(100 * view.left) / whole}%`);
    this.window.style.setProperty('width', `${(100 * view.width) / whole}%`);
  }

  onPointer(event) {
    if ((event.buttons & 1) === 0 || this.window.hidden) return;
    if (event.type === 'pointerdown') this.holder.setPointerCapture(event.pointerId);
    const box = this.holder.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * this.tree.total[0];
    this.move(at - this.view.width / 2, this.view.width);
  }
}
