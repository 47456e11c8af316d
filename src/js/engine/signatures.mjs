/** Finds the imports that exchange references with a module, which may be references to its own functions. */

import { SECTION, readSections, skipImportType } from './module_info.mjs';

const FORM = { array: 0x5e, struct: 0x5f, function: 0x60, recursive: 0x4e, sub: 0x50, subFinal: 0x4f };
const KIND_FUNCTION = 0;
const TYPED_REFERENCES = [0x63, 0x64]; // a heap type follows
const FIRST_REFERENCE = 0x77; // reference types are below; number and packed types are above
const EXTERNREF = 0x6f; // from the host

/** Skips a value type. Returns whether it is a reference that the module may have created. */
function isReference(cursor) {
  const type = cursor.u8();
  if (TYPED_REFERENCES.includes(type)) cursor.skipLeb();
  return type < FIRST_REFERENCE && type !== EXTERNREF;
}

/** Whether a vector of types contains such a reference. Each type is followed by `more` bytes. */
function anyReference(cursor, more = 0) {
  let found = false;
  for (let left = cursor.u32(); left > 0; left--) {
    found = isReference(cursor) || found;
    cursor.skip(more);
  }
  return found;
}

/** Skips a type. Returns whether it is a function type with such references as parameters or results. */
function readType(cursor, form) {
  if (form === FORM.sub || form === FORM.subFinal) {
    for (let left = cursor.u32(); left > 0; left--) cursor.u32();
    return readType(cursor, cursor.u8());
  }
  if (form === FORM.struct) anyReference(cursor, 1);
  if (form === FORM.array) {
    isReference(cursor);
    cursor.skip(1);
  }
  if (form !== FORM.function) return false;
  const takes = anyReference(cursor);
  return anyReference(cursor) || takes;
}

function readTypes(cursor) {
  const types = [];
  for (let left = cursor.u32(); left > 0; left--) {
    const form = cursor.u8();
    if (form !== FORM.recursive) {
      types.push(readType(cursor, form));
      continue;
    }
    for (let inner = cursor.u32(); inner > 0; inner--) types.push(readType(cursor, cursor.u8()));
  }
  return types;
}

/** Identifies an import. */
export const importKey = (module, field) => `${module}\0${field}`;

/**
 * @param {BufferSource} source the module's bytes
 * @returns {Set<string>} keys of the imported functions that receive or return references
 */
export function readReferenceImports(source) {
  const found = new Set();
  let types = [];
  readSections(source, (id, cursor) => {
    if (id === SECTION.type) types = readTypes(cursor);
    if (id !== SECTION.import || !types.includes(true)) return;
    for (let left = cursor.u32(); left > 0; left--) {
      const key = importKey(cursor.name(), cursor.name());
      const kind = cursor.u8();
      if (kind === KIND_FUNCTION && types[cursor.u32()]) found.add(key);
      else if (kind !== KIND_FUNCTION) skipImportType(cursor, kind);
    }
  });
  return found;
}
