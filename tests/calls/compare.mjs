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

/** Map "outer;inner" -> {calls, self} of all nodes of an oracle's tree. */
function pathsOf(node, path = '', found = new Map()) {
  for (const [func, child] of node.children) {
    const name = path === '' ? `${func}` : `${path};${func}`;
    found.set(name, child);
    pathsOf(child, name, found);
  }
  return found;
}

/** The functions of a profile as the program has them: hooks that are linked are imports, after the program's own. */
const numberIn = (module, hookCount) => (func) => (func < module.imports.length ? func : func - hookCount);

/** The same of a profile, without nodes that stand for types: their functions come after all others. */
function readPaths(bytes, module, hookCount) {
  const functionCount = module.types.length;
  const numberOf = numberIn(module, hookCount);
  const paths = [''];
  const found = new Map();
  readProfile(bytes).nodes.forEach(({ function: number, parent, calls, self }, i) => {
    if (i === 0) return;
    const func = numberOf(number);
    if (func === functionCount) return; // fills the stack
    paths[i] = parent === 0 ? `${func}` : `${paths[parent]};${func}`;
    if (found.has(paths[i])) throw new Error(`two nodes of ${paths[i]}`);
    if (func < functionCount) found.set(paths[i], { calls: Number(calls), self: Number(self) });
  });
  return found;
}

function sumByFunction(paths, sums = new Map()) {
  for (const [path, { calls }] of paths) {
    const func = Number(path.slice(path.lastIndexOf(';') + 1));
    sums.set(func, (sums.get(func) ?? 0) + calls);
  }
  return sums;
}

/** How the instructions of a node differ, as text. */
function compareSelves(expected, found) {
  for (const [path, { self }] of expected)
    if (found.get(path).self !== self) return `${path}: ${found.get(path).self} instructions, not ${self}`;
  return null;
}

const total = (sums) => [...sums.values()].reduce((sum, calls) => sum + calls, 0);
const countAll = (bytes) => new Map(readProfile(bytes).nodes.map(({ calls }, i) => [i, Number(calls)]));

/** How many calls of each function differ, as text. */
function compareSums(expected, found) {
  for (const func of new Set([...expected.keys(), ...found.keys()])) {
    const [wanted, calls] = [expected.get(func) ?? 0, found.get(func) ?? 0];
    if (wanted !== calls) return `function ${func}: ${calls} calls, not ${wanted}`;
  }
  return null;
}

/** How its instructions differ, as text. */
function compareInstructions({ spent, isCounted, module }, { clock }, bytes) {
  if (clock !== 'instructions' || !isCounted) return null;
  const nodes = readProfile(bytes).nodes.filter((node) => node.function !== module.types.length);
  const sum = nodes.reduce((total, { self }) => total + Number(self), 0);
  return sum === spent ? null : `${sum} instructions, not ${spent}`;
}

/** How the calls of the function that fills the stack differ from those it counted itself, as text. */
export function findOtherOverflow({ module }, bytes, exhausted) {
  const nodes = readProfile(bytes).nodes.filter((node) => node.function === module.types.length);
  const calls = nodes.reduce((total, node) => total + Number(node.calls), 0);
  return calls === exhausted ? null : `${calls} calls until the stack was full, not ${exhausted}`;
}

/** Whether the tree has as many nodes as have full stacks in recursion (WASM_PERF_FULL_NODE_LIMIT). */
function foldsRecursion(bytes) {
  const { header, nodes } = readProfile(bytes);
  return header.nodeLimit > 0 && nodes.length >= header.nodeLimit / 16;
}

/**
 * How an instance's profile differs from its tree, as text. Loose calls may stand anywhere; past a node limit the
 * others may, too.
 */
export function findOtherNode(instance, form, bytes) {
  const { root, loose, module } = instance;
  const { isLimited, hookCount = 0 } = form;
  let found;
  try {
    found = readPaths(bytes, module, hookCount);
  } catch (error) {
    return `no profile: ${error.message}`;
  }
  const expected = pathsOf(root);
  const sums = sumByFunction(expected, new Map(loose));
  // Past its limit the linked runtime no longer tells functions apart.
  if (form.isLinked && isLimited) return compareSums(...[sums, countAll(bytes)].map((all) => new Map([['any', total(all)]])));
  const difference = compareSums(sums, sumByFunction(found));
  const miscounted = difference ?? compareInstructions(instance, form, bytes);
  if (!difference && miscounted) return miscounted;
  // A stack that was full may have brought so many nodes that recursion is folded from then on.
  if (difference || isLimited || foldsRecursion(bytes)) return difference && `of ${module.imports.length} imports, ${difference}`;
  for (const [path, { calls }] of expected) {
    const count = found.get(path)?.calls ?? 0;
    if (count < calls) return `${path}: ${count} calls, not ${calls}`;
  }
  if (loose.size > 0) return null;
  for (const path of found.keys()) if (!expected.has(path)) return `${path}: in the profile, but never called`;
  return form.clock === 'instructions' && instance.isCounted && instance.isPlaced ? compareSelves(expected, found) : null;
}
