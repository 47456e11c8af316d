// The profile is the one of the form with two memories, wherever it lies; and what has no form with one is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readEmbedded } from '../js/embedded.mjs';
import { print } from '../support/wat.mjs';
import { instances, outcome, rewrite, singleMemory } from './forms.mjs';

const PAGE = 65536;

/** 2^n stacks of depth n, so that the tree grows; `memory` is what the module has beside it. */
const program = (memory) => `(module ${memory}
  (func $branch (export "branch") (param i32)
    (if (local.get 0) (then
      (call $branch (i32.sub (local.get 0) (i32.const 1)))
      (call $other (i32.sub (local.get 0) (i32.const 1))))))
  (func $other (param i32) (call $branch (local.get 0)))
  (func (export "load") (param i32) (result i32) (i32.load (local.get 0)))
  (func (export "store") (param i32 i32) (i32.store (local.get 0) (local.get 1)))
  (func (export "size") (result i32) memory.size)
  (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0))))`;

const OWN = '(memory (export "memory") 1)';
const sameProfile = ({ two, single }) => assert.deepEqual(readEmbedded(single), readEmbedded(two));

test('a module of one memory', async () => {
  const { bytes } = await rewrite(program(OWN), ...singleMemory);
  assert.equal((await print(bytes)).match(/\(memory \(;/g).length, 1);
});

test('a module without a memory', async () => {
  const { two, single } = await instances('(module (func $a) (func (export "f") call $a))');
  single.f();
  two.f();
  sameProfile({ two, single });
});

test('labels keep their names around checks', async () => {
  const { bytes } = await rewrite(`(module (memory 1) (func (param i32)
    block $a (drop (i32.load (local.get 0))) end block $b (i32.store8 offset=80000 (local.get 0) (i32.const 1)) loop $c
    (drop (i32.load16_u (i32.const 9))) block $d end end end block $e end))`, ...singleMemory);
  const named = (await print(bytes)).match(/(block|loop|if) \$\w/g);
  assert.deepEqual(named, ['block $a', 'block $b', 'loop $c', 'block $d', 'block $e']);
});

test('the tree grows', async () => {
  const all = await instances(program(OWN));
  for (let depth = 0; depth < 16; depth++) for (const form of Object.values(all)) form.branch(depth);
  sameProfile(all);
});

test('the tree makes way for the program', async () => {
  const all = await instances(program(OWN));
  for (const [i, pages] of [0, 1, 2, 300, 1, 1, 40, 600].entries()) {
    for (const form of Object.values(all)) form.branch(2 * i);
    const [before, ...after] = Object.values(all).map((form) => [form.grow(pages), form.size()].join());
    assert.deepEqual(after, [before, before]);
    const end = Number(before.split(',')[1]) * PAGE;
    const added = new Uint8Array(all.single.memory.buffer, end - pages * PAGE, pages * PAGE);
    assert.ok(added.every((byte) => byte === 0));
    added.fill(pages);
    sameProfile(all);
  }
  assert.equal(outcome(() => all.single.grow(65535)), '-1');
  assert.equal(outcome(() => all.single.load(all.single.size() * PAGE - 3)), 'RuntimeError: memory access out of bounds');
});

test('a maximum is the program’s', async () => {
  const { plain, single } = await instances(program('(memory 1 3)'));
  for (const pages of [3, 1, 1, 1, -1, 0]) assert.equal(single.grow(pages), plain.grow(pages));
});

test('the tree without a host that keeps views', async () => {
  const imports = { wasi_snapshot_preview1: { sched_yield: () => 0 } };
  const yielding = '(import "wasi_snapshot_preview1" "sched_yield" (func (result i32)))';
  const all = await instances(program(`${yielding} ${OWN}`), imports);
  for (const form of Object.values(all)) for (let i = 0; i < 16; i++) form.branch(i), form.grow(1);
  sameProfile(all);
});

test('views of the memory stay while the tree grows', async () => {
  const { single } = await instances(program(OWN));
  const view = new Uint8Array(single.memory.buffer);
  single.branch(15);
  assert.ok(view.byteLength > 0);
  assert.ok(readEmbedded(single).byteLength > PAGE);
});

test('pages of the host belong to nobody', async () => {
  const all = await instances(program(OWN));
  const { single } = all;
  single.memory.grow(2);
  new Uint8Array(single.memory.buffer, single.memory.buffer.byteLength - PAGE, PAGE).fill(7);
  assert.deepEqual([single.size(), single.grow(1), single.size()], [1, -1, 1]);
  for (const form of [all.plain, all.two]) form.size(), form.grow(1), form.size();
  for (const form of Object.values(all)) form.branch(9);
  sameProfile(all);
});

const refusals = {
  'the module imports its memory': program('(import "host" "memory" (memory 1))'),
  'threads share the memory': program('(memory 1 2 shared)'),
  'the module itself has several memories': program('(memory 1) (memory 1)'),
  'the host grows the memory':
    '(module (import "a" "b" (func)) (memory (export "memory") 1 9) (func (export "f") call 0))',
  'the address of a data segment is known only when it is instantiated':
    '(module (import "host" "base" (global i32)) (memory 1) (data (global.get 0) "a") (func (export "f")))',
  'the memory has no room for the profiler': program('(memory 65536)'),
};
for (const [reason, text] of Object.entries(refusals))
  test(`refused: ${reason}`, async () => {
    const { status, stderr } = await rewrite(text, ...singleMemory);
    assert.equal(status, 1);
    assert.ok(stderr.includes(`--single-memory is impossible: ${reason}`), stderr);
  });

test('--for chooses it where the engine has one memory, and says so; others and quiet runs say nothing', async () => {
  const text = program(OWN);
  const { bytes } = await rewrite(text, ...singleMemory);
  const told = "wasm3 allows one memory, so the profile is in the module's own\n";
  for (const [options, expected] of [[['--for', 'wasm3'], told], [['--for=wasm3', '-q'], '']]) {
    const chosen = await rewrite(text, '--embed', '--clock', 'none', ...options);
    assert.ok(chosen.bytes.equals(bytes) && chosen.stderr.endsWith(expected) && (expected || !chosen.stderr), chosen.stderr);
  }
  const two = await rewrite(text, '--embed', '--clock', 'none');
  const other = await rewrite(text, '--embed', '--clock', 'none', '--for', 'wasmi');
  assert.ok(other.bytes.equals(two.bytes) && other.stderr === two.stderr);
  const unknown = await rewrite(text, '--embed', '--for', 'toaster');
  assert.equal(unknown.status, 2);
  assert.match(unknown.stderr, /--for wants node, node20, .*wasm3.* or envoy, not 'toaster'/);
});

test('it needs --embed', async () => {
  const { status, stderr } = await rewrite(program(OWN), '--single-memory');
  assert.deepEqual([status, /--embed/.test(stderr)], [2, true]);
});
