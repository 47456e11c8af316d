/**
 * Two versions of a C program, made from a seed: structs with accessors, enums with predicates, copies of one function
 * that differ in constants, handlers in a table, and functions with code of their own. The second version has fields
 * and enum values added, functions swapped, constants changed, copies specialised. All their functions keep their names.
 */

/** Numbers below a limit, the same in every run. */
function numbers(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const range = (count, make) => Array.from({ length: count }, (_, i) => make(i));

class Program {
  constructor(seed) {
    this.next = numbers(seed);
    this.serial = 0;
    this.functions = []; // in order of their definitions: { name, kind, ... }
    this.structs = range(1 + this.next(3), () => this.struct());
    this.enums = range(1 + this.next(2), () => this.enumeration());
    this.families = range(1 + this.next(2), () => this.copies());
    this.handlers = this.table();
    this.wrappers();
    range(6 + this.next(8), () => this.worker());
    this.entries();
  }

  fresh(kind) {
    return `${kind}_${this.serial++}`;
  }

  pick(list) {
    return list[this.next(list.length)];
  }

  chance(percent) {
    return this.next(100) < percent;
  }

  add(item, at = this.functions.length) {
    this.functions.splice(at, 0, item);
    return item;
  }

  field(types) {
    return { name: this.fresh('field'), type: this.pick(types) };
  }

  struct() {
    const types = this.chance(60) ? ['int'] : ['int', 'short', 'char', 'long long'];
    const kinds = this.pick([['get'], ['get', 'set'], ['get', 'set', 'bump']]);
    const item = { name: this.fresh('record'), types, kinds, fields: [] };
    item.fields = range(2 + this.next(6), () => this.field(types));
    if (this.chance(50)) for (const field of item.fields) for (const kind of kinds) this.accessor(item, field, kind);
    else for (const kind of kinds) for (const field of item.fields) this.accessor(item, field, kind);
    item.users = range(1 + this.next(2), () => this.user(item));
    return item;
  }

  accessor(struct, field, access, at) {
    return this.add({ name: `${access}_${field.name}`, kind: 'accessor', struct, field, access }, at);
  }

  /** The functions of a kind that belong to `owner`. */
  members(kind, owner) {
    return this.functions.filter((each) => each.kind === kind && (each.struct ?? each.owner) === owner);
  }

  user(struct) {
    const calls = this.members('accessor', struct).map((callee) => ({ callee, factor: 3 + this.next(90) }));
    return this.add({ name: this.fresh('use'), kind: 'user', struct, calls, offset: this.next(100) });
  }

  enumeration() {
    const item = { name: this.fresh('kind'), values: range(2 + this.next(5), () => this.fresh('VALUE')) };
    for (const value of item.values) this.predicate(item, value);
    this.add({ name: this.fresh('classify'), kind: 'classify', owner: item, cases: item.values.map((value) => this.case(value)) });
    return item;
  }

  case(value) {
    return { value, factor: 3 + this.next(90) };
  }

  predicate(owner, value, at) {
    return this.add({ name: `is_${value}`, kind: 'predicate', owner, value }, at);
  }

  copies() {
    const item = { form: this.next(3), steps: range(2 + this.next(3), () => [this.pick(['*', '+', '^', '>>']), 1 + this.next(7)]) };
    const base = 1 + this.next(4);
    item.copies = range(2 + this.next(4), (i) => this.copy(item, base << i));
    this.add({ name: this.fresh('choose'), kind: 'choose', owner: item, calls: item.copies.map((callee) => callee) });
    return item;
  }

  copy(owner, constant, at) {
    return this.add({ name: this.fresh('copy'), kind: 'copy', owner, constant }, at);
  }

  table() {
    const item = { name: this.fresh('table'), order: [] };
    item.order = range(2 + this.next(5), (i) => this.handler(item, 1 + i));
    this.add({ name: this.fresh('dispatch'), kind: 'dispatch', owner: item });
    return item;
  }

  handler(owner, constant, at) {
    return this.add({ name: this.fresh('handle'), kind: 'handler', owner, constant }, at);
  }

  wrappers() {
    for (const copy of this.families.flatMap(({ copies }) => copies))
      if (this.chance(40)) this.add({ name: `forward_${copy.name}`, kind: 'wrapper', callee: copy });
  }

  worker() {
    const callees = this.functions.filter(({ kind }) => ['worker', 'choose', 'user', 'classify', 'dispatch', 'copy', 'wrapper', 'handler', 'predicate'].includes(kind));
    const steps = range(3 + this.next(10), () => ({ op: this.pick(['*', '+', '^', '-']), value: this.pick([this.next(16), this.next(1000), this.next(1 << 30)]), shift: this.next(9) }));
    const calls = range(this.next(4), () => this.pick(callees));
    return this.add({ name: this.fresh('work'), kind: 'worker', steps, calls, text: this.chance(30) ? `text of ${this.serial}` : undefined });
  }

  entries() {
    const called = new Set(this.functions.flatMap((each) => [...(each.calls ?? []).map((call) => call.callee ?? call), each.callee].filter(Boolean)));
    const rest = this.functions.filter((each) => !called.has(each) && !['accessor', 'predicate', 'handler'].includes(each.kind));
    const count = 1 + this.next(3);
    for (let i = 0; i < count; i++)
      this.add({ name: this.fresh('entry'), kind: 'worker', isExported: true, steps: [{ op: '*', value: this.next(1 << 20), shift: 3 }],
        calls: rest.filter((_, k) => k % count === i) });
  }

  /* ---- Changes: each leaves a program whose functions have the names that they had */

  addField() {
    const struct = this.pick(this.structs), field = this.field(struct.types);
    const place = this.pick([0, 0, this.next(struct.fields.length), struct.fields.length]);
    const after = struct.fields[place];
    struct.fields.splice(place, 0, field);
    if (this.chance(25)) return; // padding
    for (const access of struct.kinds) {
      const neighbour = this.functions.findIndex((each) => each.kind === 'accessor' && each.access === access && each.field === after);
      const last = this.functions.findLastIndex((each) => each.struct === struct && each.kind === 'accessor' && each.access === access);
      const added = this.accessor(struct, field, access, neighbour >= 0 ? neighbour : last + 1);
      for (const user of struct.users)
        if (this.chance(50)) {
          const at = user.calls.findIndex(({ callee }) => callee.field === after && callee.access === access);
          user.calls.splice(at >= 0 ? at : user.calls.length, 0, { callee: added, factor: 3 + this.next(90) });
        }
    }
  }

  exchangeFields() {
    const { fields } = this.pick(this.structs), at = this.next(fields.length - 1);
    fields.splice(at, 2, fields[at + 1], fields[at]);
  }

  addValue() {
    const item = this.pick(this.enums), at = this.pick([0, this.next(item.values.length + 1)]);
    const after = item.values[at], value = this.fresh('VALUE');
    item.values.splice(at, 0, value);
    if (this.chance(30)) return; // nobody asks for it
    const classify = this.members('classify', item)[0];
    const neighbour = this.functions.findIndex((each) => each.kind === 'predicate' && each.value === after);
    this.predicate(item, value, neighbour >= 0 ? neighbour : this.functions.indexOf(classify));
    const place = classify.cases.findIndex((each) => each.value === after);
    classify.cases.splice(place >= 0 ? place : classify.cases.length, 0, this.case(value));
  }

  swapFunctions() {
    const at = this.next(this.functions.length - 1), far = this.chance(50) ? at + 1 : this.next(this.functions.length);
    [this.functions[at], this.functions[far]] = [this.functions[far], this.functions[at]];
  }

  moveFunctions() {
    const moved = this.functions.splice(this.next(this.functions.length), 1 + this.next(4));
    this.functions.splice(this.next(this.functions.length + 1), 0, ...moved);
  }

  swapCalls() {
    const callers = this.functions.filter(({ calls }) => calls?.length > 1);
    if (callers.length === 0) return;
    const { calls } = this.pick(callers), at = this.next(calls.length - 1);
    calls.splice(at, 2, calls[at + 1], calls[at]);
  }

  changeConstants() {
    if (this.chance(50)) {
      const up = this.chance(50);
      for (const copy of this.pick(this.families).copies) copy.constant = up ? copy.constant * 2 : copy.constant + 1;
    } else if (this.chance(50)) for (const handler of this.handlers.order) handler.constant++;
    else this.pick(this.pick(this.functions.filter(({ steps }) => steps)).steps).value += 1 + this.next(3);
  }

  specialise() {
    const owner = this.pick(this.families), first = this.next(owner.copies.length), like = owner.copies[first];
    const constant = this.pick([like.constant, like.constant * 2, Math.max(1, like.constant >> 1), 1 + this.next(40)]);
    const added = this.copy(owner, constant, this.functions.indexOf(like) + this.next(2));
    owner.copies.push(added);
    const uses = this.functions.flatMap(({ kind, calls = [] }) => (kind === 'user' ? [] : calls.flatMap((callee, at) => (callee === like ? [{ calls, at }] : []))));
    const kept = this.next(uses.length); // else this would be another name for the same function
    for (const { calls, at } of uses.filter((_, i) => i !== kept)) if (this.chance(40)) calls[at] = added;
    if (this.chance(60)) this.members('choose', owner)[0].calls.splice(first + this.next(2), 0, added);
  }

  addHandler() {
    const { order } = this.handlers, at = this.next(order.length + 1);
    const place = this.functions.indexOf(order[Math.min(at, order.length - 1)]);
    order.splice(at, 0, this.handler(this.handlers, this.next(order.length + 2), place));
  }

  addWorker() {
    const worker = this.worker(), caller = this.pick(this.functions.filter((each) => each.isExported));
    this.functions.splice(this.next(this.functions.length), 0, this.functions.pop());
    caller.calls.splice(this.next(caller.calls.length + 1), 0, worker);
  }

  change() {
    const ways = ['addField', 'addField', 'addField', 'addValue', 'addValue', 'swapFunctions', 'swapFunctions', 'moveFunctions', 'swapCalls', 'changeConstants',
      'changeConstants', 'specialise', 'specialise', 'addHandler', 'addWorker', 'exchangeFields'];
    return range(1 + this.next(4), () => {
      const way = this.pick(ways);
      this[way]();
      return way;
    });
  }

  /* ---- As C */

  body(item) {
    const call = (callee, argument = 't') => `${callee.name}(${callee.kind === 'user' ? `&${callee.struct.name}_1, ${argument}` : argument})`;
    const bodies = {
      accessor: ({ field, access }) => ({ get: `return (int)p->${field.name};`, set: `p->${field.name} = v;`, bump: `p->${field.name} += (v & 1);` })[access],
      user: ({ calls, offset }) => `int t = v + ${offset}; ${calls.map(({ callee, factor }) => (callee.access === 'get' ? `t = t * ${factor} + ${callee.name}(p);` : `${callee.name}(p, t + ${factor});`)).join(' ')} return t;`,
      predicate: ({ value }) => `return v == ${value};`,
      classify: ({ cases }) => `int t = v; ${cases.map(({ value, factor }) => `if (is_${value}(v)) t = t * ${factor} + 1;`).join(' ')} return t;`,
      copy: ({ owner, constant }) => [
        `int t = 0; for (int i = 0; i < v; i += ${constant}) { t += i; ${owner.steps.map(([op, n]) => `t = t ${op} ${n};`).join(' ')} } return t;`,
        `int t = v; ${owner.steps.map(([op, n]) => `t = (t ${op} ${n}) + ${constant};`).join(' ')} return t;`,
        `if (v > ${constant}) bytes[v & ${constant}] = (char)v; ${owner.steps.map(([op, n]) => `v = v ${op} ${n};`).join(' ')} return v ^ bytes[${constant}];`,
      ][owner.form],
      choose: ({ calls }) => `int t = v; ${calls.map((callee, i) => `t = (t ^ ${i * 7 + 1}) + ${callee.name}(t);`).join(' ')} return t;`,
      handler: ({ constant }) => `return v + ${constant};`,
      dispatch: ({ owner }) => `return ${owner.name}[v % ${owner.order.length}](v) * 3;`,
      wrapper: ({ callee }) => `return ${callee.name}(v);`,
      worker: ({ steps, calls, text }) => `int t = v; ${text ? `note("${text}");` : ''} ${steps.map(({ op, value, shift }) => `t = (t ${op} ${value}) ^ (t >> ${shift});`).join(' ')} ${calls.map((callee) => `t += ${call(callee)};`).join(' ')} return t;`,
    };
    return bodies[item.kind](item);
  }

  head({ name, kind, struct, access, isExported }) {
    const parameters = kind === 'accessor' ? `struct ${struct.name} *p${access === 'get' ? '' : ', int v'}` : kind === 'user' ? `struct ${struct.name} *p, int v` : 'int v';
    const attributes = isExported ? `export_name("${name}"), noinline` : 'noinline';
    return `__attribute__((${attributes})) ${kind === 'accessor' && access !== 'get' ? 'void' : 'int'} ${name}(${parameters})`;
  }

  toString() {
    return [
      'void note(const char *text); static char bytes[1 << 16];',
      ...this.structs.map(({ name, fields }) => `struct ${name} { ${fields.map((field) => `${field.type} ${field.name};`).join(' ')} }; struct ${name} ${name}_1;`),
      ...this.enums.map(({ values }) => `enum { ${values.join(', ')} };`),
      ...this.functions.map((item) => `${this.head(item)};`),
      `static int (*const ${this.handlers.name}[])(int) = { ${this.handlers.order.map(({ name }) => name).join(', ')} };`,
      ...this.functions.map((item) => `${this.head(item)} { ${this.body(item)} }`),
    ].join('\n');
  }
}

/** {first, second: sources in C; changes: what was done between them}. */
export function versions(seed) {
  const program = new Program(seed), first = String(program);
  const changes = program.change();
  return { first, second: String(program), changes };
}
