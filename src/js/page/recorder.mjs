/** A page's profile: rewrites the modules that the page compiles, and makes profiles and reports of what they count. */

import { globMatches } from '../engine/glob.mjs';
import { hasFunctions, readMarker } from '../engine/module_info.mjs';
import { nameOfModule } from '../engine/module_name.mjs';
import { Session } from '../engine/session.mjs';
import { exportStartFunction } from '../engine/start_function.mjs';
import { addUp, encodeProfile } from '../wperf/profile_file.mjs';

/** The same for the same module: a page may compile it anew for each instance. */
function keyOf(name, bytes) {
  let hash = 0;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x0100_0193); // FNV-1a
  return `${name} ${bytes.length} ${hash}`;
}

export class Recorder {
  #tools;
  #options;
  #pattern;
  #session;
  #stopped = null; // {profiles, calls}, once it was stopped
  #patch = null;

  /** Prints what went wrong; the page goes on. */
  onMessage = () => {};

  /**
   * @param {object} tools
   * @param {(bytes: Uint8Array, options: object) => {bytes: Uint8Array}} tools.instrument
   * @param {(profile: Uint8Array, options: object) => Uint8Array} tools.report
   * @param {object} options as of instrument; `module` is a glob for the names of modules
   */
  constructor(tools, { module = '*', ...options } = {}) {
    this.#tools = tools;
    this.#options = { ...options, embed: true };
    this.#pattern = module;
    this.#session = new Session({
      rewrite: (bytes, source) => this.#rewrite(bytes, source),
      onError: (error) => this.onMessage(error instanceof Error ? error.message : String(error)),
    });
    this.#patch = this.#session.patch();
  }

  uninstall() {
    this.#patch.uninstall();
  }

  /** The first module of a name has it alone; another gets a number. */
  #labelOf(name, key) {
    const known = this.#session.modules.filter((module) => module.key !== key).map((module) => module.name);
    let label = name;
    for (let number = 2; known.includes(label); number++) label = `${name} #${number}`;
    return label;
  }

  #rewrite(bytes, source) {
    if (!hasFunctions(bytes)) return null; // it makes a function of JavaScript one of WebAssembly
    const { name: base } = nameOfModule(bytes, source);
    if (!globMatches(this.#pattern, base)) return null;
    if (readMarker(bytes)) return null; // somebody instrumented it by hand
    const key = keyOf(base, bytes);
    const name = this.#labelOf(base, key);
    try {
      const { bytes: rewritten } = this.#tools.instrument(bytes, { ...this.#options, name });
      if (!this.#session.find(key)) this.#session.add(key, name, bytes);
      return { bytes: exportStartFunction(rewritten), info: key };
    } catch (error) {
      throw new Error(`${name} is not profiled: ${error.message}`, { cause: error });
    }
  }

  get moduleNames() {
    return this.#session.counted.map(({ name }) => name);
  }

  get isStopped() {
    return this.#stopped !== null;
  }

  /** All calls so far, a BigInt; once it was stopped, those until then. */
  countCalls() {
    return this.#stopped?.calls ?? this.#session.count().calls;
  }

  /** Begins anew, from zero. */
  start() {
    this.#stopped = null;
    this.#session.reset();
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
    const facts = {
      engine: globalThis.navigator?.userAgent,
      command: globalThis.location?.href,
      date: new Date().toISOString(),
    };
    return this.#session.counted.map((module) => {
      const profile = addUp(module.takeFiles());
      Object.assign(profile.facts, facts);
      return { name: module.name, bytes: encodeProfile(profile, (index) => module.info.functionName(index)) };
    });
  }
}
