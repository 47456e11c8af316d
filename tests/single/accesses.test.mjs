// Every instruction that uses a memory does the same with a single one: in the memory, at its edge, and beyond it, where
// the profile lies.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';

import { instances, outcome } from './forms.mjs';

const PAGE = 65536;
const types = ['i32', 'i64'];

/** [name, bytes, operands above the address, result] of all loads, stores and atomic accesses. */
function accesses() {
  const all = [];
  const add = (name, size, operands = [], result = null, lane = '') => all.push({ name, size, operands, result, lane });
  for (const [type, size] of [['i32', 4], ['i64', 8], ['f32', 4], ['f64', 8]]) {
    add(`${type}.load`, size, [], type);
    add(`${type}.store`, size, [type]);
  }
  for (const type of types)
    for (const bits of type === 'i32' ? [8, 16] : [8, 16, 32]) {
      for (const sign of 'su') add(`${type}.load${bits}_${sign}`, bits / 8, [], type);
      add(`${type}.store${bits}`, bits / 8, [type]);
    }
  add('v128.load', 16, [], 'v128');
  add('v128.store', 16, ['v128']);
  for (const shape of ['8x8', '16x4', '32x2']) for (const sign of 'su') add(`v128.load${shape}_${sign}`, 8, [], 'v128');
  for (const bits of [8, 16, 32, 64]) {
    add(`v128.load${bits}_splat`, bits / 8, [], 'v128');
    add(`v128.load${bits}_lane`, bits / 8, ['v128'], 'v128', ' 1');
    add(`v128.store${bits}_lane`, bits / 8, ['v128'], null, ' 1');
    if (bits >= 32) add(`v128.load${bits}_zero`, bits / 8, [], 'v128');
  }
  add('memory.atomic.notify', 4, ['i32'], 'i32');
  for (const type of types)
    for (const bits of type === 'i32' ? [32, 8, 16] : [64, 8, 16, 32]) {
      const isWhole = `i${bits}` === type;
      const name = (what) => (isWhole ? `${type}.atomic.${what}` : `${type}.atomic.${what.replace(/^(load|store|rmw)/, `$1${bits}`)}`);
      const ending = isWhole ? '' : '_u';
      add(name('load') + ending, bits / 8, [], type);
      add(name('store'), bits / 8, [type]);
      for (const what of ['add', 'sub', 'and', 'or', 'xor', 'xchg']) add(name(`rmw.${what}`) + ending, bits / 8, [type], type);
      add(name('rmw.cmpxchg') + ending, bits / 8, [type, type], type);
    }
  return all;
}

/**
 * V8 looks for alignment before bounds, but after an offset that no memory has, which depends on the memory's
 * maximum.
 */
const isEither = ({ name }, offset) => name.includes('atomic') && offset >= 2 ** 31;
const unlessAligned = (text) => text.replace('operation does not support unaligned accesses', 'memory access out of bounds');

/** A value of the type; `seed` tells operands apart. */
const constantOf = (type, seed) => (type === 'v128' ? `(v128.const i32x4 ${seed} 2 3 4)` : `(${type}.const ${seed + 77})`);

/** An access at an offset, as a function of the address. Vectors are returned as a hash of their halves. */
function functionOf({ name, operands, result, lane }, offset, address, number) {
  const values = operands.map((type, i) => constantOf(type, i)).join(' ');
  const code = `(${name} offset=${offset}${lane} (local.get 0) ${values})`;
  const shown = result === 'v128' ? `(i64.add (i64x2.extract_lane 0 ${code}) (i64.const 0))` : code;
  const resultType = result === 'v128' ? 'i64' : result;
  return `(func (export "f${number}") (param ${address}) ${resultType ? `(result ${resultType})` : ''} ${shown})`;
}

const bulk = (address) => `
  (func (export "fill") (param ${address} ${address}) (memory.fill (local.get 0) (i32.const 9) (local.get 1)))
  (func (export "copy") (param ${address} ${address} ${address}) (memory.copy (local.get 0) (local.get 1) (local.get 2)))
  (func (export "init") (param ${address} i32 i32) (memory.init 0 (local.get 0) (local.get 1) (local.get 2)))
  (func (export "size") (result ${address}) memory.size)
  (func (export "grow") (param ${address}) (result ${address}) (memory.grow (local.get 0)))`;

const offsetsOf = (size, is64) => [
  0, 8, PAGE - size, PAGE - size + 1, PAGE, 2 * PAGE - size, 2 ** 32 - 16, 2 ** 32 - 1, ...(is64 ? [2n ** 63n, 2n ** 64n - 1n] : []),
];

const addressesOf = (pages, is64) => {
  const end = BigInt(pages * PAGE);
  const near = Array.from({ length: 34 }, (_, i) => end - 18n + BigInt(i));
  const far = [0n, 1n, 8n, 2n * end, end + 4096n, 2n ** 31n, 2n ** 32n - 16n, 2n ** 32n - 8n, 2n ** 32n - 1n];
  const all = [...near, ...far, ...(is64 ? [2n ** 32n, 2n ** 63n, 2n ** 64n - 16n, 2n ** 64n - 1n] : [])];
  return is64 ? all : all.map((address) => Number(BigInt.asIntN(32, address)));
};

const contents = (memory, size) => createHash('sha1').update(new Uint8Array(memory.buffer, 0, size)).digest('hex');

for (const address of types)
  test(`accesses with addresses of ${address}`, async () => {
    const is64 = address === 'i64';
    const cases = accesses().flatMap((access) => offsetsOf(access.size, is64).map((offset) => ({ access, offset })));
    const functions = cases.map(({ access, offset }, i) => functionOf(access, offset, address, i));
    const text = `(module (memory (export "memory") ${is64 ? 'i64' : ''} 1 6) (data "passive")
      (data (${address}.const ${PAGE - 6}) "active") ${bulk(address)} ${functions.join('\n')})`;
    const { plain, single } = await instances(text);
    const width = is64 ? BigInt : Number;
    for (const pages of [1, 2, 5]) {
      if (pages > 1) assert.equal(single.grow(width(pages) - single.size()), plain.grow(width(pages) - plain.size()));
      assert.equal(single.size(), plain.size());
      const addresses = addressesOf(pages, is64);
      for (const [i, { access, offset }] of cases.entries())
        for (const at of addresses) {
          const what = `${access.name} offset=${offset} at ${at} of ${pages}`;
          const [after, before] = [single, plain].map((form) => outcome(() => form[`f${i}`](at)));
          const shown = isEither(access, offset) ? unlessAligned : (text) => text;
          assert.equal(shown(after), shown(before), what);
        }
      assert.equal(contents(single.memory, pages * PAGE), contents(plain.memory, pages * PAGE));
    }
  });

for (const address of types)
  test(`bulk instructions with addresses of ${address}`, async () => {
    const is64 = address === 'i64';
    const text = `(module (memory (export "memory") ${is64 ? 'i64' : ''} 1 3) (data "passive") ${bulk(address)})`;
    const { plain, single } = await instances(text);
    const addresses = addressesOf(1, is64);
    const same = (name, ...values) =>
      assert.equal(outcome(() => single[name](...values)), outcome(() => plain[name](...values)), `${name} ${values}`);
    for (const at of addresses)
      for (const size of [0, 1, 7, 8, PAGE, -1].map(is64 ? BigInt : Number)) {
        same('fill', at, size);
        same('init', at, 0, Number(size));
        for (const from of addresses) same('copy', at, from, size);
      }
    assert.equal(contents(single.memory, PAGE), contents(plain.memory, PAGE));
  });
