/** Where the code of functions is in a module, as V8's profiler tells them apart. */

import { tool } from './tools.mjs';

const { readSections, SECTION } = await import(tool('js/engine/module_info.mjs'));

/** The offsets of the bodies of all functions that are no imports, after their sizes. */
export function codeOffsets(bytes) {
  const offsets = [];
  readSections(bytes, (id, section) => {
    if (id !== SECTION.code) return;
    for (let left = section.u32(); left > 0; left--) offsets.push(section.skip(section.u32()));
  });
  return offsets;
}
