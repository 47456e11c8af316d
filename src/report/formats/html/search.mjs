// Which functions a text finds, and where they stand.

/** Finds the text as a regular expression and as it stands: names contain parentheses and stars. */
export function makeMatcher(text) {
  const lower = text.toLowerCase();
  const isPart = (name) => name.toLowerCase().includes(lower);
  const expression = expressionOf(text);
  return expression === null ? isPart : (name) => isPart(name) || expression.test(name);
}

/** Null where the text is no regular expression, or not yet. */
function expressionOf(text) {
  try {
    return new RegExp(text, 'i');
  } catch {
    return null;
  }
}

/** {labels: Uint8Array, functionCount, isText: the pattern is none} for the names that match; null where nothing is searched. */
export function matchNames(names, text) {
  if (text === '') return null;
  const isMatch = makeMatcher(text);
  const labels = new Uint8Array(names.length);
  let functionCount = 0;
  names.forEach((name, i) => {
    labels[i] = isMatch(name) ? 1 : 0;
    functionCount += labels[i];
  });
  return { labels, functionCount, isText: expressionOf(text) === null };
}

/**
 * The matching frames of a tree, the largest first, and the value of their stacks, each counted once.
 */
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
