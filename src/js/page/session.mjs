/**
 * A page's profile: rewrites the modules that the page compiles, remembers their instances, and makes
 * profiles and reports of what they have counted.
 */

import { countsOf, isEmbedded, readProfile, resetProfile } from '../engine/embedded.mjs';
import { guardExports, patchReferences, unwrapImports } from '../engine/guard.mjs';
import { readModuleInfo } from '../engine/module_info.mjs';
import { patchWebAssembly } from '../engine/patch.mjs';
import { readReferenceImports } from '../engine/signatures.mjs';
import { runInMemory } from '../package/wasi.mjs';

/** Whether a name matches a pattern with * and ?. */
function isLike(name, pattern) {
  const source = pattern.replace(/[^]/g, (letter) => {
    if (letter === '*') return '[^]*';
    return letter === '?' ? '[^]' : letter.replace(/[\\^$.|+()[\]{}/-]/, '\\$&');
  });
  return new RegExp(`^${source}$`, 'u').test(name);
}

const lastPart = (url) => decodeURIComponent(new URL(url).pathname.split('/').pop());

/** What is known of a module and its instances. */
class ProfiledModule {
  instances = [];

  constructor(name, bytes) {
    this.name = name;
    this.size = bytes.length;
    this.info = readModuleInfo(bytes);
    this.references = readReferenceImports(bytes);
  }

  is(other) {
    return this.name === other.name && this.size === other.size;
  }
}

export class Session {
  #tools;
  #options;
  #modules = [];
  #stopped = null; // {profiles, calls}, once it was stopped
  #patch = null;
  #unnamed = 0;

  /** Prints what went wrong; the page goes on. */
  onMessage = () => {};

  /**
   * @param {object} tools
   * @param {(bytes: Uint8Array, options: object) => {bytes: Uint8Array}} tools.instrument
   * @param {() => WebAssembly.Module} tools.commands gives wasm-perf.wasm
   * @param {(profile: Uint8Array, options: object) => Uint8Array} tools.report
   * @param {object} options as of instrument; `module` is a pattern for the names of modules
   */
  constructor(tools, { module = '*', ...options } = {}) {
    this.#tools = tools;
    this.#options = { ...options, embed: true };
    patchReferences();
    this.#patch = patchWebAssembly({
      rewrite: (bytes, { url }) => this.#rewrite(bytes, url, module),
      imports: (imports, module) => unwrapImports(imports, module?.references),
      onInstance: (instance, info) => this.#add(instance, info),
      onError: (error) => this.#tell(error),
    });
  }

  uninstall() {
    this.#patch.uninstall();
  }

  #tell(error) {
    this.onMessage(error instanceof Error ? error.message : String(error));
  }

  #rewrite(bytes, url, pattern) {
    const name = (url && lastPart(url)) || `module-${++this.#unnamed}.wasm`;
    if (!isLike(name, pattern)) return null;
    const known = new ProfiledModule(name, bytes);
    if (known.info.marker) return null; // somebody instrumented it by hand
    try {
      return { bytes: this.#tools.instrument(bytes, { ...this.#options, name }).bytes, info: known };
    } catch (error) {
      throw new Error(`${name} is not profiled: ${error.message}`, { cause: error });
    }
  }

  #add(instance, module) {
    if (!module || !isEmbedded(instance)) return;
    const known = this.#modules.find((other) => other.is(module));
    if (!known) this.#modules.push(module);
    (known ?? module).instances.push({ exports: instance.exports }); // the engine's own
    guardExports(instance);
  }

  get moduleNames() {
    return this.#modules.map(({ name }) => name);
  }

  get isStopped() {
    return this.#stopped !== null;
  }

  /** All calls so far, a BigInt; once it was stopped, those until then. */
  countCalls() {
    if (this.#stopped) return this.#stopped.calls;
    let calls = 0n;
    for (const { instances } of this.#modules) {
      for (const instance of instances) calls += countsOf(instance).calls;
    }
    return calls;
  }

  /** Begins anew, from zero. */
  start() {
    this.#stopped = null;
    for (const { instances } of this.#modules) instances.forEach(resetProfile);
  }

  /** Keeps the profiles as they are now. The program goes on, and is not slower than before. */
  stop() {
    this.#stopped ??= { calls: this.countCalls(), profiles: this.#take() };
  }

  /** A .wperf file of each module: [{name, bytes}]. */
  profiles() {
    return this.#stopped?.profiles ?? this.#take();
  }

  /** The report of a profile, HTML unless `format` says otherwise. */
  report({ name, bytes }, format = 'html') {
    return this.#tools.report(bytes, { format, title: `${name}.wperf` });
  }

  #take() {
    return this.#modules.map((module) => ({ name: module.name, bytes: this.#profileOf(module) }));
  }

  #profileOf({ info, instances }) {
    const facts = {
      engine: globalThis.navigator?.userAgent,
      command: globalThis.location?.href,
      date: new Date().toISOString(),
    };
    const files = instances.map((instance) =>
      readProfile(instance, (index) => info.functionName(index), facts),
    );
    return files.length === 1 ? files[0] : this.#merge(files);
  }

  #merge(files) {
    const named = Object.fromEntries(files.map((bytes, i) => [`${i}.wperf`, bytes]));
    const args = ['wasm-perf', 'merge', '-o', 'sum.wperf', ...Object.keys(named)];
    const { status, stderr, files: made } = runInMemory(this.#tools.commands(), args, named);
    if (status !== 0) throw new Error(stderr.trimEnd());
    return made.get('sum.wperf');
  }
}
