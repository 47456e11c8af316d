/** Adds up the memory sections of .wperf files of several instances. See include/wasm_perf/format.h. */

import { SECTIONS } from './format.mjs';
import { aligned, viewOf } from './sections.mjs';

const HEAD_SIZE = 8; // of the section, of each value's record, of each row

const decoder = new TextDecoder();

/** Offset of a section's first row, and the names of the values in a row. */
function layoutOf(bytes) {
  const view = viewOf(bytes);
  const names = [];
  let start = HEAD_SIZE;
  for (let count = view.getUint32(0, true); count > 0; count--) {
    const nameStart = start + HEAD_SIZE;
    const nameEnd = nameStart + view.getUint32(start, true);
    names.push(decoder.decode(bytes.subarray(nameStart, nameEnd)));
    start = aligned(nameEnd + view.getUint32(start + 4, true));
  }
  return { names, count: names.length, start };
}

/** A row is of a node and a caller. */
const NODES = 2 ** 32;
const keyOf = (node, caller) => caller * NODES + node;
const nodeOf = (key) => key % NODES;
const callerOf = (key) => Math.floor(key / NODES);

export class Measures {
  #head = null; // the section up to its rows: the same in all instances
  #rows = new Map(); // key of node and caller -> BigUint64Array
  #sizes = new BigUint64Array(0);
  #timeline = null; // of a single instance: each has its own time

  /**
   * Adds the sections of a file.
   *
   * @param {Map<number, Uint8Array>} sections
   * @param {(node: number) => number} placeOf maps a node of the file to its node in the sum
   * @param {number[]} callers by the number of a caller in the file, that in the sum; 0 for any other
   */
  add(sections, placeOf, callers) {
    const bytes = sections.get(SECTIONS.measures);
    if (!bytes) return;
    this.#timeline = this.#head ? new Uint8Array(0) : sections.get(SECTIONS.timeline);
    this.#head ??= bytes.slice(0, layoutOf(bytes).start);
    this.#addSections(sections, placeOf, callers);
  }

  /** Adds rows and sizes. */
  #addSections(sections, placeOf, callers) {
    const bytes = sections.get(SECTIONS.measures);
    const view = viewOf(bytes);
    const { count, start } = layoutOf(bytes);
    for (let at = start; at < bytes.length; at += HEAD_SIZE + 8 * count) {
      const caller = callers[view.getUint32(at + 4, true)] ?? 0;
      const row = this.#rowOf(keyOf(placeOf(view.getUint32(at, true)), caller), count);
      for (let i = 0; i < count; i++) row[i] += view.getBigUint64(at + HEAD_SIZE + 8 * i, true);
    }
    this.#addSizes(sections.get(SECTIONS.sizes));
  }

  #rowOf(key, count) {
    let row = this.#rows.get(key);
    if (!row) this.#rows.set(key, (row = new BigUint64Array(count)));
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
    for (const [key, row] of this.#rows) {
      view.setUint32(at, nodeOf(key), true);
      view.setUint32(at + 4, callerOf(key), true);
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
