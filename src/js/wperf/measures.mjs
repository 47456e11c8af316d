/** Adds up the memory sections of .wperf files of several instances. See include/wasm_perf/format.h. */

import { SECTIONS } from './format.mjs';
import { aligned, viewOf } from './sections.mjs';

const HEAD_SIZE = 8; // of the section, of each value's record, of each row

/** Offset of a section's first row, and the number of values per row. */
function layoutOf(bytes) {
  const view = viewOf(bytes);
  const count = view.getUint32(0, true);
  let start = HEAD_SIZE;
  for (let i = 0; i < count; i++) {
    start = aligned(start + HEAD_SIZE + view.getUint32(start, true) + view.getUint32(start + 4, true));
  }
  return { count, start };
}

export class Measures {
  #head = null; // the section up to its rows: the same in all instances
  #rows = new Map(); // node -> BigUint64Array
  #sizes = new BigUint64Array(0);
  #timeline = null; // of a single instance: each has its own time

  /**
   * Adds the sections of a file.
   *
   * @param {Map<number, Uint8Array>} sections
   * @param {(node: number) => number} placeOf maps a node of the file to its node in the sum
   */
  add(sections, placeOf) {
    const bytes = sections.get(SECTIONS.measures);
    if (!bytes) return;
    const { count, start } = layoutOf(bytes);
    const view = viewOf(bytes);
    this.#timeline = this.#head ? new Uint8Array(0) : sections.get(SECTIONS.timeline);
    this.#head ??= bytes.slice(0, start);
    for (let at = start; at < bytes.length; at += HEAD_SIZE + 8 * count) {
      const row = this.#rowOf(placeOf(view.getUint32(at, true)), count);
      for (let i = 0; i < count; i++) row[i] += view.getBigUint64(at + HEAD_SIZE + 8 * i, true);
    }
    this.#addSizes(sections.get(SECTIONS.sizes));
  }

  #rowOf(node, count) {
    let row = this.#rows.get(node);
    if (!row) this.#rows.set(node, (row = new BigUint64Array(count)));
    return row;
  }

  #addSizes(bytes) {
    const sums = new BigUint64Array(Math.max(this.#sizes.length, bytes.length / 8));
    sums.set(this.#sizes);
    const view = viewOf(bytes);
    for (let i = 0; i < bytes.length / 8; i++) sums[i] += view.getBigUint64(8 * i, true);
    this.#sizes = sums;
  }

  #encodeRows() {
    const { count } = layoutOf(this.#head);
    const size = HEAD_SIZE + 8 * count;
    const bytes = new Uint8Array(this.#head.length + size * this.#rows.size);
    const view = viewOf(bytes);
    bytes.set(this.#head);
    let at = this.#head.length;
    for (const [node, row] of this.#rows) {
      view.setUint32(at, node, true);
      row.forEach((value, i) => view.setBigUint64(at + HEAD_SIZE + 8 * i, value, true));
      at += size;
    }
    return bytes;
  }

  /** Pairs of section id and payload of the sum; empty if memory was not followed. */
  sections() {
    if (!this.#head) return [];
    return [
      [SECTIONS.measures, this.#encodeRows()],
      [SECTIONS.sizes, new Uint8Array(this.#sizes.buffer)],
      [SECTIONS.timeline, this.#timeline],
    ];
  }
}
