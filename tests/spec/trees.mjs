/**
 * Calling context trees of one instance. ShadowStack makes one of the events of the linked form,
 * whose open frames it holds against the engine's own call stack; the embedded form hands out its
 * own. They have to be the same, node by node.
 */
import { readEmbedded } from '../js/embedded.mjs';
import { readProfile } from '../js/wperf.mjs';

const ROOT = -1;
const MOST_FRAMES_SHOWN = 12;

const newNode = (func, parent) => ({ func, parent, calls: 0, self: 0n, children: new Map() });

export class CallTree {
  root = newNode(ROOT, null);
  size = 1;
  countsSelf = true; // until instructions ran that nobody can be charged with

  /** The node of a call from `parent`. */
  enter(parent, func) {
    let node = parent.children.get(func);
    if (!node) {
      parent.children.set(func, (node = newNode(func, parent)));
      this.size++;
    }
    node.calls++;
    return node;
  }
}

function showPath(node) {
  const path = [];
  for (let at = node; at.parent && path.length < MOST_FRAMES_SHOWN; at = at.parent)
    path.push(at.func);
  return path.join(' < ') || 'root';
}

/** What an instance of the embedded form has counted. */
export const readNodes = (exports) => readProfile(readEmbedded(exports)).nodes;

/** How the nodes of a profile differ from the expected tree, as text; null if they do not. */
export function findDifference(tree, nodes, { comparesSelf }) {
  const expected = [tree.root];
  const seen = new Set(expected);
  for (const [i, { function: func, parent, calls, self }] of nodes.entries()) {
    if (i === 0) continue;
    const above = expected[parent];
    const node = above.children.get(func);
    if (!node) return `${func} < ${showPath(above)}: in the profile, but never called`;
    if (seen.has(node)) return `${showPath(node)}: two nodes`;
    if (Number(calls) !== node.calls) return `${showPath(node)}: ${calls} calls, not ${node.calls}`;
    if (comparesSelf && tree.countsSelf && self !== node.self)
      return `${showPath(node)}: ${self} instructions, not ${node.self}`;
    expected.push(node);
    seen.add(node);
  }
  return seen.size === tree.size ? null : `${seen.size} nodes, not ${tree.size}`;
}
