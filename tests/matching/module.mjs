// The little that must be known of a module: its functions' names and sizes, and how to take the names away.

function reader(bytes, at = 0) {
  const u32 = () => {
    let value = 0, shift = 0, byte;
    do {
      byte = bytes[at++];
      value += (byte & 0x7f) * 2 ** shift;
      shift += 7;
    } while (byte & 0x80);
    return value;
  };
  const text = () => {
    const size = u32();
    at += size;
    return bytes.toString('utf8', at - size, at);
  };
  return { u32, text, get at() { return at; }, set at(value) { at = value; } };
}

/** Each section: {id, name (of custom ones), start (of its id), at (of its contents), end}. */
function* sections(bytes) {
  const in_ = reader(bytes, 8);
  while (in_.at < bytes.length) {
    const start = in_.at, id = bytes[in_.at++], size = in_.u32(), end = in_.at + size;
    const name = id === 0 ? in_.text() : undefined;
    yield { id, name, start, at: in_.at, end };
    in_.at = end;
  }
}

/** The module without custom sections: names and debug information are gone. */
export function strip(bytes) {
  const kept = [...sections(bytes)].filter(({ id }) => id !== 0).map(({ start, end }) => bytes.subarray(start, end));
  return Buffer.concat([bytes.subarray(0, 8), ...kept]);
}

function countImports(bytes, at) {
  const in_ = reader(bytes, at);
  let functions = 0;
  for (let count = in_.u32(); count > 0; count--) {
    in_.text();
    in_.text();
    const kind = bytes[in_.at++];
    if (kind === 0) functions++, in_.u32();
    else if (kind === 3) in_.at += 2;
    else {
      if (kind === 1) in_.at++;
      const flags = in_.u32();
      in_.u32();
      if (flags & 1) in_.u32();
    }
  }
  return functions;
}

/** {names: of functions by index; bodies: their sizes in bytes by index}, each a Map. */
export function readNames(bytes) {
  const names = new Map(), bodies = new Map();
  let imports = 0;
  for (const { id, name, at, end } of sections(bytes)) {
    const in_ = reader(bytes, at);
    if (id === 2) imports = countImports(bytes, at);
    if (id === 10)
      for (let i = 0, count = in_.u32(); i < count; i++) {
        const size = in_.u32();
        bodies.set(imports + i, size);
        in_.at += size;
      }
    while (id === 0 && name === 'name' && in_.at < end) {
      const kind = bytes[in_.at++], size = in_.u32(), next = in_.at + size;
      for (let count = kind === 1 ? in_.u32() : 0; count > 0; count--) {
        const index = in_.u32();
        names.set(index, in_.text());
      }
      in_.at = next;
    }
  }
  return { names, bodies };
}
