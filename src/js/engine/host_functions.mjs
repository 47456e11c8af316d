/** Functions of the host that modules call through a table: hooks/embedded/merge.c. */

import { HOST_TABLE_EXPORT } from './host_exports.mjs';

/** Saved before the program can replace them. */
const { Instance, Module } = globalThis.WebAssembly ?? {};
const now = performance.now.bind(performance);

/** A module that exports its import, because tables hold only functions of modules; with the type of that. */
const through = (...type) => {
  const types = [1, type.length + 2, 1, 0x60, ...type];
  return Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...types, 2, 7, 1, 1, 0x6d, 1, 0x66, 0, 0, 7, 5, 1, 1, 0x66, 0, 0);
};

const [I32, F64] = [0x7f, 0x7c];

export const CALLERS = { index: 0, type: [1, I32, 1, I32] };
const CLOCK = { index: 1, type: [0, 1, F64] };

const made = new Map(); // function -> the same as a function of a module

/** Puts a function into an instance's table. Returns false if it has none. */
export function setHostFunction(exports, { index, type }, own) {
  const table = exports[HOST_TABLE_EXPORT];
  if (!table) return false;
  if (!made.has(own)) made.set(own, new Instance(new Module(through(...type)), { m: { f: own } }).exports.f);
  table.set(index, made.get(own));
  return true;
}

const nanoseconds = () => now() * 1e6;

/** Gives an instance that measures single calls the clock. */
export function connectClock(exports) {
  if (exports.wasm_perf_clock && setHostFunction(exports, CLOCK, nanoseconds)) exports.wasm_perf_clock();
}
