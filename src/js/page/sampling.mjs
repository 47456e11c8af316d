/**
 * Samples a page with the browser's self-profiling API. Chromium has it, in documents that are served with
 * "Document-Policy: js-profiling". Its frames are V8's, WebAssembly included.
 */

import { checkTree, ModuleStacks } from '../engine/module_stacks.mjs';
import { framesOf, placeTimes, sumSamples } from '../engine/sampler.mjs';
import { CLOCKS } from '../wperf/format.mjs';

const { Profiler } = globalThis;

const INTERVAL = 10; // ms, the shortest that Chromium has
const MOST_SAMPLES = 6000; // of one piece: a minute
const US_PER_MS = 1000;
const NS_PER_MS = 1e6;
const ROOT = 1; // id of a node
const FIRST = 2; // id of the first stack's node

function start(onFull) {
  const profiler = new Profiler({ sampleInterval: INTERVAL, maxBufferSize: MOST_SAMPLES });
  profiler.addEventListener('samplebufferfull', onFull);
  return profiler;
}

/** Converts a frame to V8's form, in which lines and columns start at 0. */
function callFrameOf({ name = '', resourceId, line = 0, column = 0 }, resources) {
  const place = { url: resources[resourceId] ?? '', lineNumber: line - 1, columnNumber: column - 1 };
  return { functionName: name, scriptId: resourceId ?? -1, ...place };
}

/** Converts a trace of the API to a V8 profile. Samples without a stack are of the root. */
function profileOf({ resources, frames, stacks, samples }) {
  const nodes = [{ id: ROOT, callFrame: callFrameOf({ name: '(root)' }, []), children: [] }];
  stacks.forEach(({ frameId }, i) => {
    nodes.push({ id: FIRST + i, callFrame: callFrameOf(frames[frameId], resources), children: [] });
  });
  stacks.forEach(({ parentId }, i) => nodes[parentId === undefined ? 0 : parentId + 1].children.push(FIRST + i));
  const times = samples.map(({ timestamp }) => timestamp * US_PER_MS);
  return {
    nodes,
    samples: samples.map(({ stackId }) => (stackId === undefined ? ROOT : FIRST + stackId)),
    timeDeltas: times.map((time, i) => (i === 0 ? 0 : time - times[i - 1])),
    startTime: times[0] ?? 0,
    endTime: times.at(-1) ?? 0,
  };
}

const sumOf = (stack) => [...stack.children.values()].reduce((sum, child) => sum + sumOf(child), stack.ns);

class Sampling {
  #profiler; // null: frozen
  #taking = Promise.resolve();
  #stacks = new ModuleStacks(false); // JavaScript's time is not its caller's
  #samples = new Map(); // by module key
  #modules = []; // at the last call of `take`
  #generation = 0; // number of times that samples were forgotten

  constructor() {
    this.#profiler = this.#start();
  }

  #start() {
    return start(() => this.take(this.#modules));
  }

  /** Time of all modules so far, in ms. */
  get time() {
    return [...this.#samples.values()].reduce((sum, { stacks }) => sum + sumOf(stacks), 0) / NS_PER_MS;
  }

  /** Adds the samples up to now, of the session's modules that have instances. */
  take(modules) {
    this.#modules = modules;
    if (!this.#profiler) return this.#taking;
    const [last, generation] = [this.#profiler, this.#generation];
    this.#profiler = this.#start(); // before the last one stops: V8 walks the heap if none is active
    this.#taking = Promise.all([last.stop(), this.#taking]).then(([trace]) => {
      if (generation === this.#generation) this.#add(profileOf(trace), modules);
    });
    return this.#taking;
  }

  #add(profile, modules) {
    checkTree(profile.nodes);
    for (const { key, info } of modules) {
      if (info && !this.#samples.has(key)) this.#samples.set(key, this.#stacks.add(info));
    }
    this.#stacks.addNodes(profile.nodes, framesOf(profile.nodes, this.#stacks.infos), sumSamples(profile));
  }

  /** Stops sampling and keeps the samples that were taken. */
  freeze() {
    this.#generation++;
    this.#profiler?.stop();
    this.#profiler = null;
  }

  /** Restarts without samples. */
  reset() {
    this.freeze();
    this.#stacks.reset();
    this.#profiler = this.#start();
  }

  /** Adds the times of a module to its profile, the result of addUp. */
  addTimes(key, { facts, tree }) {
    const samples = this.#samples.get(key);
    if (!samples) return;
    tree.clearSelfs();
    const hasOthers = (facts.hookedFunctionCount ?? 0) < (facts.functionCount ?? 0);
    placeTimes(samples.stacks, tree, hasOthers ? new Set(tree.functions()) : null);
    Object.assign(facts, { clock: CLOCKS.sampled, ticksPerSecond: 1e9, clockReadCount: samples.sampleCount, hooksSampled: 1 });
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
