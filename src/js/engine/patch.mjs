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

/** The smallest module with two memories. The embedded runtime adds a memory to a module. */
const TWO_MEMORIES = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 5, 5, 2, 0, 0, 0, 0);
const version = globalThis.process?.versions?.node;
const NO_SEVERAL_MEMORIES =
  `${version ? `Node.js ${version}` : 'this engine'} ` +
  'does not support modules with several memories, which profiling needs, so nothing is ' +
  'profiled (Node.js 22, Chrome 120 and Firefox 125 do)';

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
 * @property {(instance: WebAssembly.Instance, info: unknown, module: WebAssembly.Module) => (() => void)|void}
 *   [onInstance] called with every instance, right before the program gets it. If it returns a function, that
 *   is called next, and the program sees its exceptions. `info` is undefined if the module was not rewritten
 *   here, for example if another thread sent it
 * @property {() => void} [onCompile] called when a rewritten module is about to be compiled, or other threads
 *   are compiling it; must not throw
 * @property {(imports: unknown, info: unknown) => unknown} [imports] returns the import object for an instance,
 *   given the program's; `info` as in onInstance
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

/** Returns the files of the functions that called ours, innermost first, from the stack in `trace`. */
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
  #originals = new Map(); // name -> descriptor
  #infos = new WeakMap(); // module -> info
  #canProfile; // undefined until the first module is compiled

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

  /** Removes the patch. Functions that the program saved earlier keep working, like the engine's own. */
  uninstall() {
    this.#isActive = false;
    for (const [name, descriptor] of this.#originals) {
      const { value: original } = descriptor;
      if (this.#target[name]?.[MARK] !== this) continue; // somebody patched it after us
      Object.defineProperty(this.#target, name, descriptor);
      if (original.prototype) original.prototype.constructor = original;
    }
    if (this.#target[MARK] === this) delete this.#target[MARK];
  }

  // ---- Installation ----

  #put(name, value) {
    Object.defineProperty(this.#target, name, { ...this.#originals.get(name), value });
  }

  /** Replaces a constructor by one that looks like it: `instanceof`, statics and subclasses keep working. */
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

  // ---- Shared by all functions ----

  #report(error) {
    try {
      this.#options.onError?.(error);
    } catch {
      // A failing report must not disturb the program.
    }
  }

  /**
   * Whether the engine supports rewritten modules. Reports once if not, instead of the engine's error for each
   * module.
   */
  #engineCanProfile() {
    if (this.#canProfile === undefined) {
      this.#canProfile = this.#options.isPlain || this.#target.validate(TWO_MEMORIES);
      if (!this.#canProfile) this.#report(Object.assign(new Error(NO_SEVERAL_MEMORIES), { isOfEngine: true }));
    }
    return this.#canProfile;
  }

  /** Returns {bytes, info} of the rewritten module, or null if it stays unchanged. */
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

  // ---- Functions of the API ----

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

  /** Calls the engine's function `name` with a module, or with bytes that were not rewritten. */
  #originalInstance(name, source, ...rest) {
    return this.#guarded(source, () => this.#original(name, source, ...rest));
  }

  #imports(imports, module) {
    return this.#options.imports && imports ? this.#options.imports(imports, this.#infos.get(module)) : imports;
  }

  /**
   * Compiles a rewritten module. Returns null if that fails: then the caller compiles the original, and the
   * engine reports its errors. `source` may be changed once this has returned its promise.
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

  /** Rewrites and compiles the bytes of a response. Returns null if they stay unchanged. */
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
 * Patches WebAssembly. If this or another copy of this file has already patched it, returns that patch.
 *
 * @param {PatchOptions} options
 * @returns {{uninstall: () => void}}
 */
export function patchWebAssembly({ target = globalThis.WebAssembly, ...options }) {
  return target[MARK] ?? new Patch(target, options);
}
