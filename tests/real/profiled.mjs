// For the runners beside this file: makes WebAssembly.instantiate profile the module it is given,
// whatever package calls it, and counts by itself how often the host enters the module.
import { readFileSync, writeFileSync } from 'node:fs';

import { tool } from '../support/tools.mjs';

const { createProfiler } = await import(tool('hosts/wasm_perf.mjs'));

/**
 * Profiles the module of `bytes`. Returns a function that writes the profile to `path`, and
 * beside it, in `path`.entries, the number of calls from outside while no other was under way.
 */
export async function profileModule(bytes, path) {
  const runtime = readFileSync(tool('wasm_perf.wasm'));
  const profiler = await createProfiler({ runtime, module: bytes });
  let inside = 0;
  let entries = 0;

  const counted = (call) =>
    function (...args) {
      if (inside++ === 0) ++entries;
      try {
        return call(...args);
      } finally {
        --inside;
      }
    };
  const wrap = ([name, value]) => [name, typeof value === 'function' ? counted(value) : value];
  const wrapInstance = ({ exports }) =>
    Object.create(WebAssembly.Instance.prototype, {
      exports: { value: Object.fromEntries(Object.entries(exports).map(wrap)) },
    });

  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (source, imports) => {
    const result = await instantiate(source, { ...imports, wasm_perf: profiler.imports });
    if (result instanceof WebAssembly.Instance) return wrapInstance(result);
    return { module: result.module, instance: wrapInstance(result.instance) };
  };
  return () => {
    writeFileSync(path, profiler.profile());
    writeFileSync(`${path}.entries`, String(entries));
  };
}
