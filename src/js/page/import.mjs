/** `import 'wasm-perf/browser'`, for bundlers. */

import '../package/bundled.js';

export const { wasmPerf } = globalThis;
