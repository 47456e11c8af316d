/**
 * Profiles the modules of one thread of a Node program. Rewrites modules before they are compiled, and writes
 * the counts of their instances, and the thread's samples, to files in a folder, as they are: wasm-perf adds them
 * up and attributes samples to calls (src/cli/perf/input/part_files.c).
 */

import fs from 'node:fs';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import threads, { isMainThread, threadId } from 'node:worker_threads';
import { hashOf, keyOfModule } from './builtin.mjs';
import { putInPlace } from './files.mjs';
import { CLOCKS, SESSION } from '../wperf/format.mjs';
import { globMatches } from '../engine/glob.mjs';
import { encodeCallers } from '../engine/callers.mjs';
import { ignoreOwnWork, watchIdling } from './idling.mjs';
import { isUninlined } from './inlining.mjs';
import { hasFunctions, readMarker } from '../engine/module_info.mjs';
import { codeOffsetOf, encodeTail, keyOfCompiled, pad, paddedBy, paddingOf, readKey } from '../engine/module_key.mjs';
import { nameOfModule } from '../engine/module_name.mjs';
import { encodeEmpty, withFacts } from '../wperf/file.mjs';
import { encodePiece } from '../wperf/piece.mjs';
import { addUp } from './merge.mjs';
import { Regions } from './regions.mjs';
import { Session } from '../engine/session.mjs';
import { makeRoom } from '../engine/shared_form.mjs';
import { exportForHost } from '../engine/host_exports.mjs';
import { readReferenceImports } from '../engine/signatures.mjs';
import { ThreadSampler } from '../engine/thread_sampler.mjs';
import { CannotSample } from '../engine/v8_profiler.mjs';

/** Saved before the program can replace them. */
const { appendFileSync, closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } = fs;
const now = performance.now.bind(performance);
const { setInterval } = globalThis;

const COUNTING_SHARE = 0.05; // of the time, at most
const NS_PER_MS = 1e6;
const UNNAMED_WORKER = 'WorkerThread'; // Node's default name
const NUMBER_SIZE = 6; // digits, more than programs have modules
const MOST_MEASURED = 64 * 2 ** 20; // bytes of profiles in a file of a measure
const MAX_PADDING = 4096; // bytes in front of a module: of more modules at one offset, the first has all samples

/**
 * Interval in ms at which samples are fetched. V8 keeps all samples, 250 MB per hour, and its JSON must fit in
 * 512 MB.
 */
const SAMPLED_MS = 10 * 60 * 1000;

/** Name and version of the host. */
function engineName() {
  const { deno, bun, node } = process.versions;
  return deno ? `Deno ${deno}` : bun ? `Bun ${bun}` : `Node.js ${node}`;
}

/** Whether the module contains the embedded runtime already. */
const hasRuntimeInside = (bytes) =>
  readMarker(bytes)?.options.split(' ').includes('embed') ?? false;

/** The current folder, or '/' if it was removed. */
function currentFolder() {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

/** The program as typed: a script in the folder is shown without its absolute path. Arguments may be secret. */
function commandOf([, script = '', ...args], folder, keepsArguments) {
  const path = relative(folder, script);
  const isInside = path !== '' && !path.startsWith('..') && !isAbsolute(path);
  return [isInside ? path : script, ...(keepsArguments ? args : [])].join(' ');
}

/** URL of the folder with our own code. */
const home = new URL('..', import.meta.url).href;

/** Whether the stacks of all functions are kept. A plain run that serves a budget needs only the stacks of modules. */
export const keepsStacks = ({ clock, plain, isTrial }) => clock === 'sampled' && !(plain && isTrial);

/** What is kept of the thread's stacks, see src/samples/v8_thread.h. */
function scopeOf(options) {
  if (!keepsStacks(options)) return 'callers';
  return options.command === undefined ? 'program' : 'hosted';
}

export class Recorder {
  #options;
  #tools;
  #names; // finds the file of a module
  #session;
  #regions; // of the program's measures
  #sampler = null; // null: not created yet; undefined: creation failed
  #isSampled = false; // sampling has started
  #lastWarning; // of the sampler
  #samplesSize = 0; // bytes of V8's profiles so far
  #measuredSizes = new Map(); // by file of a measure: bytes since its profiles were added up
  #skipped = new Set(); // names of modules that --module excludes
  #paddings = new Map(); // by key: the size of the module's padding
  #sizes = new Map(); // by offset of the code before padding: a Set of the sizes there
  #seen = new Set(); // names of modules that were rewritten before any was instantiated
  #start = 0; // ms: when the first module had been rewritten, or sampling started
  #ownTime = 0; // ms spent on rewriting and on snapshots since then
  #begin = 0; // ms: when sampling started, if that was before the first module
  #firstRewriting = 0; // ms
  #ranFor = 0; // nanoseconds, at the last flush
  #nextCount = 0; // ms: earliest time of the next count
  #startFolder = currentFolder();
  #process; // prefix of this process's file names

  /**
   * @param {object} options
   * @param {string} options.folder for profiles and rewritten modules
   * @param {string} options.clock
   * @param {string[]} options.modules globs of module names; empty: all modules
   * @param {string} options.secret by which modules have their keys, see keyOfModule
   * @param {boolean} options.keepsArguments whether the profile names the arguments of the program
   * @param {boolean} [options.isPerInstance] each instance has a profile of its own
   * @param {boolean} [options.measures] also write a profile for each measure of the User Timing API
   * @param {string} [options.command] what runs, if it differs from the process's arguments
   * @param {boolean} [options.plain] do not instrument; times may still be sampled
   * @param {boolean} [options.isTrial] the run serves a budget
   * @param {number} [options.image] number of programs that this process ran before, by execve
   * @param {object} tools
   * @param {Function} tools.rewrite result of createRewriter
   * @param {ModuleCache} [tools.cache] of rewritten modules
   * @param {(name: string, warnings: string[]) => void} tools.warnOfModule prints its warnings
   * @param {(message: string) => void} tools.warn
   * @param {(error: unknown) => void} tools.refuse reports why a module is not profiled
   * @param {() => void} tools.begin called before the first module that is profiled
   * @param {typeof import('./file_names.mjs')} names finds the file that a module was read from, and scripts beside it
   */
  constructor(options, tools, names) {
    this.#options = options;
    this.#tools = tools;
    this.#names = names;
    this.#process = options.image ? `${process.pid}.${options.image}` : `${process.pid}`;
    this.#session = new Session({
      rewrite: (bytes, source) => this.#rewrite(bytes, source),
      recover: (compiled) => this.#addSent(compiled),
      onCompile: () => this.#waitForCompilation(),
      onError: tools.refuse,
      isPlain: options.plain,
      isPerInstance: options.isPerInstance,
    });
  }

  /** Profiles modules that a context compiles. Each context has its own WebAssembly. */
  patch(target) {
    this.#session.patch(target);
  }

  /** Follows the measures of the program, if the options say so. */
  followMeasures() {
    if (!this.#options.measures) return;
    this.#regions = new Regions(() => this.#session.counted, (...measured) => this.#keepMeasured(...measured));
    this.#regions.patch();
  }

  // ---- Rewriting modules ----

  #rewrite(bytes, source) {
    const begin = now();
    const { plain, clock } = this.#options;
    const matters = (!plain || clock === 'sampled') && hasFunctions(bytes);
    const rewritten = matters ? this.#rewriteModule(bytes, source) : null;
    const end = now();
    if (this.#start === 0) [this.#start, this.#firstRewriting] = [end, end - begin];
    else this.#ownTime += end - begin;
    return rewritten;
  }

  #rewriteModule(bytes, source) {
    const file = this.#fileNameOf(bytes);
    const { name, path } = nameOfModule(bytes, { ...source, path: file });
    if (!this.#isWanted(path, name)) {
      this.#note(this.#skipped, name, SESSION.skipped);
      return null;
    }
    if (this.#isNew) this.#note(this.#seen, name, SESSION.seen);
    const key = keyOfModule(bytes, this.#options.secret);
    this.#notePath(key, file);
    const rewritten = this.#rewritten(bytes, { key, name, file, script: source.script });
    const known = this.#session.find(key) ? {} : this.#noteKnown(key, rewritten);
    const compiled = this.#apart(key, rewritten, known.codeOffset);
    this.#addModule(key, name, known.references);
    return { bytes: compiled, info: key };
  }

  /** Writes what threads must know of a module that is sent to them: they need not read it. */
  #noteKnown(key, bytes) {
    const known = { codeOffset: codeOffsetOf(bytes), references: [...readReferenceImports(bytes)] };
    this.#write(key + SESSION.known, JSON.stringify(known));
    return known;
  }

  /** Adds a name to a file of the process, which is read if there is no profile. */
  #note(names, name, end) {
    if (names.has(name)) return;
    names.add(name);
    this.#write(`${process.pid}${end}`, [...names].join(', '));
  }

  /** The path of the file that the module was read from, or undefined. */
  #fileNameOf(bytes) {
    const path = this.#names.find(bytes);
    return path === undefined ? path : resolve(currentFolder(), path);
  }

  /** Saves the module's path for wasm-perf: debug information is in that file or beside it. */
  #notePath(key, path) {
    if (this.#options.command !== undefined) return; // wasm-perf knows the only module
    this.#write(`${key}${SESSION.path}`, path ?? '');
  }

  /** Whether no module has been instantiated. */
  get #isNew() {
    return this.#session.counted.length === 0;
  }

  #fileOf(key) {
    return join(this.#options.folder, `${key}${SESSION.module}`);
  }

  /** Returns the rewritten module, which is also in its file. */
  #rewritten(bytes, { key, name, file: path, script }) {
    const file = this.#fileOf(key);
    if (existsSync(file)) return readFileSync(file);
    const isInside = hasRuntimeInside(bytes);
    const tailOf = (warnings) => encodeTail(bytes, { key, name, warnings, isInside });
    if (!this.#options.plain && !isInside) return this.#instrumented(bytes, { key, name, path, script, tailOf });
    const start = this.#options.plain ? bytes : exportForHost(bytes);
    const rewritten = Buffer.concat([start, tailOf([])]);
    this.#write(basename(file), rewritten);
    return rewritten;
  }

  /**
   * Moves the code of modules whose code begins at the same offset, such as builds of one program: V8's
   * samples tell modules apart by the offsets of their functions.
   */
  #apart(key, bytes, codeOffset) {
    if (this.#options.clock !== 'sampled') return bytes;
    return pad(bytes, this.#paddings.get(key) ?? this.#padding(key, codeOffset));
  }

  /** Notes and returns the size of the module's padding: `given`, or one that no other module has at that offset. */
  #padding(key, offset, given) {
    if (!this.#sizes.has(offset)) this.#sizes.set(offset, new Set());
    const used = this.#sizes.get(offset);
    let size = given ?? used.size;
    while (given === undefined && used.has(size)) size++;
    if (size > MAX_PADDING) size = 0;
    used.add(size);
    this.#paddings.set(key, size);
    return size;
  }

  #instrumented(bytes, { key, name, path, script, tailOf }) {
    const beside = this.#names.scriptsBeside(path);
    const calling = this.#names.callingScript(script?.(), beside);
    const scripts = { ...beside, ...calling };
    const [caller] = Object.keys(calling);
    const as = { key: [key, ...Object.values(scripts).map(hashOf)].join(' '), name };
    const made = putInPlace(this.#fileOf(key), (to) => {
      return this.#fetch(as, to) ?? this.#make(bytes, as, { path: to, tailOf, from: path, caller, scripts });
    });
    this.#tools.warnOfModule(name, made.warnings);
    return made.bytes;
  }

  /**
   * Returns the module from the cache, or null if it is missing or incomplete. The key section is at the end of
   * the module: if it is readable, the module is complete.
   */
  #fetch({ key, name }, path) {
    const bytes = this.#tools.cache?.fetch(key, name, path);
    if (!bytes) return null;
    const tail = readKey(bytes);
    if (tail) return { bytes, warnings: tail.warnings };
    rmSync(path);
    return null;
  }

  /** Calls wasm-instrument. Returns {bytes, warnings}, and writes the bytes with a tail of `tailOf(warnings)`. */
  #make(bytes, { key, name }, { tailOf, ...rewriting }) {
    const { bytes: rewritten, warnings } = this.#tools.rewrite(bytes, rewriting);
    const made = makeRoom(exportForHost(Buffer.concat([rewritten, tailOf(warnings)])));
    writeFileSync(rewriting.path, made);
    this.#tools.cache?.keep(key, name, rewriting.path);
    return { bytes: made, warnings };
  }

  #isWanted(path, name) {
    const { modules } = this.#options;
    return modules.length === 0 || modules.some((glob) => globMatches(glob, name) || globMatches(glob, path));
  }

  #addModule(key, name, references) {
    const known = this.#session.find(key);
    if (known) return known;
    this.#tools.begin();
    if (this.#options.clock === 'sampled') this.#createSampler();
    return this.#session.add(key, name, new Set(references), () => this.#apart(key, readFileSync(this.#fileOf(key))));
  }

  #createSampler() {
    if (this.#sampler !== null) return;
    this.#trySampler(() => (this.#sampler = new ThreadSampler((json, piece) => this.keepProfile(json, piece))));
    this.#sampler ??= undefined; // do not try again
  }

  /** Starts sampling before there is a module, so that the profile shows the whole run. */
  sampleFromStart() {
    this.#createSampler();
    this.#startSampling();
    this.#begin = this.#start;
    this.#start = 0;
  }

  /** Starts sampling the thread, once. V8 takes 20 ms to start; its other threads can compile meanwhile. */
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
    this.#ownTime = 0;
  }

  #waitForCompilation() {
    this.#startSampling();
    return this.#sampler?.waitForCompilation();
  }

  /** Runs an action of the sampler. On failure, counts are still useful, and a timer must not end the program. */
  #trySampler(action) {
    try {
      return action();
    } catch (error) {
      if (this.#options.plain) return this.#tools.refuse(error);
      const what = error instanceof CannotSample ? 'the profile has calls, but no times' : 'times are lost';
      const message = `${what}: ${error.message}`;
      if (message === this.#lastWarning) return undefined; // each timer would say it again
      this.#lastWarning = message;
      return this.#tools.warn(message);
    }
  }

  /** Adds a module that another thread rewrote and sent. */
  #addSent(module) {
    const { key, name } = keyOfCompiled(module) ?? {};
    if (!/^[0-9a-f]{32}$/.test(key)) return null;
    this.#start ||= now();
    const { codeOffset, references } = JSON.parse(readFileSync(join(this.#options.folder, key + SESSION.known), 'utf8'));
    if (!this.#paddings.has(key)) this.#padding(key, codeOffset, paddingOf(module));
    const added = this.#addModule(key, name, references);
    this.#startSampling();
    return added;
  }

  // ---- Counts while the program runs ----

  /**
   * Returns the counts of the thread's instances: "CALLS NODES". Returns undefined if counting would take more
   * than 5 % of the time.
   */
  count() {
    ignoreOwnWork();
    const start = now();
    if (start < this.#nextCount) return undefined;
    const { calls, nodes } = this.#session.count();
    const end = now();
    this.#nextCount = end + (end - start) / COUNTING_SHARE;
    return `${calls} ${nodes}`;
  }

  // ---- Profiles ----

  /** Whether a module was compiled that is profiled, or excluded. */
  get hasModules() {
    return this.#session.modules.length > 0 || this.#skipped.size > 0;
  }

  /** Whether the program compiled modules and instantiated none, and samples show the time of that. */
  get #isOnlyCompiled() {
    const { modules, counted } = this.#session;
    return modules.length > 0 && counted.length === 0 && Boolean(this.#sampler) && keepsStacks(this.#options);
  }

  /** Whether there is nothing to write. */
  get isEmpty() {
    const { modules, counted } = this.#session;
    return (this.#options.plain ? modules : counted).length === 0 && !this.#isOnlyCompiled;
  }

  /** Writes the profiles up to now. Sampling pauses meanwhile, or ends if `isLast`. */
  flush(isLast = false) {
    const begin = now();
    this.#ranFor = this.#wholeTime();
    ignoreOwnWork();
    this.#trySampler(() => (isLast ? this.#sampler?.stop() : this.#sampler?.pause()));
    try {
      for (const module of this.#session.modules) this.#flushModule(module);
      this.#flushThread();
      for (const region of this.#regions?.list() ?? []) this.#flushRegion(region);
    } finally {
      if (!isLast) this.resume();
      this.#ownTime += now() - begin;
    }
  }

  /** Resumes sampling, also after a last flush that was not the last. */
  resume() {
    this.#trySampler(() => this.#sampler?.start());
  }

  /**
   * How the names of the module's profiles begin. wasm-perf joins profiles by names: modules keep the order in which the
   * thread compiled them, so that modules of the same name have the same number in each run and build.
   */
  #startOf({ key, number }) {
    return `${this.#threadStart}.${String(number).padStart(NUMBER_SIZE, '0')}-${key}`;
  }

  /** Writes the profiles of a module's instances as the module wrote them, one after another. */
  #flushModule(module) {
    const { name, instances } = module;
    const hasNoCalls = this.#options.plain || this.#isOnlyCompiled;
    if (hasNoCalls ? !this.#sampler : instances.length === 0) return;
    const facts = { ...this.#facts(), ...this.#sampledFacts(), module: name };
    putInPlace(join(this.#options.folder, `${this.#startOf(module)}${SESSION.part}`), (path) => {
      const file = openSync(path, 'w');
      try {
        if (hasNoCalls) writeWhole(file, encodeEmpty({ ...facts, ...factsOf(module), instanceCount: 1 }));
        for (let i = 0; !hasNoCalls && i < instances.length; i++) {
          for (const part of module.encodeInstance(i, facts)) writeWhole(file, part);
        }
      } finally {
        closeSync(file);
      }
    });
  }

  /** The facts of modules whose times are sampled. */
  #sampledFacts() {
    if (!this.#sampler) return {};
    return {
      clock: CLOCKS.sampled,
      ticksPerSecond: 1e9,
      uninlined: isUninlined() ? 1 : 0,
      hooksSampled: this.#options.plain ? 0 : 1,
    };
  }

  get #threadStart() {
    return `${this.#process}-${threadId}`;
  }

  /** Appends a profile of V8 to the thread's file. src/samples/v8_walk.c knows this function by its name. */
  keepProfile(json, piece) {
    if (!existsSync(this.#options.folder)) return; // wasm-perf has ended
    const whole = encodePiece(json, piece); // at once: a request that interrupts the thread here may append a profile, too
    appendFileSync(join(this.#options.folder, `${this.#threadStart}${SESSION.samples}`), whole);
    this.#samplesSize += whole.length;
  }

  /** Writes what is needed to read the samples so far, see src/cli/perf/input/thread_file.h. */
  #flushThread() {
    if (!this.#sampler) return;
    const given = threads.threadName === UNNAMED_WORKER ? '' : threads.threadName;
    this.#write(`${this.#threadStart}${SESSION.thread}`, JSON.stringify({
      name: isMainThread ? 'main' : given || `worker ${threadId}`,
      process: process.pid,
      number: threadId,
      scope: scopeOf(this.#options),
      home,
      samples: `${this.#threadStart}${SESSION.samples}`,
      size: this.#samplesSize,
      modules: this.#session.modules.map((module) => ({
        file: this.#startOf(module) + SESSION.part,
        module: module.key + SESSION.module,
        moved: paddedBy(this.#paddings.get(module.key) ?? 0),
      })),
    }));
  }

  /** Appends the profiles of an instance to the files of a measure. */
  #keepMeasured(name, module, ended, begun) {
    const start = `${this.#startOf(module)}-${hashOf(name)}`;
    this.#appendMeasured(start + SESSION.ended, module, ended);
    if (begun) this.#appendMeasured(start + SESSION.begun, module, begun);
  }

  /** Some programs measure thousands of times: then wasm-perf adds up what is in the file. */
  #appendMeasured(file, module, profile) {
    const path = join(this.#options.folder, file);
    const parts = withFacts(profile.slice(), { ...this.#facts(), module: module.name });
    for (const part of [...parts, encodeCallers()]) appendFileSync(path, part);
    const size = (this.#measuredSizes.get(path) ?? 0) + profile.length;
    this.#measuredSizes.set(path, size > MOST_MEASURED ? 0 : size);
    if (size > MOST_MEASURED) addUp(path);
  }

  /** Writes the name of a measure, and why it cannot be counted, if so. */
  #flushRegion({ name, problem = '' }) {
    this.#write(`${this.#threadStart}-${hashOf(name)}${SESSION.measure}`, `${name}\n${problem}\n`);
  }

  #facts() {
    return {
      engine: engineName(),
      command: this.#options.command ?? commandOf(process.argv, this.#startFolder, this.#options.keepsArguments),
      date: new Date().toISOString(),
      runTime: this.#ranFor,
    };
  }

  /** Returns the run time in nanoseconds, excluding the time spent on rewriting and on earlier snapshots. */
  #runTime() {
    return this.#start === 0 ? 0 : Math.round((now() - this.#start - this.#ownTime) * NS_PER_MS);
  }

  /** Like #runTime, from the start if that was sampled. */
  #wholeTime() {
    if (this.#begin === 0) return this.#runTime();
    return Math.round((now() - this.#begin - this.#firstRewriting - this.#ownTime) * NS_PER_MS);
  }

  /** Writes the thread's run time since the first module for wasm-perf. */
  noteTime() {
    if (this.#start > 0) this.#write(`${this.#threadStart}${SESSION.time}`, `${this.#runTime()}\n`);
  }

  #write(name, bytes) {
    putInPlace(join(this.#options.folder, name), (path) => writeFileSync(path, bytes));
  }
}

/** Writes all bytes to an open file. */
function writeWhole(file, bytes) {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}

/** Facts of an unchanged module. */
function factsOf({ key, info }) {
  const { importCount, functionCount } = info;
  return { identity: key, hostFunctionCount: importCount, functionCount: functionCount - importCount };
}
