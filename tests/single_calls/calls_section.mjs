/** A reader of the section CALLS and of the nodes of a .wperf file, which shares no code with ours. */

const SECTION = { nodes: 3, calls: 19 };
const KIND = { histogram: 1, call: 2 };

/** Flags of why a call is kept. */
export const [TYPICAL_CALL, MIXED_CALL] = [2, 8];

export const aligned = (size) => Math.ceil(size / 8) * 8;

function payloads(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = new Map();
  for (let at = view.getUint32(12, true); at < bytes.length; ) {
    const size = Number(view.getBigUint64(at + 8, true));
    found.set(view.getUint32(at, true), new DataView(bytes.buffer, bytes.byteOffset + at + 16, size));
    at += 16 + aligned(size);
  }
  return found;
}

/** [{path, calls, self}], by node; `path` are the functions from the root on. */
export function nodesOf(bytes, valueCount = 2) {
  const view = payloads(bytes).get(SECTION.nodes);
  const size = 8 + 8 * valueCount;
  const nodes = [];
  for (let at = 0; at < view.byteLength; at += size) {
    const parent = view.getUint32(at + 4, true);
    const path = at === 0 ? 'root' : `${nodes[parent].path};${view.getUint32(at, true)}`;
    nodes.push({ path, calls: view.getBigUint64(at + 8, true), self: valueCount > 1 ? view.getBigUint64(at + 16, true) : 0n });
  }
  return nodes;
}

function readMeasures(view) {
  const decoder = new TextDecoder();
  const measures = [];
  let at = 8;
  for (let left = view.getUint32(0, true); left > 0; left--) {
    const size = view.getUint32(at, true);
    measures.push(decoder.decode(new Uint8Array(view.buffer, view.byteOffset + at + 8, size)));
    at += 8 + aligned(size + view.getUint32(at + 4, true));
  }
  return { measures, at };
}

function readCall(view, at, end, count) {
  const u64 = (offset) => view.getBigUint64(offset, true);
  const values = Array.from({ length: count }, (_, i) => u64(at + 24 + 8 * i));
  const rows = [];
  for (let row = at + 24 + 8 * count; row < end; row += 24)
    rows.push({ node: view.getUint32(row, true), calls: u64(row + 8), self: u64(row + 16) });
  return { node: view.getUint32(at, true), why: view.getUint32(at + 4, true), number: u64(at + 8), start: u64(at + 16), values, rows };
}

function readHistogram(view, at, end) {
  const buckets = new Map();
  for (let pair = at + 8; pair < end; pair += 8) buckets.set(view.getUint32(pair, true), view.getUint32(pair + 4, true));
  return { node: view.getUint32(at, true), measure: view.getUint32(at + 4, true), buckets };
}

/** {measures, histograms: [{node, measure, buckets}], kept: [{node, why, number, start, values, rows}]} */
export function callsOf(bytes) {
  const view = payloads(bytes).get(SECTION.calls);
  const { measures, at: first } = readMeasures(view);
  const histograms = [];
  const kept = [];
  for (let at = first; at < view.byteLength; ) {
    const end = at + 8 + view.getUint32(at + 4, true);
    if (view.getUint32(at, true) === KIND.histogram) histograms.push(readHistogram(view, at + 8, end));
    else kept.push(readCall(view, at + 8, end, measures.length));
    at = end;
  }
  return { measures, histograms, kept };
}

/** The bucket of a value: its leading five bits and how many follow. */
export function bucketOf(value) {
  const limited = value > 2n ** 48n - 1n ? 2n ** 48n - 1n : value;
  const shift = Math.max(0, limited.toString(2).length - 5);
  return shift * 16 + Number(limited >> BigInt(shift));
}
