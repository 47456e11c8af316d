/** A JavaScript host that does with real modules what oracle.mjs says, and notes what can be seen. */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { readEmbedded } from '../js/embedded.mjs';
import { tool } from '../support/tools.mjs';
import { ENVIRONMENT } from './encode.mjs';
import { FUEL } from './oracle.mjs';
import { HOST_TYPES, SHARED_TABLE } from './program.mjs';

const environment = new WebAssembly.Module(ENVIRONMENT);
const folder = pathToFileURL(`${tool('js/engine')}/`);
const { readReferenceImports } = await import(new URL('signatures.mjs', folder));
const { START_EXPORT, exportForHost } = await import(new URL('host_exports.mjs', folder));
const { createProfiler } = await import(new URL('profiler.mjs', folder));
const runtime = new WebAssembly.Module(readFileSync(tool('wasm_perf.wasm')));
const PATCHED = { Table: ['get', 'set', 'grow'], Global: ['value', 'valueOf'], Instance: ['exports'] };
const CLASSES = ['Table', 'Global', 'Exception', 'promising', 'Suspending'];
let guardCount = 0;

/** The guard of a program of its own; `undo` takes it away from WebAssembly. */
export async function startGuard() {
  const kept = Object.entries(PATCHED).flatMap(([name, members]) =>
    [...members, 'constructor'].map((member) => [WebAssembly[name].prototype, member]),
  );
  kept.push(...CLASSES.map((name) => [WebAssembly, name]));
  kept.push(...['constructor', 'getArg'].map((member) => [WebAssembly.Exception.prototype, member]));
  if (WebAssembly.Suspending) kept.push([WebAssembly.Suspending.prototype, 'constructor']);
  const descriptors = kept.map(([object, member]) => [object, member, Object.getOwnPropertyDescriptor(object, member)]);
  const guard = await import(new URL(`guard.mjs?${guardCount++}`, folder));
  guard.patchReferences();
  const undo = () =>
    descriptors.forEach(([object, member, descriptor]) => descriptor && Object.defineProperty(object, member, descriptor));
  return { ...guard, undo };
}

class HostError extends Error {}

/** The profilers of modules whose runtime is linked, each of which has one of its own; undefined: it is no such. */
async function createProfilers({ modules }, files) {
  const isLinked = (bytes) => WebAssembly.Module.imports(new WebAssembly.Module(bytes)).some(({ module }) => module === 'wasm_perf');
  return await Promise.all(
    files.map((bytes, i) => (isLinked(bytes) ? createProfiler({ runtime, module: bytes, ...modules[i].runtime }) : undefined)),
  );
}

/** How a host that puts back what an exception left does that: {get, set}. */
function slotOf({ wasm_perf_slot, wasm_perf_set_slot }, profiler) {
  if (!profiler) return { get: wasm_perf_slot, set: wasm_perf_set_slot };
  return { get: profiler.imports.perf_depth, set: profiler.imports.perf_unwind };
}

class Player {
  lines = [];
  instances = [];
  #held = [];
  #hostHeld; // numbers of functions of the host's own, which have no identity
  #actions;
  #waiting = new Map();
  #ends = false;

  constructor({ actions, hostHeld, modules }, files, profilers, mode, guard) {
    Object.assign(this, { modules, files, profilers, mode, guard });
    this.#actions = actions.values();
    this.#hostHeld = new Set(hostHeld);
    this.env = new WebAssembly.Instance(environment).exports;
  }

  async run() {
    for (let acts = 0; !this.#ends; acts++) {
      this.env.fuel.value = FUEL;
      this.#act();
      this.#exhaust(this.instances[acts % (this.instances.length + 1)]);
      await new Promise(setImmediate);
    }
  }

  /** Fills the stack, in an instance with the runtime inside, whose slot any host can put back. */
  #exhaust({ own } = {}) {
    if (!own?.wasm_perf_profile) return;
    const slot = own.wasm_perf_slot();
    try {
      own.exhaust(0);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
    own.wasm_perf_set_slot(slot);
  }

  #act(action = this.#actions.next().value) {
    const [kind, ...rest] = action ?? ['end'];
    const { instantiate, call, read, write, start, resume, end } = this.#doings;
    const known = { instantiate, call, read, write, start, resume, end }[kind];
    if (!known) return action;
    known(...rest);
    return null;
  }

  #doings = {
    end: () => (this.#ends = true),
    instantiate: (index) => this.#instantiate(index),
    call: (held, argument, passes) => this.#call(this.#held[held], argument, passes),
    read: (index, global, place) => {
      const { exports } = this.instances[index];
      this.lines.push(this.#hold(global < 0 ? this.#table(index).get(place) : exports[`g${global}`].value));
    },
    write: (index, global, place, held) => {
      const func = held < 0 ? null : this.#held[held];
      if (global < 0) this.#table(index).set(place, func);
      else this.instances[index].exports[`g${global}`].value = func;
    },
    start: (held, argument, number) => this.#start(held, argument, number),
    resume: (number, value) => this.#waiting.get(number)(value),
  };

  #table(index) {
    return this.modules[index].table.kind === SHARED_TABLE ? this.env.table : this.instances[index].exports.table;
  }

  #hold(func) {
    this.#held.push(func);
    if (func === null) return 'null';
    if (this.#hostHeld.has(this.#held.length - 1)) return 'host';
    return `function ${this.#held.indexOf(func)}`;
  }

  // ---- Instances ----

  #instantiate(index) {
    const bytes = this.guard ? exportForHost(this.files[index]) : this.files[index];
    const profiler = this.profilers[index];
    const names = ['env', 'host', 'wasm_perf', ...this.instances.map((_, i) => `m${i}`)];
    const given = [this.env, this.#hostFunctions(), profiler?.imports, ...this.instances.map(({ exports }) => exports)];
    const imports = Object.fromEntries(names.map((name, i) => [name, given[i]]));
    const slots = this.#slots();
    try {
      const module = new WebAssembly.Module(bytes);
      const guarded = this.guard ? this.guard.unwrapImports(imports, readReferenceImports(bytes)) : imports;
      const instance = new WebAssembly.Instance(module, guarded);
      const own = instance.exports;
      this.guard?.guardExports(instance);
      this.guard?.receive(own[START_EXPORT])?.();
      this.instances.push({ exports: instance.exports, own, profiler, slot: slotOf(own, profiler) });
      this.lines.push(`instance ${index}`);
    } catch (error) {
      this.#putBack(slots);
      this.lines.push(`instance ${index}: ${this.#describe(error)}`);
      return;
    }
    const { exports } = this.instances[index];
    for (const func of this.modules[index].exports) this.#held.push(exports[`f${func}`]);
  }

  #hostFunctions() {
    const made = Object.keys(HOST_TYPES).map((name) => [name, (argument) => this.#serve(name, argument)]);
    const functions = Object.fromEntries(made);
    if (WebAssembly.Suspending) functions.wait = new WebAssembly.Suspending((argument) => this.#wait(argument));
    return functions;
  }

  // ---- Calls ----

  #describe(error) {
    if (error instanceof HostError || error?.name === 'SuspendError') return 'error';
    if (error instanceof WebAssembly.RuntimeError) return `trap: ${error.message}`;
    if (!(error instanceof WebAssembly.Exception)) return `${error.stack ?? error}`;
    const { t0, t1 } = this.env;
    return error.is(t0) ? `exception 0: ${error.getArg(t0, 0)}` : `exception 1: ${this.#hold(error.getArg(t1, 0))}`;
  }

  #show(value) {
    if (value === undefined) return 'done';
    return typeof value === 'number' ? `${value}` : this.#hold(value);
  }

  /** Of all instances, for a host that puts them back itself. */
  #slots() {
    return this.mode === 'manual' ? this.instances.map(({ slot }) => slot.get?.()) : [];
  }

  #putBack(slots) {
    slots.forEach((before, i) => this.instances[i].slot.set?.(before));
  }

  #call(func, argument, passes) {
    const slots = this.#slots();
    try {
      this.lines.push(this.#show(func(argument)));
    } catch (error) {
      this.#putBack(slots);
      this.lines.push(this.#describe(error));
      if (passes) throw error;
    }
  }

  /** A function of the host's: actions until it returns or throws. */
  #serve(name, argument) {
    this.lines.push(`${name}: ${name === 'take' ? this.#hold(argument) : argument}`);
    let action;
    do action = this.#act();
    while (!action && !this.#ends);
    const [kind, ...rest] = action ?? ['nothing'];
    if (kind === 'give') return rest[0] < 0 ? null : this.#held[rest[0]];
    if (kind === 'return') return rest[0];
    if (kind === 'throwException') throw this.#exception(...rest);
    throw kind === 'throw' ? new HostError() : new Error(`the program does something else: ${name}`);
  }

  #exception(tag, value) {
    const payload = tag === 0 ? value : this.#held[value];
    return new WebAssembly.Exception(this.env[`t${tag}`], [payload]);
  }

  // ---- Tasks ----

  #start(held, argument, number) {
    const note = (text) => this.lines.push(`task ${number}: ${text}`);
    WebAssembly.promising(this.#held[held])(argument).then(note, (error) => note(this.#describe(error)));
  }

  #wait(argument) {
    this.lines.push(`wait: ${argument}`);
    const [kind, value] = this.#actions.next().value ?? [];
    return kind === 'wait' ? new Promise((resolve) => this.#waiting.set(value, resolve)) : value;
  }
}

/**
 * Plays a script with the bytes of its modules. `mode`: "guard", "manual" (the host puts slots back) or "none".
 * {lines, profiles: of each instance, null without, exhausted: calls of each instance's function that fills the stack}
 */
export async function play(script, files, mode) {
  const guard = mode === 'guard' ? await startGuard() : null;
  const player = new Player(script, files, await createProfilers(script, files), mode, guard);
  try {
    await player.run();
  } finally {
    guard?.undo();
  }
  const profiles = player.instances.map(({ own, profiler }) => profiler?.profile() ?? (own.wasm_perf_profile && readEmbedded(own)));
  return { lines: player.lines, profiles, exhausted: player.instances.map(({ own }) => own.exhausted.value) };
}
