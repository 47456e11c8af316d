/**
 * Reads the profile of a module that was instrumented with `wasm-instrument --embed`:
 *
 *     writeFileSync('app.wperf', readProfile(instance.exports));
 */
export function readProfile({ wasm_perf_profile, wasm_perf_read }) {
  const size = wasm_perf_profile() >>> 0;
  const view = new DataView(new ArrayBuffer(Math.ceil(size / 8) * 8));
  for (let offset = 0; offset < size; offset += 8) view.setBigInt64(offset, wasm_perf_read(offset), true);
  return new Uint8Array(view.buffer, 0, size);
}
