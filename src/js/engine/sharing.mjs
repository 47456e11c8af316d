/**
 * Lets instances of one module share the memory that wasm-instrument adds, and so one call tree. Usually each instance has
 * its own. Then all of the instance has to be kept for its counts, and a program that makes one for each request runs out
 * of memory. So from some number of instances on, a thread instantiates another form of the module (shared_form.mjs),
 * and keeps only the first of these, which reads the counts of all.
 *
 * The program never sees that form. A WebAssembly.Module stays what it is, also in threads that are not profiled.
 */

import { isObject } from './realm.mjs';
import { makeShared, SHARED_IMPORT } from './shared_form.mjs';

const { Memory } = globalThis.WebAssembly ?? {};

/** The engine's error where it has no memory for an instance that defines one. */
const refusal = (error, caller) =>
  new error.constructor(`WebAssembly.${caller}(): Out of memory: Cannot allocate Wasm memory for new instance`);

/** A form of the module. `compiled` is the WebAssembly.Module of its bytes, made when needed. */
const formOf = (bytes) => ({ bytes, compiled: undefined });

export class Sharing {
  reader; // the first instance, which is kept and reads the counts of all
  #bytes; // of the module
  #forReader; // form
  #form; // of all others
  #own; // descriptors of the memories that the program defines
  #importCount; // of the program
  #memory;

  /** @param {Uint8Array} bytes the rewritten module. Throws if its instances cannot share a memory */
  constructor(bytes) {
    const { bytes: shared, importCount, memories, segments } = makeShared(bytes, true);
    this.#bytes = bytes;
    this.#forReader = formOf(shared);
    this.#importCount = importCount;
    this.#own = memories.slice(0, -1);
    this.#memory = new Memory(memories.at(-1));
    for (const { address, content } of segments) new Uint8Array(this.#memory.buffer, address, content.length).set(content);
  }

  /** What the next instance is made of: {bytes, compiled} */
  get form() {
    if (!this.reader) return this.#forReader;
    if (!this.#form) {
      this.#form = formOf(makeShared(this.#bytes, false).bytes);
      this.#bytes = this.#forReader = undefined; // which may be large
    }
    return this.#form;
  }

  /**
   * Returns the added imports of an instance, or undefined if the program gave none although the module imports something:
   * then the engine says so.
   *
   * @param {unknown} given the program's import object
   * @param {typeof WebAssembly.Memory} RealmMemory of the realm that makes the instance
   * @param {string} caller the function of WebAssembly that the program called
   */
  imports(given, RealmMemory, caller) {
    if (!isObject(given) && (given !== undefined || this.#importCount > 0)) return undefined;
    const memories = [];
    try {
      for (const type of this.#own) memories.push(new RealmMemory(type));
    } catch (error) {
      throw refusal(error, caller);
    }
    memories.push(this.#memory);
    return { [SHARED_IMPORT]: memories };
  }
}
