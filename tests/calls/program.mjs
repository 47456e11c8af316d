/**
 * Abstract programs made of calls: some modules whose functions call each other in every way that there is. encode.mjs
 * makes WebAssembly of them, oracle.mjs says what they do.
 *
 * A program is {isLegacy: of the exceptions, modules}, a module
 *
 *     { hasGc, namesFunctions, readsTables, initsGlobals, tailsByReference, isPlain,
 *       imports: [{from: "host" or a module's number, name, type}], exports: [function], start,
 *       functions: [{type, usesFuel, waits, body, result}], table: {kind, elements}, globals: [{kind, init}],
 *       segment: [function or null] }
 *
 * where a function is an index, those of imports first. Types: F takes and returns a number, V nothing; G returns a
 * reference, H takes and returns one. Each function has one number, its parameter or a local, which all of its
 * statements read and write.
 */

export const TABLE_SIZE = 6;
export const SHARED_TABLE = 'shared';
const MOST_MODULES = 3;
const MOST_DEPTH = 2;
const CALLED_BY_HOST = ['F', 'F', 'F', 'V', 'G', 'G'];

/** What the host gives: its functions' names and types. */
export const HOST_TYPES = { h0: 'F', h1: 'F', v: 'V', take: 'H', wait: 'F' };

/** Makes the bodies of one module's functions. */
class BodyMaker {
  constructor(random, module, isLegacy) {
    this.random = random;
    this.module = module;
    this.isLegacy = isLegacy;
    this.types = [...module.imports, ...module.functions].map(({ type }) => type);
    this.waits = module.imports.findIndex(({ name, from }) => from === 'host' && name === 'wait');
  }

  /** The indices of functions of a type. `wait` is called directly only, by functions with fuel. */
  #of(type, from = 0) {
    return [...this.types.keys()].filter((i) => i >= from && this.types[i] === type && i !== this.waits);
  }

  make(index) {
    const made = this.module.functions[index - this.module.imports.length];
    this.index = index;
    this.type = made.type;
    this.usesFuel = made.usesFuel;
    this.tailShare = this.#chooseTailShare(index);
    const isQuiet = this.random.chance(25);
    const isDoor = this.module.hidesTable && made.usesFuel && this.module.exports.includes(index) && this.random.chance(60);
    made.body = isDoor ? this.#tail() : [];
    if (made.body.length === 0) made.body = isQuiet ? this.#quiet() : this.#statements(0);
    made.waits = made.usesFuel && this.waits >= 0 && this.random.chance(70);
    if (made.waits) made.body.unshift(this.#wait());
    if (this.type === 'G') made.result = this.#reference();
  }

  /**
   * How often statements end in a tail call. A function that makes none, and that is entered by those of others only, puts
   * the slot back just because of them. Functions that return references are seldom entered otherwise, nor are those in a
   * hidden table if exported functions alone make tail calls.
   */
  #chooseTailShare(index) {
    if (this.module.hidesTable) return this.module.exports.includes(index) ? 60 : 0;
    if (this.type === 'G') return this.random.pick([0, 60]);
    return this.module.isPlain ? 5 : 25;
  }

  /** Of a function that calls nothing. */
  #quiet() {
    const end = [[], [], [], [{ op: 'if', then: [this.#trap()], else: [] }], [this.#trap()]];
    return [{ op: 'number', by: this.random.below(100) }, ...this.random.pick(end)];
  }

  #trap() {
    return { op: 'trap', how: this.random.pick(['unreachable', 'divide']) };
  }

  #statements(depth) {
    const count = 1 + this.random.below(depth === 0 ? 4 : 2);
    const made = Array.from({ length: count }, () => this.#statement(depth));
    const isLast = this.random.below(100);
    if (isLast < this.tailShare && this.usesFuel) made.push(...this.#tail());
    else if (isLast < 30) made.push({ op: 'return' });
    else if (isLast < 35) made.push({ op: 'leave' });
    return made;
  }

  #statement(depth) {
    const simple = [() => this.#call(), () => this.#call(), () => this.#call(), () => ({ op: 'number', by: this.random.below(100) })];
    if (this.usesFuel) simple.push(() => this.#indirect(), () => this.#indirect(), () => this.#byReference());
    if (this.usesFuel) simple.push(() => this.#give(), () => this.#store(), () => this.#wait());
    if (this.usesFuel && this.module.isPlain) simple.push(() => this.#give(), () => this.#give(), () => this.#give());
    simple.push(() => this.#throw(), () => ({ op: 'leaveIf', bit: this.random.below(3) }), () => this.#rarely());
    const nested = [() => this.#branch(depth), () => this.#loop(depth), () => this.#try(depth), () => this.#try(depth)];
    const choices = depth < MOST_DEPTH ? [...simple, ...nested] : simple;
    return this.random.pick(choices)();
  }

  #rarely() {
    return { op: 'if', bit: this.random.below(4), then: [this.#trap()], else: [] };
  }

  /** Without fuel calls lead onwards only, so that they end. */
  #call() {
    const from = this.usesFuel ? 0 : Math.max(this.index + 1, this.module.imports.length);
    const callees = [...this.#of('F', from), ...this.#of('F', from), ...this.#of('V', from), ...this.#of('G', from)];
    return callees.length > 0 ? { op: 'call', callee: this.random.pick(callees) } : { op: 'number', by: 3 };
  }

  #wait() {
    return this.waits < 0 ? this.#call() : { op: 'call', callee: this.waits };
  }

  /** Mostly of an element that the module puts into its table, which is of that type. */
  #indirect(wanted) {
    const { at, elements } = this.module.table;
    const known = [...elements.keys()].filter((i) => elements[i] !== null && (!wanted || this.types[elements[i]] === wanted));
    if (known.length > 0 && this.random.chance(70)) {
      const element = this.random.pick(known);
      return { op: 'indirect', type: this.types[elements[element]], index: at + element, isDynamic: false };
    }
    const type = wanted ?? this.random.pick(['F', 'F', 'V']);
    return { op: 'indirect', type, index: this.random.below(TABLE_SIZE + 1), isDynamic: this.random.chance(30) };
  }

  #byReference() {
    if (!this.module.hasGc) return this.#indirect();
    return { op: 'byReference', type: this.random.pick(['F', 'F', 'V']), reference: this.#reference() };
  }

  #reference() {
    const { namesFunctions, hasGc, readsTables, isPlain } = this.module;
    const kinds = isPlain && readsTables ? [] : ['global', 'null'];
    if (readsTables) kinds.push('table', 'table');
    if (namesFunctions) kinds.push('function', 'function', 'function');
    if (hasGc && readsTables) kinds.push('element', 'element');
    if (hasGc && namesFunctions) kinds.push('field');
    const givers = this.usesFuel && this.#of('G');
    if (givers?.length > 0 && this.type !== 'G') kinds.push('given');
    const kind = this.random.pick(kinds);
    const function_ = this.random.pick([...this.#of('F'), ...this.#of('V')]);
    return {
      function: { kind, function: function_ },
      field: { kind, function: function_ },
      global: { kind, global: this.random.below(this.module.globals.length) },
      table: { kind, index: this.random.below(TABLE_SIZE) },
      element: { kind, index: this.random.below(this.module.segment.length) },
      given: { kind, callee: givers?.length > 0 && this.random.pick(givers) },
      null: { kind },
    }[kind];
  }

  /** A reference goes to the host, which gives one. */
  #give() {
    const takers = this.#of('H');
    if (takers.length === 0) return this.#store();
    const to = this.#place();
    return { op: 'give', callee: takers[0], reference: this.#reference(), to };
  }

  /** The number of a global that can be set; -1: none, so what was to be kept is dropped. */
  #place() {
    return this.module.globals.findIndex(({ kind }) => kind !== 'constant');
  }

  #store() {
    if (this.random.chance(50)) return { op: 'tableSet', index: this.random.below(TABLE_SIZE), reference: this.#reference() };
    const global = this.#place();
    return global < 0 ? this.#call() : { op: 'globalSet', global, reference: this.#reference() };
  }

  #throw() {
    const tag = this.random.below(4) === 0 ? 1 : 0;
    const thrown = { op: 'throw', tag, reference: tag === 1 ? this.#reference() : undefined };
    return this.random.chance(30) ? thrown : { op: 'if', bit: this.random.below(3), then: [thrown], else: [] };
  }

  #branch(depth) {
    const [then, otherwise] = [this.#statements(depth + 1), this.random.chance(50) ? this.#statements(depth + 1) : []];
    return { op: 'if', bit: this.random.below(3), then, else: otherwise };
  }

  #loop(depth) {
    return { op: 'loop', count: 2 + this.random.below(2), body: this.#statements(depth + 1), depth };
  }

  #try(depth) {
    const made = { op: 'try', body: this.#statements(depth + 1), catches: [], depth };
    if (this.isLegacy && this.random.chance(15)) return { ...made, delegates: true };
    const kinds = [0, 1, 'all'].filter(() => this.random.chance(60));
    if (kinds.length === 0) kinds.push('all');
    if (!this.isLegacy && this.type === 'F' && this.random.chance(25)) return { ...made, toFunction: true };
    const again = this.random.chance(20);
    made.catches = kinds.map((kind) => ({ kind, keeps: this.#place(), body: this.#statements(depth + 1), again }));
    return made;
  }

  /** Statements of a tail call of the function's own type; none where there is nothing to call. */
  #tail() {
    const callees = this.#of(this.type);
    const direct = callees.length > 0 ? [{ op: 'tail', how: { op: 'call', callee: this.random.pick(callees) } }] : [];
    const { tailsByReference, hidesTable } = this.module;
    if (this.type === 'G' || !tailsByReference || this.random.chance(hidesTable ? 20 : 50)) return direct;
    const how = hidesTable || this.random.chance(50) ? this.#indirect(this.type) : { ...this.#byReference(), type: this.type };
    return [{ op: 'tail', how }];
  }
}

function makeImports(random, modules, features, { isPlain }) {
  const imports = [];
  for (const [name, type] of Object.entries(HOST_TYPES))
    if (name === 'wait' ? features.suspends : random.chance(60) || (isPlain && name === 'take')) imports.push({ from: 'host', name, type });
  for (const [from, { exports, types }] of modules.entries())
    for (const index of exports)
      if (types[index] !== 'H' && random.chance(40)) imports.push({ from, name: `f${index}`, type: types[index] });
  return imports;
}

const someFunction = (random, candidates) => (random.chance(15) ? null : random.pick(candidates));

/**
 * How references leave a module: in every way there is, in some only, which the module must tell of by themselves, or not
 * at all. Then only indirect tail calls of exported functions make those in the table put the slot back.
 */
function chooseReferences(random) {
  const kind = random.pick(['any', 'any', 'tables', 'globals', 'bodies', 'none']);
  if (kind === 'none') return { namesFunctions: false, readsTables: false, initsGlobals: false, tailsByReference: true, hidesTable: true };
  if (kind === 'any') return { namesFunctions: random.chance(60), readsTables: true, initsGlobals: true, tailsByReference: true };
  if (kind === 'bodies') return { namesFunctions: true, readsTables: false, initsGlobals: false, tailsByReference: false, isPlain: true };
  const isTables = kind === 'tables';
  const isPlain = random.chance(80); // nothing else makes functions put the slot back
  return { namesFunctions: false, readsTables: isTables, initsGlobals: !isTables, tailsByReference: !isPlain, isPlain };
}

function makeModule(random, modules, features) {
  const references = chooseReferences(random);
  const { isPlain, hidesTable } = references;
  const imports = makeImports(random, modules, features, references);
  const functions = Array.from({ length: 2 + random.below(7) }, () => ({
    type: random.pick(CALLED_BY_HOST),
    usesFuel: random.chance(75),
  }));
  functions[0].type = 'F';
  const types = [...imports, ...functions].map(({ type }) => type);
  const all = [...types.keys()];
  const stored = all.filter((i) => 'FV'.includes(types[i]) && imports[i]?.name !== 'wait');
  const exportedShare = references.isPlain ? 20 : 35;
  // A task of a function that two modules export is one of the module that has it.
  const shareOf = (i) => (i >= imports.length ? exportedShare : features.suspends && imports[i].from !== 'host' ? 50 : 10);
  const exported = all.filter((i) => types[i] !== 'H' && imports[i]?.name !== 'wait' && random.chance(shareOf(i)));
  const listed = hidesTable ? stored.filter((i) => i >= imports.length && !exported.includes(i)) : stored;
  const segmentOf = (length) => Array.from({ length }, () => (listed.length > 0 ? someFunction(random, listed) : null));
  const starts = all.filter((i) => types[i] === 'V' && i >= imports.length);
  const isHidden = isPlain || hidesTable || (!references.namesFunctions && random.chance(80));
  const isShared = !isHidden && features.sharesTable && random.chance(50);
  const kindOfTable = isShared ? SHARED_TABLE : isHidden ? 'private' : random.pick(['private', 'private', 'exported']);
  return {
    hasGc: random.chance(60),
    ...references,
    imports,
    functions,
    types,
    exports: exported.length > 0 ? exported : [imports.length],
    start: random.chance(25) && starts.length > 0 ? random.pick(starts) : null,
    table: { kind: kindOfTable, at: random.below(3), elements: segmentOf(1 + random.below(3)), hasExpressions: random.chance(50) },
    globals: Array.from({ length: 1 + random.below(2) }, () => ({
      kind: random.pick(['private', 'exported', 'constant']),
      init: references.initsGlobals ? someFunction(random, stored) : null,
    })),
    segment: segmentOf(3),
  };
}

/** @param {{suspends: boolean, isLegacy: boolean}} features of the engine that the program may use */
export function makeProgram(random, features) {
  const count = 1 + Math.min(random.below(MOST_MODULES + 1), MOST_MODULES - 1);
  const chosen = { suspends: features.suspends && random.chance(65), sharesTable: count > 1 && random.chance(40) };
  const modules = [];
  for (let i = 0; i < count; i++) modules.push(makeModule(random, modules, chosen));
  for (const module of modules) {
    const maker = new BodyMaker(random, module, (module.isLegacy = features.isLegacy && random.chance(40)));
    module.functions.forEach((_, i) => maker.make(module.imports.length + i));
  }
  return { modules };
}
