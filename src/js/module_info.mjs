/**
 * Reads from a module's bytes what a profile needs: the names of its functions and
 * the marker that wasm-instrument left. Has no dependencies and runs in any JavaScript engine.
 */

const PREAMBLE_SIZE = 8;
const SECTION = { custom: 0, import: 2, export: 7, code: 10 };
const KIND = { function: 0, table: 1, memory: 2, global: 3, tag: 4 };
const [MODULE_NAME, FUNCTION_NAMES] = [0, 1]; // subsections of "name"
const MARKER_FORMAT = 1;

const text = new TextDecoder(); // not fatal: a bad byte in a name costs that byte only

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

  /** Skips one LEB128 of any width: limits of 64 bits, heap types. */
  skipLeb() {
    while (this.u8() >= 0x80);
  }

  /** The next `size` bytes as a cursor of their own; this one goes on after them. */
  take(size) {
    const start = this.offset;
    if (size > this.end - start) throw new RangeError(`item ends at offset ${this.end}`);
    this.offset += size;
    return new Cursor(this.bytes, start, this.offset);
  }

  name() {
    const { offset, end } = this.take(this.u32());
    return text.decode(this.bytes.subarray(offset, end));
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

function skipImportType(cursor, kind) {
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

function readImports(cursor, imports) {
  for (let left = cursor.u32(); left > 0; left--) {
    const name = `${cursor.name()}.${cursor.name()}`;
    const kind = cursor.u8();
    if (kind === KIND.function) {
      cursor.u32();
      imports.push(name);
    } else {
      skipImportType(cursor, kind);
    }
  }
}

function readExports(cursor, exports) {
  for (let left = cursor.u32(); left > 0; left--) {
    const name = cursor.name();
    const kind = cursor.u8();
    const index = cursor.u32();
    if (kind === KIND.function && !exports.has(index)) exports.set(index, name);
  }
}

function readNameSection(cursor, names) {
  while (!cursor.done) {
    const id = cursor.u8();
    const part = cursor.take(cursor.u32());
    if (id === MODULE_NAME) names.module = part.name();
    if (id !== FUNCTION_NAMES) continue;
    for (let left = part.u32(); left > 0; left--) {
      const index = part.u32();
      const name = part.name();
      if (!names.has(index)) names.set(index, name);
    }
  }
}

/** The offset in the module at which each function's code begins, after its size. */
function readCode(cursor, offsets) {
  for (let left = cursor.u32(); left > 0; left--) offsets.push(cursor.take(cursor.u32()).start);
}

/** What wasm-instrument left, as struct wi_marker has it, and the options it was given. */
function readMarker(cursor) {
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

/** What was read of a module. */
class ModuleInfo {
  /** What readMarker returns, or null. */
  marker = null;
  #names = new Map();
  #exports = new Map();
  #imports = [];
  #codeOffsets = [];
  #functionsByOffset = null;

  constructor(bytes) {
    const cursor = new Cursor(bytes, PREAMBLE_SIZE, bytes.length);
    attempt(() => {
      while (!cursor.done) {
        const id = cursor.u8();
        const section = cursor.take(cursor.u32());
        // One section that cannot be read does not cost the others.
        attempt(() => this.#readSection(id, section));
      }
    });
  }

  #readSection(id, section) {
    if (id === SECTION.import) return readImports(section, this.#imports);
    if (id === SECTION.export) return readExports(section, this.#exports);
    if (id === SECTION.code) return readCode(section, this.#codeOffsets);
    if (id !== SECTION.custom) return;
    const name = section.name();
    if (name === 'name') readNameSection(section, this.#names);
    if (name === 'wasm_instrument') this.marker = readMarker(section);
  }

  /**
   * The name of function `index`: "module.field" for an import; else from the name section, else
   * its first export, else "func[12]", where the number is the function's index before the module
   * was instrumented.
   */
  functionName(index) {
    return (
      this.#imports[index] ||
      this.#names.get(index) ||
      this.#exports.get(index) ||
      `func[${this.#inputIndex(index)}]`
    );
  }

  /** What the name section calls the module, or undefined. */
  get moduleName() {
    return this.#names.module;
  }

  /** How many functions the instrumented module has, but for those of the hooks themselves. */
  get functionCount() {
    return this.importCount + (this.marker?.functionCount ?? this.#codeOffsets.length);
  }

  /** The index of the function whose code begins at that offset in the module, or undefined. */
  functionAt(offset) {
    const { length } = this.#imports;
    this.#functionsByOffset ??= new Map(this.#codeOffsets.map((at, i) => [at, length + i]));
    return this.#functionsByOffset.get(offset);
  }

  /** How many functions are imported. */
  get importCount() {
    return this.#imports.length;
  }

  /** The index of a function in this module, given the one before the module was instrumented. */
  outputIndex = (index) => {
    const { firstImport = Infinity, importCount } = this.marker ?? {};
    return index >= firstImport ? index + importCount : index;
  };

  #inputIndex(index) {
    if (!this.marker) return index;
    const { firstImport, importCount } = this.marker;
    return index >= firstImport + importCount ? index - importCount : index;
  }
}

/** Runs `read`; truncated or malformed input ends it, any other exception is a bug here. */
function attempt(read) {
  try {
    read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
}

/**
 * Reads the names and the marker of a module. What is malformed is skipped: a profile with some names missing
 * is better than none. Throws a TypeError if `source` is no WebAssembly module at all.
 *
 * @param {BufferSource} source the module's bytes
 * @returns {ModuleInfo}
 */
export function readModuleInfo(source) {
  const bytes = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
  const isModule = bytes.length >= PREAMBLE_SIZE && text.decode(bytes.subarray(0, 4)) === '\0asm';
  if (!isModule) throw new TypeError('not a WebAssembly module');
  return new ModuleInfo(bytes);
}
