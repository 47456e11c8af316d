/**
 * The hooks as JavaScript functions over an exact shadow stack, which checks what the contract
 * promises: every frame that is opened is closed by the same instance, perf_unwind never asks for
 * frames that do not exist, and after each event the shadow stack is the engine's own call stack.
 * Hooks that are inlined say only where they are in a tree, and that only when asked: then the path to
 * there is compared with the engine's call stack.
 */

const CHECK_EVERY = 61;
const COMPARED_FRAMES = 24;
const CHARGED_AFTER = 40n; // instructions, at the next event

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
  #frames = []; // innermost last: {owner, func}
  #started = new Map(); // URL of an instrumented module -> its functions that have begun
  #sinceBegin = 0;
  #fault = null;
  #checked;
  #partial;
  #inlined = []; // instances with hooks inlined: {exports, root}
  #ownerCounts = new Map(); // URL -> its instances with hooks inlined
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
   * The import namespace of one instance of a module that had `importCount` imported functions.
   * With --host-calls their calls have frames as well, which the engine's stack does not show.
   */
  hooks(importCount) {
    const owner = { url: null, importCount, clock: 0n };
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
      ...this.#inlinedHooks(owner),
    };
  }

  #inlinedHooks(owner) {
    const tree = [{ parent: -1, func: -1 }];
    const children = new Map();
    const enter = (parent, func, room) => {
      if (parent >= tree.length) return this.#report(`perf_enter: no node ${parent}`);
      const key = `${parent} ${func}`;
      if (!children.has(key)) children.set(key, tree.push({ parent, func }) - 1);
      const node = children.get(key);
      if (node >= room) this.#report(`perf_enter: no room for node ${node}`);
      this.#learnInlined(owner, func);
      this.#check('perf_enter', () => this.#comparePath(owner, tree, node));
      return this.events % 2 ? node : ~node; // kept, or asked for again
    };
    const charge = (node, count) => {
      if (node >= tree.length || count < 0n) this.#report(`perf_charge(${node}, ${count})`);
      this.ticks += count;
    };
    const read = (_node, now) => {
      if (now < owner.clock) this.#report(`the clock goes from ${owner.clock} to ${now}`);
      owner.clock = now;
      return now + CHARGED_AFTER;
    };
    return {
      perf_enter: enter,
      perf_enter_at: enter,
      perf_charge: charge,
      perf_read: read,
      perf_cell: () => {},
      perf_current: () => {},
      /** The start function trapped: nobody has the exports that would close its frames. */
      lose: () => (owner.isLost = true),
    };
  }

  /** To be called with every instance. */
  attach({ exports }) {
    const current = exports.wasm_perf_current;
    if (current) this.#inlined.push({ exports, root: current.value });
  }

  #events(owner) {
    return {
      start: (func) => {
        this.#frames.push({ owner, func });
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
        this.#frames.length = depth;
        this.#checkDepth(owner, 'perf_unwind');
      },
    };
  }

  /** The count of instructions, kept by the module, never goes back. */
  #tick(owner, now) {
    if (now < owner.clock) this.#report(`the clock goes from ${owner.clock} to ${now}`);
    this.ticks += now - owner.clock;
    owner.clock = now;
  }

  /** To be called before each invocation, which then has its events checked from the start. */
  begin() {
    this.#sinceBegin = 0;
  }

  /**
   * Whether frames are open, of any instance; hooks inlined are those of the instance that was called,
   * since an exception leaves another one without passing its hooks.
   */
  isOpen(called) {
    const own = this.#inlined.find(({ exports }) => exports === called);
    return this.#frames.length > 0 || (own && called.wasm_perf_current.value !== own.root);
  }

  /** Where the stack stands, for unwind. */
  mark() {
    const cells = this.#inlined.map(({ exports }) => exports.wasm_perf_current.value);
    return { depth: this.#frames.length, cells };
  }

  /** What a host does with the frames that a trap or an exception left open since `mark`, or at all. */
  unwind(mark = { depth: 0, cells: [] }) {
    this.#frames.length = mark.depth;
    this.#inlined.forEach(({ exports, root }, i) => exports.wasm_perf_unwind(mark.cells[i] ?? root));
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

  #check(hook, compare = () => this.#compareWithEngine(hook)) {
    this.events++;
    const event = this.#sinceBegin++;
    if (event < this.#checked || event % CHECK_EVERY === 0) compare();
  }

  #learnInlined(owner, func) {
    const isNew = !owner.url;
    this.#learn(owner, func);
    if (isNew) this.#ownerCounts.set(owner.url, (this.#ownerCounts.get(owner.url) ?? 0) + 1);
  }

  /** The path to a node is what the engine's stack shows of the instance, below the function that asks. */
  #comparePath(owner, tree, node) {
    const stack = engineStack();
    const [, asking] = stack.find(Boolean); // all that is added to the module stands behind it
    const isOwn = (frame) => frame?.[0] === owner.url && frame[1] < asking && this.#hasHooks(frame);
    const real = stack.filter(isOwn).map(([, func]) => func);
    const path = [];
    for (let at = node; at > 0 && path.length < COMPARED_FRAMES; at = tree[at].parent)
      if (tree[at].func >= owner.importCount) path.push(tree[at].func);
    const isAlone = this.#ownerCounts.get(owner.url) === 1 && !owner.isLost;
    const isWhole = isAlone && stack.length < COMPARED_FRAMES;
    const length = isAlone ? Math.min(path.length, real.length) : 1;
    if (isWhole ? real.join() === path.join() : !real.slice(0, length).some((func, i) => func !== path[i]))
      return;
    const show = (funcs) => `[${funcs.join(' < ')}]`;
    this.#report(`perf_enter: the call stack is ${show(real)}, the path is ${show(path)}`);
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
