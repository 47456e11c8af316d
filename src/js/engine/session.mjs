/**
 * Keeps track of the modules and instances of a program. A host rewrites the modules and collects the counts:
 * node/recorder.mjs writes files, page/recorder.mjs shows reports.
 */

import { withFacts } from '../wperf/file.mjs';
import { encodeCallers } from './callers.mjs';
import { countsOf, isEmbedded, resetProfile, takeFile } from './embedded.mjs';
import { guardExports, guardInstantiation, hideExports, patchExports, patchReferences, receive, unwrapImports } from './guard.mjs';
import { readModuleInfo } from './module_info.mjs';
import { isPatched, patchWebAssembly } from './patch.mjs';
import { hiddenExports, patchReflection } from './reflection.mjs';
import { Sharing } from './sharing.mjs';
import { START_EXPORT } from './host_exports.mjs';

/** Each module's first instances have a memory of their own, so most programs run the module as it was rewritten. */
const OWN_COUNT = 8;

/** A module and its instances. */
class Module {
  instances = []; // those with a tree of their own, and the first one of those that share one
  number; // in the order in which modules were added, from 0
  #bytes; // returns them; undefined if this thread never had them
  #info;
  #sharing; // null: its instances cannot share a memory

  constructor(key, name, bytes, references) {
    this.key = key;
    this.name = name;
    this.#bytes = bytes;
    this.references = references;
  }

  /** undefined if this thread never had the module's bytes */
  get info() {
    this.#info ??= this.#bytes && readModuleInfo(this.#bytes());
    return this.#info;
  }

  /** Adds an instance, by the engine's exports. */
  add(exports, isSharing) {
    if (!isSharing) {
      this.instances.push({ exports });
      return;
    }
    if (!this.#sharing.reader) this.instances.push((this.#sharing.reader = { exports, sharerCount: 0 }));
    this.#sharing.reader.sharerCount++;
  }

  /** How to make the next instance so that it shares its added memory; undefined: with one of its own. */
  get sharing() {
    if (this.instances.length < OWN_COUNT || this.#sharing === null) return undefined;
    this.#sharing ??= this.#share();
    return this.#sharing ?? undefined;
  }

  #share() {
    if (!this.#bytes) return null;
    try {
      return new Sharing(this.#bytes());
    } catch {
      return null; // as before
    }
  }

  /** The bytes that were compiled; undefined if this thread never had them. */
  get bytes() {
    return this.#bytes?.();
  }

  /** Returns the .wperf file of each instance as its runtime wrote it. */
  takeFiles() {
    return this.instances.map(takeFile);
  }

  /** Returns the parts of the .wperf file of an instance, with more facts and the JavaScript that called it. */
  encodeInstance(number, facts) {
    const instance = this.instances[number];
    const own = instance.sharerCount ? facts : { ...facts, instanceCount: 1 };
    return [...withFacts(takeFile(instance), own), encodeCallers()];
  }
}

export class Session {
  #host;
  #modules = new Map(); // by key

  /**
   * @param {object} host
   * @param {Function} host.rewrite see patchWebAssembly; `info` is the key of a module that was added
   * @param {Function} [host.rewriteLater] see patchWebAssembly
   * @param {(error: unknown) => void} host.onError
   * @param {() => void} [host.onCompile] see patchWebAssembly
   * @param {(compiled: WebAssembly.Module) => ?Module} [host.recover] adds a module that another thread rewrote
   * @param {boolean} [host.isPerInstance] each instance has a tree of its own
   * @param {boolean} [host.isPlain] counts nothing, even in modules that contain the runtime
   */
  constructor(host) {
    this.#host = host;
  }

  /** Rewrites modules compiled from now on. Each context has its own WebAssembly. */
  patch(target = globalThis.WebAssembly) {
    if (!isPatched(target)) (this.#host.isPlain ? patchExports : patchReferences)(target);
    const patch = patchWebAssembly({
      target,
      rewrite: (bytes, source) => this.#host.rewrite(bytes, source),
      rewriteLater: this.#host.rewriteLater,
      imports: (imports, key, added) => unwrapImports(imports, this.#modules.get(key)?.references, added),
      sharing: (key) => (this.#host.isPerInstance ? undefined : this.#modules.get(key)?.sharing),
      isPlain: this.#host.isPlain,
      guard: guardInstantiation,
      onInstance: (instance, key, compiled, added) => this.#addInstance(instance, key, compiled, added),
      onCompile: () => this.#host.onCompile?.(),
      onError: (error) => this.#host.onError(error),
    });
    patchReflection(target);
    return patch;
  }

  /** Returns the module with that key, or undefined. */
  find(key) {
    return this.#modules.get(key);
  }

  /** Adds a module. `references`: see readReferenceImports; `read` returns the bytes that were compiled. */
  add(key, name, references, read) {
    return this.#add(new Module(key, name, read, references));
  }

  /** Adds a module that another thread rewrote, and whose bytes only that thread has. */
  addCompiled(key, name) {
    return this.#add(new Module(key, name));
  }

  #add(module) {
    module.number = this.#modules.size;
    this.#modules.set(module.key, module);
    return module;
  }

  /** All added modules. */
  get modules() {
    return [...this.#modules.values()];
  }

  /** The modules that have instances. */
  get counted() {
    return this.modules.filter(({ instances }) => instances.length > 0);
  }

  #addInstance(instance, key, compiled, added) {
    const { exports } = instance; // the engine's functions
    const module = this.find(key) ?? this.#host.recover?.(compiled);
    const start = exports[START_EXPORT]; // receive wraps it only after guardExports
    if (this.#host.isPlain) {
      if (start) hideExports(instance, hiddenExports(compiled));
      return start;
    }
    if (module && (added || isEmbedded(instance))) module.add(exports, added !== undefined);
    guardExports(instance, hiddenExports(compiled), added);
    return receive(start);
  }

  /** Sums the counts of all instances so far: calls, a BigInt, and nodes. */
  count() {
    const sum = { calls: 0n, nodes: 0 };
    for (const instance of this.modules.flatMap(({ instances }) => instances)) {
      const { calls, nodes } = countsOf(instance);
      sum.calls += calls;
      sum.nodes += nodes;
    }
    return sum;
  }

  /** Resets the counts of all instances to zero. */
  reset() {
    for (const { instances } of this.modules) instances.forEach(resetProfile);
  }
}
