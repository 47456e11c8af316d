/** Holds what happened against what the oracle says. */
import { readProfile } from '../js/wperf.mjs';

/** What the oracle says of a trap, whose message is the engine's. */
const withoutMessage = (line) => line.replace(/^((?:instance|task) \d+: )?trap: .*/, '$1trap');

/** The first line that is not as expected, as text; null: none. */
export function findOtherLine(expected, lines) {
  const count = Math.max(expected.length, lines.length);
  for (let i = 0; i < count; i++) {
    const [wanted, found] = [expected[i] ?? 'nothing', lines[i] ?? 'nothing'];
    if (wanted !== found && wanted !== withoutMessage(found)) return `line ${i}: ${found}, not ${wanted}`;
  }
  return null;
}

/** Map "outer;inner" -> calls of all nodes of an oracle's tree. */
function pathsOf(node, path = '', found = new Map()) {
  for (const [func, child] of node.children) {
    const name = path === '' ? `${func}` : `${path};${func}`;
    found.set(name, child.calls);
    pathsOf(child, name, found);
  }
  return found;
}

/** The same of a profile, without nodes that stand for types: their functions come after all others. */
function readPaths(bytes, functionCount) {
  const paths = [''];
  const found = new Map();
  readProfile(bytes).nodes.forEach(({ function: func, parent, calls }, i) => {
    if (i === 0) return;
    paths[i] = parent === 0 ? `${func}` : `${paths[parent]};${func}`;
    if (found.has(paths[i])) throw new Error(`two nodes of ${paths[i]}`);
    if (func < functionCount) found.set(paths[i], Number(calls));
  });
  return found;
}

function sumByFunction(paths, sums = new Map()) {
  for (const [path, calls] of paths) {
    const func = Number(path.slice(path.lastIndexOf(';') + 1));
    sums.set(func, (sums.get(func) ?? 0) + calls);
  }
  return sums;
}

/** How many calls of each function differ, as text. */
function compareSums(expected, found) {
  for (const func of new Set([...expected.keys(), ...found.keys()])) {
    const [wanted, calls] = [expected.get(func) ?? 0, found.get(func) ?? 0];
    if (wanted !== calls) return `function ${func}: ${calls} calls, not ${wanted}`;
  }
  return null;
}

/** How its instructions differ, as text. */
function compareInstructions({ spent, isCounted }, { clock }, bytes) {
  if (clock !== 'instructions' || !isCounted) return null;
  const sum = readProfile(bytes).nodes.reduce((total, { self }) => total + Number(self), 0);
  return sum === spent ? null : `${sum} instructions, not ${spent}`;
}

/**
 * How an instance's profile differs from its tree, as text. Loose calls may stand anywhere; past a node limit the
 * others may, too.
 */
export function findOtherNode(instance, form, bytes) {
  const { root, loose, module } = instance;
  const { isLimited } = form;
  let found;
  try {
    found = readPaths(bytes, module.types.length);
  } catch (error) {
    return `no profile: ${error.message}`;
  }
  const expected = pathsOf(root);
  const sums = sumByFunction(expected, new Map(loose));
  const difference = compareSums(sums, sumByFunction(found));
  const miscounted = difference ?? compareInstructions(instance, form, bytes);
  if (!difference && miscounted) return miscounted;
  if (difference || isLimited) return difference && `of ${module.imports.length} imports, ${difference}`;
  for (const [path, calls] of expected)
    if ((found.get(path) ?? 0) < calls) return `${path}: ${found.get(path) ?? 0} calls, not ${calls}`;
  if (loose.size > 0) return null;
  for (const path of found.keys()) if (!expected.has(path)) return `${path}: in the profile, but never called`;
  return null;
}
