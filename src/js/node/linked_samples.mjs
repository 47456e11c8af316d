/**
 * Samples the thread of a module whose hooks are the linked form's, which only count calls then. Writes what wasm-perf
 * needs to attribute the samples, beside the profile at PATH.wperf: PATH.samples, PATH.thread and the two modules.
 */

import { appendFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { threadId } from 'node:worker_threads';
import { CLOCKS, SESSION } from '../wperf/format.mjs';
import { encodePiece } from '../wperf/piece.mjs';
import { ThreadSampler } from '../engine/thread_sampler.mjs';
import { putInPlace } from './files.mjs';

export class LinkedSamples {
  #path; // without the suffix
  #size = 0; // of the samples
  #sampler = new ThreadSampler((json, piece) => this.#keep(json, piece));

  /** Facts of the profile. */
  facts = { clock: CLOCKS.sampled, ticksPerSecond: 1e9, hooksSampled: 1 };

  /** Samples from now on. */
  constructor(profile, module, runtime) {
    this.#path = profile.slice(0, -SESSION.part.length);
    writeFileSync(this.#path + SESSION.module, module);
    writeFileSync(this.#runtimePath, runtime);
    this.#sampler.start();
  }

  get #runtimePath() {
    return `${this.#path}.runtime${SESSION.module}`;
  }

  #keep(json, piece) {
    const bytes = encodePiece(json, piece);
    appendFileSync(this.#path + SESSION.samples, bytes);
    this.#size += bytes.length;
  }

  /** Writes the samples so far, and calls `action` meanwhile: its time is not the program's. */
  write(action) {
    this.#sampler.pause();
    const name = basename(this.#path);
    const modules = [
      { file: name + SESSION.part, module: name + SESSION.module },
      { file: '', module: basename(this.#runtimePath), runtime: true },
    ];
    const thread = {
      name: 'main', process: process.pid, number: threadId, scope: 'callers', home: '', samples: name + SESSION.samples,
      size: this.#size, modules,
    };
    putInPlace(this.#path + SESSION.thread, (path) => writeFileSync(path, JSON.stringify(thread)));
    action();
    this.#sampler.start();
  }
}
