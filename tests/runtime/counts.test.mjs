/**
 * `--clock instructions`: random functions of nested blocks, loops, branches and exceptions count what
 * a model of them counts, which executes the same tree and knows nothing of basic blocks. Some have no
 * hooks: they count for their callers, and for the root where the host calls them.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { readEmbedded } from '../js/embedded.mjs';
import { readProfile } from '../js/wperf.mjs';
import { Random } from '../random/prng.mjs';
import { temporaryFolder, tool } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';

const MODULES = 60;
const FUNCTIONS = 5;
const DEPTH = 6;
const FUEL = 400; // times round a loop, of one run
const folder = temporaryFolder();

// ---- Programs ------------------------------------------------------------------------

const ATTEMPTS = ['tryTable', 'legacyTry']; // no module may have both

/** A list of statements, inside as many labels as `depth`; a function calls only those after it. */
function makeBody(at, depth) {
  return Array.from({ length: 1 + at.random.below(4) }, () => makeStatement(at, depth));
}

const label = (random, depth) => random.below(depth + 1); // the last is the function's

function makeStatement(at, depth) {
  const { random, func, attempt } = at;
  const body = () => makeBody(at, depth + 1);
  const kinds = ['nop', 'brIf', 'brIf', 'brTable', 'invoke', 'br', 'return', 'throw'];
  const nested = ['block', 'block', 'loop', 'if', 'ifElse', attempt];
  const kind = random.pick(depth < DEPTH && random.chance(60) ? nested : kinds);
  switch (kind) {
    case 'nop': return { kind, count: random.below(5) };
    case 'br':
    case 'brIf': return { kind, to: label(random, depth) };
    case 'brTable':
      return { kind, to: Array.from({ length: 2 + random.below(4) }, () => label(random, depth)) };
    case 'invoke':
      if (func + 1 === FUNCTIONS) return { kind: 'nop', count: 1 };
      return { kind, callee: func + 1 + random.below(FUNCTIONS - func - 1) };
    case 'ifElse':
    case 'legacyTry': return { kind, body: body(), other: body() };
    case 'tryTable': return { kind, body: body(), to: label(random, depth) };
    default: return { kind, body: body() };
  }
}

// ---- As text -------------------------------------------------------------------------

const DECISION = 11; // instructions
const decide = (n) => `global.get $seed i32.const 1103515245 i32.mul i32.const 12345 i32.add global.set $seed
  global.get $seed i32.const 16 i32.shr_u i32.const ${n} i32.rem_u`;
const spendFuel = `global.get $fuel i32.eqz if return end
  global.get $fuel i32.const 1 i32.sub global.set $fuel`;
const textOf = (body) => body.map((statement) => texts[statement.kind](statement)).join('\n');
const texts = {
  nop: ({ count }) => 'nop '.repeat(count),
  br: ({ to }) => `br ${to}`,
  brIf: ({ to }) => `${decide(2)} br_if ${to}`,
  brTable: ({ to }) => `${decide(to.length)} br_table ${to.join(' ')}`,
  invoke: ({ callee }) => `call $f${callee}`,
  return: () => 'return',
  throw: () => 'throw $e',
  block: ({ body }) => `block ${textOf(body)} end`,
  loop: ({ body }) => `loop ${spendFuel} ${textOf(body)} end`,
  if: ({ body }) => `${decide(2)} if ${textOf(body)} end`,
  ifElse: ({ body, other }) => `${decide(2)} if ${textOf(body)} else ${textOf(other)} end`,
  tryTable: ({ body, to }) => `try_table (catch $e ${to}) ${textOf(body)} end`,
  legacyTry: ({ body, other }) => `try ${textOf(body)} catch $e ${textOf(other)} end`,
};

const moduleOf = (functions) => `(module
  (tag $e)
  (global $seed (export "seed") (mut i32) (i32.const 0))
  (global $fuel (export "fuel") (mut i32) (i32.const 0))
  ${functions.map((body, i) => `(func $f${i} (export "f${i}") ${textOf(body)})`).join('\n')})`;

// ---- The model -----------------------------------------------------------------------

class Thrown extends Error {}
const NEXT = -1; // else how many labels are left; the function's and more: it returns

class Model {
  constructor(functions, unhooked) {
    this.functions = functions;
    this.unhooked = unhooked;
    this.counts = Array.from({ length: FUNCTIONS + 1 }, () => ({ calls: 0, self: 0 }));
    this.current = this.counts[FUNCTIONS]; // the root's
  }

  run(func, seed) {
    Object.assign(this, { seed, fuel: FUEL });
    try {
      this.call(func);
    } catch (error) {
      if (!(error instanceof Thrown)) throw error;
    }
  }

  call(func) {
    const caller = this.current;
    if (!this.unhooked.has(func)) {
      this.current = this.counts[func];
      this.current.calls++;
    }
    try {
      this.execute(this.functions[func]);
    } finally {
      this.current = caller;
    }
  }

  decide(n) {
    this.current.self += DECISION;
    this.seed = (Math.imul(this.seed, 1103515245) + 12345) | 0;
    return (this.seed >>> 16) % n;
  }

  execute(body) {
    for (const statement of body) {
      const to = this[statement.kind](statement);
      if (to !== NEXT) return to;
    }
    return NEXT;
  }

  inside(body) {
    const to = this.execute(body);
    return to === 0 || to === NEXT ? NEXT : to - 1;
  }

  step(to = NEXT) {
    this.current.self++;
    return to;
  }

  nop({ count }) {
    this.current.self += count;
    return NEXT;
  }
  br({ to }) {
    return this.step(to);
  }
  brIf({ to }) {
    return this.step(this.decide(2) ? to : NEXT);
  }
  brTable({ to }) {
    return this.step(to[this.decide(to.length)]);
  }
  invoke({ callee }) {
    this.step();
    this.call(callee);
    return NEXT;
  }
  return() {
    return this.step(Infinity);
  }
  throw() {
    this.step();
    throw new Thrown();
  }
  block({ body }) {
    this.step();
    return this.inside(body);
  }
  loop({ body }) {
    this.step();
    for (;;) {
      this.current.self += 3;
      if (this.fuel === 0) return this.step(Infinity);
      this.fuel--;
      this.current.self += 4;
      const to = this.execute(body);
      if (to !== 0) return to === NEXT ? NEXT : to - 1;
    }
  }
  if({ body }) {
    return this.ifElse({ body, other: [] });
  }
  ifElse({ body, other }) {
    const taken = this.decide(2);
    this.step();
    return this.inside(taken ? body : other);
  }
  tryTable({ body, to }) {
    return this.attempt(body, () => to);
  }
  legacyTry({ body, other }) {
    return this.attempt(body, () => this.inside(other));
  }
  attempt(body, handle) {
    const here = this.current;
    this.step();
    try {
      return this.inside(body);
    } catch (error) {
      if (!(error instanceof Thrown)) throw error;
      this.current = here;
      return handle();
    }
  }
}

// ---- Both ----------------------------------------------------------------------------

async function instrument(wat, unhooked) {
  const [input, output] = ['in.wasm', 'out.wasm'].map((name) => join(folder, name));
  writeFileSync(input, await parse(wat));
  const args = [...Array.from(unhooked, (func) => `--exclude=@${func}`), input, '-o', output];
  const { status, stderr } = spawnSync(
    tool('wasm-instrument'), ['--embed', '--clock', 'instructions', ...args], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return (await WebAssembly.instantiate(readFileSync(output))).instance.exports;
}

function countsOf(exports) {
  const counts = Array.from({ length: FUNCTIONS + 1 }, () => ({ calls: 0, self: 0 }));
  const { nodes } = readProfile(readEmbedded(exports));
  nodes.forEach(({ function: func, calls, self }, i) => {
    const count = counts[i === 0 ? FUNCTIONS : func];
    count.calls += Number(calls);
    count.self += Number(self);
  });
  const totals = [nodes.reduce((sum, { calls }) => sum + calls, 0n), BigInt(nodes.length - 1)];
  assert.deepEqual([exports.wasm_perf_count(0), exports.wasm_perf_count(1)], totals);
  return counts;
}

function runInstrumented(exports, func, seed) {
  exports.seed.value = seed;
  exports.fuel.value = FUEL;
  const slot = exports.wasm_perf_slot();
  try {
    exports[`f${func}`]();
  } catch (error) {
    assert(error instanceof WebAssembly.Exception, String(error));
    exports.wasm_perf_set_slot(slot);
  }
}

test('random flow of control counts what a model counts', async () => {
  let total = 0;
  for (let i = 0; i < MODULES; i++) {
    const random = new Random(7, i);
    const attempt = ATTEMPTS[i % 2];
    const functions = Array.from({ length: FUNCTIONS }, (_, func) =>
      makeBody({ random, func, attempt }, 0));
    const unhooked = new Set(Array.from({ length: i % 4 }, () => random.below(FUNCTIONS)));
    const exports = await instrument(moduleOf(functions), unhooked);
    const model = new Model(functions, unhooked);
    for (let run = 0; run < 20; run++) {
      const [func, seed] = [random.below(FUNCTIONS), random.u32() | 0];
      runInstrumented(exports, func, seed);
      model.run(func, seed);
      assert.deepEqual(countsOf(exports), model.counts, `module ${i}, run ${run}:\n${moduleOf(functions)}`);
    }
    total += model.counts.reduce((sum, { self }) => sum + self, 0);
  }
  assert(total > 100000, `${total} instructions`);
});
