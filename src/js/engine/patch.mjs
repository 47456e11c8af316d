/**
 * Wraps every function by which JavaScript compiles and instantiates WebAssembly, so that modules can be
 * rewritten before the engine sees them. The program cannot tell the difference: it gets the engine's own
 * objects, and the errors that the engine reports for the original bytes. Runs in Node, in browsers and in
 * workers.
 *
 *     const patch = patchWebAssembly({ rewrite, onInstance, onError });
 *     ...
 *     patch.uninstall();
 */

import { disguise, hideSources, override, patchesOf, replaceConstructor, trace as disguiseTrace } from './disguise.mjs';
import { Realm } from './realm.mjs';

const NAMES = [
  'Module',
  'Instance',
  'compile',
  'instantiate',
  'compileStreaming',
  'instantiateStreaming',
];
const WASM_TYPE = 'application/wasm';

/** The smallest module with two memories. The embedded runtime adds a memory to a module. */
const TWO_MEMORIES = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 5, 5, 2, 0, 0, 0, 0);
const version = globalThis.process?.versions?.node;

/** Why nothing can be profiled in this engine, or undefined. `target`: its WebAssembly; `effect`: what follows. */
export function obstacleOfEngine(target, effect) {
  if (target.validate(TWO_MEMORIES)) return undefined;
  return `${version ? `Node.js ${version}` : 'this engine'} does not support modules with several memories, which ` +
    `profiling needs, so ${effect} (Node.js 22, Chrome 120 and Firefox 125 do)`;
}

/**
 * The result of `rewrite`.
 *
 * @typedef {object} Rewritten
 * @property {BufferSource} bytes the new module
 * @property {unknown} [info] passed to onInstance
 */

/**
 * @typedef {object} PatchOptions
 * @property {(bytes: Uint8Array, source: {url?: string, script: () => string|undefined}) =>
 *   Rewritten|Uint8Array|null|undefined} rewrite called with each module's bytes. They belong to the program:
 *   do not keep or change them. If it returns nothing, the module is not changed. `source.url` is known if a
 *   response was streamed; `script` returns the file of the calling code
 * @property {(bytes: Uint8Array, source: object) => Promise<Rewritten|null|undefined>} [rewriteLater] called
 *   instead of `rewrite` if the program waits for a promise, with a copy of the bytes
 * @property {(instance: WebAssembly.Instance, info: unknown, module: WebAssembly.Module, added: ?object) =>
 *   (() => void)|void} [onInstance] called with every instance, right before the program gets it. If it returns a
 *   function, that is called next, and the program sees its exceptions. `info` is undefined if the module was not
 *   rewritten here, for example if another thread sent it. `added` as in `imports`
 * @property {() => (() => void)|void} [onCompile] called when a rewritten module is about to be compiled, or other
 *   threads are compiling it; the result is called when that has ended. Must not throw
 * @property {(info: unknown) => object|undefined} [sharing] returns a Sharing (sharing.mjs) if the next instance of
 *   the module is to share its added memory
 * @property {(imports: unknown, info: unknown, added: ?object) => unknown} [imports] returns the import object for
 *   an instance, given the program's; `info` as in onInstance; `added`: more imports, if it shares its memory
 * @property {<T>(instantiate: () => T) => T} [guard] calls `instantiate` for a module that was not rewritten
 *   here, and returns its result: an instance, or a promise
 * @property {(error: unknown) => void} [onError] called with exceptions of `rewrite` and `onInstance`, and if
 *   the engine rejects the result of `rewrite`; the program continues with the original module. `isOfEngine` of
 *   the error: the engine cannot run any rewritten module
 * @property {boolean} [isPlain] `rewrite` adds no memory, so any engine runs its modules
 * @property {object} [target] the namespace to patch; default: globalThis.WebAssembly
 */

/** Returns a view of a BufferSource's bytes, or null for anything else, which the engine handles. */
function bytesOf(source) {
  if (source?.byteLength === 0) return null; // also if it was transferred
  if (ArrayBuffer.isView(source)) {
    return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  }
  const tag = Object.prototype.toString.call(source); // also works for other realms
  return tag === '[object ArrayBuffer]' || tag === '[object SharedArrayBuffer]'
    ? new Uint8Array(source)
    : null;
}

/** Whether the engine would stream the response. If not, the engine reports why. */
function canBeStreamed(response) {
  if (typeof response?.arrayBuffer !== 'function' || !response.ok || response.bodyUsed) return false;
  const type = response.headers.get('Content-Type') ?? '';
  return type.trim().toLowerCase() === WASM_TYPE;
}

/**
 * Creates a response with those bytes for the engine's streaming functions, whose errors mention which function
 * was called. Its class is that of `response`: the program may have replaced the global one, and reading that
 * earlier would make Node load its implementation of fetch.
 */
function streamLike(response, bytes) {
  let prototype = Object.getPrototypeOf(response);
  while (prototype && !Object.hasOwn(prototype, 'arrayBuffer')) prototype = Object.getPrototypeOf(prototype);
  const EngineResponse = prototype?.constructor ?? globalThis.Response;
  return new EngineResponse(bytes, { headers: { 'Content-Type': WASM_TYPE } });
}

/** Parses the files from a stack of an engine other than V8: "function@url:line:column". */
const filesIn = (text) => text.split('\n').map((line) => /^(?:.*@)?(.+?)(?::\d+){1,2}$/.exec(line)?.[1]);

const { Error } = globalThis; // saved before the program can replace it

/** Returns the files of the functions in the stack of `trace`, innermost first. */
function filesOf(trace) {
  const end = override(Error, 'prepareStackTrace', (_error, frames) => frames.map((frame) => frame.getFileName()));
  let stack;
  try {
    ({ stack } = trace);
  } finally {
    end();
  }
  return (Array.isArray(stack) ? stack : filesIn(String(stack))).filter(Boolean);
}

let firstFile; // of our functions that the program calls

/** Like filesOf, without our files. `trace` begins in this one. */
function callingFiles(trace) {
  firstFile ??= filesOf(disguiseTrace)[0];
  const files = filesOf(trace);
  return files.filter((file) => file !== files[0] && file !== firstFile);
}

/** The calling script, ignoring Node's own. */
const scriptOf = (trace) => callingFiles(trace).find((file) => !file.startsWith('node:'));

/**
 * Whether the caller is Node itself, for fetch or for parsing CommonJS. Node's libraries use the program's
 * WebAssembly namespace.
 */
function isCalledByNode() {
  if (!globalThis.process?.versions?.node) return false;
  return Boolean(callingFiles(new Error())[0]?.startsWith('node:internal/deps/'));
}

class Patch {
  #target;
  #options;
  #isActive = true;
  #realm;
  #memory; // the realm's WebAssembly.Memory
  #validate;
  #originals = new Map(); // name -> descriptor
  #replacements = new Map(); // name -> function
  #infos = new WeakMap(); // module -> info
  #canProfile; // undefined until the first module is compiled

  constructor(target, options) {
    this.#target = target;
    this.#options = options;
    this.#memory = target.Memory;
    this.#realm = new Realm(target);
    this.#validate = target.validate;
    for (const name of NAMES) {
      const descriptor = Object.getOwnPropertyDescriptor(target, name);
      if (typeof descriptor?.value === 'function') this.#originals.set(name, descriptor);
    }
    this.#replaceConstructor('Module', (construct, args) => this.#module(construct, args));
    this.#replaceConstructor('Instance', (construct, args) => this.#instance(construct, args));
    this.#replaceFunction('compile', (...args) => this.#compile(...args));
    this.#replaceFunction('instantiate', (...args) => this.#instantiate(...args));
    this.#replaceFunction('compileStreaming', (...args) => this.#compileStreaming(...args));
    this.#replaceFunction('instantiateStreaming', (...args) => this.#instantiateStreaming(...args));
  }

  /** Removes the patch. Functions that the program saved earlier keep working, like the engine's own. */
  uninstall() {
    this.#isActive = false;
    for (const [name, descriptor] of this.#originals) {
      const { value: original } = descriptor;
      if (this.#target[name] !== this.#replacements.get(name)) continue; // somebody patched it after us
      Object.defineProperty(this.#target, name, descriptor);
      if (original.prototype) original.prototype.constructor = original;
    }
    patchesOf(this.#validate)?.delete(this.#target);
  }

  // ---- Installation ----

  #replaceConstructor(name, make) {
    replaceConstructor(this.#target, name, (construct, args) => (this.#isMeant(args[0]) ? make(construct, args) : construct(...args)));
    this.#replacements.set(name, this.#target[name]);
  }

  #replaceFunction(name, make) {
    const descriptor = this.#originals.get(name);
    if (!descriptor) return;
    const { value: original } = descriptor;
    const replacement = disguise(
      (...args) => (this.#isMeant(args[0]) ? this.#realm.promise(make(...args)) : original.apply(this.#target, args)),
      original,
    );
    this.#replacements.set(name, replacement);
    Object.defineProperty(this.#target, name, { ...descriptor, value: replacement });
  }

  /** Whether a call is the program's. Node has no rewritten modules. */
  #isMeant(source) {
    return this.#isActive && (this.#infos.has(source) || !isCalledByNode());
  }

  #original(name, ...args) {
    return this.#originals.get(name).value.apply(this.#target, args);
  }

  // ---- Shared by all functions ----

  #report(error) {
    try {
      this.#options.onError?.(error);
    } catch {
      // A failing report must not disturb the program.
    }
  }

  /** Reports why a module is not profiled, unless the engine rejects it, too: programs look for features like that. */
  #refuse(error, bytes, rest = []) {
    try {
      if (!this.#validate.call(this.#target, bytes, ...rest)) return;
    } catch {
      return;
    }
    this.#report(error);
  }

  /**
   * Whether the engine supports rewritten modules. Reports once if not, instead of the engine's error for each
   * module.
   */
  #engineCanProfile() {
    if (this.#canProfile === undefined) {
      const obstacle = this.#options.isPlain ? undefined : obstacleOfEngine(this.#target, 'nothing is profiled');
      this.#canProfile = obstacle === undefined;
      if (!this.#canProfile) this.#report(Object.assign(new Error(obstacle), { isOfEngine: true }));
    }
    return this.#canProfile;
  }

  /** Returns {bytes, info} of the rewritten module, or null if it stays unchanged. */
  #rewrite(source, { rest, ...origin } = {}, trace = new Error()) {
    const bytes = bytesOf(source);
    if (!bytes || !this.#engineCanProfile()) return null;
    try {
      const result = this.#options.rewrite(bytes, { ...origin, script: () => scriptOf(trace) });
      if (!result) return null;
      return bytesOf(result) ? { bytes: result, info: undefined } : result;
    } catch (error) {
      this.#refuse(error, bytes, rest);
      return null;
    }
  }

  /**
   * Like #rewrite, if the program waits for a promise anyway. Returns {rewritten, original}, or a promise of it
   * if the host rewrites asynchronously. `original` is a copy if the program could change the bytes before they
   * are compiled. null: the engine handles `source`.
   */
  #rewriteForLater(source, origin, trace = new Error()) {
    const bytes = bytesOf(source);
    if (!bytes) return null;
    if (this.#options.rewriteLater && this.#engineCanProfile()) return this.#rewriteCopy(bytes.slice(), origin, trace);
    const rewritten = this.#rewrite(source, origin, trace);
    return { rewritten, original: rewritten ? bytes.slice() : source };
  }

  async #rewriteCopy(original, { rest, ...origin }, trace) {
    try {
      const script = () => scriptOf(trace);
      return { rewritten: await this.#options.rewriteLater(original, { ...origin, script }), original };
    } catch (error) {
      this.#refuse(error, original, rest);
      return { rewritten: null, original };
    }
  }

  #noteModule(module, rewritten) {
    this.#infos.set(module, rewritten.info);
    return module;
  }

  #noteInstance(instance, module, added) {
    let start;
    try {
      start = this.#options.onInstance?.(instance, this.#infos.get(module), module, added);
    } catch (error) {
      this.#report(error);
    }
    if (typeof start === 'function') start();
    return instance;
  }

  // ---- Functions of the API ----

  #module(construct, [source, ...rest]) {
    const rewritten = this.#rewrite(source, { rest });
    if (!rewritten) return construct(source, ...rest);
    let refusal;
    const end = this.#options.onCompile?.();
    try {
      return this.#noteModule(construct(rewritten.bytes, ...rest), rewritten);
    } catch (error) {
      refusal = error;
    } finally {
      end?.();
    }
    const module = construct(source, ...rest);
    this.#report(refusal);
    return module;
  }

  #instance(construct, [module, imports, ...rest]) {
    const { added, form, given } = this.#formOf(module, imports, this.#compiledForm(this.#sharing(module)), 'Instance');
    return this.#noteInstance(this.#guarded(module, () => construct(form, given, ...rest)), module, added);
  }

  /** What the module's next instance shares with others, or undefined. */
  #sharing(module) {
    return this.#options.sharing?.(this.#infos.get(module));
  }

  /** Returns {sharing, compiled}, or undefined: Chromium compiles no large modules here, but later. */
  #compiledForm(sharing) {
    const form = sharing?.form;
    try {
      if (form) form.compiled ??= new (this.#originals.get('Module').value)(form.bytes);
    } catch {
      return undefined;
    }
    return form && { sharing, compiled: form.compiled };
  }

  /** Like #formOf, of the module's next instance. Returns a promise if the engine has to compile it. */
  #formLater(module, imports) {
    const sharing = this.#sharing(module);
    const form = sharing?.form;
    const use = (compiled) => this.#formOf(module, imports, compiled && { sharing, compiled }, 'instantiate');
    if (!form || form.compiled) return use(form?.compiled);
    const keep = (compiled) => use(form.compiled = compiled);
    return this.#original('compile', form.bytes).then(keep, () => use());
  }

  /**
   * Returns what is instantiated for a module: the module itself or, if it shares a memory, the form of it that does, the
   * import object, and the added imports.
   */
  #formOf(module, imports, ready, caller) {
    const added = ready?.sharing.imports(imports, this.#memory, caller);
    return { added, form: added ? ready.compiled : module, given: this.#imports(imports, module, added) };
  }

  #guarded(module, instantiate) {
    const { guard } = this.#options;
    return guard && !this.#infos.has(module) ? guard(instantiate) : instantiate();
  }

  /** Calls the engine's function `name` with a module, or with bytes that were not rewritten. */
  #originalInstance(name, source, ...rest) {
    return this.#guarded(source, () => this.#original(name, source, ...rest));
  }

  #imports(imports, module, added) {
    return this.#options.imports && (imports || added) ? this.#options.imports(imports, this.#infos.get(module), added) : imports;
  }

  /**
   * Compiles a rewritten module. Returns null if that fails: then the caller compiles the original, and the
   * engine reports its errors. `source` may be changed once this has returned its promise.
   */
  async #compileRewritten(rewritten, original, rest) {
    try {
      const compiling = this.#original('compile', rewritten.bytes, ...rest);
      return this.#noteModule(await this.#compiled(compiling), rewritten);
    } catch (error) {
      this.#refuse(error, original, rest);
      return null;
    }
  }

  /** Tells the host how long other threads compile. */
  async #compiled(compiling) {
    const end = this.#options.onCompile?.();
    try {
      return await compiling;
    } finally {
      end?.();
    }
  }

  async #compile(source, ...rest) {
    const made = this.#rewriteForLater(source, { rest });
    if (!made) return this.#original('compile', source, ...rest);
    const { rewritten, original } = made instanceof Promise ? await made : made;
    return (
      (rewritten && (await this.#compileRewritten(rewritten, original, rest))) ?? this.#original('compile', original, ...rest)
    );
  }

  async #instantiate(source, imports, ...rest) {
    const made = this.#rewriteForLater(source, { rest });
    if (made) return this.#instantiateBytes(made instanceof Promise ? await made : made, imports, rest);
    const ready = this.#formLater(source, imports);
    const { added, form, given } = ready instanceof Promise ? await ready : ready;
    const instance = await this.#guarded(source, () => this.#original('instantiate', form, given, ...rest));
    return this.#noteInstance(instance, source, added);
  }

  /** Returns what the engine's functions return for the bytes of a module, and the added imports. */
  async #instantiated(module, imports) {
    const ready = this.#formLater(module, imports);
    const { added, form, given } = ready instanceof Promise ? await ready : ready;
    const instance = await this.#original('instantiate', form, given);
    return { result: this.#realm.object({ module, instance }), added };
  }

  async #instantiateBytes({ rewritten, original }, imports, rest) {
    const module = rewritten && (await this.#compileRewritten(rewritten, original, rest));
    if (module) return this.#noteResult(await this.#instantiated(module, imports));
    const given = this.#imports(imports, original);
    return this.#noteResult({ result: await this.#originalInstance('instantiate', original, given, ...rest) });
  }

  #noteResult({ result, added }) {
    this.#noteInstance(result.instance, result.module, added);
    return result;
  }

  /** Rewrites and compiles the bytes of a response. Returns null if they stay unchanged. */
  async #compileResponse(response, bytes, { trace, rest }) {
    const { rewritten } = (await this.#rewriteForLater(bytes, { url: response.url || undefined, rest }, trace)) ?? {};
    return rewritten && this.#compileRewritten(rewritten, bytes, rest);
  }

  async #compileStreaming(source, ...rest) {
    const trace = new Error();
    const response = await source;
    if (!canBeStreamed(response)) return this.#original('compileStreaming', response, ...rest);
    const bytes = await response.arrayBuffer();
    return (
      (await this.#compileResponse(response, bytes, { trace, rest })) ??
      this.#original('compileStreaming', streamLike(response, bytes), ...rest)
    );
  }

  async #instantiateStreaming(source, imports, ...rest) {
    const trace = new Error();
    const response = await source;
    const plain = async (from) => ({ result: await this.#originalInstance('instantiateStreaming', from, imports, ...rest) });
    if (!canBeStreamed(response)) return this.#noteResult(await plain(response));
    const bytes = await response.arrayBuffer();
    const module = await this.#compileResponse(response, bytes, { trace, rest });
    return this.#noteResult(module ? await this.#instantiated(module, imports) : await plain(streamLike(response, bytes)));
  }
}

/** Whether this or another copy of this file has patched it. */
export const isPatched = (target) => Boolean(patchesOf(target.validate)?.get(target));

/**
 * Patches WebAssembly. If this or another copy of this file has already patched it, returns that patch.
 *
 * @param {PatchOptions} options
 * @returns {{uninstall: () => void}}
 */
export function patchWebAssembly({ target = globalThis.WebAssembly, ...options }) {
  const { validate } = target;
  const known = patchesOf(validate)?.get(target);
  if (known) return known;
  hideSources(validate);
  const patch = new Patch(target, options);
  patchesOf(validate).set(target, patch);
  return patch;
}
