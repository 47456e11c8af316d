/**
 * Profiles a page: rewrites the modules that the page compiles, and makes profiles and reports of the counts of
 * the page and its workers.
 */

import { globMatches } from '../engine/glob.mjs';
import { hasFunctions, readMarker } from '../engine/module_info.mjs';
import { keyOfCompiled } from '../engine/module_key.mjs';
import { nameOfModule } from '../engine/module_name.mjs';
import { Session } from '../engine/session.mjs';
import { readReferenceImports } from '../engine/signatures.mjs';
import { withFacts } from '../wperf/file.mjs';
import { concatenate } from '../wperf/bytes.mjs';
import { rewriteHere, Rewriter } from './rewriting.mjs';
import { openSampling } from './sampling.mjs';
import { answerTo, Workers } from './workers.mjs';

/**
 * What a thread knows of a module's profile. Nothing is added up here: wasm-perf does that when a profile is wanted.
 *
 * @typedef {{key: string, name: string, files: Uint8Array[], bytes?: Uint8Array}} Part `files` are of instances; `bytes`
 *   are the module's, if the thread has them
 */

/** Groups parts of profiles by module: [[part, ...], ...] */
function groupByModule(parts) {
  const groups = new Map();
  for (const part of parts) groups.set(part.key, [...(groups.get(part.key) ?? []), part]);
  return [...groups.values()];
}

/** Names the page after its file, or its site. */
const nameOfPage = ({ pathname, hostname }) => pathname.split('/').at(-1) || hostname;

/** The address of a page without what may be secret or private in it: parameters, and folders of this machine. */
function pageOf(location) {
  if (!location) return undefined;
  const { protocol, origin, pathname } = location;
  return protocol === 'file:' ? pathname.slice(pathname.lastIndexOf('/') + 1) : origin + pathname;
}

export class Recorder {
  #tools;
  #options;
  #pattern;
  #session;
  #sampling; // null: the page may not sample itself
  #stopped = null; // {parts, calls}, if stopped
  #patch = null;
  #rewriter;
  #workers;

  /** Called with error messages; the page continues. */
  onMessage = () => {};

  /**
   * @param {object} tools
   * @param {(bytes: Uint8Array, options: object) => {bytes: Uint8Array}} tools.instrument
   * @param {() => Promise<void>} tools.prepare called before `instrument` if there is time
   * @param {(profile: Uint8Array, options: object) => Uint8Array} tools.report
   * @param {(profiles: Uint8Array[]) => Uint8Array} tools.join makes one profile of the profiles of several modules
   * @param {(files: Uint8Array[], module: object, samples?: object) => Uint8Array} tools.addUp see createAddUp
   * @param {object} options as for instrument; `module` is a glob for module names
   */
  constructor(tools, { module = '*', ...options } = {}) {
    this.#tools = tools;
    this.#sampling = options.clock === 'sampled' ? openSampling() : null;
    this.#options = { hints: true, ...options, embed: true };
    this.#pattern = module;
    this.#rewriter = new Rewriter(tools.instrument);
    this.#session = new Session({
      rewrite: (bytes, source) => this.#rewrite(bytes, source),
      rewriteLater: (bytes, source) => this.#rewriteLater(bytes, source),
      recover: (compiled) => this.#addCompiled(compiled),
      onError: (error) => this.onMessage(error instanceof Error ? error.message : String(error)),
    });
    this.#patch = this.#session.patch();
    this.#workers = new Workers((message) => this.onMessage(message));
    answerTo((action) => this.#act(action));
  }

  uninstall() {
    this.#patch.uninstall();
  }

  // ---- Modules ----

  /** Makes a module's name unique: later modules with the same name get a number. */
  #labelOf(name, key) {
    const known = this.#session.modules.filter((module) => module.key !== key).map((module) => module.name);
    let label = name;
    for (let number = 2; known.includes(label); number++) label = `${name} #${number}`;
    return label;
  }

  /** Returns the name of a module to profile, or null if it is not to be profiled. */
  #nameOf(bytes, source) {
    if (!hasFunctions(bytes)) return null; // it only converts a JavaScript function to a WebAssembly one
    const { name } = nameOfModule(bytes, source);
    return globMatches(this.#pattern, name) && !readMarker(bytes) ? name : null; // it may be instrumented already
  }

  #refusal = (name, cause) => new Error(`${name} is not profiled: ${cause.message}`, { cause });

  #rewrite(bytes, source) {
    const name = this.#nameOf(bytes, source);
    if (name === null) return null;
    try {
      const made = rewriteHere(this.#tools.instrument, bytes, { ...this.#options, name });
      return this.#add(made, name);
    } catch (error) {
      throw this.#refusal(name, error);
    }
  }

  async #rewriteLater(bytes, source) {
    const name = this.#nameOf(bytes, source);
    if (name === null) return null;
    try {
      await this.#tools.prepare();
      const made = await this.#rewriter.rewrite(bytes, { ...this.#options, name });
      return this.#add(made, name);
    } catch (error) {
      throw this.#refusal(name, error);
    }
  }

  #add({ key, bytes }, name) {
    if (!this.#session.find(key)) this.#session.add(key, this.#labelOf(name, key), readReferenceImports(bytes), () => bytes);
    return { bytes, info: key };
  }

  /** Adds a module that another thread compiled and sent. */
  #addCompiled(compiled) {
    const { key, name } = keyOfCompiled(compiled) ?? {};
    return key && (this.#session.find(key) ?? this.#session.addCompiled(key, name));
  }

  // ---- This thread ----

  get moduleNames() {
    return this.#session.counted.map(({ name }) => name);
  }

  get isStopped() {
    return this.#stopped !== null;
  }

  /** The number of calls, a BigInt, so far or until it was stopped. */
  countCalls() {
    return this.#stopped?.calls ?? this.#session.count().calls;
  }

  /** Restarts from zero. */
  start() {
    this.#stopped = null;
    this.#session.reset();
    this.#sampling?.reset();
  }

  /** Freezes the profiles. The program continues at the same speed. */
  stop() {
    this.#sampling?.freeze();
    this.#stopped ??= { calls: this.countCalls(), parts: this.#take() };
  }

  /** Whether the browser samples the page. */
  get isSampled() {
    return this.#sampling !== null;
  }

  /** Whether the page should be sampled, and may not. */
  get isRefused() {
    return this.#options.clock === 'sampled' && !this.isSampled;
  }

  /** Time of modules in the samples so far, in ms. */
  get sampledTime() {
    return this.#sampling?.time ?? 0;
  }

  /** Adds the samples up to now. The browser hands them over later, so this is asynchronous. */
  async takeSamples() {
    if (!this.isStopped) await this.#sampling?.take();
  }

  /** Returns a .wperf file for each module: [{name, bytes}]. */
  profiles() {
    return this.#parts().map((part) => this.#profileOf([part]));
  }

  /** Returns the report of a profile, by default as HTML. */
  report({ name, bytes }, format = 'html') {
    return this.#tools.report(bytes, { format, title: `${name}.wperf` });
  }

  /** Returns one profile of several modules; each module has a frame. */
  join(profiles) {
    if (profiles.length === 1) return profiles[0];
    return { name: nameOfPage(globalThis.location), bytes: this.#tools.join(profiles.map(({ bytes }) => bytes)) };
  }

  #parts() {
    return this.#stopped?.parts ?? this.#take();
  }

  #take() {
    const encode = (module) => module.instances.map((_, i) => concatenate(module.encodeInstance(i, {})));
    return this.#session.counted.map((module) => ({ key: module.key, name: module.name, files: encode(module), bytes: module.bytes }));
  }

  /** The profile of parts of one module: {name, bytes} */
  #profileOf(parts) {
    const [{ key, name }] = parts;
    const facts = {
      module: name,
      engine: globalThis.navigator?.userAgent,
      command: pageOf(globalThis.location),
      date: new Date().toISOString(),
      ...this.#sampling?.facts,
    };
    const files = parts.flatMap((part) => part.files).map((file) => concatenate(withFacts(file.slice(), facts)));
    const bytes = this.#session.find(key)?.bytes ?? parts.find((part) => part.bytes)?.bytes;
    return { name, bytes: this.#tools.addUp(files, { key, bytes }, this.#samples) };
  }

  /** V8's profile of this thread and the modules in it; undefined if it is not sampled. */
  get #samples() {
    const modules = this.#session.counted.filter(({ bytes }) => bytes).map(({ key, bytes }) => ({ key, bytes }));
    return this.#sampling && { profile: this.#sampling.profile, modules };
  }

  // ---- This thread and its workers ----

  /** Answers a request from the thread that started this worker, including the worker's own workers. */
  async #act(action) {
    if (action === 'start' || action === 'stop') this[action]();
    const others = await this.#workers.ask(action);
    const calls = this.countCalls() + others.calls;
    return { calls, ...(action === 'take' && { parts: [...this.#parts(), ...others.parts] }) };
  }

  /**
   * Counts the calls of all threads: {calls, lateCount}. Workers that do not answer contribute their last known
   * count.
   */
  async countAll() {
    const { calls, lateCount } = await this.#workers.ask('count');
    return { calls: this.countCalls() + calls, lateCount };
  }

  async startAll() {
    this.start();
    await this.#workers.ask('start');
  }

  async stopAll() {
    await this.takeSamples();
    this.stop();
    await this.#workers.ask('stop');
  }

  /** Like `profiles`, for all threads. */
  async collect() {
    await this.takeSamples();
    const { parts, lateCount } = await this.#workers.ask('take');
    if (lateCount > 0) this.onMessage(`workers that did not answer, because they wait or are busy: ${lateCount}; their latest work is missing`);
    return groupByModule([...this.#parts(), ...parts]).map((group) => this.#profileOf(group));
  }
}
