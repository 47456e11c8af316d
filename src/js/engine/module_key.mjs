/**
 * Custom sections of rewritten modules. One at the end identifies the module to other threads and later runs. Those
 * before it keep the sections of the original module that rewriting changes. One at the beginning moves its code.
 */

import { concatenate } from '../wperf/bytes.mjs';
import { PREAMBLE_SIZE, SECTION, readCustomText, readSections } from './module_info.mjs';
import { encodeNumber } from './host_exports.mjs';

const KEY_SECTION = 'wasm_perf_key';
const PADDING_SECTION = 'wasm_perf_padding';
const ORIGINAL = 'wasm_perf_original:'; // followed by the name of the original section

/** Sections that rewriting adds, changes or drops. */
const CHANGED =
  /^(?:name|producers|build_id|signature|sourceMappingURL|external_debug_info|wasm_instrument|wasm_perf_.*|(?:metadata\.code|llvm\.func_attr\.annotate)\..*|\.debug_.*)$/s;

/** The engine's own function, before it is patched. */
const customSections = globalThis.WebAssembly?.Module.customSections;

const encoder = new TextEncoder();

function encodeSection(sectionName, content) {
  const name = encoder.encode(sectionName);
  const nameSize = encodeNumber(name.length);
  const size = encodeNumber(nameSize.length + name.length + content.length);
  return concatenate([[0, ...size, ...nameSize], name, content]);
}

/** Encodes the sections at the end of a rewritten module: `original` is the module, `key` a JSON value. */
export function encodeTail(original, key) {
  const kept = [];
  readSections(original, (id, section) => {
    const name = id === SECTION.custom ? section.name() : '';
    if (CHANGED.test(name)) kept.push(encodeSection(ORIGINAL + name, section.copyRest().bytes));
  });
  return concatenate([...kept, encodeSection(KEY_SECTION, encoder.encode(JSON.stringify(key)))]);
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
  const [section] = customSections(module, KEY_SECTION);
  try {
    return section && JSON.parse(new TextDecoder().decode(section));
  } catch {
    return undefined;
  }
}

/** Returns the name under which a rewritten module has the original module's section. */
export const originalSection = (name) => (CHANGED.test(name) ? ORIGINAL + name : name);

/** Returns the offset of the module's code section, or undefined if it has none. */
export function codeOffsetOf(bytes) {
  let offset;
  readSections(bytes, (id, _, begin) => (offset = id === SECTION.code ? begin : offset));
  return offset;
}

const encodePadding = (size) => (size === 0 ? new Uint8Array(0) : encodeSection(PADDING_SECTION, new Uint8Array(size)));

/** The number of bytes by which `pad` moves the code. */
export const paddedBy = (size) => encodePadding(size).length;

/** Returns the module with its code moved. Each size moves it by another number of bytes; 0 does not. */
export function pad(bytes, size) {
  if (size === 0) return bytes;
  return concatenate([bytes.subarray(0, PREAMBLE_SIZE), encodePadding(size), bytes.subarray(PREAMBLE_SIZE)]);
}

/** Returns the size with which a compiled module was padded. */
export const paddingOf = (module) => customSections(module, PADDING_SECTION)[0]?.byteLength ?? 0;
