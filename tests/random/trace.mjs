/**
 * What a module does, as a list of texts: instantiated afresh for each exported function, which is
 * called with random arguments, and what memories, globals and tables hold after that.
 */
import { createHash } from 'node:crypto';
import { bridgeTo, callBridge, needsBridge } from '../spec/bridge.mjs';
import { ShadowStack } from '../spec/hooks.mjs';
import { countFunctionImports, describeError } from '../spec/script.mjs';
import { readNodes } from '../spec/trees.mjs';
import { showBits, showJs } from '../spec/values.mjs';
import { Guest, importsFor, valueOf } from './host.mjs';
import { Random } from './prng.mjs';

const FUNCTIONS_CALLED = 12;
const CALLS = 2;
const CHECKED_EVENTS = 24;
const WIDTH = { i32: 32, i64: 64, f32: 32, f64: 64, v128: 128 };

const shown = (type, make) => {
  try {
    return showJs(type, make());
  } catch (error) {
    return error.name; // a value that JavaScript may not see
  }
};

const describe = {
  global: (global, type) => shown(type.value, () => global.value),
  table: (table, type) =>
    Array.from({ length: Number(table.length) }, (_, i) =>
      shown(type.element, () => table.get(type.address === 'i64' ? BigInt(i) : i)),
    ).join(' '),
};

const hashOf = (buffer, size) => createHash('sha1').update(new Uint8Array(buffer, 0, size)).digest('hex');

function randomBits(type, random) {
  let bits = 0n;
  for (let word = 0; word < 4; word++) bits = (bits << 32n) | BigInt(random.u32());
  return BigInt.asUintN(WIDTH[type], bits);
}

function callDirectly(func, type, random) {
  const args = type.parameters.map((parameter) => valueOf(parameter, random));
  const results = [func(...args)].flat();
  return type.results.map((type, i) => showJs(type, results[i])).join(' ');
}

function call(func, type, random) {
  const bridge =
    needsBridge(type) && type.parameters.every((t) => t in WIDTH) && bridgeTo(func, type);
  if (!bridge) return callDirectly(func, type, random);
  const results = callBridge(
    bridge,
    type,
    type.parameters.map((t) => randomBits(t, random)),
  );
  return type.results.map((type, i) => showBits(type, results[i])).join(' ');
}

class Tracer {
  #bytes;
  #module;
  #exports;
  #seed;
  #shadow;
  #hooks; // of the last instance
  lines = [];
  faults = [];
  sizes = []; // of the memories that were compared
  #sizes; // those of the original, beyond which memories hold what is the profiler's; undefined: all is compared
  trees = []; // of each instance: that of the linked form, or the nodes of the embedded form

  constructor(bytes, module, seed, partial, sizes) {
    this.#sizes = sizes;
    this.#shadow = new ShadowStack({ checked: CHECKED_EVENTS, partial });
    this.#bytes = bytes;
    this.#module = module;
    this.#exports = WebAssembly.Module.exports(module).filter(
      ({ name }) => !name.startsWith('wasm_perf_'), // of the embedded form
    );
    this.#seed = seed;
  }

  get events() {
    return this.#shadow.events;
  }

  run() {
    const functions = this.#exports.filter(({ kind }) => kind === 'function');
    for (const [i, entry] of functions.slice(0, FUNCTIONS_CALLED).entries())
      if (!this.#runFunction(entry, new Random(...this.#seed, i))) return;
  }

  #runFunction({ name, type }, random) {
    const instance = this.#instantiate(random);
    if (!instance) return false;
    for (let i = 0; i < CALLS; i++)
      this.#record(`call ${name}`, () => call(instance.exports[name], type, random), instance);
    this.lines.push(...this.#state(instance));
    this.trees.push(this.#treeOf(instance));
    return true;
  }

  /** All state that can be seen from outside. */
  *#state(instance) {
    for (const { name, kind, type } of this.#exports)
      if (kind === 'memory') yield `memory ${name}: ${this.#hashOf(instance.exports[name].buffer)}`;
      else if (describe[kind]) yield `${kind} ${name}: ${describe[kind](instance.exports[name], type)}`;
  }

  #hashOf(buffer) {
    const size = Math.min(this.#sizes?.[this.sizes.length] ?? Infinity, buffer.byteLength);
    this.sizes.push(size);
    return `${size} ${hashOf(buffer, size)}`;
  }

  #treeOf({ exports }) {
    return exports.wasm_perf_profile ? readNodes(exports) : this.#hooks.tree;
  }

  #instantiate(random) {
    const guest = new Guest(this.#module, this.#bytes, this.#shadow);
    let instance = null;
    this.#record('instantiate', () => {
      this.#hooks = this.#shadow.hooks(...countFunctionImports(this.#module));
      const imports = importsFor(guest, random, this.#hooks);
      instance = new WebAssembly.Instance(this.#module, imports);
      this.#shadow.attach(instance);
      return 'done';
    });
    guest.callable = this.#exports
      .filter(({ kind, type }) => kind === 'function' && type.parameters.length === 0)
      .map(({ name }) => instance?.exports[name]);
    return instance;
  }

  #record(what, run, instance) {
    this.#shadow.begin();
    try {
      const result = run();
      this.lines.push(`${what}: ${result}`);
      if (this.#shadow.isOpen(instance?.exports)) this.faults.push(`${what}: frames are open at the end`);
    } catch (error) {
      this.lines.push(`${what}: ${describeError(error, instance?.exports)}`);
    }
    this.#shadow.unwind();
    const fault = this.#shadow.takeFault();
    if (fault) this.faults.push(`${what}: ${fault}`);
  }
}

/**
 * {lines, faults, trees, events, sizes} of a module's bytes, or {rejected: the engine's message}. `sizes` are
 * those of the original, if the output's memories are larger.
 */
export function trace(bytes, seed, partial, sizes) {
  let module;
  try {
    module = new WebAssembly.Module(bytes);
  } catch (error) {
    return { rejected: error.message };
  }
  const tracer = new Tracer(bytes, module, seed, partial, sizes);
  tracer.run();
  return tracer;
}
