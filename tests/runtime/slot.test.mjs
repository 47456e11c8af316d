/**
 * The invariant of the slot (runtime/embedded/embed.h): whatever leaves callee_slot behind, the tree stays whole and the
 * program unharmed; where nothing was left in the middle, stacks are exact.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readEmbedded } from '../js/embedded.mjs';
import { readProfile } from '../js/wperf.mjs';
import { instantiate } from './embed.mjs';

const FORMS = [[], ['--recursion', 'fold'], ['--node-limit', '3'], ['--clock', 'instructions'], ['--host-calls']];

/** {"names;of;stack": calls} of all nodes that were called. */
function stacks(exports, names) {
  const paths = [''];
  const found = {};
  readProfile(readEmbedded(exports)).nodes.slice(1).forEach((node, i) => {
    const name = names[node.function] ?? `[${node.function}]`;
    paths[i + 1] = node.parent === 0 ? name : `${paths[node.parent]};${name}`;
    if (Number(node.calls) > 0) found[paths[i + 1]] = Number(node.calls);
  });
  return found;
}

function callsByFunction(found) {
  const sums = {};
  for (const [path, calls] of Object.entries(found)) {
    const name = path.split(';').pop();
    sums[name] = (sums[name] ?? 0) + calls;
  }
  return sums;
}

const namesIn = (wat) => Array.from(wat.matchAll(/\(func \$(\w+)/g), ([, name]) => name);

/** What the exports `a` and `b` do when the host calls them in turn, three times. */
async function callInTurn(wat, options, imports = {}) {
  const exports = await instantiate(wat, options, imports);
  for (let i = 0; i < 3; i++) {
    for (const name of ['a', 'b']) {
      try {
        exports[name]();
      } catch (error) {
        assert(
          error instanceof WebAssembly.RuntimeError || error instanceof WebAssembly.Exception || error === STOP,
          `${error.stack}`,
        );
      }
    }
  }
  return stacks(exports, namesIn(wat));
}

const STOP = new Error('stop');

// What calls two functions has hooks and nodes, however small.
const INNER = `(func $one (call $two) (call $end)) (func $two (call $three) (call $end)) (func $three (nop))
  (func $end (nop)) (func $b (export "b") (call $one) (call $end))`;
const below = (path) => ({
  [`${path};one`]: 3,
  [`${path};one;two`]: 3,
  [`${path};one;two;three`]: 3,
  [`${path};one;two;end`]: 3,
  [`${path};one;end`]: 3,
});
const EXPECTED = { a: 3, b: 3, 'b;end': 3, ...below('b') };

const TAIL_CALLS = {
  'a tail call': `(module (func $a (export "a") (return_call $t)) (func $t (call $one) (call $end)) ${INNER})`,
  'an indirect tail call': `(module (table funcref (elem $t))
    (func $a (export "a") (return_call_indirect (i32.const 0))) (func $t (call $one) (call $end)) ${INNER})`,
  'a tail call by reference': `(module (type $f (func)) (elem declare func $t)
    (func $a (export "a") (return_call_ref $f (ref.func $t))) (func $t (call $one) (call $end)) ${INNER})`,
};

for (const [what, wat] of Object.entries(TAIL_CALLS)) {
  test(`${what}: the next export hangs where it belongs`, async () => {
    const expected = { ...EXPECTED, t: 3, 't;end': 3, ...below('t') };
    assert.deepEqual(await callInTurn(wat, []), expected);
    for (const options of FORMS.slice(1)) {
      const sums = callsByFunction(await callInTurn(wat, options));
      assert.deepEqual(sums, { a: 3, b: 3, t: 3, one: 6, two: 6, three: 6, end: 18 }, options.join(' '));
    }
  });
}

const ESCAPES = {
  'a global': `(global (export "g") funcref (ref.func $one)) (func $a (export "a") (nop))`,
  'a table that is read': `(table $p 1 funcref) (elem (table $p) (i32.const 0) func $one)
    (func $a (export "a") (nop)) (func (export "get") (result funcref) (table.get $p (i32.const 0)))`,
};

for (const [what, parts] of Object.entries(ESCAPES)) {
  test(`a reference that leaves by ${what} restores the slot`, async () => {
    const wat = `(module ${parts} ${INNER})`;
    const exports = await instantiate(wat, []);
    const one = exports.g ? exports.g.value : exports.get();
    for (let i = 0; i < 3; i++) {
      one();
      exports.b();
    }
    const found = stacks(exports, namesIn(wat.replace('(func (export "get")', '(func $get (export "get")')));
    assert.equal(found['b;one;two;three'], 3);
    assert.equal(found['one;two;three'], 3);
  });
}

/** Ways to end that leave no live slot behind: stacks stay exact, whatever the host does next. */
const STOPPED = {
  'a trap': '(unreachable)',
  'a trap after a callee has returned': '(call $two) (unreachable)',
  'a trap after a function called indirectly has returned': '(call_indirect (i32.const 0)) (unreachable)',
  'a trap after an import has returned': '(call $say) (unreachable)',
  'a trap in a function called indirectly': '(call_indirect (i32.const 1))',
  'a trap in a function that is tail-called': '(return_call $traps)',
  'an exception': '(throw $t)',
  'an exception after an import has returned': '(call $say) (throw $t)',
};

const stopping = (stops) => `(module (import "e" "say" (func $say)) (tag $t) (table funcref (elem $quiet $traps))
  (func $a (export "a") (call $deep) (call $end)) (func $deep (call $two) (call $fail)) (func $fail (call $end) ${stops})
  (func $quiet (nop)) (func $traps (unreachable)) ${INNER})`;

for (const [what, stops] of Object.entries(STOPPED)) {
  test(`after ${what}, caught by a host without guard, the host's calls are at the root`, async () => {
    const wat = stopping(stops);
    const imports = { e: { say() {} } };
    const expected = { a: 3, 'a;deep': 3, 'a;deep;two': 3, 'a;deep;fail': 3, 'b;one;two;three': 3, b: 3 };
    for (const options of FORMS.slice(0, 2).concat(FORMS.slice(3))) {
      const found = await callInTurn(wat, options, imports);
      const shown = Object.fromEntries(Object.keys(expected).map((path) => [path, found[path]]));
      assert.deepEqual(shown, expected, options.join(' '));
    }
    assert.equal(callsByFunction(await callInTurn(wat, ['--node-limit', '3'], imports)).two >= 6, true);
  });
}

test('an exception of the host that leaves through an import costs contexts only', async () => {
  const wat = `(module (import "e" "stop" (func $stop)) (func $a (export "a") (call $deep))
    (func $deep (call $four) (call $fail)) (func $four (call $two) (call $three))
    (func $fail (call $four) (call $stop)) ${INNER})`;
  const imports = { e: { stop: () => { throw STOP; } } };
  for (const options of FORMS) {
    const sums = callsByFunction(await callInTurn(wat, options, imports));
    delete sums.stop;
    assert.deepEqual(
      sums,
      { a: 3, b: 3, deep: 3, four: 6, fail: 3, one: 3, two: 9, three: 15, end: 15 },
      options.join(' '),
    );
  }
});

// ---- Instances that are linked directly -----------------------------------------------------

for (const [what, inner] of [['', '(throw $t)'], [', thrown by an import, as __cxa_throw does', '(call $throw) (unreachable)']])
  test(`an exception that crosses instances leaves no live slot behind${what}`, async () => {
    const side = `(module (import "env" "t" (tag $t)) (import "env" "throw" (func $throw))
      (func $throws (export "throws") (call $one) (call $middle))
      (func $middle (call $one) (call $inner)) (func $inner ${inner}) (func $one (call $leaf) (call $leaf))
      (func $leaf))`;
    const main = `(module (import "side" "throws" (func $side)) (import "env" "t" (tag $t))
      (func $main (export "main") (local i32) (local.set 0 (i32.const 100))
        (loop $again
          (block $caught (try_table (catch $t $caught) (call $side)))
          (br_if $again (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))))`;
    const t = new WebAssembly.Tag({ parameters: [] });
    const env = { t, throw() { throw new WebAssembly.Exception(t, []); } };
    for (const options of FORMS) {
      const other = await instantiate(side, options, { env });
      const exports = await instantiate(main, options, { env, side: other });
      exports.main();
      const found = stacks(other, namesIn(side));
      delete found['throws;middle;inner;throw']; // a call of the import, with --host-calls
      if (!options.includes('--node-limit'))
        assert.deepEqual(found, {
          throws: 100, 'throws;one': 100, 'throws;one;leaf': 200, 'throws;middle': 100,
          'throws;middle;one': 100, 'throws;middle;one;leaf': 200, 'throws;middle;inner': 100,
        }, options.join(' '));
    }
  });

// ---- Hosts that put the slot back -----------------------------------------------------------

const NESTED = `(module (import "e" "say" (func $say)) (func $a (export "a") (call $say) (call $one))
  ${INNER})`;

test('the host puts back only what is a slot', async () => {
  const slots = [0, 1, 2, 3, -1, -4, 8, 0x7ffffffc, 1 << 16, 4096, 4100, 5000, 6000];
  for (const options of FORMS) {
    const exports = await instantiate(NESTED, options, { e: { say() {} } });
    const rest = exports.wasm_perf_slot();
    exports.a();
    for (let near = -64; near < 1024; near += 4) slots.push(rest + near);
    for (const slot of slots) {
      exports.wasm_perf_set_slot(slot);
      exports.b();
    }
    const sums = callsByFunction(stacks(exports, namesIn(NESTED)));
    assert.equal(sums.b, slots.length, options.join(' '));
    exports.wasm_perf_set_slot(rest);
    assert.equal(exports.wasm_perf_slot(), rest);
  }
});

test('a task gets a slot of its own, which is the root’s once another is put back', async () => {
  let slot;
  const say = () => {
    slot = exports.wasm_perf_slot();
    exports.wasm_perf_set_slot(slot | 1);
    const task = exports.wasm_perf_slot();
    exports.b();
    exports.b();
    exports.wasm_perf_set_slot(slot);
    exports.b();
    exports.wasm_perf_set_slot(task); // kept by a function of the task
    exports.b();
    exports.wasm_perf_set_slot(slot);
  };
  const exports = await instantiate(NESTED, [], { e: { say } });
  exports.a();
  const found = stacks(exports, namesIn(NESTED));
  assert.deepEqual([found['a;b'], found.b, found['a;b;one'], found['a;one']], [3, 1, 3, 1]);
});
