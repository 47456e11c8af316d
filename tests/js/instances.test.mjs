/**
 * Programs that make many instances of a module, as servers do for requests: they need no more memory than without us, and
 * nothing that was counted is lost. From the ninth on, a thread's instances share a tree (src/js/engine/sharing.mjs).
 */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from '../support/wat.mjs';
import { assemble, at, read, run, tool } from './support.mjs';
import { callCounts, readProfile } from './wperf.mjs';

const node = process.execPath;
const MOST_MB = 250; // a program without us takes 60. V8 has room for 8,000 instances with two memories

assemble('app', `(module (memory (export "memory") 1 256)
  (func $add (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))
  (func $twice (param i32) (result i32) (call $add (call $add (local.get 0))))
  (func (export "run") (param i32) (result i32) (i32.store (i32.const 8) (local.get 0)) (call $twice (local.get 0)) (drop) (i32.load (i32.const 8))))`);

/** Runs a program alone and recorded, which print the same. Returns its calls, and the profile. */
function recorded(code, ...options) {
  writeFileSync(at('program.mjs'), `import { readFileSync } from 'node:fs'; import { Worker, isMainThread } from 'node:worker_threads';
    const read = (name) => readFileSync(name + '.wasm'); ${code}`);
  const alone = run(node, ['program.mjs']);
  assert.equal(alone.status, 0, alone.stderr);
  const clock = options.some((option) => option.startsWith('--clock')) ? [] : ['--clock=none'];
  const { status, stdout, stderr } = tool('wasm-perf', ['record', ...clock, ...options, '-o', 'a.wperf', '--', node, 'program.mjs']);
  assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: alone.stdout, stderr: '' });
  return { calls: callCounts(read('a.wperf')), profile: readProfile(read('a.wperf')) };
}

const calls = (count) => ({ run: count, 'run;twice': count, 'run;twice;add': 2 * count });

/** Makes COUNT instances, calls each and forgets it after ALIVE more. */
const loop = (count, { wait = '', alive = 0 } = {}) => `
  const module = new WebAssembly.Module(read('app'));
  let sum = 0, most = 0;
  const kept = [];
  for (let i = 0; i < ${count}; i++) {
    ${wait}
    const { exports } = new WebAssembly.Instance(module);
    sum += exports.run(i);
    kept.push(exports);
    if (kept.length > ${alive}) sum += kept.shift().run(-1);
    if (i % 1000 === 0) most = Math.max(most, process.memoryUsage().rss);
  }
  const rest = kept.length;
  console.log(sum, rest, most < ${MOST_MB} * 1e6 || most);`;

for (const [how, options] of [
  ['in one loop', {}],
  ['in turns of the event loop', { wait: 'if (i % 100 === 0) await new Promise(setImmediate);' }],
  ['of which 1,000 are alive', { alive: 1000 }],
])
  test(`thousands of instances ${how}`, () => {
    const COUNT = 12_000;
    const { calls: counted, profile } = recorded(loop(COUNT, options));
    assert.deepEqual(counted, calls(2 * COUNT - (options.alive ?? 0)));
    assert.equal(profile.header.instanceCount, BigInt(COUNT));
  });

test('instances of all ways to make one, in each thread, with counts of a worker that ends', () => {
  const COUNT = 30;
  const { calls: counted, profile } = recorded(`
    const module = new WebAssembly.Module(read('app'));
    const bytes = read('app');
    for (let i = 0; i < ${COUNT / 3}; i++) {
      const all = await Promise.all([WebAssembly.instantiate(module), WebAssembly.instantiate(bytes, {}), new WebAssembly.Instance(module)]);
      for (const made of all) (made.instance ?? made).exports.run(i);
    }
    if (isMainThread) await new Promise((resolve) => new Worker(new URL(import.meta.url)).on('exit', resolve));`);
  assert.deepEqual(counted, calls(2 * COUNT));
  assert.equal(profile.header.instanceCount, BigInt(2 * COUNT));
});

test('--per-instance keeps them apart', () => {
  const { calls: counted } = recorded(loop(20), '--per-instance');
  const labels = Array.from({ length: 20 }, (_, i) => (i === 0 ? 'app.wasm' : `app.wasm #${i + 1}`));
  for (const label of labels) assert.equal(counted[`${label};run;twice;add`], 4, label);
});

test('instructions of all instances add up', () => {
  const one = recorded(loop(1), '--clock=instructions').profile;
  const many = recorded(loop(20), '--clock=instructions').profile;
  const selfs = (profile) => profile.nodes.map(({ self }) => self).filter((self) => self > 0n).sort((a, b) => Number(a - b));
  assert.deepEqual(selfs(many), selfs(one).map((self) => 20n * self));
});

test('samples of all instances belong to their functions', () => {
  assemble('spinning', `(module (func $spin (export "spin") (param i32)
    (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))))`);
  const { profile } = recorded(`
    const module = new WebAssembly.Module(read('spinning'));
    const all = Array.from({ length: 12 }, () => new WebAssembly.Instance(module).exports);
    for (let i = 0; i < 400; i++) all.at(-1).spin(1_000_000);`, '--clock=sampled');
  const [spin] = [...profile.names].find(([, name]) => name === 'spin');
  assert(profile.nodes.some(({ function: index, self }) => index === spin && self > 0n));
});

/* Each instance's blocks have the same addresses. */
test('blocks with one address in several instances stay separate', () => {
  assemble('heap', `(module (memory 1) (global $top (mut i32) (i32.const 16))
    (func $malloc (export "malloc") (param i32) (result i32)
      (global.get $top) (global.set $top (i32.add (global.get $top) (local.get 0))))
    (func $free (export "free") (param i32))
    (func (export "leak") (result i32) (call $malloc (i32.const 10))))`);
  const { profile } = recorded(`
    const module = new WebAssembly.Module(read('heap'));
    const all = Array.from({ length: 20 }, () => new WebAssembly.Instance(module).exports);
    const blocks = all.map(({ leak }) => leak());
    console.log(new Set(blocks).size);
    all.forEach(({ free }, i) => i % 4 > 0 && free(blocks[i]));`, '--memory');
  const { header } = profile;
  assert.equal(header.allocationCount, 20n);
  assert.equal(header.unknownFreeCount ?? 0n, 0n);
  assert.equal(header.memoryCount, 20n);
  assert.equal(header.initialByteCount, 20n * 65536n);
  const { stdout } = tool('wasm-perf', ['top', '--value=live_bytes', 'a.wperf']);
  assert.match(stdout, /50 B/);
});

/* ---- What the program sees ---- */

const exotic = {
  'a shared memory, passive and active data': `(memory (export "memory") 1 3 shared) (data $passive "passive") (data (i32.const 5) "active")
    (func (export "use") (result i32) (memory.init $passive (i32.const 100) (i32.const 0) (i32.const 7)) (i32.load8_u (i32.const 102)))`,
  'an imported memory': `(import "env" "memory" (memory 1)) (data (global.get $base) "data") (import "env" "base" (global $base i32))
    (func (export "use") (result i32) (i32.load8_u (i32.const 33)))`,
  'a start function': `(memory (export "memory") 1) (global (export "started") (mut i32) (i32.const 0)) (start $start)
    (func $start (global.set 0 (i32.add (global.get 0) (i32.const 7)))) (func (export "use") (result i32) (global.get 0))`,
  'no memory': '(func (export "use") (result i32) (i32.const 4))',
  'a memory of 64 bits': '(memory (export "memory") i64 1 2) (func (export "use") (result i32) (i32.load (i64.const 3)))',
  'a start function that traps': '(start $start) (func $start (unreachable)) (func (export "use") (result i32) (i32.const 4))',
  'more memory than there is': '(memory 65536 65536) (func (export "use") (result i32) (memory.size))',
};

for (const [what, text] of Object.entries(exotic))
  test(`the program sees the same: ${what}`, async () => {
    writeFileSync(at('exotic.wasm'), await parse(`(module ${text})`));
    recorded(`
      const module = new WebAssembly.Module(read('exotic'));
      const lines = [];
      const look = ({ exports }) => [exports.use(), Object.keys(exports), exports.memory && [exports.memory.buffer.byteLength,
        exports.memory.buffer.constructor.name, exports.memory instanceof WebAssembly.Memory, exports.memory === exports.memory,
        attempt(() => exports.memory.grow(1)), attempt(() => exports.memory.grow(1000)), exports.use(),
        String.fromCharCode(...new Uint8Array(exports.memory.buffer, 0, 120)).replaceAll('\\0', '.')]];
      const attempt = (action) => {
        try {
          return String(action());
        } catch (error) {
          return error instanceof WebAssembly.RuntimeError || error instanceof RangeError ? String(error) : 'other: ' + error;
        }
      };
      for (let i = 0; i < 11; i++) {
        const env = { memory: new WebAssembly.Memory({ initial: 1 }), base: 33 };
        lines.push(attempt(() => JSON.stringify(look(new WebAssembly.Instance(module, { env })))));
        lines.push(await WebAssembly.instantiate(module, { env }).then((made) => JSON.stringify(look(made)), String));
        for (const given of [undefined, null, 5, {}]) lines.push(attempt(() => new WebAssembly.Instance(module, given)));
      }
      lines.push(JSON.stringify([WebAssembly.Module.imports(module), WebAssembly.Module.exports(module)]));
      console.log(lines.join('\\n'));`);
  });

/* ---- Instances that reach each other ---- */

/* Each throws in a call of an import, whose slot any function may take: a trap leaves one behind that the runtime recognises. */

const THROWING = `(module (import "env" "fail" (func $fail)) (import "env" "back" (func $back))
  (table (export "table") 1 funcref) (elem (i32.const 0) func $hidden)
  (func $hidden (call $inner)) (func $inner (call $fail))
  (func (export "fails") (call $inner))
  (func (export "call") (call $back))
  (func (export "fine")))`;
const MAKE = `const fail = () => { throw new Error('expected'); };
  const attempt = (action) => { try { action(); } catch (error) { if (error.message !== 'expected') throw error; } };
  const module = new WebAssembly.Module(read('throwing'));`;

test('after an exception, calls hang where they belong: a function of a table', () => {
  assemble('throwing', THROWING);
  const { calls: counted } = recorded(`${MAKE}
    const made = (env) => new WebAssembly.Instance(module, { env: { fail, ...env } }).exports;
    for (let i = 0; i < 12; i++) {
      const exports = made({ back() { attempt(exports.table.get(0)); exports.fine(); } });
      exports.call();
    }`);
  assert.deepEqual(counted, { call: 12, 'call;hidden': 12, 'call;hidden;inner': 12, 'call;fine': 12 });
});

for (const last of [true, false])
  test(`after an exception, calls hang where they belong: instances that call each other, ${last ? 'linked at once' : 'then linked'}`, () => {
    assemble('throwing', THROWING);
    assemble('calling', `(module (import "other" "fails" (func $fails)) (func (export "run") (call $fails)))`);
    const { calls: counted } = recorded(`${MAKE}
      const calling = new WebAssembly.Module(read('calling'));
      const all = Array.from({ length: 12 }, () => new WebAssembly.Instance(module, { env: { fail, back() {} } }).exports);
      const use = (other) => {
        const { run } = new WebAssembly.Instance(calling, { other }).exports;
        attempt(run);
        other.fine();
      };
      for (const other of all) ${last ? 'use(other);' : '{ attempt(other.fails); other.fine(); use(other); }'}`);
    const count = last ? 12 : 24;
    const only = Object.fromEntries(Object.entries(counted).filter(([key]) => key.startsWith('throwing.wasm;')));
    assert.deepEqual(only, { 'throwing.wasm;fails': count, 'throwing.wasm;fails;inner': count, 'throwing.wasm;fine': count });
  });

test('after an exception, calls hang where they belong: instances that share a table', async () => {
  writeFileSync(at('throwing.wasm'), await parse(`(module (import "env" "table" (table 16 funcref)) (import "env" "slot" (global $slot i32))
    (import "env" "fail" (func $fail)) (type $none (func)) (elem (global.get $slot) func $fails)
    (func $fails (call $inner)) (func $inner (call $fail))
    (func (export "run") (param i32) (call_indirect (type $none) (local.get 0))) (func (export "fine")))`));
  const { calls: counted } = recorded(`${MAKE}
    const table = new WebAssembly.Table({ initial: 16, element: 'anyfunc' });
    const all = Array.from({ length: 12 }, (_, slot) => new WebAssembly.Instance(module, { env: { table, slot, fail } }).exports);
    for (let i = 0; i < 12; i++) {
      attempt(() => all[(i + 1) % 12].run(i));
      all[i].fine();
    }`);
  assert.deepEqual([counted.run, counted.fine], [12, 12]);
});
