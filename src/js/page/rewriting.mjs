/** Rewrites modules in a worker, so that the page's thread is not blocked. */

import { encodeTail } from '../engine/module_key.mjs';
import { concatenate } from '../wperf/bytes.mjs';
import { makeRoom } from '../engine/shared_form.mjs';
import { exportForHost } from '../engine/host_exports.mjs';
import { startOwn } from './workers.mjs';

const NAME = 'wasm-perf rewriter';

/** Identifies a module by its name and bytes: a page may compile it again for each instance. */
function keyOf(name, bytes) {
  let hash = 0;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x0100_0193); // FNV-1a
  return `${name} ${bytes.length} ${hash}`;
}

/**
 * @param {(bytes: Uint8Array, options: object) => {bytes: Uint8Array}} instrument
 * @returns {{key: string, bytes: Uint8Array}} the key identifies the module, in other threads, too
 */
export function rewriteHere(instrument, bytes, options) {
  const key = keyOf(options.name, bytes);
  const rewritten = makeRoom(exportForHost(instrument(bytes, options).bytes));
  const section = encodeTail(bytes, { key, name: options.name });
  return { key, bytes: concatenate([rewritten, section]) };
}

/** In the worker: rewrites modules on request. Returns whether this thread is the worker. */
export function serveRewriting(instrument) {
  if (globalThis.document || globalThis.name !== NAME) return false;
  globalThis.onmessage = ({ data: { number, bytes, options } }) => {
    try {
      const made = rewriteHere(instrument, bytes, options);
      globalThis.postMessage({ number, made }, [made.bytes.buffer]);
    } catch ({ message }) {
      globalThis.postMessage({ number, message });
    }
  };
  return true;
}

/** The page's side of the worker, which is started for the first module. */
export class Rewriter {
  #instrument;
  #worker;
  #open = new Map(); // number -> [bytes, options, resolve, reject]
  #count = 0;

  constructor(instrument) {
    this.#instrument = instrument;
  }

  /** Like rewriteHere, which is used if no worker can be started. */
  rewrite(bytes, options) {
    if (this.#worker === undefined) this.#worker = this.#start() ?? null;
    if (this.#worker === null) return rewriteHere(this.#instrument, bytes, options);
    const number = ++this.#count;
    this.#worker.postMessage({ number, bytes, options });
    return new Promise((resolve, reject) => this.#open.set(number, [bytes, options, resolve, reject]));
  }

  #start() {
    const worker = startOwn(NAME);
    if (!worker) return undefined;
    worker.onmessage = ({ data: { number, made, message } }) => {
      const [, , resolve, reject] = this.#open.get(number);
      this.#open.delete(number);
      if (made) resolve(made);
      else reject(new Error(message));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#giveUp();
    };
    return worker;
  }

  /** Rewrites the pending modules here: a content policy may forbid the worker. */
  #giveUp() {
    this.#worker = null;
    for (const [bytes, options, resolve, reject] of this.#open.values()) {
      try {
        resolve(rewriteHere(this.#instrument, bytes, options));
      } catch (error) {
        reject(error);
      }
    }
    this.#open.clear();
  }
}
