// A profile as nested bars: a small reader of .wperf files, whose form wasm_perf/format.h describes.

const HEAD_SIZE = 16; // of the file, and of each section
const [NODES, NAMES] = [3, 4]; // ids of sections
const NODE_SIZE = 24; // with the two values that the profiler writes: calls and self

/** The sections' payloads by their ids. */
function readSections(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sections = new Map();
  for (let offset = HEAD_SIZE; offset < bytes.length; ) {
    const size = Number(view.getBigUint64(offset + 8, true));
    const payload = new DataView(bytes.buffer, bytes.byteOffset + offset + HEAD_SIZE, size);
    sections.set(view.getUint32(offset, true), payload);
    offset += HEAD_SIZE + Math.ceil(size / 8) * 8;
  }
  return sections;
}

/** The call tree: {name, calls, self, total, children}, numbers as BigInt. */
function readTree(bytes) {
  const sections = readSections(bytes);
  const view = sections.get(NODES);
  const names = readNames(sections.get(NAMES));
  const nodes = [];
  for (let offset = 0; offset < view.byteLength; offset += NODE_SIZE) {
    const isRoot = offset === 0;
    const index = view.getUint32(offset, true);
    const node = {
      name: isRoot ? 'all' : (names.get(index) ?? `function ${index}`),
      calls: view.getBigUint64(offset + 8, true),
      self: isRoot ? 0n : view.getBigUint64(offset + 16, true), // the host's is of no interest
      children: [],
    };
    nodes.push(node);
    if (!isRoot) nodes[view.getUint32(offset + 4, true)].children.push(node);
  }
  for (const node of nodes.reverse()) { // parents come before their children
    node.total = node.children.reduce((sum, child) => sum + child.total, node.self);
  }
  return nodes.at(-1);
}

function readNames(view) {
  const decoder = new TextDecoder();
  const names = new Map();
  for (let offset = 0; offset < view.byteLength; ) {
    const size = view.getUint32(offset + 4, true);
    const text = new Uint8Array(view.buffer, view.byteOffset + offset + 8, size);
    names.set(view.getUint32(offset, true), decoder.decode(text));
    offset += 8 + size;
  }
  return names;
}

/** A bar with those of its children below it, as wide as its share of its parent. */
function createFrame(node, whole) {
  const frame = document.createElement('div');
  frame.className = 'frame';
  frame.style.width = `${Number((node.total * 1_000_000n) / (whole || 1n)) / 10_000}%`;
  const bar = frame.appendChild(document.createElement('div'));
  bar.className = 'bar';
  bar.textContent = node.name;
  bar.title = `${node.name}: ${node.total} instructions, ${node.self} of its own, ${node.calls} calls`;
  const row = frame.appendChild(document.createElement('div'));
  row.className = 'children';
  row.append(...node.children.map((child) => createFrame(child, node.total)));
  return frame;
}

/** Replaces what `element` holds by the bars of a profile. */
export function drawBars(bytes, element) {
  const tree = readTree(bytes);
  element.replaceChildren(createFrame(tree, tree.total));
}
