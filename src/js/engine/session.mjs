/**
 * Keeps track of the modules and instances of a program. A host rewrites the modules and collects the counts:
 * node/recorder.mjs writes files, page/recorder.mjs shows reports.
 */

import { countsOf, isEmbedded, resetProfile, takeFile } from './embedded.mjs';
import { guardExports, guardInstantiation, hideExports, patchExports, patchReferences, receive, unwrapImports } from './guard.mjs';
import { readModuleInfo } from './module_info.mjs';
import { isPatched, patchWebAssembly } from './patch.mjs';
import { hiddenExports, patchReflection } from './reflection.mjs';
import { readReferenceImports } from './signatures.mjs';
import { START_EXPORT } from './start_function.mjs';

/** A module and its instances. */
class Module {
  instances = [];
  number; // in the order in which modules were added, from 0
  #read; // returns the module's info

  constructor(key, name, read, references) {
    this.key = key;
    this.name = name;
    this.#read = read;
    this.references = references;
  }

  /** undefined if this thread never had the module's bytes */
  get info() {
    const info = this.#read();
    this.#read = () => info;
    return info;
  }

  /** Returns the .wperf file of an instance, without names. */
  takeFile(number) {
    return takeFile(this.instances[number]);
  }

  /** Returns the .wperf file of each instance, without names. */
  takeFiles() {
    return this.instances.map(takeFile);
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
      imports: (imports, key) => unwrapImports(imports, this.#modules.get(key)?.references),
      isPlain: this.#host.isPlain,
      guard: guardInstantiation,
      onInstance: (instance, key, compiled) => this.#addInstance(instance, key, compiled),
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

  /** Adds a module. `bytes` may be from before or after rewriting. */
  add(key, name, bytes) {
    const info = readModuleInfo(bytes);
    return this.#add(new Module(key, name, () => info, readReferenceImports(bytes)));
  }

  /** Like add, but reads the bytes, or those that `read` returns, only when needed: they must not change. */
  addLazily(key, name, bytes, read = () => bytes) {
    return this.#add(new Module(key, name, () => readModuleInfo(read()), readReferenceImports(bytes)));
  }

  /** Adds a module that another thread rewrote, and whose bytes only that thread has. */
  addCompiled(key, name) {
    return this.#add(new Module(key, name, () => undefined));
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

  #addInstance(instance, key, compiled) {
    const { exports } = instance; // the engine's functions
    const module = this.find(key) ?? this.#host.recover?.(compiled);
    const start = exports[START_EXPORT]; // receive wraps it only after guardExports
    if (this.#host.isPlain) {
      if (start) hideExports(instance, hiddenExports(compiled));
      return start;
    }
    if (module && isEmbedded(instance)) module.instances.push({ exports });
    guardExports(instance, hiddenExports(compiled));
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
