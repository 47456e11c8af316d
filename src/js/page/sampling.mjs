/**
 * Samples a page with the browser's self-profiling API. Chromium has it, in documents that are served with
 * "Document-Policy: js-profiling". Its frames are V8's, WebAssembly included, so its traces become one profile of V8,
 * which wasm-perf attributes to calls.
 */

import { CLOCKS } from '../wperf/format.mjs';

const { Profiler } = globalThis;

const INTERVAL = 10; // ms, the shortest that Chromium has
const MOST_SAMPLES = 6000; // of one trace: a minute
const US_PER_MS = 1000;
const ROOT = 1; // id of a node

function start(onFull) {
  const profiler = new Profiler({ sampleInterval: INTERVAL, maxBufferSize: MOST_SAMPLES });
  profiler.addEventListener('samplebufferfull', onFull);
  return profiler;
}

/** A profile of V8 that grows. Samples without a stack are of the root. */
class Profile {
  nodes = [];
  samples = [];
  timeDeltas = [];
  startTime = 0;
  endTime = 0;
  wasmCount = 0; // samples in functions of WebAssembly
  #ids = new Map(); // by parent and frame
  #scripts = new Map(); // number by URL

  constructor() {
    this.#add(0, this.#frameOf({ name: '(root)' }, []));
  }

  /** Converts a frame to V8's form, in which lines and columns start at 0. */
  #frameOf({ name = '', resourceId, line = 0, column = 0 }, resources) {
    const url = resources[resourceId] ?? '';
    if (!this.#scripts.has(url)) this.#scripts.set(url, this.#scripts.size);
    return { functionName: name, scriptId: this.#scripts.get(url), url, lineNumber: line - 1, columnNumber: column - 1 };
  }

  #add(parent, callFrame) {
    const id = this.nodes.push({ id: this.nodes.length + 1, callFrame, children: [] });
    this.nodes[parent - 1]?.children.push(id);
    return id;
  }

  #child(parent, callFrame) {
    const key = `${parent} ${JSON.stringify(callFrame)}`;
    let id = this.#ids.get(key);
    if (id === undefined) this.#ids.set(key, (id = this.#add(parent, callFrame)));
    return id;
  }

  /** Appends a trace of the API. Two traces may overlap, as the next one begins before the last one ends. */
  append({ resources, frames, stacks, samples }) {
    const ids = [];
    const idOf = (stack) => {
      if (stack === undefined) return ROOT;
      const { parentId, frameId } = stacks[stack];
      return (ids[stack] ??= this.#child(idOf(parentId), this.#frameOf(frames[frameId], resources)));
    };
    for (const { stackId, timestamp } of samples) {
      const time = Math.round(timestamp * US_PER_MS);
      if (this.samples.length > 0 && time <= this.endTime) continue;
      if (this.samples.length === 0) this.startTime = time;
      this.timeDeltas.push(this.samples.length === 0 ? 0 : time - this.endTime);
      const id = idOf(stackId);
      this.samples.push(id);
      if (this.nodes[id - 1].callFrame.url.startsWith('wasm:')) this.wasmCount++;
      this.endTime = time;
    }
  }
}

class Sampling {
  profile = new Profile(); // of all samples that were taken
  #profiler; // null: frozen
  #taking = Promise.resolve();

  /** Facts of the profiles of all modules. */
  facts = { clock: CLOCKS.sampled, ticksPerSecond: 1e9, hooksSampled: 1 };

  constructor() {
    this.#profiler = this.#start();
  }

  #start() {
    return start(() => this.take());
  }

  /** Time of all modules so far, in ms. */
  get time() {
    return this.profile.wasmCount * INTERVAL;
  }

  /** Adds the samples up to now. */
  take() {
    if (!this.#profiler) return this.#taking;
    const [last, profile] = [this.#profiler, this.profile];
    this.#profiler = this.#start(); // before the last one stops: V8 walks the heap if none is active
    this.#taking = Promise.all([last.stop(), this.#taking]).then(([trace]) => {
      if (this.#profiler && profile === this.profile) profile.append(trace);
    });
    return this.#taking;
  }

  /** Stops sampling and keeps the samples that were taken. */
  freeze() {
    this.#profiler?.stop();
    this.#profiler = null;
  }

  /** Restarts without samples. */
  reset() {
    this.freeze();
    this.profile = new Profile();
    this.#profiler = this.#start();
  }
}

/** Starts sampling. Returns null if the page may not sample itself, which the browser logs, too. */
export function openSampling() {
  if (!Profiler || !globalThis.document) return null;
  try {
    return new Sampling();
  } catch {
    return null; // the document's policy forbids it
  }
}
