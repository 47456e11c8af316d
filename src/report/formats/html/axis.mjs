// An axis: marks at round values, with their units.
import { formatMark } from './units.mjs';

const MARK = 90; // pixels between two marks, at least

/** Returns the values of marks in [0, whole]: multiples of 1, 2 or 5 times a power of ten, at most `most` of them. */
function marksOf(whole, most) {
  const step = [1, 2, 5, 10].map((factor) => factor * 10 ** Math.floor(Math.log10(whole / most))).find((size) => whole / size <= most);
  const count = step >= 1 ? Math.floor(whole / step) : 0; // values are integers
  return Array.from({ length: count + 1 }, (_, i) => i * step);
}

export class Axis {
  constructor(element) {
    this.element = element;
    new ResizeObserver(() => this.draw()).observe(element);
  }

  /** From 0 to `whole`, in `unit`. */
  show(unit, whole) {
    Object.assign(this, { unit, whole });
    this.draw();
  }

  draw() {
    const pixels = this.element.clientWidth;
    if (!(this.whole > 0) || pixels === 0) return this.element.replaceChildren();
    this.element.replaceChildren(...marksOf(this.whole, Math.max(1, Math.floor(pixels / MARK))).map((value) => {
      const mark = document.createElement('span');
      mark.textContent = formatMark(this.unit, value);
      mark.style.setProperty('left', `${(100 * value) / this.whole}%`);
      return mark;
    }));
  }
}
