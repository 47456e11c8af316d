/** A custom section at the end of rewritten modules. It identifies the module to other threads and later runs. */

import { readCustomText } from './module_info.mjs';
import { encodeNumber } from './start_function.mjs';

const KEY_SECTION = 'wasm_perf_key';

/** Encodes a section that contains a JSON value. */
export function encodeKey(value) {
  const encoder = new TextEncoder();
  const [name, text] = [encoder.encode(KEY_SECTION), encoder.encode(JSON.stringify(value))];
  const nameSize = encodeNumber(name.length);
  const size = encodeNumber(nameSize.length + name.length + text.length);
  return Uint8Array.from([0, ...size, ...nameSize, ...name, ...text]);
}

/** Returns the value in a module's section, or undefined if there is no section or it is malformed. */
export function readKey(bytes) {
  try {
    return JSON.parse(readCustomText(bytes, KEY_SECTION));
  } catch {
    return undefined;
  }
}

/** Like readKey, for a compiled module. */
export function keyOfCompiled(module) {
  const [section] = WebAssembly.Module.customSections(module, KEY_SECTION);
  try {
    return section && JSON.parse(new TextDecoder().decode(section));
  } catch {
    return undefined;
  }
}
