/**
 * Goroutines: a module of the shape of Go's programs does what a model of Go decides at random, call,
 * return, wait, restart with a larger stack, start others. The profile must have the model's stacks.
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

const IMPORT_COUNT = 5;
const WALKERS = ['main.a', 'main.b', 'main.c'];
const RUNTIME = ['run', 'wasm_pc_f_loop', 'runtime.mcall', 'runtime.park', 'runtime.morestack',
  'runtime.newstack', 'runtime.gogo', 'runtime.newproc', 'runtime.newproc1', 'runtime.goexit'];
const NAMES = [...WALKERS, ...RUNTIME];
const TABLE = 0x1000;
const LOOP = 'run;wasm_pc_f_loop';
const place = (name) => TABLE + NAMES.indexOf(name);

/** What the host tells a walker to do; from CALL on, to call the walker of that number. */
const [RETURN, WAIT, RESTART, START, CALL] = [0, 1, 2, 3, 4];

const walker = (name, i) => `
  (func $${name} (type $function) (local $act i32)
    (loop $more
      (local.set $act (call $act (i32.const ${i})))
      (if (i32.eq (local.get $act) (i32.const ${RETURN})) (then (return (i32.const 0))))
      (if (i32.eq (local.get $act) (i32.const ${WAIT}))
        (then (return (call $runtime.mcall (i32.const 0)))))
      (if (i32.eq (local.get $act) (i32.const ${RESTART}))
        (then (return (call $runtime.morestack (i32.const 0)))))
      (if (i32.eq (local.get $act) (i32.const ${START}))
        (then (drop (call $runtime.newproc (i32.const 0))) (br $more)))
      (if (call_indirect (type $function) (i32.const 0)
            (i32.add (local.get $act) (i32.const ${TABLE - CALL})))
        (then (return (i32.const 1))))
      (br $more))
    unreachable)`;

/** The module; with its walkers behind all other functions, as an optimiser may move them, if `isMoved`. */
const makeProgram = (isMoved) => `(module
  (type $function (func (param i32) (result i32)))
  (import "host" "act" (func $act (param i32) (result i32)))
  (import "host" "block" (func $block (result i32)))
  (import "host" "place" (func $place (result i32)))
  (import "host" "pick" (func $pick (result i32)))
  (import "host" "create" (func $create (result i64)))
  (memory 1)
  (table ${TABLE + NAMES.length} funcref)
  (global $SP (mut i32) (i32.const 64))
  (global $CTXT (mut i64) (i64.const 0))
  (global $g (mut i64) (i64.const 0))
  ${'(global (mut i64) (i64.const 0))'.repeat(4)}
  (global $PAUSE (mut i32) (i32.const 0))
  (elem (i32.const ${TABLE}) ${NAMES.map((name) => `$${name}`).join(' ')})
  ${isMoved ? '' : WALKERS.map(walker).join('')}
  (func $run (export "run")
    (drop (call $runtime.gogo (call $pick)))
    call $wasm_pc_f_loop)
  (func $wasm_pc_f_loop (local $to i32)
    (loop $more
      (local.set $to (call $place))
      (if (local.get $to) (then
        (drop (call_indirect (type $function) (call $block) (local.get $to)))
        (br $more))))
    (global.set $PAUSE (i32.const 0)))
  (func $runtime.mcall (type $function)
    (global.set $g (i64.const 8))
    (call_indirect (type $function) (i32.const 0) (i32.const ${place('runtime.park')})))
  (func $runtime.park (type $function) (call $runtime.gogo (call $pick)))
  (func $runtime.morestack (type $function)
    (global.set $g (i64.const 8))
    (call $runtime.newstack (i32.const 0)))
  (func $runtime.newstack (type $function) (call $runtime.gogo (call $pick)))
  (func $runtime.gogo (type $function)
    (global.set $g (i64.extend_i32_u (local.get 0)))
    i32.const 1)
  (func $runtime.newproc (type $function) (call $runtime.newproc1 (i32.const 0)))
  (func $runtime.newproc1 (type $function)
    (i64.store offset=32 (global.get $SP) (call $create))
    i32.const 0)
  (func $runtime.goexit (type $function) (call $runtime.mcall (i32.const 0)))
  ${isMoved ? WALKERS.map(walker).join('') : ''}
  (@producers (language "Go" "go1.26.8")))`;
const program = makeProgram(false);

/** Goroutines as Go keeps them, each with the stacks of its frames, names joined by ';', innermost last. */
class Model {
  calls = {}; // of each stack
  #random;
  #steps;
  #goroutines = new Map(); // by address
  #free = []; // addresses of those that ended
  #created = 0;
  #current;
  #restarts = false;
  #block = 0;

  constructor(random, steps) {
    this.#random = random;
    this.#steps = steps;
    for (const stack of ['run', 'run;runtime.gogo', LOOP]) this.#count(stack);
    this.#start(LOOP);
  }

  #count(stack) {
    this.calls[stack] = (this.calls[stack] ?? 0) + 1;
  }

  #countBelow(stack, ...names) {
    names.forEach((_, i) => this.#count([stack, ...names.slice(0, i + 1)].join(';')));
  }

  #start(starter) {
    const g = this.#free.pop() ?? 16 * ++this.#created;
    this.#goroutines.set(g, { starter, frames: [], isNew: true });
    return g;
  }

  #enter(caller, number) {
    const stack = `${caller};${WALKERS[number]}`;
    this.#goroutines.get(this.#current).frames.push(stack);
    this.#count(stack);
    return number;
  }

  // ---- What the module imports ----

  act = () => {
    const { frames } = this.#goroutines.get(this.#current);
    const choice = --this.#steps < 0 ? 0 : this.#random.below(10);
    if (choice < 3 || frames.length > 12) {
      frames.pop();
      return RETURN;
    }
    if (choice < 5) {
      this.#countBelow(LOOP, 'runtime.mcall', 'runtime.park', 'runtime.gogo');
      return WAIT;
    }
    if (choice === 5) {
      this.#countBelow(LOOP, 'runtime.morestack', 'runtime.newstack', 'runtime.gogo');
      this.#restarts = true;
      return RESTART;
    }
    if (choice === 6 && this.#goroutines.size < 40) {
      this.#countBelow(frames.at(-1), 'runtime.newproc', 'runtime.newproc1');
      return START;
    }
    return CALL + this.#enter(frames.at(-1), this.#random.below(WALKERS.length));
  };

  create = () => BigInt(this.#start(this.#goroutines.get(this.#current).frames.at(-1)));

  /** Which goroutine goes on: the one that restarts, or any. */
  pick = () => {
    if (!this.#restarts) this.#current = this.#random.pick([...this.#goroutines.keys()]);
    return this.#current;
  };

  /** What the loop calls; 0: all goroutines have ended. */
  place = () => {
    const of = this.#goroutines.get(this.#current);
    this.#block = of.isNew || this.#restarts ? 0 : 1;
    this.#restarts = false;
    if (of.isNew) {
      of.isNew = false;
      return TABLE + this.#enter(of.starter, this.#random.below(WALKERS.length));
    }
    if (of.frames.length > 0) return place(of.frames.at(-1).split(';').at(-1));
    this.#goroutines.delete(this.#current);
    this.#free.push(this.#current);
    if (this.#goroutines.size === 0) return 0;
    this.#countBelow(LOOP, 'runtime.mcall', 'runtime.park', 'runtime.gogo');
    return place('runtime.goexit');
  };

  block = () => this.#block;
}

const folder = temporaryFolder();

async function instrument(options, wat = program) {
  const [input, output] = ['app.wasm', 'app.prof.wasm'].map((name) => join(folder, name));
  writeFileSync(input, await parse(wat));
  const { status, stderr } = spawnSync(tool('wasm-instrument'), ['--embed', ...options, input, '-o', output],
    { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.equal(stderr, '');
  return readFileSync(output);
}

/** Stacks of a profile that were called, by names. */
function stacksOf(exports, order = NAMES) {
  const { nodes } = readProfile(readEmbedded(exports));
  const stacks = [''];
  const calls = {};
  nodes.slice(1).forEach((node, i) => {
    const name = order[node.function - IMPORT_COUNT];
    const stack = (stacks[i + 1] = stacks[node.parent] ? `${stacks[node.parent]};${name}` : name);
    if (node.calls > 0n) calls[stack] = (calls[stack] ?? 0) + Number(node.calls);
  });
  return calls;
}

/** The model's calls of these functions, as if there were no others. */
function callsAmong(kept, calls) {
  const result = {};
  for (const [stack, count] of Object.entries(calls)) {
    const names = stack.split(';');
    const shown = names.filter((name) => kept.includes(name)).join(';');
    if (kept.includes(names.at(-1))) result[shown] = (result[shown] ?? 0) + count;
  }
  return result;
}

const SCHEDULER = ['runtime.mcall', 'runtime.morestack', 'wasm_pc_f_loop'];

for (const [title, kept] of Object.entries({
  'all functions': NAMES,
  'walkers only': WALKERS,
  'one walker': ['main.b'],
  'nothing that switches': NAMES.filter((name) => !SCHEDULER.includes(name)),
})) {
  test(`goroutines: ${title}`, async () => {
    const only = kept === NAMES ? [] : kept.map((name) => `--only=${name}`);
    for (const clock of ['none', 'instructions']) {
      const bytes = await instrument([`--clock=${clock}`, '--recursion=full', ...only]);
      for (let seed = 1; seed <= 20; seed++) {
        const model = new Model(new Random(seed), 3000);
        const { instance } = await WebAssembly.instantiate(bytes, { host: model });
        instance.exports.run();
        assert.deepEqual(stacksOf(instance.exports), callsAmong(kept, model.calls), `seed ${seed}`);
      }
    }
  });
}

test('goroutines: functions that an optimiser moved', async () => {
  const order = [...RUNTIME, ...WALKERS];
  const bytes = await instrument(['--clock=none', '--recursion=full'], makeProgram(true));
  for (let seed = 1; seed <= 20; seed++) {
    const model = new Model(new Random(seed), 3000);
    const { instance } = await WebAssembly.instantiate(bytes, { host: model });
    instance.exports.run();
    assert.deepEqual(stacksOf(instance.exports, order), model.calls, `seed ${seed}`);
  }
});

test('goroutines: calls of each function, where contexts are given up', async () => {
  const perFunction = (calls) => {
    const sums = {};
    for (const [stack, count] of Object.entries(calls)) {
      const name = stack.split(';').at(-1);
      sums[name] = (sums[name] ?? 0) + count;
    }
    return sums;
  };
  for (const options of [['--recursion=fold'], ['--node-limit=100']]) {
    const bytes = await instrument(['--clock=none', ...options]);
    for (let seed = 1; seed <= 20; seed++) {
      const model = new Model(new Random(seed), 3000);
      const { instance } = await WebAssembly.instantiate(bytes, { host: model });
      instance.exports.run();
      assert.deepEqual(perFunction(stacksOf(instance.exports)), perFunction(model.calls), `${options}, seed ${seed}`);
    }
  }
});

test('what looks like Go but for one thing stays valid', async () => {
  const shape = readFileSync(join(import.meta.dirname, '../rewrite/cases/go.wat'), 'utf8');
  const call = /\(call_indirect \(type \$function\) \(i32\.load16_u.*\)\)\)/;
  assert.match(shape, call);
  const calling = (text, memory = '(memory 1)') =>
    shape.replace(call, `${text})`).replace('(memory 1)', memory);
  const plain = '(call_indirect (type $function) (i32.const 0) (i32.const 4096))';
  for (const wat of [
    calling(plain, ''),
    calling(plain, '(memory i64 1)'),
    calling('(call_indirect (type 1) (i64.const 0) (i32.const 4096))', '(memory 1) (type (func (param i64) (result i32)))'),
    calling('(call_ref $function (i32.const 0) (ref.null $function))'),
    calling('(call_indirect 1 (type $function) (i32.const 0) (i64.const 0))')
      .replace('(table 4105 funcref)', '$& (table i64 1 funcref)'),
  ]) {
    const bytes = await parse(wat);
    assert(WebAssembly.validate(bytes), wat);
    for (const clock of ['none', 'instructions']) {
      assert(WebAssembly.validate(await instrument([`--clock=${clock}`], wat)), wat);
    }
  }
});
