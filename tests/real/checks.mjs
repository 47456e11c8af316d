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

/**
 * Two profiles of the same stacks, node by node: with `calls` also how often, with `self` what they
 * were charged, which may be more in `exempt` nodes of the first.
 */
export function checkSameTree(one, other, { calls = true, self = false, exempt = 0 } = {}) {
  if (one.nodes.length !== other.nodes.length)
    return [`${one.nodes.length} nodes, not ${other.nodes.length}`];
  const isExempt = (a, b) => a.self > b.self && exempt-- > 0;
  const differs = (a, b) =>
    a.parent !== b.parent || (calls && a.calls !== b.calls) || a.function !== b.function ||
    (self && a.self !== b.self && !isExempt(a, b));
  return shorten(
    one.nodes.flatMap((node, i) => {
      const show = ({ function: index, parent, calls, self }) =>
        `function ${index} below ${parent}, ${calls} calls, ${self}`;
      return differs(node, other.nodes[i])
        ? [`node ${i}: ${show(node)}; not ${show(other.nodes[i])}`]
        : [];
    }),
  );
}
