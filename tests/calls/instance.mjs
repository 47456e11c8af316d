/** An instance as the oracle has it: its tree, what its slot holds, and its calls that may stand anywhere. */
import { slotsOf } from './slots.mjs';

export class Instance {
  constructor(index, module, config) {
    Object.assign(this, { index, module, config });
    this.isHooked = (func) => !config.excluded.has(func);
    this.root = { func: -1, parent: null, calls: 0, self: 0, children: new Map() };
    this.slot = { node: this.root };
    this.slots = slotsOf(config);
    this.loose = new Map(); // function -> calls that may stand anywhere
    this.leaves = leavesOf(module, this.isHooked);
    const first = module.imports.length;
    /** Functions without hooks that call nothing: a caller sets no slot for them. */
    this.quiet = new Set(callsOf(module).flatMap((calls, i) => (calls.length === 0 && !this.isHooked(first + i) ? [first + i] : [])));
    this.spent = 0; // instructions
    this.isCounted = true; // they are known
    this.isPlaced = true; // so is where they count
  }

  /** Functions without hooks count for the function that called them. */
  spend({ node, home = node }, count) {
    this.spent += count;
    if (home) home.self += count;
    else this.isPlaced = false;
  }

  enter(parent, func) {
    let node = parent;
    if (this.config.folds) while (node.parent && node.func !== func) node = node.parent;
    if (node.func !== func || !this.config.folds) {
      node = parent.children.get(func);
      if (!node) parent.children.set(func, (node = { func, parent, calls: 0, self: 0, children: new Map() }));
    }
    node.calls++;
    return node;
  }

  loosen(func) {
    this.loose.set(func, (this.loose.get(func) ?? 0) + 1);
  }
}

/** All statements, those inside others included, and references in them. */
function* partsOf(value) {
  if (Array.isArray(value)) for (const item of value) yield* partsOf(item);
  else if (value && typeof value === 'object') {
    yield value;
    for (const item of Object.values(value)) yield* partsOf(item);
  }
}

/** Of each function of the module: what in it calls something. */
export function callsOf(module) {
  const isCall = ({ op, kind }) => ['call', 'indirect', 'byReference', 'give', 'tail'].includes(op) || kind === 'given';
  return module.functions.map(({ body, result }) => [...partsOf([body, result])].filter(isCall));
}

/** Whether exceptions land at the end of the function. */
export const landsAtEnd = ({ body }) => [...partsOf(body)].some(({ op, toFunction }) => op === 'try' && toFunction);

/** The functions whose calls their callers may count: they leave the slot alone. */
function leavesOf(module, isHooked) {
  const first = module.imports.length;
  const parts = module.functions.map(({ body, result }) => [...partsOf([body, result])]);
  const shared = new Set([...module.exports, module.start, ...module.globals.map(({ init }) => init)]);
  for (const index of [...module.table.elements, ...module.segment]) shared.add(index);
  parts.flat().forEach((part) => part.kind !== undefined && shared.add(part.function));
  parts.flat().forEach((part) => part.op === 'tail' && shared.add(part.how.callee));
  parts.forEach((list, i) => isHooked(first + i) || list.forEach(({ callee }) => shared.add(callee)));
  const leaves = new Set();
  const all = callsOf(module);
  for (let i = parts.length - 1; i >= 0; i--) {
    const calls = all[i];
    const isForwarder = calls.length === 1 && leaves.has(calls[0].callee);
    if ((calls.length === 0 || isForwarder) && !shared.has(first + i) && isHooked(first + i)) leaves.add(first + i);
  }
  return leaves;
}
