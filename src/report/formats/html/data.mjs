// Decodes the data in the page: base64 of gzip, see data.h for its contents.

export function bytesOfBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Unpacks gzip. Throws if the result has more than `limit` bytes: a small file may unpack to any size. */
export async function inflate(bytes, limit = Infinity) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const parts = [];
  let size = 0;
  for (let next; !(next = await reader.read()).done; ) {
    parts.push(next.value);
    size += next.value.length;
    if (size <= limit) continue;
    reader.cancel();
    throw new Error(`it unpacks to more than ${limit >> 20} MB`);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Reads LEB128 numbers. Numbers above 2^53 are rounded, like all later sums. */
class Reader {
  constructor(bytes, position) {
    this.bytes = bytes;
    this.position = position;
  }

  number() {
    const { bytes } = this;
    let byte = bytes[this.position++];
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let factor = 0x80;
    do {
      byte = bytes[this.position++];
      value += (byte & 0x7f) * factor;
      factor *= 0x80;
    } while (byte >= 0x80);
    return value;
  }

  column(count) {
    const column = new Float64Array(count);
    for (let i = 1; i < count; i++) column[i] = this.number();
    return column;
  }
}

/** Reads the tree in preorder: each number is how many levels above the previous node the parent is. */
function readParents(reader, count) {
  const parent = new Int32Array(count);
  const path = [0];
  for (let i = 1; i < count; i++) {
    path.length -= reader.number();
    parent[i] = path[path.length - 1];
    path.push(i);
  }
  return parent;
}

/** Reads the shared calls of a run: a list of {node, group, isOpen, calls}. */
function readShared(reader, run) {
  return Array.from({ length: reader.number() }, () => {
    const node = reader.number();
    const group = reader.number();
    return { node, group: `${run} ${group >>> 1}`, isOpen: group % 2 === 1, calls: reader.number() };
  });
}

/** Reads a thread: {name, dropped, edges: begin of each span and end of the last, nodes: one per span}. */
function readThread(reader, { name, start, dropped, stretches }) {
  const edges = new Float64Array(stretches + 1);
  edges[0] = start;
  for (let i = 0; i < stretches; i++) edges[i + 1] = edges[i] + reader.number();
  return { name, dropped, edges, nodes: Int32Array.from({ length: stretches }, () => reader.number()) };
}

/**
 * Returns {head, parent, label, columns, shared, threads}: the JSON, the tree in preorder (node 0 is the root),
 * columns[run][value], each a Float64Array, and for each run its shared calls, see calls.mjs.
 */
function decodeProfile(bytes) {
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
  const reader = new Reader(bytes, 4 + size);
  const count = head.nodes;
  const parent = readParents(reader, count);
  const label = Int32Array.from(reader.column(count));
  label[0] = -1;
  const columns = head.runs.map(() => head.values.map(() => reader.column(count)));
  const shared = head.runs.map((_, run) => readShared(reader, run));
  const threads = (head.threads ?? []).map((thread) => readThread(reader, thread));
  return { head, count, parent, label, columns, shared, threads };
}

export async function loadProfile(text) {
  return decodeProfile(await inflate(bytesOfBase64(text)));
}
