// What must hold of a program's runs. Each check returns the problems it found, as text.
const TRUNCATED = 0xfffffffe; // stands for stacks past the node limit, wherever they were
const MOST_SHOWN = 5;

const sumCalls = (nodes) => nodes.reduce((sum, node) => sum + Number(node.calls), 0);
const shorten = (problems) =>
  problems.length <= MOST_SHOWN
    ? problems
    : [...problems.slice(0, MOST_SHOWN), `${problems.length - MOST_SHOWN} more of these`];

/** The columns of a profile. */
export function summarize({ header, nodes }) {
  return {
    entries: sumCalls(nodes.filter(({ parent, function: index }, i) =>
      i > 0 && parent === 0 && index !== TRUNCATED)),
    calls: sumCalls(nodes),
    nodes: nodes.length,
    functions: new Set(nodes.map((node) => node.function)).size - 1,
    open: header.openFrameCount,
    unbalanced: Number(header.unbalancedCount),
    folded: Number(header.truncatedCallCount),
  };
}

export function checkOutput(plain, profiled) {
  if (plain.length === 0) return ['there is no output'];
  return plain === profiled ? [] : ['the output differs'];
}

/** @param {?number} entered how often the host entered the module, where that is known */
export function checkSummary({ entries, open, unbalanced, folded }, entered) {
  const problems = [];
  if (unbalanced) problems.push('perf_end was called with no frame open');
  if (open) problems.push(`${open} frames are open`);
  if (folded) problems.push(`${folded} calls were folded`);
  if (entered !== null && entries !== entered)
    problems.push(`the module was entered ${entered} times, the profile has ${entries}`);
  return problems;
}

/**
 * The profile's calls against separately counted ones, by index or "index;index;...", outermost
 * first; indices are those of the module as it was, and instrumenting added `shift` to each.
 *
 * @param {Object<string, number>} counts
 * @param {{key: 'by_function'|'by_stack', shift: number}} options
 */
export function checkCalls({ nodes, names }, counts, { key, shift }) {
  const nameOf = (index) => names.get(Number(index) + shift) ?? index;
  const profiled = {};
  const stacks = []; // of nodes; there may be millions, so only if they are asked for
  nodes.forEach(({ function: index, parent, calls }, i) => {
    if (i === 0) return;
    let stack = String(index - shift);
    if (key === 'by_stack') stack = stacks[i] = parent ? `${stacks[parent]};${stack}` : stack;
    profiled[stack] = (profiled[stack] ?? 0) + Number(calls);
  });

  const all = new Set([...Object.keys(profiled), ...Object.keys(counts)]);
  if (all.size === 0) return ['no calls were counted'];
  const wrong = [...all].filter((stack) => (profiled[stack] ?? 0) !== (counts[stack] ?? 0));
  return shorten(
    wrong.map((stack) => {
      const where = stack.split(';').map(nameOf).join(';');
      return `${where}: ${profiled[stack] ?? 0} calls, not ${counts[stack] ?? 0}`;
    }),
  );
}

const MISSING = 0xffffffff;

/** For each node of one profile the node of the other with the same stack, or MISSING. */
function findPartners(one, other) {
  const ids = new Map(); // small numbers for functions, so that a pair of numbers fits into one
  const keyOf = (parent, { function: index }) => {
    if (!ids.has(index)) ids.set(index, ids.size);
    return parent * 2 ** 20 + ids.get(index);
  };
  const places = new Map();
  other.forEach((node, i) => i > 0 && places.set(keyOf(node.parent, node), i));
  const partners = new Uint32Array(one.length);
  one.forEach((node, i) => {
    if (i === 0) return;
    const key = keyOf(partners[node.parent], node);
    partners[i] = places.get(key) ?? MISSING;
    places.delete(key); // a second node of one stack finds nothing
  });
  return partners;
}

/**
 * Two profiles of the same stacks, in whatever order their nodes come: with `calls` also how often, with
 * `self` what they were charged, which may be more in `exempt` nodes of the first.
 */
export function checkSameTree(one, other, { calls = true, self = false, exempt = 0 } = {}) {
  if (one.nodes.length !== other.nodes.length)
    return [`${one.nodes.length} nodes, not ${other.nodes.length}`];
  const partners = findPartners(one.nodes, other.nodes);
  const isExempt = (a, b) => a.self > b.self && exempt-- > 0;
  const problems = [];
  one.nodes.forEach((node, i) => {
    const where = `node ${i}, function ${node.function} below ${node.parent}`;
    if (partners[i] === MISSING) return problems.push(`${where}: the other has no such stack`);
    const partner = other.nodes[partners[i]];
    if (calls && node.calls !== partner.calls)
      problems.push(`${where}: ${node.calls} calls, not ${partner.calls}`);
    if (self && node.self !== partner.self && !isExempt(node, partner))
      problems.push(`${where}: self ${node.self}, not ${partner.self}`);
  });
  return shorten(problems);
}
