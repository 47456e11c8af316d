/** The embedded form, as any host uses it: nothing but exports, see src/runtime/embed_image.c. */

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
  const guard = (call) => (...args) => {
    const slot = exports.wasm_perf_slot();
    try {
      return call(...args);
    } catch (error) {
      exports.wasm_perf_set_slot(slot);
      throw error;
    }
  };
  return {
    imports: {},
    attach: (of) => (exports = of),
    wrapExports(of) {
      exports = of;
      const wrap = ([name, value]) => [name, typeof value === 'function' ? guard(value) : value];
      return Object.fromEntries(Object.entries(of).map(wrap));
    },
    profile: () => readEmbedded(exports),
    functionName: (index) => info.functionName(index),
  };
}
