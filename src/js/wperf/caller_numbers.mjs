/**
 * Numbers JavaScript that called into modules: the section CALLERS of .wperf files, see format.h. A caller is a frame with the
 * caller of that one. Both are numbered from 1; 0: none.
 */

import { encodeText } from './clean.mjs';
import { Writer } from './file.mjs';
import { viewOf } from './sections.mjs';

const MOST_CALLERS = 65_536; // stacks beyond are known by their outer frames only

const decoder = new TextDecoder();

export class Callers {
  #frames = []; // {name, file, line, column}
  #frameNumbers = new Map(); // key of a frame -> its number
  #callers = []; // {outer, frame}
  #inner = [new Map()]; // per caller, of which the first is none: Map(frame -> caller)

  get count() {
    return this.#callers.length;
  }

  /** Returns the number of a frame. `line` and `column` are of the call. */
  frame({ name, file, line, column }) {
    const key = `${line}:${column}:${file}\n${name}`;
    let number = this.#frameNumbers.get(key);
    if (number === undefined) {
      number = this.#frames.push({ name, file, line, column });
      this.#frameNumbers.set(key, number);
    }
    return number;
  }

  /** Returns the number of the caller with that frame, called by `outer`; `outer` if there are too many. */
  caller(outer, frame) {
    let number = this.#inner[outer].get(frame);
    if (number === undefined) {
      if (this.#callers.length === MOST_CALLERS) return outer;
      number = this.#callers.push({ outer, frame });
      this.#inner[outer].set(frame, number);
      this.#inner.push(new Map());
    }
    return number;
  }

  /** Adds the callers of a section. Returns the new number of each, by its number in the section. */
  add(payload) {
    const view = viewOf(payload);
    const count = view.getUint32(4, true);
    const frames = [0, ...readFrames(payload, view, 8 + 8 * count).map((frame) => this.frame(frame))];
    const numbers = [0];
    for (let at = 8; numbers.length <= count; at += 8) {
      numbers.push(this.caller(numbers[view.getUint32(at, true)], frames[view.getUint32(at + 4, true)]));
    }
    return numbers;
  }

  /** Returns the section's payload. */
  encode() {
    const writer = new Writer().numbers(this.#frames.length, this.#callers.length);
    for (const { outer, frame } of this.#callers) writer.numbers(outer, frame);
    for (const { name, file, line, column } of this.#frames) {
      const [nameText, fileText] = [encodeText(name), encodeText(file)];
      writer.numbers(line, column, nameText.length, fileText.length).bytes(nameText).bytes(fileText);
    }
    return writer.take();
  }
}

function readFrames(payload, view, at) {
  const frames = [];
  for (let left = view.getUint32(0, true); left > 0; left--) {
    const [line, column, nameSize, fileSize] = [0, 4, 8, 12].map((offset) => view.getUint32(at + offset, true));
    const text = decoder.decode(payload.subarray(at + 16, at + 16 + nameSize));
    at += 16 + nameSize + fileSize;
    frames.push({ name: text, file: decoder.decode(payload.subarray(at - fileSize, at)), line, column });
  }
  return frames;
}
