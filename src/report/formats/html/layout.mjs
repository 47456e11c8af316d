// Finds the visible frames, wide enough to be seen, without visiting the others: there may be a million.

const MIN_PIXELS = 1; // narrower frames are drawn as one

/** Returns the first index in [from, to) of kids whose end is greater than `value`. */
function firstKidPast(tree, from, to, value) {
  const { kids, start, total } = tree;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (start[kids[middle]] + total[kids[middle]] > value) to = middle;
    else from = middle + 1;
  }
  return from;
}

/**
 * Calls frame(node, level, x, width) for each frame that is wide enough in the view, and rest(level, x, width,
 * count) for adjacent frames that are not. x and width are in pixels. `view`: {left, width: in the tree's unit,
 * pixels, firstLevel, lastLevel}. Returns the deepest level with a frame, even outside of the requested levels.
 */
export function findFrames(tree, view, frame, rest) {
  const { kids, firstKid, start, total, depth } = tree;
  const { left, pixels, firstLevel, lastLevel } = view;
  const right = left + view.width;
  const scale = pixels / view.width;
  const least = MIN_PIXELS / scale;
  let deepest = 0;
  if (!(view.width > 0)) return deepest;
  const stack = [0];
  const emit = (node) => {
    const level = depth[node];
    deepest = level > deepest ? level : deepest;
    if (level < firstLevel || level > lastLevel) return;
    const from = Math.max(start[node], left);
    const to = Math.min(start[node] + total[node], right);
    frame(node, level, (from - left) * scale, (to - from) * scale);
  };
  emit(0);
  while (stack.length > 0) {
    const node = stack.pop();
    const end = firstKid[node + 1];
    let k = firstKidPast(tree, firstKid[node], end, left);
    while (k < end && start[kids[k]] < right) {
      const kid = kids[k];
      if (total[kid] >= least) {
        emit(kid);
        stack.push(kid);
        k++;
        continue;
      }
      const from = start[kid];
      const first = k;
      k = tree.isHeavyFirst ? end : firstKidPast(tree, k, end, from + least);
      if (k < end && total[kids[k]] < least) k++;
      const last = kids[k - 1];
      const level = depth[kid];
      const width = (Math.min(start[last] + total[last], right) - Math.max(from, left)) * scale;
      if (width >= 0.2 && level >= firstLevel && level <= lastLevel)
        rest(level, (Math.max(from, left) - left) * scale, width, k - first);
    }
  }
  return deepest;
}

/** Returns the node at a value and a level, or -1. */
export function nodeAt(tree, value, level) {
  let node = 0;
  for (let at = 0; at < level; at++) {
    const end = tree.firstKid[node + 1];
    const k = firstKidPast(tree, tree.firstKid[node], end, value);
    if (k === end || tree.start[tree.kids[k]] > value) return -1;
    node = tree.kids[k];
  }
  return node;
}
