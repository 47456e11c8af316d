/**
 * One test script, run in V8 with the original or with the instrumented modules. Each command gives
 * an outcome: {outcome: text}, {skip: reason} or nothing; {fault} tells of a broken hook contract.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bridgeTo, callBridge, needsBridge } from './bridge.mjs';
import { ShadowStack } from './hooks.mjs';
import { bitsOf, showBits, showJs, toJs } from './values.mjs';

function spectest() {
  const global = (value, initial) => new WebAssembly.Global({ value }, initial);
  const table = (address) =>
    new WebAssembly.Table({
      element: 'anyfunc',
      address,
      initial: address === 'i64' ? 10n : 10,
      maximum: address === 'i64' ? 20n : 20,
    });
  const prints = ['', '_i32', '_i64', '_f32', '_f64', '_i32_f32', '_f64_f64'];
  return {
    ...Object.fromEntries(prints.map((suffix) => [`print${suffix}`, () => {}])),
    global_i32: global('i32', 666),
    global_i64: global('i64', 666n),
    global_f32: global('f32', 666.6),
    global_f64: global('f64', 666.6),
    table: table('i32'),
    table64: table('i64'),
    memory: new WebAssembly.Memory({ initial: 1, maximum: 2 }),
    shared_memory: new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true }),
  };
}

/** The payload, read through whichever tag of the instance the exception carries. */
function describeException(exception, exports) {
  for (const [name, tag] of Object.entries(exports ?? {})) {
    if (!(tag instanceof WebAssembly.Tag) || !exception.is(tag)) continue;
    const { parameters } = tag.type();
    const values = parameters.map((type, i) =>
      type === 'v128' ? type : String(exception.getArg(tag, i)),
    );
    return `exception ${name}(${values})`;
  }
  return 'exception';
}

export function describeError(error, exports) {
  if (error instanceof WebAssembly.Exception) return describeException(error, exports);
  if (error instanceof WebAssembly.RuntimeError) return `trap: ${error.message.replace(/ \(offset .*\)$/, '')}`;
  if (error instanceof WebAssembly.CompileError) return `rejected: ${error.message}`;
  if (error instanceof WebAssembly.LinkError) return `unlinkable: ${error.message}`;
  if (error instanceof RangeError) return `exhausted: ${error.message}`;
  return `${error?.name ?? typeof error}: ${error?.message ?? error}`;
}

/** How many functions the module imported before it was instrumented, and how many that added. */
export function countFunctionImports(module) {
  const functions = WebAssembly.Module.imports(module).filter(({ kind }) => kind === 'function');
  const own = functions.filter((wanted) => wanted.module !== 'wasm_perf').length;
  return [own, functions.length - own];
}

export class Script {
  #folder;
  #fileOf; // script's file name -> {file} to load, {refused} or {crashed}
  #shadow;
  #registry = new Map([['spectest', spectest()]]);
  #definitions = new Map(); // name -> compiled, "" for the last
  #instances = new Map(); // name -> instance, "" for the last
  #bridges = new Map(); // function -> its bridge or null
  #kept = []; // {command: its number, exports, tree: that of the linked form} of each instance
  #command = 0;

  constructor(folder, fileOf, partial) {
    this.#shadow = new ShadowStack({ partial });
    this.#folder = folder;
    this.#fileOf = fileOf;
  }

  /** The number of hook events so far. */
  get events() {
    return this.#shadow.events;
  }

  /** Of each instance made so far, in turn; null from where the engine's stack ran out in it. */
  get kept() {
    return this.#kept;
  }

  /** Which of them a command has called, or made; -1: none. */
  calledBy({ action }) {
    const instance = this.#instances.get(action?.module ?? '');
    return this.#kept.findIndex((kept) => kept?.exports === instance?.exports);
  }

  run(command) {
    const ticks = this.#shadow.ticks;
    this.#shadow.begin();
    this.#command++;
    const result = this.#execute(command);
    if (result.outcome?.startsWith('exhausted')) this.#kept.fill(null);
    const fault = this.#shadow.takeFault() ?? undefined;
    return { fault, ...result, ticks: Number(this.#shadow.ticks - ticks) };
  }

  #execute(command) {
    switch (command.type) {
      case 'module':
        this.#instances.delete(''); // also where it is rejected: what follows is about this one
        return this.#define(command) ?? this.#instantiate(command.name, '');
      case 'module_definition':
        return this.#define(command) ?? { outcome: 'accepted' };
      case 'module_instance':
        return this.#instantiate(command.instance, command.module ?? '');
      case 'register':
        this.#registry.set(command.as, this.#instances.get(command.name ?? '')?.exports);
        return {};
      case 'assert_malformed':
      case 'assert_invalid':
        return this.#define(command) ?? { outcome: 'accepted' };
      case 'assert_unlinkable':
      case 'assert_uninstantiable':
        return this.#attempt(command);
      default:
        return command.action.type === 'get'
          ? this.#get(command.action)
          : this.#invoke(command.action);
    }
  }

  /** Compiles into the definitions; returns the outcome only if that failed. */
  #define({ filename, name = '' }) {
    const { file, refused } = this.#fileOf(filename);
    this.#definitions.delete('');
    if (!file) return { outcome: `refused: ${refused}` };
    try {
      const module = new WebAssembly.Module(readFileSync(join(this.#folder, file)));
      this.#definitions.set('', module).set(name, module);
    } catch (error) {
      return { outcome: describeError(error) };
    }
  }

  #imports(module) {
    const imports = Object.create(null);
    for (const { module: from } of WebAssembly.Module.imports(module))
      if (this.#registry.has(from)) imports[from] = this.#registry.get(from);
    imports.wasm_perf = this.#shadow.hooks(...countFunctionImports(module));
    return imports;
  }

  #link(module) {
    const imports = this.#imports(module);
    const instance = new WebAssembly.Instance(module, imports);
    this.#shadow.attach(instance);
    const { exports } = instance;
    this.#kept.push({ command: this.#command, exports, tree: imports.wasm_perf.tree });
    return instance;
  }

  #instantiate(name, definition) {
    this.#instances.delete('');
    this.#instances.delete(name);
    const module = this.#definitions.get(definition);
    if (!module) return { skip: 'its module was not accepted' };
    return this.#guarded(() => {
      const instance = this.#link(module);
      instance.types = new Map(WebAssembly.Module.exports(module).map((e) => [e.name, e.type]));
      this.#instances.set('', instance).set(name ?? '', instance);
      return 'instantiated';
    });
  }

  /** Instantiates without leaving anything behind for later commands. */
  #attempt(command) {
    const before = this.#definitions.get('');
    const failure = this.#define(command);
    const module = this.#definitions.get('');
    this.#definitions.set('', before);
    if (failure) return failure;
    return this.#guarded(() => {
      this.#link(module);
      return 'instantiated';
    });
  }

  /** Runs guest code. Frames are left open by what throws, and by nothing else. */
  #guarded(run, exports) {
    try {
      const outcome = run();
      return this.#shadow.isOpen(exports) ? { outcome, fault: 'frames are open at the end' } : { outcome };
    } catch (error) {
      return { outcome: describeError(error, exports) };
    } finally {
      this.#shadow.unwind();
    }
  }

  #get({ module = '', field }) {
    const instance = this.#instances.get(module);
    if (!instance) return { skip: 'its module was not accepted' };
    return { outcome: showJs(instance.types.get(field).value, instance.exports[field].value) };
  }

  #invoke({ module = '', field, args }) {
    const instance = this.#instances.get(module);
    if (!instance) return { skip: 'its module was not accepted' };
    const func = instance.exports[field];
    const type = instance.types.get(field);
    return this.#guarded(() => {
      const bridge = this.#bridge(func, type);
      const results = bridge
        ? callBridge(bridge, type, args.map(bitsOf))
        : [func(...args.map(toJs))].flat();
      const show = bridge ? showBits : showJs;
      return type.results.map((type, i) => show(type, results[i])).join(' ');
    }, instance.exports);
  }

  #bridge(func, type) {
    if (!needsBridge(type)) return null;
    if (!this.#bridges.has(func)) this.#bridges.set(func, bridgeTo(func, type));
    return this.#bridges.get(func);
  }
}
