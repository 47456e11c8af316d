/** The embedded form, as any host uses it: nothing but exports, see src/runtime/embedded/profile.c. */

/** The .wperf file that an instance keeps. */
export function readEmbedded(exports) {
  const size = exports.wasm_perf_profile() >>> 0;
  const view = new DataView(new ArrayBuffer(Math.ceil(size / 8) * 8));
  for (let offset = 0; offset < size; offset += 8)
    view.setBigInt64(offset, exports.wasm_perf_read(offset), true);
  return new Uint8Array(view.buffer, 0, size);
}

/** A profiler in the form of the linked runtime's, for tests of both. */
export function embeddedProfiler(info) {
  let exports;
  const guards = new WeakMap();
  const plain = new WeakMap();
  const makeGuard = (call) => (...args) => {
    const slot = exports.wasm_perf_slot();
    try {
      return call(...args);
    } catch (error) {
      exports.wasm_perf_set_slot(slot);
      throw error;
    }
  };
  const guard = (value) => {
    if (typeof value !== 'function') return value;
    if (!guards.has(value)) {
      guards.set(value, makeGuard(value));
      plain.set(guards.get(value), value);
    }
    return guards.get(value);
  };
  const guardTable = (table) => {
    const { get, set } = WebAssembly.Table.prototype;
    table.get = (index) => guard(get.call(table, index));
    table.set = (index, ...value) => set.call(table, index, ...value.map((item) => plain.get(item) ?? item));
  };
  return {
    imports: {},
    attach: (of) => (exports = of),
    wrapExports(of) {
      exports = of;
      for (const value of Object.values(of)) if (value instanceof WebAssembly.Table) guardTable(value);
      const wrap = ([name, value]) => [name, guard(value)];
      return Object.fromEntries(Object.entries(of).map(wrap));
    },
    profile: () => readEmbedded(exports),
    functionName: (index) => info.functionName(index),
  };
}
