/** guard.mjs: functions of an instance, however the program gets them, and where their calls stand. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import v8 from 'node:v8';
import { startGuard } from '../calls/play.mjs';
import { parse } from '../support/wat.mjs';
import { readEmbedded } from './embedded.mjs';
import { at, importHost, instrument, read } from './support.mjs';
import { callCounts } from './wperf.mjs';

const guard = await importHost('engine/guard.mjs');
const { guardInstantiation, patchReferences, receive, unwrapImports } = guard;
const { patchWebAssembly } = await importHost('engine/patch.mjs');
const { readReferenceImports } = await importHost('engine/signatures.mjs');
const { readModuleInfo } = await importHost('engine/module_info.mjs');
patchReferences();

/** An instance as the program has it, and its calls by stack. */
async function instantiate(wat, imports = {}, { guardExports, unwrapImports } = guard) {
  writeFileSync(at('app.wasm'), await parse(wat));
  const bytes = read(instrument('app', '--embed', '--clock=none'));
  const given = unwrapImports(imports, readReferenceImports(bytes));
  const { instance } = await WebAssembly.instantiate(bytes, given);
  const own = instance.exports;
  guardExports(instance);
  const info = readModuleInfo(bytes);
  const calls = () => {
    const names = { get: (index) => info.functionName(index), has: () => true };
    return callCounts(readEmbedded(own), names);
  };
  return { exports: instance.exports, own, calls };
}

const references = `(module
  (import "env" "take" (func $take (param funcref externref) (result funcref)))
  (import "env" "pair" (func $pair (param i32 funcref)))
  (table $t (export "table") 2 funcref) (table $x (export "any") 1 externref)
  (global (export "global") (mut funcref) (ref.func $fails))
  (elem (table $t) (i32.const 0) func $fails)
  (func $inner (unreachable))
  (func $fails (export "fails") (call $inner))
  (func $fine (export "fine") (call $leaf) (call $leaf)) (func $leaf (nop))
  (func $give (export "give") (result funcref) (ref.func $fails))
  (func $several (export "several") (result i32 funcref) (i32.const 1) (ref.func $fails))
  (func $pass (export "pass") (param externref) (result funcref)
    (call $pair (i32.const 1) (ref.func $fails)) (call $take (ref.func $fails) (local.get 0))))`;

test('a function is the same object, however the program gets it, and guarded', async () => {
  const seen = [];
  const env = {
    take(reference, any) {
      seen.push(reference, any);
      return reference;
    },
    pair: (_, reference) => void seen.push(reference),
  };
  const { exports, calls } = await instantiate(references, { env });
  const plain = () => {};
  const { fails, table, global } = exports;
  const ways = {
    export: exports.fails,
    table: table.get(0),
    global: global.value,
    result: exports.give(),
    'one of several results': exports.several()[1],
    'returned by an import': exports.pass(plain),
    'argument of an import': seen[0],
    'one of several arguments': seen[1],
  };
  assert.equal(seen[2], plain);
  for (const [way, found] of Object.entries(ways)) {
    assert.equal(found, fails, way);
    assert.throws(found, WebAssembly.RuntimeError);
    exports.fine();
  }
  global.value = fails;
  table.set(1, fails);
  assert.deepEqual([global.value, table.get(1)], [fails, fails]);
  const count = Object.keys(ways).length;
  const found = calls();
  assert.deepEqual([found.fails, found['fails;inner'], found.fine], [count, count, count]);
});

for (const count of [1, 6, 7, 9])
  test(`a call with ${count} parameters passes them all, functions unwrapped`, async () => {
    const others = Array.from({ length: count - 1 }, (_, i) => i + 1);
    const { exports, own } = await instantiate(`(module (table (export "table") 1 funcref)
      (func (export "f"))
      (func (export "keep") (param ${'i32 '.repeat(count - 1)} funcref) (result i32)
        (table.set (i32.const 0) (local.get ${count - 1}))
        (i32.const 0) ${others.map((_, i) => `(i32.add (i32.mul (i32.const 10)) (local.get ${i}))`).join(' ')}))`);
    assert.equal(exports.keep.length, count);
    assert.equal(exports.keep(...others, exports.f), Number(others.join('')));
    assert.equal(own.table.get(0), exports.f);
  });

test('a function that the program froze before has one wrapper, too', async () => {
  const { exports } = await instantiate(references, { env: { take() {}, pair() {} } });
  const plain = new WebAssembly.Instance(new WebAssembly.Module(await parse('(module (func (export "seven") (result i32) (i32.const 7)))')));
  const seven = Object.freeze(plain.exports.seven);
  exports.table.set(1, seven);
  v8.setFlagsFromString('--js-nonextensible-applies-to-private'); // as a later V8 has it
  const found = exports.table.get(1);
  v8.setFlagsFromString('--no-js-nonextensible-applies-to-private');
  assert.notEqual(found, seven);
  assert.equal(found(), 7);
  assert.equal(exports.table.get(1), found);
});

test('exceptions carry the functions themselves', async () => {
  const tag = new WebAssembly.Tag({ parameters: ['i32', 'anyfunc'] });
  const { exports } = await instantiate(
    `(module (import "env" "t" (tag $t (param i32 funcref))) (import "env" "throws" (func $throws))
      (func $throw (export "throw") (throw $t (i32.const 7) (ref.func $throw)))
      (func (export "catch") (result i32 funcref)
        (block $caught (result i32 funcref) (try_table (catch $t $caught) (call $throws)) (unreachable))))`,
    { env: { t: tag, throws: () => { throw new WebAssembly.Exception(tag, new Set([8, exports.throw])); } } },
  );
  assert.deepEqual(exports.catch(), [8, exports.throw]);
  assert.throws(exports.throw, (error) => error.getArg(tag, 1) === exports.throw && error.getArg(tag, 0) === 7);
  assert.throws(() => new WebAssembly.Exception(tag), TypeError);
});

const sides = `(module (table 1 funcref) (func $fails (export "fails") (call_indirect (i32.const 0)))
  (func $fine (export "fine") (call $leaf) (call $leaf)) (func $leaf (nop)))`;

test('a start function that traps leaves no slot in any instance', async () => {
  const side = await instantiate(sides);
  const main = await instantiate(
    `(module (import "side" "fails" (func $fails)) (func $start (export "wasm_start") (call $fails)))`,
    { side: side.exports },
  );
  assert.throws(receive(main.own.wasm_start), WebAssembly.RuntimeError);
  side.exports.fine();
  assert.deepEqual(side.calls(), { fails: 1, fine: 1, 'fine;leaf': 2 });
});

for (const [name, instantiateAgain] of [
  ['at once', (module, imports) => assert.throws(() => new WebAssembly.Instance(module, imports), WebAssembly.RuntimeError)],
  ['later', (module, imports) => assert.rejects(WebAssembly.instantiate(module, imports), WebAssembly.RuntimeError)],
]) {
  test(`an instantiation that fails ${name} leaves no slot in any instance`, async () => {
    const side = await instantiate(sides);
    const starter = new WebAssembly.Module(await parse('(module (import "side" "fails" (func $fails)) (start $fails))'));
    const patch = patchWebAssembly({ rewrite: () => null, imports: unwrapImports, guard: guardInstantiation });
    try {
      await instantiateAgain(starter, { side: side.exports });
    } finally {
      patch.uninstall();
    }
    side.exports.fine();
    assert.deepEqual(side.calls(), { fails: 1, fine: 1, 'fine;leaf': 2 });
  });
}

test('an exception that leaves several instances at once leaves no slot in any', async () => {
  const side = await instantiate(`(module (table 1 funcref)
    (func $fails (export "fails") (call $inner)) (func $inner (call_indirect (i32.const 0)))
    (func $fine (export "fine") (call $leaf) (call $leaf)) (func $leaf (nop)))`);
  const main = await instantiate(
    `(module (import "side" "fails" (func $fails)) (func $main (export "main") (call $fails)))`,
    { side: side.exports },
  );
  for (let i = 0; i < 3; i++) {
    assert.throws(main.exports.main, WebAssembly.RuntimeError);
    side.exports.fine();
  }
  assert.deepEqual(side.calls(), { fails: 3, 'fails;inner': 3, fine: 3, 'fine;leaf': 6 });
});

const takes = {
  'a global': ({ exports }, side) => {
    exports.global.value = side.fails;
    exports.byGlobal();
  },
  'a table': ({ exports }, side) => {
    exports.table.set(0, side.fails);
    exports.byTable();
  },
  'an argument': ({ exports }, side) => exports.byArgument(side.fails),
  'the result of an import': ({ exports }) => exports.byImport(),
};
for (const [way, fail] of Object.entries(takes)) {
  test(`an exception leaves no slot in an instance whose function another one got by ${way}`, async () => {
    const fresh = await startGuard(); // it does not know yet that instances call each other
    try {
      const side = await instantiate(sides, {}, fresh);
      const main = await instantiate(
        `(module (import "env" "give" (func $give (result funcref)))
          (table $t (export "table") 1 funcref) (global $g (export "global") (mut funcref) (ref.null func))
          (func $call (param funcref) (table.set $t (i32.const 0) (local.get 0)) (call_indirect (i32.const 0)))
          (func (export "byTable") (call_indirect (i32.const 0))) (func (export "byGlobal") (call $call (global.get $g)))
          (func (export "byArgument") (param funcref) (call $call (local.get 0)))
          (func (export "byImport") (call $call (call $give))))`,
        { env: { give: () => side.exports.fails } },
        fresh,
      );
      assert.throws(() => fail(main, side.exports), WebAssembly.RuntimeError);
      side.exports.fine();
      assert.deepEqual(side.calls(), { fails: 1, fine: 1, 'fine;leaf': 2 });
    } finally {
      fresh.undo();
    }
  });
}

test("the program's functions in tables stay unchanged", async () => {
  const { exports } = await instantiate(references, { env: { take: (reference) => reference, pair() {} } });
  const own = () => 1;
  exports.any.set(0, own);
  assert.equal(exports.any.get(0), own);
});

test('only imports with references in their types are translated', async () => {
  const wat = `(module (type $s (struct (field funcref))) (rec (type $f (func (param (ref null $f)))) (type $g (func)))
    (import "a" "numbers" (func (param i32 i64 f32 f64 v128) (result i32))) (import "a" "memory" (memory 1))
    (import "a" "host" (func (param externref))) (import "a" "typed" (func (type $f)))
    (import "b" "table" (table 1 funcref)) (import "b" "result" (func (result i32 funcref)))
    (import "b" "none" (func (type $g))) (import "b" "object" (func (param anyref))))`;
  const keys = [...readReferenceImports(await parse(wat))].map((key) => key.replace('\0', '.'));
  assert.deepEqual(keys, ['a.typed', 'b.result', 'b.object']);
  assert.deepEqual([...readReferenceImports(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 200))], []);
});

const needsTasks = { skip: !WebAssembly.Suspending && 'this Node has no JSPI' };

test('a task that waits leaves the slots of its callers alone', needsTasks, async () => {
  const tasks = [];
  const results = ['no promise, and yet the engine waits', Promise.resolve()];
  const [one, other] = await Promise.all(['one', 'other'].map(() => instantiate(
    `(module (import "env" "start" (func $start)) (import "env" "wait" (func $wait))
      (func $main (export "main") (call $start))
      (func $task (export "task") (call $wait) (call $wait) (call $leaf))
      (func $called (export "called") (call $leaf) (call $leaf)) (func $leaf (nop)))`,
    {
      env: {
        start: () => {
          tasks.push(WebAssembly.promising(other.exports.task)());
          one.exports.called();
        },
        wait: new WebAssembly.Suspending(() => results.pop()),
      },
    },
  )));
  one.exports.main();
  for (let i = 0; i < 9; i++) {
    other.exports.called();
    await null;
  }
  await Promise.all(tasks);
  assert.deepEqual(one.calls(), { main: 1, 'main;called': 1, 'main;called;leaf': 2 });
  assert.deepEqual(other.calls(), { called: 9, 'called;leaf': 18, task: 1, 'task;leaf': 1 });
});

/** A task that starts within `main` and ends once that has returned; `exportOf` gives the function that it begins with. */
async function taskThatOutlivesItsCaller(exportOf) {
  let resume;
  const tasks = [];
  const instance = await instantiate(
    `(module (import "env" "start" (func $start)) (import "env" "wait" (func $wait))
      (func $main (export "main") (call $leaf) (call $start) (call $leaf))
      (func $task (export "task") (call $leaf) (call $wait) (call $leaf))
      (func $other (export "other") (call $leaf) (call $leaf)) (func $leaf (call $end) (call $end)) (func $end (nop)))`,
    {
      env: {
        start: () => tasks.push(WebAssembly.promising(begin)()),
        wait: new WebAssembly.Suspending(() => new Promise((resolve) => (resume = resolve))),
      },
    },
  );
  const { exports, calls } = instance;
  const begin = await exportOf(exports);
  exports.main();
  resume();
  // Runs in the middle of what ends the task: before whoever waits for its promise.
  const between = tasks[0].then(() => exports.other());
  queueMicrotask(() => queueMicrotask(() => exports.other()));
  await between;
  exports.other();
  const found = calls();
  const expected = { main: 1, 'main;leaf': 2, 'main;task': 1, 'main;task;leaf': 2, other: 3, 'other;leaf': 6 };
  const shown = Object.fromEntries(Object.keys(found).filter((path) => !path.endsWith('end')).map((path) => [path, found[path]]));
  assert.deepEqual(shown, expected);
}

test('a task that ends when its caller has returned leaves no slot of it', needsTasks, () =>
  taskThatOutlivesItsCaller(({ task }) => task));

test('the same for a function that another instance exports, too', needsTasks, () =>
  taskThatOutlivesItsCaller(async ({ task }) => {
    const wat = '(module (import "env" "task" (func $task)) (export "again" (func $task)) (func (export "own")))';
    return (await instantiate(wat, { env: { task } })).exports.again;
  }));
