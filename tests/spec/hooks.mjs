/**
 * The hooks as JavaScript functions over an exact shadow stack, which checks what the contract
 * promises: every frame that is opened is closed by the same instance, perf_unwind never asks for
 * frames that do not exist, and after each event the shadow stack is the engine's own call stack.
 * Of each instance it keeps the calling context tree, which that of the embedded form has to equal.
 */
import { CallTree } from './trees.mjs';

const CHECK_EVERY = 61;
const COMPARED_FRAMES = 24;

const WASM_FRAME = /(wasm:\/\/wasm\/.*):wasm-function\[(\d+)\]:(0x[0-9a-f]+)\)?$/s;

/**
 * The innermost frames of the engine's call stack: null for JavaScript, else [module URL, function
 * index, byte offset of the call in the module].
 */
export function engineStack() {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = COMPARED_FRAMES;
    Error.prepareStackTrace = (_, sites) => sites.map(String);
    return new Error().stack.map((text) => {
      const [, url, func, offset] = WASM_FRAME.exec(text) ?? [];
      return url ? [url, Number(func), Number(offset)] : null;
    });
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  }
}

/** Whether options of wasm-instrument leave functions that call others without hooks. */
export const selects = (options) =>
  options.some((option) => /^--(whitelist|only|exclude|min-instructions)/.test(option));

export class ShadowStack {
  #frames = []; // innermost last: {owner, func, node}
  #started = new Map(); // URL of an instrumented module -> its functions that have begun
  #sinceBegin = 0;
  #fault = null;
  #checked;
  #partial;
  #embedded = []; // instances with their profile inside: {exports, root}
  events = 0; // of all hooks
  ticks = 0n; // of the clocks that modules keep themselves

  /**
   * Asking the engine for its stack costs tens of microseconds: it is done at the first `checked`
   * events of an invocation, then at some of them. With `partial` not all functions have hooks:
   * those count that have begun before, and those without drop the frames of others as well.
   */
  constructor({ checked = 256, partial = false } = {}) {
    this.#checked = checked;
    this.#partial = partial;
  }

  /**
   * The import namespace of one instance of a module that had `importCount` imported functions, to
   * which instrumenting added others; its `tree` is what it keeps of the instance.
   * With --host-calls calls of imports have frames as well, which the engine's stack does not show.
   */
  hooks(importCount, addedCount = 0) {
    const owner = { url: null, importCount, addedCount, clock: 0n, tree: new CallTree() };
    const { start, end, depth, unwind } = this.#events(owner);
    const tick = (now) => this.#tick(owner, now);
    return {
      perf_start: start,
      perf_end: end,
      perf_depth: depth,
      perf_unwind: unwind,
      perf_start_at: (func, now) => (tick(now), start(func)),
      perf_end_at: (now) => (tick(now), end()),
      perf_unwind_at: (depth, now) => (tick(now), unwind(depth)),
      perf_flush: () => {},
      tree: owner.tree,
    };
  }

  /** To be called with every instance. */
  attach({ exports }) {
    if (exports.wasm_perf_slot) this.#embedded.push({ exports, root: exports.wasm_perf_slot() });
  }

  #events(owner) {
    return {
      start: (func) => {
        this.#frames.push({ owner, func, node: this.#enter(owner, func) });
        this.#checkOwn(owner, 'perf_start');
      },
      end: () => {
        if (this.#frames.length === 0) return this.#report('perf_end without an open frame');
        this.#checkOwn(owner, 'perf_end');
        this.#frames.pop();
      },
      depth: () => {
        this.#checkDepth(owner, 'perf_depth');
        return this.#frames.length;
      },
      unwind: (depth) => {
        const open = this.#frames.length;
        if (depth > open) return this.#report(`perf_unwind(${depth}) with ${open} frames open`);
        this.#drop(depth, owner);
        this.#checkDepth(owner, 'perf_unwind');
      },
    };
  }

  #innermost(owner) {
    return this.#frames.findLast((frame) => frame.owner === owner)?.node ?? owner.tree.root;
  }

  #enter(owner, func) {
    const { importCount, addedCount, tree } = owner;
    return tree.enter(this.#innermost(owner), func < importCount ? func : func - addedCount);
  }

  /** What instances have executed since their last event is lost, but that of the one that tells. */
  #drop(depth, telling) {
    for (let i = depth; i < this.#frames.length; i++)
      if (this.#frames[i].owner !== telling) this.#frames[i].owner.tree.countsSelf = false;
    this.#frames.length = depth;
  }

  /** The count of instructions, kept by the module, never goes back. */
  #tick(owner, now) {
    if (now < owner.clock) this.#report(`the clock goes from ${owner.clock} to ${now}`);
    this.ticks += now - owner.clock;
    this.#innermost(owner).self += now - owner.clock;
    owner.clock = now;
  }

  /** To be called before each invocation, which then has its events checked from the start. */
  begin() {
    this.#sinceBegin = 0;
  }

  /**
   * Whether frames are open, of any instance, or the slot of the embedded form is not as it was; that
   * of the instance that was called, since an exception leaves another one as it is.
   */
  isOpen(called) {
    const own = this.#embedded.find(({ exports }) => exports === called);
    return this.#frames.length > 0 || (own && called.wasm_perf_slot() !== own.root);
  }

  /** Whether functions without hooks call others. */
  get isPartial() {
    return this.#partial;
  }

  /** Where the stack stands, for unwind. */
  mark() {
    const slots = this.#embedded.map(({ exports }) => exports.wasm_perf_slot());
    return { depth: this.#frames.length, slots };
  }

  /** The linked form loses what was executed last in frames that a trap closes. */
  noteTrap(mark) {
    for (const { owner } of this.#frames.slice(mark.depth)) owner.tree.countsSelf = false;
  }

  /** What a host does with the frames that a trap or an exception left open since `mark`, or at all. */
  unwind(mark = { depth: 0, slots: [] }) {
    this.#drop(mark.depth);
    this.#embedded.forEach(({ exports, root }, i) =>
      exports.wasm_perf_set_slot(mark.slots[i] ?? root),
    );
  }

  /** The first broken promise since the last call, or null. */
  takeFault() {
    const fault = this.#fault;
    this.#fault = null;
    return fault;
  }

  #report(text) {
    this.#fault ??= text;
  }

  /** The event is one of the innermost frame. */
  #checkOwn(owner, hook) {
    const top = this.#frames.at(-1);
    if (top?.owner !== owner)
      return this.#report(`${hook}: the innermost frame is of another instance`);
    this.#learn(owner, top.func);
    this.#check(hook);
  }

  #checkDepth(owner, hook) {
    if (this.#partial) this.#check(hook);
    else this.#checkOwn(owner, hook);
  }

  #check(hook) {
    this.events++;
    const event = this.#sinceBegin++;
    if (event < this.#checked || event % CHECK_EVERY === 0) this.#compareWithEngine(hook);
  }

  /** Instances of one module share its URL. */
  #learn(owner, func) {
    if (!owner.url) {
      owner.url = engineStack().find(Boolean)[0];
      if (!this.#started.has(owner.url)) this.#started.set(owner.url, new Set());
    }
    this.#started.get(owner.url).add(func);
  }

  #hasHooks([url, func]) {
    const started = this.#started.get(url);
    return this.#partial ? started?.has(func) : started !== undefined;
  }

  #compareWithEngine(hook) {
    const stack = engineStack();
    const real = stack.filter((frame) => frame && this.#hasHooks(frame));
    const recent = this.#frames.slice(-2 * COMPARED_FRAMES); // there may be millions
    const guest = recent.filter(({ owner, func }) => func >= owner.importCount);
    const shadow = guest.slice(-COMPARED_FRAMES).reverse();
    const missing = stack.length < COMPARED_FRAMES && real.length !== guest.length;
    const differs = real.some(
      ([url, func], i) => shadow[i]?.owner.url !== url || shadow[i].func !== func,
    );
    if (!missing && !differs) return;
    const show = (frames) => `[${frames.join(' < ')}]`;
    this.#report(
      `${hook}: the call stack is ${show(real.map((frame) => frame[1]))}, ` +
        `the open frames are ${show(shadow.map((frame) => frame.func))}`,
    );
  }
}
