/** The same as browser.mjs for bundlers, which make it a part of the program's script: everything is in one file. */

import { PROGRAMS } from './browser_programs.mjs';
import { start } from './start.mjs';

const bytesOf = (name) => Uint8Array.from(PROGRAMS[name], (letter) => letter.charCodeAt(0));

export const wasmPerf = (globalThis.wasmPerf ??= start(bytesOf, ''));
