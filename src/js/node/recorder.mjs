/**
 * Profiles the modules of one thread of a Node program: rewrites them on their way to the engine and
 * writes what their instances counted, and where the thread was, to files of a folder.
 */

import fs from 'node:fs';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import threads, { isMainThread, threadId } from 'node:worker_threads';
import { hashOf } from './builtin.mjs';
import { putInPlace } from './files.mjs';
import { CLOCKS, SESSION } from '../wperf/format.mjs';
import { globMatches } from '../engine/glob.mjs';
import { watchIdling } from './idling.mjs';
import { isUninlined } from './inlining.mjs';
import { hasFunctions, readMarker } from '../engine/module_info.mjs';
import { encodeKey, keyOfCompiled, readKey } from '../engine/module_key.mjs';
import { nameOfModule } from '../engine/module_name.mjs';
import { addUp, encodeProfile } from '../wperf/profile_file.mjs';
import { placeTimes } from '../engine/sampler.mjs';
import { Session } from '../engine/session.mjs';
import { exportStartFunction } from '../engine/start_function.mjs';
import { ThreadSampler } from '../engine/thread_sampler.mjs';

/** Taken before the program can put its own in their place. */
const { readFileSync, rmSync, writeFileSync, existsSync } = fs;
const now = performance.now.bind(performance);
const { setInterval } = globalThis;

const NS_PER_MS = 1e6;
const UNNAMED_WORKER = 'WorkerThread'; // what Node calls a worker without a name of its own

/** Milliseconds after which samples are taken in: V8 keeps each, 250 MB an hour, and its text of them must fit in 512 MB. */
const SAMPLED_MS = 10 * 60 * 1000;

/** What runs the program. */
function engineName() {
  const { deno, bun, node } = process.versions;
  return deno ? `Deno ${deno}` : bun ? `Bun ${bun}` : `Node.js ${node}`;
}

/** Whether the module was instrumented so before. */
const hasRuntimeInside = (bytes) =>
  readMarker(bytes)?.options.split(' ').includes('embed') ?? false;

/** The current folder, which may be gone. */
function currentFolder() {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

/** As typed: a script in the folder is shown without its absolute path. */
function commandOf([, script = '', ...args], folder) {
  const path = relative(folder, script);
  const isInside = path !== '' && !path.startsWith('..') && !isAbsolute(path);
  return [isInside ? path : script, ...args].join(' ');
}

export class Recorder {
  #options;
  #tools;
  #names; // where modules come from
  #session;
  #sampler = null; // until it is tried; undefined: there is none
  #isSampled = false; // or was
  #skipped = new Set(); // names of modules that --module leaves out
  #seen = new Set(); // of those that came before any was instantiated
  #start = 0; // when the first module came, rewritten
  #rewriteTime = 0; // since then
  #ranFor = 0; // nanoseconds, when a profile was last asked for
  #counts; // as they were last
  #nextCount = 0; // not before
  #startFolder = currentFolder();
  #process; // begins the names of its files

  /**
   * @param {object} options
   * @param {string} options.folder where profiles go, and modules as they were rewritten
   * @param {string} options.clock
   * @param {string[]} options.modules globs of names of modules; none: all
   * @param {boolean} options.perInstance
   * @param {string} [options.command] what runs, where the process's own arguments do not say it
   * @param {boolean} [options.plain] nothing is instrumented, but times may be sampled
   * @param {number} [options.image] how many programs this process was before
   * @param {object} tools
   * @param {Function} tools.rewrite what createRewriter gives
   * @param {ModuleCache} [tools.cache] of what it makes
   * @param {(name: string, warnings: string[]) => void} tools.tell what there was to say of a module
   * @param {(message: string) => void} tools.warn
   * @param {(error: unknown) => void} tools.refuse told why a module is not profiled
   * @param {() => void} tools.begin called before there is the first module to profile
   * @param {{find: (bytes: Uint8Array) => string|undefined}} names of files that modules were read from
   */
  constructor(options, tools, names) {
    this.#options = options;
    this.#tools = tools;
    this.#names = names;
    this.#process = options.image ? `${process.pid}.${options.image}` : `${process.pid}`;
    this.#session = new Session({
      rewrite: (bytes, source) => this.#rewrite(bytes, source),
      recover: (compiled) => this.#knowSent(compiled),
      onCompile: () => this.#startSampling(),
      onError: tools.refuse,
      isPlain: options.plain,
    });
  }

  /** Profiles what a context compiles, each of which has a WebAssembly of its own. */
  patch(target) {
    this.#session.patch(target);
  }

  // ---- Modules on their way to the engine ----

  #rewrite(bytes, source) {
    const begin = now();
    const { plain, clock } = this.#options;
    const matters = (!plain || clock === 'sampled') && hasFunctions(bytes);
    const rewritten = matters ? this.#rewriteModule(bytes, source) : null;
    const end = now();
    if (this.#start === 0) this.#start = end;
    else this.#rewriteTime += end - begin;
    return rewritten;
  }

  #rewriteModule(bytes, source) {
    const { name, path } = nameOfModule(bytes, { ...source, path: this.#names.find(bytes) });
    if (!this.#isWanted(path, name)) {
      this.#note(this.#skipped, name, SESSION.skipped);
      return null;
    }
    if (this.#isNew) this.#note(this.#seen, name, SESSION.seen);
    const key = hashOf(bytes);
    this.#notePath(key, this.#names.find(bytes));
    const rewritten = this.#rewritten(bytes, key, name);
    this.#know(key, name, rewritten);
    return { bytes: rewritten, info: key };
  }

  /** Adds a name to those in a file of the process, for when there is no profile. */
  #note(names, name, end) {
    if (names.has(name)) return;
    names.add(name);
    this.#write(`${process.pid}${end}`, [...names].join(', '));
  }

  /** Tells wasm-perf where a module comes from, which has debug information, or it is beside it. */
  #notePath(key, path) {
    if (this.#options.command !== undefined) return; // it knows the only module that there is
    this.#write(`${key}${SESSION.path}`, path === undefined ? '' : resolve(currentFolder(), path));
  }

  /** Whether no module was instantiated yet. */
  get #isNew() {
    return this.#session.counted.length === 0;
  }

  #fileOf(key) {
    return join(this.#options.folder, `${key}${SESSION.module}`);
  }

  /** The module as the engine gets it, which is in its file, too. */
  #rewritten(bytes, key, name) {
    const file = this.#fileOf(key);
    if (existsSync(file)) return readFileSync(file);
    const tailOf = (warnings) => encodeKey({ key, name, warnings });
    if (!this.#options.plain && !hasRuntimeInside(bytes)) return this.#instrumented(bytes, key, name, tailOf);
    const start = this.#options.plain ? bytes : exportStartFunction(bytes);
    const rewritten = Buffer.concat([start, tailOf([])]);
    this.#write(basename(file), rewritten);
    return rewritten;
  }

  #instrumented(bytes, key, name, tailOf) {
    const made = putInPlace(this.#fileOf(key), (path) => {
      return this.#fetch(key, name, path) ?? this.#make(bytes, key, name, { path, tailOf });
    });
    this.#tools.tell(name, made.warnings);
    return made.bytes;
  }

  /** The module as an earlier run left it, if that is whole: what stands at its end is there. */
  #fetch(key, name, path) {
    const bytes = this.#tools.cache?.fetch(key, name, path);
    if (!bytes) return null;
    const tail = readKey(bytes);
    if (tail) return { bytes, warnings: tail.warnings };
    rmSync(path);
    return null;
  }

  /** Has the command rewrite it, into the file. */
  #make(bytes, key, name, { path, tailOf }) {
    const { bytes: rewritten, warnings } = this.#tools.rewrite(bytes, { path, tailOf });
    const made = exportStartFunction(rewritten);
    if (made !== rewritten) writeFileSync(path, made);
    this.#tools.cache?.keep(key, name, path);
    return { bytes: made, warnings };
  }

  #isWanted(path, name) {
    const { modules } = this.#options;
    return modules.length === 0 || modules.some((glob) => globMatches(glob, name) || globMatches(glob, path));
  }

  #know(key, name, bytes) {
    const known = this.#session.find(key);
    if (known) return known;
    this.#tools.begin();
    const module = this.#session.add(key, name, bytes);
    if (this.#options.clock === 'sampled') {
      if (this.#sampler === null) this.#trySampler(() => (this.#sampler = new ThreadSampler()));
      this.#sampler ??= undefined; // it is not tried again
      module.samples = this.#sampler?.add(module.info);
    }
    return module;
  }

  /** From now on the thread is sampled, if it was not. V8 takes 20 ms to start, in which its other threads may compile. */
  #startSampling() {
    if (!this.#sampler || this.#isSampled) return;
    this.#isSampled = true;
    const sampler = this.#sampler;
    this.resume();
    setInterval(() => {
      this.#trySampler(() => sampler.pause());
      this.resume();
    }, SAMPLED_MS).unref();
    watchIdling((isIdle) => this.#trySampler(() => sampler.rest(isIdle)));
    this.#start = now();
    this.#rewriteTime = 0;
  }

  /** Counts are worth keeping without times, and a timer must not end the program. */
  #trySampler(action) {
    try {
      return action();
    } catch (error) {
      return this.#tools.warn(`times are lost: ${error.message}`);
    }
  }

  /** A module that another thread rewrote, and sent. */
  #knowSent(module) {
    const { key, name } = keyOfCompiled(module) ?? {};
    if (!/^[0-9a-f]{32}$/.test(key)) return null;
    this.#start ||= now();
    const known = this.#know(key, name, readFileSync(this.#fileOf(key)));
    this.#startSampling();
    return known;
  }

  // ---- Counts while it runs ----

  /**
   * What the thread's instances have counted: "CALLS NODES". As it was a while ago, where counting
   * would take more than a hundredth of the time since.
   */
  count() {
    const start = now();
    if (start < this.#nextCount) return this.#counts;
    const { calls, nodes } = this.#session.count();
    const end = now();
    this.#nextCount = end + 100 * (end - start);
    return (this.#counts = `${calls} ${nodes}`);
  }

  // ---- Profiles ----

  /** Whether there is anything to write. */
  get isEmpty() {
    const { modules, counted } = this.#session;
    return this.#options.plain ? modules.length === 0 : counted.length === 0;
  }

  /** Writes what there is by now. The program's own clock stands still meanwhile; sampling ends if it `isLast`. */
  flush(isLast = false) {
    this.#ranFor = this.#runTime();
    this.#trySampler(() => (isLast ? this.#sampler?.stop() : this.#sampler?.pause()));
    try {
      for (const module of this.#session.modules) this.#flushModule(module);
      this.#flushStacks();
    } finally {
      if (!isLast) this.resume();
    }
  }

  /** What was told to be the last was not. */
  resume() {
    this.#trySampler(() => this.#sampler?.start());
  }

  #flushModule(module) {
    const { key, instances } = module;
    if (this.#options.plain) return this.#writeProfile(module, withoutCalls(module), key, []);
    if (instances.length === 0) return;
    const files = module.takeFiles();
    if (!this.#options.perInstance) return this.#writeProfile(module, addUp(files), `${key}`);
    const profiles = files.map((file) => addUp([file]));
    const called = profiles.flatMap(({ tree }) => tree.functions());
    profiles.forEach((profile, i) => this.#writeProfile(module, profile, `${key}-${i}`, called));
  }

  /** What else the thread did. */
  #flushStacks() {
    const { plain, perInstance, command } = this.#options;
    if (!this.#sampler || plain || perInstance || command !== undefined) return; // of a module alone it is our host
    const facts = { ...this.#facts(), clock: CLOCKS.sampled, ticksPerSecond: 1e9 };
    const identities = this.#session.modules.map(({ identity }) => identity);
    const given = threads.threadName === UNNAMED_WORKER ? '' : threads.threadName;
    const name = isMainThread ? 'main' : given || `worker ${threadId}`;
    const bytes = this.#sampler.stacks.encode(facts, identities, { name, process: process.pid, number: threadId });
    this.#write(`${this.#process}-${threadId}-stacks.wperf`, bytes);
  }

  /** `called` are functions that have hooks and were called, in any instance. */
  #writeProfile(module, profile, part, called) {
    const { name, info, samples } = module;
    module.identity = profile.facts.identity;
    if (samples) this.#addSamples(profile, samples, called);
    Object.assign(profile.facts, this.#facts(), { module: name });
    const bytes = encodeProfile(profile, (index) => info.functionName(index));
    this.#write(`${this.#process}-${threadId}-${part}${SESSION.part}`, bytes);
  }

  #addSamples({ facts, tree }, { stacks, sampleCount }, called = tree.functions()) {
    tree.clearSelfs();
    const hasOthers = (facts.hookedFunctionCount ?? 0) < (facts.functionCount ?? 0);
    placeTimes(stacks, tree, hasOthers ? new Set(called) : null);
    Object.assign(facts, {
      clock: CLOCKS.sampled,
      ticksPerSecond: 1e9,
      clockReadCount: sampleCount,
      uninlined: isUninlined() ? 1 : 0,
      hooksSampled: this.#options.plain ? 0 : 1,
    });
  }

  #facts() {
    return {
      engine: engineName(),
      command: this.#options.command ?? commandOf(process.argv, this.#startFolder),
      date: new Date().toISOString(),
      runTime: this.#ranFor,
    };
  }

  /** Nanoseconds since the first module came, without what rewriting others took. */
  #runTime() {
    return this.#start === 0 ? 0 : Math.round((now() - this.#start - this.#rewriteTime) * NS_PER_MS);
  }

  /** Tells wasm-perf how long the thread ran. */
  noteTime() {
    if (this.#start > 0) this.#write(`${this.#process}-${threadId}${SESSION.time}`, `${this.#runTime()}\n`);
  }

  #write(name, bytes) {
    putInPlace(join(this.#options.folder, name), (path) => writeFileSync(path, bytes));
  }
}

/** The profile of a module as it is, before it has its times. */
function withoutCalls({ key, info }) {
  const { importCount, functionCount } = info;
  const facts = { identity: key, hostFunctionCount: importCount, functionCount: functionCount - importCount };
  return { ...addUp([]), facts };
}
