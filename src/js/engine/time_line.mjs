/** Time line of a thread: the spans of time that it spent in each node of its tree, in order. */

import { encodeText } from '../wperf/clean.mjs';

const LONGEST = 10 * 60 * 1e6; // microseconds that are kept, ending now
const MOST_SPAN = 0xffff_ffff; // microseconds of one span in a file
const NOWHERE = 0; // node of time without samples

/** Packs numbers as LEB128. */
class Packer {
  #bytes = new Uint8Array(4096);
  #size = 0;

  number(value) {
    if (this.#size + 10 > this.#bytes.length) {
      const grown = new Uint8Array(2 * this.#bytes.length);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    for (; value >= 0x80; value = Math.floor(value / 0x80)) this.#bytes[this.#size++] = (value % 0x80) | 0x80;
    this.#bytes[this.#size++] = value;
  }

  get bytes() {
    return this.#bytes.subarray(0, this.#size);
  }
}

export class TimeLine {
  #nodes = [];
  #spans = []; // microseconds
  #start = 0; // of the first span, on V8's clock
  #end = 0;
  #dropped = 0; // microseconds discarded before #start

  /** Adds the time from `begin` to `end` to the node. Times must not decrease between calls. */
  add(node, begin, end) {
    if (this.#nodes.length === 0) this.#start = this.#end = begin;
    if (begin > this.#end) this.#push(NOWHERE, begin - this.#end);
    if (end > this.#end) this.#push(node, end - Math.max(begin, this.#end));
  }

  #push(node, span) {
    const last = this.#nodes.length - 1;
    this.#end += span;
    if (this.#nodes[last] === node && this.#spans[last] + span <= MOST_SPAN) {
      this.#spans[last] += span;
      return;
    }
    for (; span > 0; span -= MOST_SPAN) {
      this.#nodes.push(node);
      this.#spans.push(Math.min(span, MOST_SPAN));
    }
  }

  /** Discards all but the last ten minutes. */
  trim() {
    let count = 0;
    for (; this.#end - this.#start > LONGEST; count++) {
      this.#start += this.#spans[count];
      this.#dropped += this.#spans[count];
    }
    if (count === 0) return;
    this.#nodes = this.#nodes.slice(count);
    this.#spans = this.#spans.slice(count);
  }

  /** Returns facts of the thread and its packed spans, in the form that encodeProfile expects. */
  encode(thread) {
    const packer = new Packer();
    this.#nodes.forEach((node, i) => {
      packer.number(this.#spans[i]);
      packer.number(node);
    });
    const { name, process, number } = thread;
    return { start: this.#start, dropped: this.#dropped, process, number, name: encodeText(name), spans: packer.bytes };
  }
}
