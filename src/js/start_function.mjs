/**
 * A module's start function runs before anybody has its instance, so that a profile is lost where it
 * traps or exits. Where we instantiate, it becomes an export, which we call once we have the instance.
 */

const HEADER_SIZE = 8;
const EXPORT_SECTION = 7;
const START_SECTION = 8;
const FUNCTION = 0; // the kind of export

/** The export's name; the program sees none of those that begin so. */
export const START_EXPORT = 'wasm_perf_start';

/** A LEB128 number: [value, where it ends]. */
function readNumber(bytes, offset) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[offset++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return [value, offset];
  }
}

/** LEB128 */
export function encodeNumber(value) {
  const bytes = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return [...bytes, value];
}

/** {id, start, payload, end} of each section of a valid module. */
function* sectionsOf(bytes) {
  for (let start = HEADER_SIZE; start < bytes.length; ) {
    const [size, payload] = readNumber(bytes, start + 1);
    yield { id: bytes[start], start, payload, end: payload + size };
    start = payload + size;
  }
}

/** The section of exports with one more. */
function withExport(bytes, { payload, end }, index) {
  const [count, items] = readNumber(bytes, payload);
  const name = Buffer.from(START_EXPORT);
  const item = [...encodeNumber(name.length), ...name, FUNCTION, ...encodeNumber(index)];
  const content = Buffer.concat([Buffer.from(encodeNumber(count + 1)), bytes.subarray(items, end), Buffer.from(item)]);
  return Buffer.concat([Buffer.from([EXPORT_SECTION, ...encodeNumber(content.length)]), content]);
}

/**
 * @param {Uint8Array} bytes of a module with exports
 * @returns {Uint8Array} the same with the start function as an export
 */
export function exportStartFunction(bytes) {
  const sections = [...sectionsOf(bytes)];
  const start = sections.find(({ id }) => id === START_SECTION);
  if (!start) return bytes;
  const [index] = readNumber(bytes, start.payload);
  const parts = sections.map((section) => {
    if (section === start) return Buffer.alloc(0);
    const isExports = section.id === EXPORT_SECTION;
    return isExports ? withExport(bytes, section, index) : bytes.subarray(section.start, section.end);
  });
  return Buffer.concat([bytes.subarray(0, HEADER_SIZE), ...parts]);
}
