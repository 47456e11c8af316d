/**
 * Numbers JavaScript that called into modules: the section CALLERS of .wperf files, see format.h. A caller is a frame with the
 * caller of that one. Both are numbered from 1; 0: none.
 */

import { encodeText } from './clean.mjs';
import { Writer } from './file.mjs';

const MOST_CALLERS = 65_536; // stacks beyond are known by their outer frames only

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
