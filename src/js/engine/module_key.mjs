/** A section at the end of modules that we rewrote: it tells other threads and runs which module it is. */

import { readCustomText } from './module_info.mjs';
import { encodeNumber } from './start_function.mjs';

const KEY_SECTION = 'wasm_perf_key';

/** The section, of what JSON can hold. */
export function encodeKey(value) {
  const encoder = new TextEncoder();
  const [name, text] = [encoder.encode(KEY_SECTION), encoder.encode(JSON.stringify(value))];
  const nameSize = encodeNumber(name.length);
  const size = encodeNumber(nameSize.length + name.length + text.length);
  return Uint8Array.from([0, ...size, ...nameSize, ...name, ...text]);
}

/** What the section of a module holds; undefined if there is none, or it is not whole. */
export function readKey(bytes) {
  try {
    return JSON.parse(readCustomText(bytes, KEY_SECTION));
  } catch {
    return undefined;
  }
}

/** The same of a module that is compiled. */
export function keyOfCompiled(module) {
  const [section] = WebAssembly.Module.customSections(module, KEY_SECTION);
  try {
    return section && JSON.parse(new TextDecoder().decode(section));
  } catch {
    return undefined;
  }
}
