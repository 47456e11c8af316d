/**
 * Reads what a profile needs from a module: function names, and the marker that wasm-instrument left. Has no
 * dependencies and runs in any JavaScript engine.
 */

export const PREAMBLE_SIZE = 8;
export const SECTION = {
  custom: 0,
  type: 1,
  import: 2,
  table: 4,
  memory: 5,
  export: 7,
  start: 8,
  code: 10,
  data: 11,
  dataCount: 12,
};
const KIND = { function: 0, table: 1, memory: 2, global: 3, tag: 4 };
const [MODULE_NAME, FUNCTION_NAMES] = [0, 1]; // subsections of "name"
const MODULE = -1; // key of the module's own name, instead of a function index
const [NAMES_SECTION, MARKER_SECTION] = ['name', 'wasm_instrument'];
const MARKER_FORMAT = 1;

const text = new TextDecoder(); // not fatal: a bad byte in a name affects only that byte

/** Reads forwards through bytes[offset, end); throws a RangeError past the end. */
class Cursor {
  constructor(bytes, offset, end) {
    this.bytes = bytes;
    this.start = offset;
    this.offset = offset;
    this.end = end;
  }

  get done() {
    return this.offset >= this.end;
  }

  u8() {
    if (this.done) throw new RangeError(`item ends at offset ${this.end}`);
    return this.bytes[this.offset++];
  }

  u32() {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.u8();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new RangeError(`overlong LEB128 at offset ${this.offset}`);
  }

  s32() {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.u8();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return shift < 28 && byte & 0x40 ? value | (-1 << (shift + 7)) : value;
    }
    throw new RangeError(`overlong LEB128 at offset ${this.offset}`);
  }

  /** Skips one LEB128 of any width: limits of 64 bits, heap types. */
  skipLeb() {
    while (this.u8() >= 0x80);
  }

  /** Skips `size` bytes; returns their offset. */
  skip(size) {
    const start = this.offset;
    if (size > this.end - start) throw new RangeError(`item ends at offset ${this.end}`);
    this.offset += size;
    return start;
  }

  /** Returns a cursor over the next `size` bytes, and skips them here. */
  take(size) {
    const start = this.skip(size);
    return new Cursor(this.bytes, start, this.offset);
  }

  name() {
    const size = this.u32();
    const start = this.skip(size);
    return text.decode(this.bytes.subarray(start, this.offset));
  }

  /** Skips a name; returns its offset. */
  skipName() {
    const start = this.offset;
    this.skip(this.u32());
    return start;
  }

  /** Returns a cursor over a copy of the remaining bytes. */
  copyRest() {
    const bytes = this.bytes.slice(this.offset, this.end);
    return new Cursor(bytes, 0, bytes.length);
  }
}

function skipValueType(cursor) {
  const type = cursor.u8();
  if (type === 0x63 || type === 0x64) cursor.skipLeb(); // (ref null? heaptype)
}

function skipLimits(cursor) {
  const flags = cursor.u8();
  cursor.skipLeb();
  if (flags & 0x01) cursor.skipLeb();
  if (flags & 0x08) cursor.skipLeb(); // custom page size
}

/** Skips the type of an import that is not a function. */
export function skipImportType(cursor, kind) {
  switch (kind) {
    case KIND.table:
      skipValueType(cursor);
      return skipLimits(cursor);
    case KIND.memory:
      return skipLimits(cursor);
    case KIND.global:
      skipValueType(cursor);
      return cursor.u8();
    case KIND.tag:
      cursor.u8();
      return cursor.u32();
    default:
      throw new RangeError(`unknown kind of import at offset ${cursor.offset}`);
  }
}

/* Offsets of names by function index. An import has two consecutive names. */

function findImports(cursor, offsets) {
  for (let left = cursor.u32(); left > 0; left--) {
    const offset = cursor.skipName();
    cursor.skipName();
    const kind = cursor.u8();
    if (kind === KIND.function) {
      cursor.u32();
      offsets.set(offsets.size, offset);
    } else {
      skipImportType(cursor, kind);
    }
  }
}

function findExports(cursor, offsets) {
  for (let left = cursor.u32(); left > 0; left--) {
    const offset = cursor.skipName();
    const kind = cursor.u8();
    const index = cursor.u32();
    if (kind === KIND.function && !offsets.has(index)) offsets.set(index, offset);
  }
}

function findNames(cursor, offsets) {
  while (!cursor.done) {
    const id = cursor.u8();
    const part = cursor.take(cursor.u32());
    if (id === MODULE_NAME) offsets.set(MODULE, part.skipName());
    if (id !== FUNCTION_NAMES) continue;
    for (let left = part.u32(); left > 0; left--) {
      const index = part.u32();
      const offset = part.skipName();
      if (!offsets.has(index)) offsets.set(index, offset);
    }
  }
}

const readName = (cursor) => cursor.name();
const readImportName = (cursor) => `${cursor.name()}.${cursor.name()}`;

/**
 * The names of a section. There may be tens of thousands, and only a few are looked up, at the end of the run.
 * So their offsets are computed on the first lookup. Keeps a copy of the section, not of the module.
 */
class Names {
  #section;
  #find;
  #read;
  #offsets = null; // by function

  constructor(section, find, read) {
    this.#section = section.copyRest();
    this.#find = find;
    this.#read = read;
  }

  #locate() {
    this.#offsets = new Map();
    attempt(() => this.#find(this.#section, this.#offsets));
    return this.#offsets;
  }

  get size() {
    return (this.#offsets ?? this.#locate()).size;
  }

  get(index) {
    const offset = (this.#offsets ?? this.#locate()).get(index);
    if (offset === undefined) return undefined;
    const { bytes, end } = this.#section;
    return this.#read(new Cursor(bytes, offset, end));
  }
}

/** Reads the fields of struct wi_marker, and the options of the wasm-instrument command. */
function readMarkerSection(cursor) {
  if (cursor.u8() !== MARKER_FORMAT) return null;
  return {
    version: cursor.name(),
    clock: cursor.name(),
    importModule: cursor.name(),
    firstImport: cursor.u32(),
    importCount: cursor.u32(),
    functionCount: cursor.u32(),
    instrumentedCount: cursor.u32(),
    options: cursor.name(),
  };
}

/** Runs `read`. Truncated or malformed input ends it; any other exception is a bug and is rethrown. */
function attempt(read) {
  try {
    read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
}

/**
 * Calls `read` for each section with its id, a cursor over its content, and the offset of the id. An unreadable
 * section does not affect the others.
 */
export function readSections(source, read) {
  const bytes = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
  const isModule = bytes.length >= PREAMBLE_SIZE && text.decode(bytes.subarray(0, 4)) === '\0asm';
  if (!isModule) throw new TypeError('not a WebAssembly module');
  const cursor = new Cursor(bytes, PREAMBLE_SIZE, bytes.length);
  attempt(() => {
    while (!cursor.done) {
      const begin = cursor.offset;
      const id = cursor.u8();
      const section = cursor.take(cursor.u32());
      attempt(() => read(id, section, begin));
    }
  });
}

const NO_NAMES = new Map();

/** The facts read from a module. */
class ModuleInfo {
  /** The result of readMarker. */
  marker = null;
  #names = NO_NAMES;
  #exports = NO_NAMES;
  #imports = NO_NAMES;
  #codeCount = 0; // functions with a body

  constructor(source) {
    readSections(source, (id, section) => this.#readSection(id, section));
  }

  #readSection(id, section) {
    if (id === SECTION.import) this.#imports = new Names(section, findImports, readImportName);
    if (id === SECTION.export) this.#exports = new Names(section, findExports, readName);
    if (id === SECTION.code) this.#codeCount = section.u32();
    if (id !== SECTION.custom) return;
    const name = section.name();
    if (name === NAMES_SECTION) this.#names = new Names(section, findNames, readName);
    if (name === MARKER_SECTION) this.marker = readMarkerSection(section);
  }

  /**
   * The name of function `index`: "module.field" for an import; otherwise from the name section; otherwise its
   * first export; otherwise "func[12]", with the function's index before the module was instrumented.
   */
  functionName(index) {
    return (
      this.#imports.get(index) ||
      this.#names.get(index) ||
      this.#exports.get(index) ||
      `func[${this.#inputIndex(index)}]`
    );
  }

  /** The module's name in the name section, or undefined. */
  get moduleName() {
    return this.#names.get(MODULE);
  }

  /** Number of functions in the instrumented module, excluding the hooks' own. */
  get functionCount() {
    return this.importCount + (this.marker?.functionCount ?? this.#codeCount);
  }

  /** Number of imported functions. */
  get importCount() {
    return this.#imports.size;
  }

  #inputIndex(index) {
    if (!this.marker) return index;
    const { firstImport, importCount } = this.marker;
    return index >= firstImport + importCount ? index - importCount : index;
  }
}

/**
 * Whether a module defines functions. Returns true for input that is not a module: the caller decides about
 * that.
 */
export function hasFunctions(source) {
  let has = false;
  try {
    readSections(source, (id) => (has ||= id === SECTION.code));
  } catch {
    return true;
  }
  return has;
}

/** Returns the text of the custom section `wanted`, or undefined. */
export function readCustomText(source, wanted) {
  let found;
  readSections(source, (id, section) => {
    if (id === SECTION.custom && section.name() === wanted) found = text.decode(section.copyRest().bytes);
  });
  return found;
}

/**
 * Returns the marker that wasm-instrument left in a module, or null. Throws a TypeError if `source` is not a
 * WebAssembly module.
 *
 * @param {BufferSource} source the module's bytes
 */
export function readMarker(source) {
  let marker = null;
  readSections(source, (id, section) => {
    if (id === SECTION.custom && section.name() === MARKER_SECTION) marker = readMarkerSection(section);
  });
  return marker;
}

/**
 * Reads the names and the marker of a module. Malformed parts are skipped: a profile that lacks some names is
 * better than none. Throws a TypeError if `source` is not a WebAssembly module.
 *
 * @param {BufferSource} source the module's bytes
 * @returns {ModuleInfo}
 */
export const readModuleInfo = (source) => new ModuleInfo(source);
