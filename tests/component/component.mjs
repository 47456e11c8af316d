// The container of components, read once more; enough to compare two of them.
import assert from 'node:assert/strict';

const CORE_MODULE = 1;
const COMPONENT = 4;

const leb = (bytes, at) => {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return [value, at];
  }
};

/** The sections of a component or module, each {id, bytes}; and for a nested component its sections. */
export function sections(bytes) {
  const found = [];
  for (let at = 8; at < bytes.length;) {
    const id = bytes[at];
    const [size, start] = leb(bytes, at + 1);
    assert.ok(start + size <= bytes.length);
    found.push({ id, bytes: bytes.subarray(start, start + size) });
    at = start + size;
  }
  return found;
}

/** Its core modules, nested ones included, in the order in which they stand. */
export const coreModules = (bytes) => sections(bytes).flatMap((section) =>
  section.id === CORE_MODULE ? [section.bytes] : section.id === COMPONENT ? coreModules(section.bytes) : []);

/** All of it but the core modules: what has to be the same in both. */
export const frame = (bytes) => sections(bytes).map(({ id, bytes: contents }) => [id,
  id === CORE_MODULE ? 'module' : id === COMPONENT ? frame(contents) : Buffer.from(contents).toString('hex')]);

/** A section with its size, which may be written longer than it has to be. */
export const section = (id, contents, sizeLength = 0) => {
  const size = [];
  let rest = contents.length;
  do {
    size.push(rest & 127 | (rest > 127 || size.length + 1 < sizeLength ? 128 : 0));
    rest >>>= 7;
  } while (rest > 0 || size.length < sizeLength);
  return Buffer.concat([Buffer.from([id, ...size]), contents]);
};

const isName = ({ id, bytes }) => id === 0 && Buffer.from(bytes.subarray(0, 5)).equals(Buffer.from('\x04name'));

/** A component or module without the names of its functions and of its modules. */
export const stripped = (bytes) => Buffer.concat([bytes.subarray(0, 8), ...sections(bytes).filter((part) => !isName(part))
  .map(({ id, bytes: contents }) => section(id, bytes[4] === HEADER[4] && (id === CORE_MODULE || id === COMPONENT) ? stripped(contents) : contents))]);

export const HEADER = Buffer.from([0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0]);
export const nested = (depth) => (depth === 0 ? HEADER : Buffer.concat([HEADER, section(COMPONENT, nested(depth - 1))]));
