/** Modules that call each other directly, as dlopen links them: with sampled, one tree over all of them. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { assemble, at, read, tool } from '../js/support.mjs';
import { readProfile } from '../js/wperf.mjs';

const SHARED = `(import "env" "tag" (tag $error)) (import "env" "memory" (memory 1)) (import "env" "table" (table 4 funcref))`;
const SPIN = `(func $spin (param i32) (local $i i32)
  loop (local.set $i (i32.add (local.get $i) (i32.const 1))) (br_if 0 (i32.lt_u (local.get $i) (local.get 0))) end)`;
const throwsEach = (n) => `(if (i32.eqz (i32.rem_u (i32.load (i32.const 0)) (i32.const ${n}))) (then (throw $error)))`;

/** Calls the side module through a table 300 times and catches what that throws; throws itself where that calls back. */
const main = `(module ${SHARED} (type $work (func (param i32))) ${SPIN}
  (func $back (export "back") (param i32) (call $spin (local.get 0)) ${throwsEach(3)})
  (func $drive (export "drive") (param $times i32)
    loop $again
      (i32.store (i32.const 0) (local.get $times))
      try (call_indirect (type $work) (i32.const 600000) (i32.const 0)) catch $error end
      (br_if $again (local.tee $times (i32.sub (local.get $times) (i32.const 1))))
    end))`;
const side = `(module ${SHARED} (import "env" "back" (func $back (param i32))) (elem (i32.const 0) $work) ${SPIN}
  (func $work (param i32)
    (call $spin (local.get 0))
    try (call $back (local.get 0)) catch $error (call $spin (i32.const 1000)) end
    ${throwsEach(5)}))`;

writeFileSync(
  at('linked.mjs'),
  `import { readFileSync } from 'node:fs';
   const load = (name) => new WebAssembly.Module(readFileSync(new URL(name, import.meta.url)));
   const env = { tag: new WebAssembly.Tag({ parameters: [] }), memory: new WebAssembly.Memory({ initial: 1 }),
     table: new WebAssembly.Table({ initial: 4, element: 'anyfunc' }) };
   const { drive, back } = new WebAssembly.Instance(load('main.wasm'), { env }).exports;
   new WebAssembly.Instance(load('side.wasm'), { env: { ...env, back } });
   function program() { drive(300); }
   program();`,
);

function record(options) {
  for (const [name, text] of Object.entries({ main, side })) assemble(name, text, options);
  const { status, stderr } = tool('wasm-perf', ['record', '-o', at('a.wperf'), '--', process.execPath, at('linked.mjs')]);
  assert.deepEqual([status, stderr], [0, '']);
  return readProfile(read('a.wperf'));
}

const { nodes, names, shared } = record();
const nameOf = ({ function: index }) => names.get(index);
const stackOf = (node) => (node === nodes[0] ? [] : [...stackOf(nodes[node.parent]), nameOf(node)]);
const nodesOf = (name) => nodes.filter((node) => nameOf(node) === name);
/** V8 loses callers of a few samples: nodes without calls are not looked at. */
const counted = (name) => nodesOf(name).filter(({ calls }) => calls > 0);
const isBelow = (node, name) => stackOf(node).includes(name);
/** Both modules have a function of that name. */
const spinsCalledBy = (caller) => nodesOf('spin').filter(({ parent }) => nameOf(nodes[parent]) === caller);

test('a stack that crosses into another module goes on there, and back', () => {
  for (const [name, ...above] of [['work', 'program', 'drive'], ['back', 'drive', 'work']])
    assert(counted(name).every((node) => above.every((caller) => isBelow(node, caller))), name);
  assert(spinsCalledBy('back').every((node) => isBelow(node, 'work')));
});

test('calls are exact there, whatever was thrown in between', () => {
  const callsOf = (name) => counted(name).map(({ calls }) => Number(calls));
  assert.deepEqual(['drive', 'work', 'back'].map(callsOf), [[1], [300], [300]]);
  assert(nodes.every((node, i) => !['drive', 'work', 'back'].includes(nameOf(node)) || !shared.has(i)));
});

test("main's total includes the other module's time, and callers name its function", () => {
  const time = (list) => list.reduce((sum, { self }) => sum + self, 0n);
  const ofSide = time(spinsCalledBy('work'));
  assert(ofSide > 0n);
  assert(time(nodes.filter((node) => isBelow(node, 'drive'))) > ofSide);
  const { stdout } = tool('wasm-perf', ['callers', 'work', at('a.wperf')]);
  assert.match(stdout, /^Callers of work\n300 calls/m);
  assert.match(stdout, / 300 +↳ drive$/m);
});

test('modules distinguish functions with the same name, and the name finds them', () => {
  assert.deepEqual([...names.values()].filter((name) => name.startsWith('spin')), ['spin', 'spin']);
  const { status, stderr } = tool('wasm-perf', ['callers', 'spin', at('a.wperf')]);
  assert.equal(status, 1);
  assert.match(stderr, /spin \(in main\.wasm\)[^]*spin \(in side\.wasm\)/);
});

test('so are functions without a name', () => {
  const { names: unnamed } = record({ names: false });
  const numbered = [...unnamed.values()].filter((name) => name.startsWith('func['));
  assert(numbered.length > 2);
  assert(numbered.every((name) => !/\(func/.test(name)));
  assert.equal(new Set(numbered).size, numbered.length);
  const { stdout } = tool('wasm-perf', ['report', at('a.wperf')]);
  assert.doesNotMatch(stdout, /\(func \d/);
});
