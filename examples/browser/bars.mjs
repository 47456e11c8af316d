// A profile as nested bars: a small reader of .wperf files, whose form profile.h describes.

/** The call tree: {name, calls, self, total, children}, numbers as BigInt. */
export function readTree(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [headerSize, nodeSize, nodeCount, nameCount] = [12, 16, 20, 24].map((offset) =>
    view.getUint32(offset, true),
  );
  const names = readNames(view, headerSize + nodeSize * nodeCount, nameCount);
  const nodes = [];
  for (let i = 0; i < nodeCount; i++) {
    const offset = headerSize + nodeSize * i;
    const index = view.getUint32(offset, true);
    const node = {
      name: i === 0 ? 'all' : (names.get(index) ?? `function ${index}`),
      calls: view.getBigUint64(offset + 8, true),
      self: i === 0 ? 0n : view.getBigUint64(offset + 16, true), // the host's is of no interest
      children: [],
    };
    nodes.push(node);
    if (i > 0) nodes[view.getUint32(offset + 4, true)].children.push(node);
  }
  for (const node of nodes.reverse()) { // parents come before their children
    node.total = node.children.reduce((sum, child) => sum + child.total, node.self);
  }
  return nodes.at(-1);
}

function readNames(view, offset, count) {
  const decoder = new TextDecoder();
  const names = new Map();
  for (let i = 0; i < count; i++) {
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
