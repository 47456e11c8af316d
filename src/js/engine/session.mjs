/**
 * The modules that a program instantiates, and the instances that count. A host says how modules are
 * rewritten and what becomes of the counts: node/recorder.mjs writes files, page/recorder.mjs shows reports.
 */

import { countsOf, isEmbedded, resetProfile, takeFile } from './embedded.mjs';
import { guardExports, guardInstantiation, patchReferences, receive, unwrapImports } from './guard.mjs';
import { readModuleInfo } from './module_info.mjs';
import { patchWebAssembly } from './patch.mjs';
import { readReferenceImports } from './signatures.mjs';
import { START_EXPORT } from './start_function.mjs';

/** A module and its instances. */
class Module {
  instances = [];
  #read; // what is known of it

  constructor(key, name, read, references) {
    this.key = key;
    this.name = name;
    this.#read = read;
    this.references = references;
  }

  /** undefined where its bytes were never here. */
  get info() {
    const info = this.#read();
    this.#read = () => info;
    return info;
  }

  /** The .wperf file of each instance, without names. */
  takeFiles() {
    return this.instances.map(takeFile);
  }
}

export class Session {
  #host;
  #modules = new Map(); // by key

  /**
   * @param {object} host
   * @param {Function} host.rewrite as patchWebAssembly has it; `info` is the key of a module that was added
   * @param {Function} [host.rewriteLater] the same
   * @param {(error: unknown) => void} host.onError
   * @param {() => void} [host.onCompile] as patchWebAssembly has it
   * @param {(compiled: WebAssembly.Module) => ?Module} [host.recover] adds a module that another thread rewrote
   * @param {boolean} [host.isPlain] nothing is counted, even in modules that have the runtime inside
   */
  constructor(host) {
    this.#host = host;
  }

  /** Rewrites what is compiled from now on. Each context has a WebAssembly of its own. */
  patch(target = globalThis.WebAssembly) {
    patchReferences(target);
    return patchWebAssembly({
      target,
      rewrite: (bytes, source) => this.#host.rewrite(bytes, source),
      rewriteLater: this.#host.rewriteLater,
      imports: (imports, key) => unwrapImports(imports, this.#modules.get(key)?.references),
      guard: guardInstantiation,
      onInstance: (instance, key, compiled) => this.#addInstance(instance, key, compiled),
      onCompile: () => this.#host.onCompile?.(),
      onError: (error) => this.#host.onError(error),
    });
  }

  /** The module of that key, if it was added. */
  find(key) {
    return this.#modules.get(key);
  }

  /** A module from its bytes, before or after it was rewritten. */
  add(key, name, bytes) {
    const info = readModuleInfo(bytes);
    return this.#add(new Module(key, name, () => info, readReferenceImports(bytes)));
  }

  /** The same of bytes that nobody changes: they are read once something is asked. */
  addLazily(key, name, bytes) {
    return this.#add(new Module(key, name, () => readModuleInfo(bytes), readReferenceImports(bytes)));
  }

  /** A module that another thread rewrote, and knows. */
  addCompiled(key, name) {
    return this.#add(new Module(key, name, () => undefined));
  }

  #add(module) {
    this.#modules.set(module.key, module);
    return module;
  }

  /** All modules that were added. */
  get modules() {
    return [...this.#modules.values()];
  }

  /** Those that have instances. */
  get counted() {
    return this.modules.filter(({ instances }) => instances.length > 0);
  }

  #addInstance(instance, key, compiled) {
    const { exports } = instance; // the engine's own
    const module = this.find(key) ?? this.#host.recover?.(compiled);
    const start = exports[START_EXPORT]; // for the program only once it is known
    if (!module || this.#host.isPlain || !isEmbedded(instance)) return start;
    module.instances.push({ exports });
    guardExports(instance);
    return receive(start);
  }

  /** What all instances have counted so far: calls, a BigInt, and nodes. */
  count() {
    const sum = { calls: 0n, nodes: 0 };
    for (const instance of this.modules.flatMap(({ instances }) => instances)) {
      const { calls, nodes } = countsOf(instance);
      sum.calls += calls;
      sum.nodes += nodes;
    }
    return sum;
  }

  /** All instances begin anew, from zero. */
  reset() {
    for (const { instances } of this.modules) instances.forEach(resetProfile);
  }
}
