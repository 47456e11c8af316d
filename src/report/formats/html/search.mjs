// Finds functions by a text, and their frames.

/** Matches the text both as a regular expression and literally: names contain parentheses and stars. */
function makeMatcher(text) {
  const lower = text.toLowerCase();
  const isPart = (name) => name.toLowerCase().includes(lower);
  const expression = expressionOf(text);
  return expression === null ? isPart : (name) => isPart(name) || expression.test(name);
}

/** Returns null if the text is not, or not yet, a valid regular expression. */
function expressionOf(text) {
  try {
    return new RegExp(text, 'i');
  } catch {
    return null;
  }
}

/**
 * Returns {labels: Uint8Array, functionCount, isText: not a valid pattern} of matching names, also of functions that
 * `inlinedInto(label)` lists; null if the text is empty.
 */
export function matchNames(names, text, inlinedInto = () => []) {
  if (text === '') return null;
  const isMatch = makeMatcher(text);
  const labels = new Uint8Array(names.length);
  let functionCount = 0;
  names.forEach((name, i) => {
    labels[i] = isMatch(name) || inlinedInto(i).some(isMatch) ? 1 : 0;
    functionCount += labels[i];
  });
  return { labels, functionCount, isText: expressionOf(text) === null };
}

/** Returns the matching frames of a tree, largest first, and the total of their stacks, each counted once. */
export function matchFrames(tree, { labels }) {
  const { count, parent, label, total } = tree;
  const isInside = new Uint8Array(count);
  const frames = [];
  let sum = 0;
  for (let i = 1; i < count; i++) {
    isInside[i] = isInside[parent[i]];
    if (labels[label[i]] === 0) continue;
    if (isInside[i] === 0) sum += total[i];
    isInside[i] = 1;
    frames.push(i);
  }
  const nodes = Int32Array.from(frames).sort((a, b) => total[b] - total[a] || a - b);
  return { nodes, total: sum };
}
