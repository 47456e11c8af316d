/**
 * Puts itself before every way by which JavaScript compiles and instantiates WebAssembly, so that
 * modules can be rewritten before the engine sees them. The program notices nothing: what it gets
 * are the engine's own objects, and errors are those that the engine has for the original bytes.
 * Runs in Node, in browsers and in workers.
 *
 *     const patch = patchWebAssembly({ rewrite, onInstance, onError });
 *     ...
 *     patch.uninstall();
 */

const MARK = Symbol.for('wasm-perf.patch');
const NAMES = [
  'Module',
  'Instance',
  'compile',
  'instantiate',
  'compileStreaming',
  'instantiateStreaming',
];
const WASM_TYPE = 'application/wasm';

/** The smallest module of two memories: the profiler inside a module brings one of its own. */
const TWO_MEMORIES = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 5, 5, 2, 0, 0, 0, 0);
const version = globalThis.process?.versions?.node;
const NO_SEVERAL_MEMORIES =
  `${version ? `Node.js ${version}` : 'this engine'} ` +
  'does not support modules with several memories, which profiling needs, so nothing is ' +
  'profiled (Node.js 22, Chrome 120 and Firefox 125 do)';

/**
 * What `rewrite` makes of a module.
 *
 * @typedef {object} Rewritten
 * @property {BufferSource} bytes the new module
 * @property {unknown} [info] whatever onInstance is to know of it
 */

/**
 * @typedef {object} PatchOptions
 * @property {(bytes: Uint8Array, source: {url?: string, script: () => string|undefined}) =>
 *   Rewritten|Uint8Array|null|undefined} rewrite
 *   called with each module's bytes, which are the program's: neither to be kept nor changed. Nothing
 *   returned leaves the module as it is. `source.url` is known where a response was streamed; `script` tells the
 *   file of the code that called us
 * @property {(bytes: Uint8Array, source: object) => Promise<Rewritten|null|undefined>} [rewriteLater] called in
 *   the place of `rewrite` where the program waits for a promise, with bytes that are its own
 * @property {(instance: WebAssembly.Instance, info: unknown, module: WebAssembly.Module) => (() => void)|void}
 *   [onInstance] called with every instance, right before the program has it; what it returns is called
 *   then, and what that throws is the program's to see. `info` is undefined
 *   where the module was not rewritten here, as with one that another thread sent
 * @property {() => void} [onCompile] called when a rewritten module is about to be compiled, or is being compiled by other
 *   threads; must not throw
 * @property {(imports: unknown, info: unknown) => unknown} [imports] what an instance gets for the import
 *   object that the program gives it; `info` is as for onInstance
 * @property {<T>(instantiate: () => T) => T} [guard] calls what instantiates a module that was not rewritten here, and
 *   returns what that returns: an instance, or a promise
 * @property {(error: unknown) => void} [onError] told what `rewrite` or `onInstance` threw, and where
 *   the engine refuses what `rewrite` returned; the program goes on with the module as it was. `isOfEngine`: the
 *   engine can run no rewritten module at all
 * @property {object} [target] the namespace to patch; default: globalThis.WebAssembly
 */

/** A view of the bytes of a BufferSource, or null for anything else: that is the engine's to judge. */
function bytesOf(source) {
  if (ArrayBuffer.isView(source)) {
    return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  }
  const tag = Object.prototype.toString.call(source); // right for those of another realm, too
  return tag === '[object ArrayBuffer]' || tag === '[object SharedArrayBuffer]'
    ? new Uint8Array(source)
    : null;
}

/** Whether the engine would stream it. What it refuses is left to the engine and its message. */
function canBeStreamed(response) {
  if (typeof response?.arrayBuffer !== 'function' || !response.ok || response.bodyUsed) return false;
  const type = response.headers.get('Content-Type') ?? '';
  return type.trim().toLowerCase() === WASM_TYPE;
}

/**
 * For the engine's own streaming functions, whose errors say what was called: a response like another,
 * but for those bytes, of the engine's class. The global name of that may be the program's by now, and
 * asking for it before would make Node load all that belongs to fetch.
 */
function streamLike(response, bytes) {
  let prototype = Object.getPrototypeOf(response);
  while (prototype && !Object.hasOwn(prototype, 'arrayBuffer')) prototype = Object.getPrototypeOf(prototype);
  const EngineResponse = prototype?.constructor ?? globalThis.Response;
  return new EngineResponse(bytes, { headers: { 'Content-Type': WASM_TYPE } });
}

/** The files on a stack in the text of engines other than V8: "function@url:line:column". */
const filesIn = (text) => text.split('\n').map((line) => /^(?:.*@)?(.+?)(?::\d+){1,2}$/.exec(line)?.[1]);

/** The files of the functions that led to ours, innermost first, where `trace` was made. */
function callingFiles(trace) {
  const { prepareStackTrace } = Error;
  let stack;
  try {
    Error.prepareStackTrace = (_error, frames) => frames.map((frame) => frame.getFileName());
    ({ stack } = trace);
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
  }
  const files = Array.isArray(stack) ? stack : filesIn(String(stack));
  return files.filter((file) => file && file !== files[0]);
}

/** The script that called us, without what Node itself has between. */
const scriptOf = (trace) => callingFiles(trace).find((file) => !file.startsWith('node:'));

/**
 * Whether it is Node that wants WebAssembly, for its fetch or for reading CommonJS, and not the program:
 * its libraries use the namespace that the program sees.
 */
function isCalledByNode() {
  if (!globalThis.process?.versions?.node) return false;
  return Boolean(callingFiles(new Error())[0]?.startsWith('node:internal/deps/'));
}

class Patch {
  #target;
  #options;
  #isActive = true;
  #originals = new Map(); // name -> descriptor
  #infos = new WeakMap(); // module -> info
  #canProfile; // undefined until the first module comes

  constructor(target, options) {
    this.#target = target;
    this.#options = options;
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
    Object.defineProperty(target, MARK, { value: this, configurable: true });
  }

  /**
   * Removes the patch. What the program took from WebAssembly before keeps working, as the engine's own.
   */
  uninstall() {
    this.#isActive = false;
    for (const [name, descriptor] of this.#originals) {
      const { value: original } = descriptor;
      if (this.#target[name]?.[MARK] !== this) continue; // somebody put something before ours
      Object.defineProperty(this.#target, name, descriptor);
      if (original.prototype) original.prototype.constructor = original;
    }
    if (this.#target[MARK] === this) delete this.#target[MARK];
  }

  // ---- Putting in place ----

  #put(name, value) {
    Object.defineProperty(this.#target, name, { ...this.#originals.get(name), value });
  }

  /** A stand-in that looks like the original: `instanceof`, statics and subclasses keep working. */
  #replaceConstructor(name, make) {
    const original = this.#originals.get(name)?.value;
    if (!original) return;
    const replacement = new Proxy(original, {
      construct: (target, args, newTarget) => {
        const construct = (...changed) =>
          Reflect.construct(target, changed, newTarget === replacement ? target : newTarget);
        return this.#isMeant() ? make(construct, args) : construct(...args);
      },
      get: (target, key) => (key === MARK ? this : Reflect.get(target, key)),
    });
    this.#put(name, replacement);
    original.prototype.constructor = replacement;
  }

  #replaceFunction(name, make) {
    const original = this.#originals.get(name)?.value;
    if (!original) return;
    const replacement = {
      [name]: (...args) => (this.#isMeant() ? make(...args) : original.apply(this.#target, args)),
    }[name];
    Object.defineProperty(replacement, 'length', { value: original.length, configurable: true });
    Object.defineProperty(replacement, MARK, { value: this });
    this.#put(name, replacement);
  }

  #isMeant() {
    return this.#isActive && !isCalledByNode();
  }

  #original(name, ...args) {
    return this.#originals.get(name).value.apply(this.#target, args);
  }

  // ---- What every way shares ----

  #report(error) {
    try {
      this.#options.onError?.(error);
    } catch {
      // A report that fails must not disturb the program.
    }
  }

  /** Says once why nothing can be profiled, rather than repeat the engine's message for each module. */
  #engineCanProfile() {
    if (this.#canProfile === undefined) {
      this.#canProfile = this.#target.validate(TWO_MEMORIES);
      if (!this.#canProfile) this.#report(Object.assign(new Error(NO_SEVERAL_MEMORIES), { isOfEngine: true }));
    }
    return this.#canProfile;
  }

  /** {bytes, info} of the module rewritten, or null where it stays as it is. */
  #rewrite(source, origin = {}, trace = new Error()) {
    const bytes = bytesOf(source);
    if (!bytes || !this.#engineCanProfile()) return null;
    try {
      const result = this.#options.rewrite(bytes, { ...origin, script: () => scriptOf(trace) });
      if (!result) return null;
      return bytesOf(result) ? { bytes: result, info: undefined } : result;
    } catch (error) {
      this.#report(error);
      return null;
    }
  }

  /**
   * The same where the program waits anyway, and the original, which nobody changes: a promise of both if the host takes
   * its time. null: `source` is the engine's to judge.
   */
  #rewriteForLater(source, origin, trace = new Error()) {
    const bytes = bytesOf(source);
    if (!bytes) return null;
    if (this.#options.rewriteLater && this.#engineCanProfile()) return this.#rewriteCopy(bytes.slice(), origin, trace);
    const rewritten = this.#rewrite(source, origin, trace);
    return { rewritten, original: rewritten ? bytes.slice() : source };
  }

  async #rewriteCopy(original, origin, trace) {
    try {
      const script = () => scriptOf(trace);
      return { rewritten: await this.#options.rewriteLater(original, { ...origin, script }), original };
    } catch (error) {
      this.#report(error);
      return { rewritten: null, original };
    }
  }

  #noteModule(module, rewritten) {
    this.#infos.set(module, rewritten.info);
    return module;
  }

  #noteInstance(instance, module) {
    let start;
    try {
      start = this.#options.onInstance?.(instance, this.#infos.get(module), module);
    } catch (error) {
      this.#report(error);
    }
    if (typeof start === 'function') start();
    return instance;
  }

  // ---- The ways ----

  #module(construct, [source, ...rest]) {
    const rewritten = this.#rewrite(source);
    if (!rewritten) return construct(source, ...rest);
    let refusal;
    this.#options.onCompile?.();
    try {
      return this.#noteModule(construct(rewritten.bytes, ...rest), rewritten);
    } catch (error) {
      refusal = error;
    }
    const module = construct(source, ...rest);
    this.#report(refusal);
    return module;
  }

  #instance(construct, [module, imports, ...rest]) {
    const given = this.#imports(imports, module);
    return this.#noteInstance(this.#guarded(module, () => construct(module, given, ...rest)), module);
  }

  #guarded(module, instantiate) {
    const { guard } = this.#options;
    return guard && !this.#infos.has(module) ? guard(instantiate) : instantiate();
  }

  /** What the engine's own function of that name makes of a module, or of bytes that were not rewritten. */
  #originalInstance(name, source, ...rest) {
    return this.#guarded(source, () => this.#original(name, source, ...rest));
  }

  #imports(imports, module) {
    return this.#options.imports && imports ? this.#options.imports(imports, this.#infos.get(module)) : imports;
  }

  /**
   * The module rewritten and compiled, or null where the original is what counts: then the engine says
   * what is wrong with it. `source` may be changed once this has returned its promise.
   */
  async #compileRewritten(rewritten, rest) {
    try {
      const compiling = this.#original('compile', rewritten.bytes, ...rest);
      this.#options.onCompile?.();
      return this.#noteModule(await compiling, rewritten);
    } catch (error) {
      this.#report(error);
      return null;
    }
  }

  async #compile(source, ...rest) {
    const made = this.#rewriteForLater(source);
    if (!made) return this.#original('compile', source, ...rest);
    const { rewritten, original } = made instanceof Promise ? await made : made;
    return (
      (rewritten && (await this.#compileRewritten(rewritten, rest))) ?? this.#original('compile', original, ...rest)
    );
  }

  async #instantiate(source, imports, ...rest) {
    const made = this.#rewriteForLater(source);
    if (made) return this.#instantiateBytes(made instanceof Promise ? await made : made, imports, rest);
    const instance = await this.#originalInstance('instantiate', source, this.#imports(imports, source), ...rest);
    return this.#noteInstance(instance, source);
  }

  async #instantiateBytes({ rewritten, original }, imports, rest) {
    const module = rewritten && (await this.#compileRewritten(rewritten, rest));
    const result = module
      ? { module, instance: await this.#original('instantiate', module, this.#imports(imports, module)) }
      : await this.#originalInstance('instantiate', original, this.#imports(imports, original), ...rest);
    this.#noteInstance(result.instance, result.module);
    return result;
  }

  /** The module that the bytes of a response become, or null where they stay as they are. */
  async #compileResponse(response, bytes, { trace, rest }) {
    const { rewritten } = await this.#rewriteForLater(bytes, { url: response.url || undefined }, trace);
    return rewritten && this.#compileRewritten(rewritten, rest);
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
    if (!canBeStreamed(response)) {
      const result = await this.#originalInstance('instantiateStreaming', response, imports, ...rest);
      this.#noteInstance(result.instance, result.module);
      return result;
    }
    const bytes = await response.arrayBuffer();
    const module = await this.#compileResponse(response, bytes, { trace, rest });
    const result = module
      ? { module, instance: await this.#original('instantiate', module, this.#imports(imports, module)) }
      : await this.#originalInstance('instantiateStreaming', streamLike(response, bytes), imports, ...rest);
    this.#noteInstance(result.instance, result.module);
    return result;
  }
}

/**
 * Patches WebAssembly. Where it is patched already, by this or another copy of this file, that patch
 * stays and is returned.
 *
 * @param {PatchOptions} options
 * @returns {{uninstall: () => void}}
 */
export function patchWebAssembly({ target = globalThis.WebAssembly, ...options }) {
  return target[MARK] ?? new Patch(target, options);
}
