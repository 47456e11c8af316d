/**
 * `import 'wasm-perf/browser'`, for bundlers. Loads the script for pages, so that our commands are included
 * only once.
 */

import './browser.js';

export const { wasmPerf } = globalThis;
