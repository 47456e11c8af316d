// Preloaded: when the process ends, writes how large the memory of the profiler's runtime became, in
// bytes, to the file $WI_MEMORY_FILE.
import { writeFileSync } from 'node:fs';

const { instantiate } = WebAssembly;
let memory = null;
WebAssembly.instantiate = async (...args) => {
  const result = await instantiate(...args);
  if (result.exports?.perf_profile) memory = result.exports.memory;
  return result;
};
process.on('exit', () => {
  writeFileSync(process.env.WI_MEMORY_FILE, String(memory ? memory.buffer.byteLength : 0));
});
