/**
 * A program that prints all that it can find out about WebAssembly and what its functions return: own properties with
 * their attributes, prototypes, identities, realms and source texts. tests/js/reflection.test.mjs runs it.
 *
 *     node reflected.mjs FILE main|context|worker [NUMBER OF EARLIER INSTANCES]
 */

import { readFileSync } from 'node:fs';
import { inspect, types } from 'node:util';
import vm from 'node:vm';
import { Worker, isMainThread, workerData } from 'node:worker_threads';

/** Code that returns the roots, by name. Runs in the realm that is looked at. */
const collect = `async ({ bytes, importing, empty, broken, compiled, earlier }) => {
  const native = WebAssembly.Module.prototype;
  const module = new WebAssembly.Module(bytes);
  const calls = [];
  const given = (...values) => (calls.push(values), values.at(-1));
  const env = { given, two: () => [7, main.exports.add] };
  for (let i = 0; i < earlier; i++) new WebAssembly.Instance(module, { env });
  const main = new WebAssembly.Instance(module, { env });
  const { add, table, global, tag, several, pass, memory, anything } = main.exports;
  const other = new WebAssembly.Instance(new WebAssembly.Module(importing), { main: main.exports });
  class OwnModule extends WebAssembly.Module { own = 1; }
  class OwnInstance extends WebAssembly.Instance { own = 2; }
  const caught = async (call) => {
    try {
      return await call();
    } catch (error) {
      return error;
    }
  };
  const errors = {};
  const failing = {
    moduleWithoutNew: () => WebAssembly.Module(bytes),
    instanceWithoutNew: () => WebAssembly.Instance(module),
    tableWithoutNew: () => WebAssembly.Table(),
    newOfExport: () => new add(),
    moduleOfNumber: () => new WebAssembly.Module(17),
    moduleOfNothing: () => new WebAssembly.Module(),
    moduleOfBroken: () => new WebAssembly.Module(broken),
    compileBroken: () => WebAssembly.compile(broken),
    instantiateBroken: () => WebAssembly.instantiate(broken),
    compileNothing: () => WebAssembly.compile(),
    instantiateNumber: () => WebAssembly.instantiate(3),
    withoutImports: () => new WebAssembly.Instance(module),
    wrongImports: () => new WebAssembly.Instance(module, { env: { given: 1 } }),
    laterWithoutImports: () => WebAssembly.instantiate(bytes, {}),
    numberAsImports: () => WebAssembly.instantiate(bytes, 5),
    exportsOfNumber: () => WebAssembly.Module.exports(1),
    sectionsOfNumber: () => WebAssembly.Module.customSections(1, 'name'),
    sectionsOfSymbol: () => WebAssembly.Module.customSections(module, Symbol('name')),
    sectionsWithoutName: () => WebAssembly.Module.customSections(module),
    exportsOfOther: () => Object.getOwnPropertyDescriptor(WebAssembly.Instance.prototype, 'exports').get.call({}),
    tableGetOfOther: () => WebAssembly.Table.prototype.get.call({}, 0),
    tableSetOfArrow: () => table.set(0, () => 1),
    tableSetWithoutValue: () => table.set(0),
    tableGetTooFar: () => table.get(99),
    globalSet: () => (global.value = 5),
    frozen: () => { 'use strict'; main.exports.add = 1; },
    trap: () => main.exports.trap(),
    thrown: () => main.exports.throws(),
    numberForBigInt: () => main.exports.wide(1),
    caller: () => add.caller,
    source: () => Function.prototype.toString.call(Object.create(add)),
    streamOfNothing: () => WebAssembly.compileStreaming(),
    streamOfText: () => WebAssembly.instantiateStreaming(5),
  };
  for (const [name, call] of Object.entries(failing)) errors[name] = await caught(call);
  const promises = {
    compile: WebAssembly.compile(bytes),
    instantiate: WebAssembly.instantiate(bytes, { env }),
    instantiateModule: WebAssembly.instantiate(module, { env }),
    failed: WebAssembly.compile(broken),
  };
  promises.failed.catch(() => {});
  const settled = {};
  for (const [name, promise] of Object.entries(promises)) settled[name] = await caught(() => promise);
  table.set(1, add);
  const before = table.grow(1, other.exports.again);
  const loose = new WebAssembly.Table({ initial: 2, element: 'anyfunc' }, add);
  const held = new WebAssembly.Global({ value: 'anyfunc', mutable: true }, add);
  const exception = tag && new WebAssembly.Exception(tag, [1, add]);
  const sections = {};
  for (const name of ['name', 'producers', 'build_id', 'sourceMappingURL', 'external_debug_info', '.debug_line', 'own',
    'metadata.code.branch_hint', 'metadata.code.other', 'llvm.func_attr.annotate.x', 'wasm_instrument', 'wasm_perf_key',
    'wasm_perf_padding', 'wasm_perf_original:name', ''])
    sections[name] = WebAssembly.Module.customSections(module, name).map((buffer) => [...new Uint8Array(buffer)].join());
  const lists = {
    exports: WebAssembly.Module.exports(module), imports: WebAssembly.Module.imports(module),
    sections: WebAssembly.Module.customSections(module, 'name'), own: WebAssembly.Module.customSections(module, 'own'),
    ofSent: compiled && WebAssembly.Module.exports(compiled), ofEmpty: WebAssembly.Module.exports(new WebAssembly.Module(empty)),
  };
  const same = {
    again: other.exports.again === add, fromTable: table.get(1) === add, first: table.get(0) === add,
    grown: table.get(before) === add, global: global.value === add, valueOf: global.valueOf() === add,
    held: held.value === add, loose: loose.get(1) === add, several: several()[1] === add, passed: pass(add) === add,
    given: calls.at(-1)?.[0] === add, ownOfOther: other.exports.own === table.get(0),
    exception: exception?.getArg(tag, 1) === add, thrown: errors.thrown?.getArg?.(tag, 1) === add,
    exports: main.exports === main.exports, constructor: module.constructor === WebAssembly.Module, native: native === WebAssembly.Module.prototype,
    instance: main instanceof WebAssembly.Instance, array: anything([1]).length,
  };
  return {
    WebAssembly, module, main, other, errors, promises, settled, loose, held, exception, sections, lists, same, table, memory,
    subclasses: [new OwnModule(bytes), new OwnInstance(module, { env })],
    results: [several(), add(1, 2), pass(null), calls, table.get(0), held.valueOf()],
    task: WebAssembly.promising?.(add), suspending: WebAssembly.Suspending && new WebAssembly.Suspending(() => 1),
    clone: structuredClone(module), text: String(add), name: add.name,
  };
}`;

/** Objects whose contents do not matter. */
const isLeaf = (value) => types.isExternal(value) || ArrayBuffer.isView(value);

/** What accessors of WebAssembly's prototypes return. */
function insides(value) {
  const [, key] = { Table: [0, 'length'], Global: [0, 'value'], Instance: [0, 'exports'] }[
    /WebAssembly\.(\w+)/.exec(Object.prototype.toString.call(value))?.[1]] ?? [];
  try {
    return key ? [value[key]] : [];
  } catch {
    return []; // a prototype
  }
}

/** Prints a graph of objects, each once, with a number. */
function print(roots) {
  const numbers = new Map();
  const queue = [];
  const nameOf = (value) => {
    if (typeof value === 'symbol') return String(value);
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'string') return JSON.stringify(value);
    if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return String(value);
    if (!numbers.has(value)) {
      numbers.set(value, numbers.size);
      queue.push(value);
    }
    return `#${numbers.get(value)}`;
  };
  const traits = (value) => [
    typeof value, Object.prototype.toString.call(value), Object.isExtensible(value) && 'extensible', Object.isFrozen(value) && 'frozen',
    types.isProxy(value) && 'PROXY', types.isAsyncFunction(value) && 'async', types.isPromise(value) && 'promise',
    typeof value === 'function' && Function.prototype.toString.call(value).replace(/\s+/g, ' ').slice(0, 200),
    types.isNativeError(value) && value.message, typeof value === 'function' && inspect(value, { depth: 0 }).split('\n')[0],
  ].filter(Boolean).join(' | ');
  const lines = [`roots ${nameOf(roots)}`];
  for (let value; (value = queue.shift()); ) {
    lines.push(`#${numbers.get(value)} ${traits(value)} -> ${nameOf(Object.getPrototypeOf(value))}`);
    if (isLeaf(value)) continue;
    for (const key of Reflect.ownKeys(value)) {
      const { get, set, value: content, ...attributes } = Object.getOwnPropertyDescriptor(value, key);
      const flags = Object.keys(attributes).filter((name) => attributes[name]).map((name) => name[0]).join('');
      const shown = key === 'stack' && types.isNativeError(value) ? 'stack' : [content, get, set].map(nameOf).join(' ');
      lines.push(`    ${String(key)} ${flags} ${shown}`);
    }
    lines.push(...insides(value).map((inner) => `    inside ${nameOf(inner)}`));
  }
  return lines.join('\n');
}

const [file, where, earlier] = isMainThread ? process.argv.slice(2) : workerData.words;
const inputs = () => {
  const [bytes, importing, empty] = ['', '.importing', '.empty'].map((part) => readFileSync(`${file}${part}.wasm`));
  return { bytes, importing, empty, earlier: Number(earlier), broken: Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 99) };
};

if (isMainThread && where === 'worker') {
  const compiled = new WebAssembly.Module(inputs().bytes);
  new Worker(new URL(import.meta.url), { workerData: { words: [file, where, earlier], compiled } });
} else if (where === 'context') {
  const context = vm.createContext({ structuredClone });
  console.log(print(await vm.runInContext(`(${collect})`, context)(inputs())));
} else {
  const { compiled } = workerData ?? {};
  const run = (0, eval)(`(${collect})`);
  console.log(print(await run({ ...inputs(), compiled })));
}
