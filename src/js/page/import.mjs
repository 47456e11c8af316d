/** `import 'wasm-perf/browser'`, for bundlers: the script for pages, which has our commands in it once. */

import './browser.js';

export const { wasmPerf } = globalThis;
