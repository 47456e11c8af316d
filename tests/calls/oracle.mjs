/**
 * What an abstract program does: its results, what its host does meanwhile, and the calling context tree of each
 * instance. Knows nothing of how the tree is kept but the contract of src/runtime/embedded/embed.h.
 *
 * A call's context is the innermost frame with hooks of its instance. A module knows it from a slot, which a frame sets
 * before each call, a function that is entered takes, and one that returns puts back. Where frames end by an exception
 * that somebody else catches, and no guard puts the slot back, it may be stale. So the oracle follows what each
 * instance's slot must hold: where that is the context, the call has to stand there; else the call is loose, and only
 * the number of its function's calls is known.
 */
import { Delegated, Exception, HostError, Trap } from './errors.mjs';
import { Instance, landsAtEnd } from './instance.mjs';
import { SHARED_TABLE, TABLE_SIZE } from './program.mjs';
import { UNSURE } from './slots.mjs';
import { STATEMENTS } from './statements.mjs';

export const FUEL = 60;
const MOST_EVENTS = 4000;
const MOST_FRAMES = 200; // each takes several of ours
const MOST_ACTIONS = 60;
const MOST_HOST_DEPTH = 5;
const TOP_ACTIONS = 9;
const RECENT = 2; // functions that the host got

/** Thrown where a program runs too long: it is no use. */
export class TooLong extends Error {}

/** How many instructions give a reference, before those of a call. */
const REFERENCE_COSTS = { null: 1, function: 1, global: 1, table: 2, given: 1, field: 3, element: 5 };

/** Whether it can be a task. */
const isTask = ({ host, type }) => !host && type === 'F';

export class Oracle {
  lines = []; // what can be seen of the program
  actions = []; // of the host, for play.mjs
  instances = [];
  held = []; // functions that the host has, null where it got none
  fuel = 0;
  stack = { parent: null, frames: [] };
  #sharedTable = Array(TABLE_SIZE).fill(null);
  #tasks = []; // that wait
  #endedTask = null; // the instance of the one that ended last
  #waitCount = 0;
  #jobs = []; // that promises do once the stack is empty
  #isMaking = true; // an instance: the host does not have it yet
  #events = 0;
  #actionCount = 0;
  #hostDepth = 0;

  /**
   * @param {object} config
   * @param {boolean} config.restores the host puts slots back
   * @param {boolean} config.guards by src/js/engine/guard.mjs
   * @param {boolean} config.throws the host throws what modules can catch
   * @param {boolean} config.tellsFunctions the host can tell functions apart
   * @param {boolean} config.suspends there are tasks
   * @param {object[]} config.modules how each is instrumented, see case.mjs
   */
  constructor(program, random, config) {
    Object.assign(this, { program, random, config });
  }

  run() {
    [...this.program.modules.keys()].every((index) => this.#instantiate(index));
    this.#isMaking = false;
    const count = 2 + this.random.below(TOP_ACTIONS);
    for (let i = 0; i < count || (this.#tasks.length > 0 && this.random.chance(80)); i++) {
      this.fuel = FUEL;
      this.#act(true);
      this.#settle();
    }
    // What a frame executed since it last said so, if the last event of its module was an exception that another one caught.
    for (const instance of this.instances) if (instance.config.isLinked && instance.slot === UNSURE) instance.isCounted = false;
    this.actions.push(['end']);
  }

  /** Once the stack is empty: what the promises of tasks say, and tasks that need not wait go on. */
  #settle() {
    while (this.#jobs.length > 0) this.#jobs.shift()();
  }

  // ---- Instances ----

  #instantiate(index) {
    this.fuel = FUEL;
    const module = this.program.modules[index];
    const instance = new Instance(index, module, this.config.modules[index]);
    this.instances.push(instance);
    const defined = module.functions.map((made, i) => ({ instance, index: module.imports.length + i, made, type: made.type }));
    instance.functions = [...module.imports.map((wanted) => this.#imported(wanted)), ...defined];
    const functionOf = (i) => (i === null ? null : instance.functions[i]);
    instance.globals = module.globals.map(({ init }) => functionOf(init));
    instance.table = module.table.kind === SHARED_TABLE ? this.#sharedTable : Array(TABLE_SIZE).fill(null);
    module.table.elements.forEach((func, i) => (instance.table[module.table.at + i] = functionOf(func)));
    this.actions.push(['instantiate', index]);
    const restore = this.#snapshot();
    try {
      if (module.start !== null) this.#finish(this.#invoke(functionOf(module.start), undefined));
      this.lines.push(`instance ${index}`);
    } catch (error) {
      this.stack.frames.length = 0;
      if (this.config.restores) restore();
      this.#loseInstructions();
      this.lines.push(`instance ${index}: ${this.#describe(error)}`);
      instance.isLost = true;
    }
    if (!instance.isLost) module.exports.forEach((func) => this.held.push(functionOf(func)));
    this.#settle();
    return !instance.isLost;
  }

  #imported({ from, name, type }) {
    if (from === 'host') return { host: name, type };
    return this.instances[from].functions[Number(name.slice(1))];
  }

  // ---- Calls ----

  /** Runs to the end what cannot be suspended. */
  #finish(running) {
    const { done, value } = running.next();
    if (!done) throw new Error('suspended in the middle of the host');
    return value;
  }

  #innermost(instance) {
    for (let stack = this.stack; stack; stack = stack.parent) {
      const frame = stack.frames.findLast((item) => item.instance === instance && item.isHooked);
      if (frame) return frame.node;
    }
    return instance.root;
  }

  *callFrom(frame, closure, argument, index = -1) {
    const { isHooked, instance } = frame;
    const imported = index < instance.module.imports.length ? index : -1;
    const setsSlot = isHooked && !instance.quiet.has(index);
    if (setsSlot) instance.slots.prepare(frame, imported);
    else if (isHooked) instance.slot = UNSURE; // whatever an earlier call left
    const value = yield* this.#invoke(closure, argument);
    if (setsSlot) instance.slots.resume(frame, imported);
    return value;
  }

  #enter({ instance, index }) {
    const frame = { instance, index, isHooked: instance.isHooked(index), entry: instance.slot };
    const context = this.#innermost(instance);
    const isCertain = context && instance.slots.leadsTo(instance, context);
    if (!frame.isHooked) {
      if (instance.config.isLinked && context === instance.root) instance.isCounted = false; // below no frame, it may count for none
      return Object.assign(frame, { home: isCertain ? context : null });
    }
    frame.node = isCertain ? instance.enter(context, index) : null;
    if (!isCertain) instance.loosen(index);
    instance.slots.enter(frame, this.stack.frames.findLast((item) => item.instance === instance)?.before);
    return frame;
  }

  *#invoke(closure, argument) {
    const { frames } = this.stack;
    const depth = frames.length;
    for (;;) {
      if (++this.#events > MOST_EVENTS || depth > MOST_FRAMES) throw new TooLong();
      if (closure.host) return yield* this.#callHost(closure.host, argument);
      const frame = this.#enter(closure);
      frames.push(frame);
      let end;
      try {
        end = yield* this.#body(frame, closure.made, argument);
      } catch (error) {
        frames.length = depth;
        if (frame.isHooked) frame.instance.slots.end(frame);
        throw error instanceof Delegated && error.frame === frame ? error.error : error;
      }
      frames.length = depth;
      if (!end.tail) {
        if (frame.isHooked) frame.instance.slots.leave(frame, frames.at(-1));
        else if (!end.returns && landsAtEnd(frame.made)) frame.instance.slots.passEnd(frame);
        return end.value;
      }
      if (frame.isHooked) frame.instance.slots.replace(frame);
      ({ tail: closure, argument } = end);
    }
  }

  *#body(frame, made, argument) {
    frame.made = made;
    frame.number = made.type === 'F' ? argument : 0;
    if (made.usesFuel) {
      const isSpent = this.fuel === 0;
      this.spend(frame, isSpent ? { F: 5, V: 4, G: 5 }[made.type] : 7);
      if (isSpent) return { value: { F: frame.number, V: undefined, G: null }[made.type], returns: true };
      this.fuel--;
    }
    return (yield* this.statements(frame, made.body)) ?? { value: yield* this.result(frame) };
  }

  /** Instructions of the frame. */
  spend(frame, count) {
    frame.instance.spend(frame, count);
  }

  /** What ran right before is counted in some cases only. */
  trap(frame) {
    frame.instance.isCounted = false;
    throw new Trap();
  }

  *result(frame) {
    if (frame.made.type === 'F') {
      this.spend(frame, 1);
      return frame.number;
    }
    return frame.made.type === 'G' ? yield* this.reference(frame, frame.made.result) : undefined;
  }

  *reference(frame, { kind, function: index, global, index: place, callee }) {
    const { instance } = frame;
    this.spend(frame, REFERENCE_COSTS[kind]);
    if (kind === 'null') return null;
    if (kind === 'function' || kind === 'field') return instance.functions[index];
    if (kind === 'global') return instance.globals[global];
    if (kind === 'table') return instance.table[place];
    if (kind === 'given') return yield* this.callFrom(frame, instance.functions[callee], undefined, callee);
    const func = instance.module.segment[place];
    return func === null ? null : instance.functions[func];
  }

  *statements(frame, statements) {
    for (const statement of statements) {
      const end = yield* STATEMENTS[statement.op](this, frame, statement);
      if (end) return end;
    }
    return undefined;
  }

  *target(frame, how) {
    const { instance } = frame;
    if (how.op === 'call') return instance.functions[how.callee];
    const index = how.isDynamic ? frame.number & 3 : how.index;
    const found = how.op === 'indirect' ? instance.table[index] : yield* this.reference(frame, how.reference);
    this.spend(frame, how.op === 'indirect' && how.isDynamic ? 3 : 1); // of a reference, which is cast: after it is there
    if (found?.type === how.type) return found;
    if (frame.isHooked) instance.slot = UNSURE; // set already, or not yet
    return this.trap(frame);
  }

  catches(kind, error) {
    if (error instanceof HostError) return kind === 'all' && this.config.throws;
    return error instanceof Exception && (kind === 'all' || error.tag === kind);
  }

  // ---- The host ----

  #describe(error) {
    if (error instanceof Trap) return 'trap';
    if (error instanceof HostError) return 'error';
    if (!(error instanceof Exception)) throw error;
    return `exception ${error.tag}: ${error.tag === 0 ? error.payload : this.#hold(error.payload)}`;
  }

  /** Keeps a reference; what it looks like. Those of the host's own functions have no identity. */
  #hold(func) {
    this.held.push(func);
    if (!func) return 'null';
    if (func.host) return 'host';
    return this.config.tellsFunctions ? `function ${this.held.indexOf(func)}` : 'function';
  }

  #shown(type, value) {
    if (type === 'F') return `${value}`;
    return type === 'G' ? this.#hold(value) : 'done';
  }

  *#callHost(name, argument) {
    if (name === 'wait') return yield* this.#wait(argument);
    const frame = { host: name };
    this.stack.frames.push(frame);
    const depth = this.stack.frames.length;
    this.lines.push(`${name}: ${name === 'take' ? this.#hold(argument) : argument}`);
    this.#hostDepth++;
    try {
      return this.#decide(name);
    } finally {
      this.#hostDepth--;
      this.stack.frames.length = depth - 1;
    }
  }

  /** What a function of the host does: some actions, then it returns or throws. */
  #decide(name) {
    const count = this.#hostDepth < MOST_HOST_DEPTH ? this.random.below(5) : 0;
    for (let i = 0; i < count; i++) this.#act(false);
    const choice = this.random.below(100);
    if (choice < 8) {
      this.actions.push(['throw']);
      throw new HostError();
    }
    if (choice < 16 && this.config.throws) throw this.#makeException();
    if (name === 'take') {
      const held = this.random.chance(25) ? -1 : this.#choose(() => true);
      this.actions.push(['give', held]);
      return held < 0 ? null : this.held[held];
    }
    const value = this.random.below(1000);
    this.actions.push(['return', value]);
    return name === 'v' ? undefined : value;
  }

  #makeException() {
    const held = this.random.chance(70) ? -1 : this.#choose(() => true);
    const number = this.random.below(1000);
    this.actions.push(['throwException', held < 0 ? 0 : 1, held < 0 ? number : held]);
    return held < 0 ? new Exception(0, number) : new Exception(1, this.held[held]);
  }

  /**
   * The number of a function that the host has, or -1: often one that it got lately, or one of who called it, or of whose
   * task has ended.
   */
  #choose(isWanted) {
    const found = [...this.held.keys()].filter((i) => this.held[i] && isWanted(this.held[i]));
    if (found.length === 0) return -1;
    const caller = this.stack.frames.findLast(({ instance }) => instance)?.instance ?? this.#endedTask;
    const near = found.filter((i) => this.held[i].instance === caller);
    const some = near.length > 0 && this.random.chance(60) ? near : found;
    return this.random.pick(this.random.chance(30) ? some.slice(-RECENT) : some);
  }

  #act(isTop) {
    if (++this.#actionCount > MOST_ACTIONS) return;
    const choice = this.random.below(100);
    if (choice < (isTop || !this.config.guards ? 18 : 35) && this.#suspends()) return this.#startTask();
    if (choice < 65 && isTop && this.#tasks.length > 0) return this.#resumeTask();
    const other = this.random.below(100);
    if (other < (isTop ? 12 : 16)) return this.#readReference();
    if (other < (isTop ? 22 : 24)) return this.#writeReference();
    const held = this.#choose(() => true);
    if (held >= 0) this.#callHeld(held, !isTop && this.random.chance(25));
  }

  /** While an instance is made, a host without the guard does not have it, nor its slot. */
  #snapshot() {
    const isHidden = this.#isMaking && !this.config.guards;
    const slots = (isHidden ? this.instances.slice(0, -1) : this.instances).map((instance) => [instance, instance.slot]);
    return () => slots.forEach(([instance, slot]) => (instance.slot = slot));
  }

  /** A host that closes frames does not know what they have executed since they last said so. */
  #loseInstructions() {
    for (const instance of this.instances) if (instance.config.isLinked) instance.isCounted = false;
  }

  #callHeld(held, passes) {
    const closure = this.held[held];
    const argument = this.random.below(1000);
    this.actions.push(['call', held, argument, passes]);
    const restore = this.#snapshot();
    const { frames } = this.stack;
    const depth = frames.length;
    try {
      const value = this.#finish(this.#invoke(closure, closure.type === 'F' ? argument : undefined));
      this.lines.push(`${this.#shown(closure.type, value)}`);
    } catch (error) {
      if (error instanceof TooLong) throw error;
      frames.length = depth;
      if (this.config.restores) restore();
      this.#loseInstructions();
      this.lines.push(this.#describe(error));
      if (passes) throw error instanceof Exception && !this.config.throws ? new HostError() : error;
    }
  }

  /** A global or an element of a table that the host can see. */
  #visible() {
    if (this.#isMaking) return null;
    const instance = this.random.pick(this.instances.filter(({ isLost }) => !isLost));
    if (!instance) return null;
    const global = instance.module.globals.findIndex(({ kind }) => kind === 'exported');
    const showsTable = instance.module.table.kind !== 'private';
    if (global >= 0 && this.random.chance(50)) return { instance, global };
    return showsTable ? { instance, index: this.random.below(TABLE_SIZE) } : null;
  }

  #readReference() {
    const place = this.#visible();
    if (!place) return;
    const { instance, global, index } = place;
    this.actions.push(['read', instance.index, global ?? -1, index ?? -1]);
    this.lines.push(this.#hold(global === undefined ? instance.table[index] : instance.globals[global]));
  }

  #writeReference() {
    const place = this.#visible();
    if (!place) return;
    const { instance, global, index } = place;
    const held = this.random.chance(10) ? -1 : this.#choose(({ type }) => 'FV'.includes(type));
    this.actions.push(['write', instance.index, global ?? -1, index ?? -1, held]);
    const func = held < 0 ? null : this.held[held];
    if (global === undefined) instance.table[index] = func;
    else instance.globals[global] = func;
  }

  // ---- Tasks that wait ----

  #suspends() {
    return this.config.suspends && this.#choose(isTask) >= 0;
  }

  /**
   * The guard knows whose function it is that an instance exports; else all may be entered by a task. Tasks that start each
   * other share one slot. Returns what releases it once who started the task goes on.
   */
  #guardTask(instance, isExported) {
    if (!isExported) for (const item of this.instances) item.slot = UNSURE;
    if (!instance.slot || instance.slot.isTask) return () => {};
    const slot = (instance.slot = { ...instance.slot, isTask: true });
    return () => Object.assign(slot, { node: instance.root, isTask: false });
  }

  /** Often a function that waits, and one that several instances export. */
  #chooseTask() {
    const waits = (closure) => isTask(closure) && closure.made.waits;
    const exporters = (closure) => this.instances.filter(({ functions, module }) => module.exports.some((i) => functions[i] === closure));
    const shared = this.random.chance(40) ? this.#choose((closure) => waits(closure) && exporters(closure).length > 1) : -1;
    const waiting = this.random.chance(70) ? this.#choose(waits) : -1;
    return [shared, waiting].find((held) => held >= 0) ?? this.#choose(isTask);
  }

  #startTask() {
    const held = this.#chooseTask();
    const argument = this.random.below(1000);
    const number = this.#waitCount++;
    this.actions.push(['start', held, argument, number]);
    const restore = this.#snapshot();
    const { instance, index } = this.held[held];
    const release = this.config.guards ? this.#guardTask(instance, instance.module.exports.includes(index)) : () => {};
    const task = { number, instance, stack: { parent: null, frames: [] }, running: this.#invoke(this.held[held], argument) };
    this.#step(task);
    if (this.config.guards) restore();
    release();
  }

  #resumeTask() {
    const [task] = this.#tasks.splice(this.random.below(this.#tasks.length), 1);
    const value = this.random.below(1000);
    this.actions.push(['resume', task.wait, value]);
    this.#step(task, value);
  }

  /** Runs a task until it waits or ends. */
  #step(task, value) {
    const outer = this.stack;
    task.stack.parent = outer;
    this.stack = task.stack;
    try {
      const { done, value: result } = task.running.next(value);
      if (done) {
        this.#endedTask = task.instance;
        this.#note(task, () => result);
      } else {
        if (result.isReady) this.#jobs.push(() => this.#step(task, result.value));
        else this.#tasks.push(Object.assign(task, { wait: result.number }));
        if (this.config.guards) this.#rest();
      }
    } catch (error) {
      if (error instanceof TooLong) throw error;
      this.#note(task, () => this.#describe(error));
    }
    this.stack = outer;
  }

  #note(task, describe) {
    this.#jobs.push(() => this.lines.push(`task ${task.number}: ${describe()}`));
  }

  #rest() {
    for (const instance of this.instances) instance.slot = { node: instance.root };
  }

  /** An import that always suspends, if nobody but tasks called it. */
  *#wait(argument) {
    const isTask = this.stack.parent && !this.stack.frames.some(({ host }) => host);
    if (!isTask) throw new HostError(); // the engine's
    this.lines.push(`wait: ${argument}`);
    const isReady = this.random.chance(20);
    const number = this.#waitCount++;
    const value = this.random.below(1000);
    this.actions.push(isReady ? ['return', value] : ['wait', number]);
    return yield { isReady, number, value };
  }
}
