// Preloaded: when the process ends, writes how large the memories of the profiler became, in
// bytes, to the file $WI_MEMORY_FILE.
import { writeFileSync } from 'node:fs';

const { instantiate } = WebAssembly;
let memories = [];
WebAssembly.instantiate = async (...args) => {
  const result = await instantiate(...args);
  const { exports } = result.instance ?? result;
  if (exports.perf_profile) memories.push(exports.memory);
  return result;
};
process.on('exit', () => {
  writeFileSync(process.env.WI_MEMORY_FILE, String(memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0)));
});
