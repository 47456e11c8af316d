/**
 * The invariant of the slot (runtime/embed.h): whatever leaves callee_slot behind, the tree stays whole and the
 * program unharmed; where nothing was left in the middle, stacks are exact.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { readEmbedded } from '../js/embedded.mjs';
import { readProfile } from '../js/wperf.mjs';
import { temporaryFolder, tool } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';

const FORMS = [[], ['--recursion', 'fold'], ['--node-limit', '3'], ['--clock', 'instructions'], ['--host-calls']];
const folder = temporaryFolder();

async function embed(wat, options) {
  const [input, output] = [join(folder, 'app.wasm'), join(folder, 'app.prof.wasm')];
  writeFileSync(input, await parse(wat));
  const run = spawnSync(tool('wasm-instrument'), ['--embed', ...options, input, '-o', output], { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  return readFileSync(output);
}

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
  const { exports } = (await WebAssembly.instantiate(await embed(wat, options), imports)).instance;
  for (let i = 0; i < 3; i++) {
    for (const name of ['a', 'b']) {
      try {
        exports[name]();
      } catch (error) {
        assert(error instanceof WebAssembly.RuntimeError || error === STOP, `${error.stack}`);
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
    const { exports } = (await WebAssembly.instantiate(await embed(wat, []))).instance;
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

const STOPPED = {
  'an exception of the host': ['(import "e" "stop" (func $stop))', '(call $stop)'],
  'a trap': ['', '(unreachable)'],
};

for (const [what, [declared, stops]] of Object.entries(STOPPED)) {
  test(`${what} that a host without guard catches costs contexts only`, async () => {
    const wat = `(module ${declared} (func $a (export "a") (call $deep)) (func $deep (call $four) (call $fail))
      (func $four (call $two) (call $three)) (func $fail (call $four) ${stops}) ${INNER})`;
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
}
