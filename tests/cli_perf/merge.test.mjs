/** wasm-perf merge: runs of one module add up. */

import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { assemble, at, folder, instrument, read, tool } from '../js/support.mjs';
import { callCounts, readProfile, writeProfile } from '../js/wperf.mjs';

const perf = (...args) => tool('wasm-perf', args);
const ok = (...args) => {
  const { status, stdout, stderr } = perf(...args);
  assert.deepEqual([status, stderr], [0, '']);
  return stdout;
};

assemble(
  'args',
  `(module
    (import "wasi_snapshot_preview1" "args_sizes_get"
      (func $args_sizes_get (param i32 i32) (result i32)))
    (memory (export "memory") 1)
    (func $once)
    (func $many)
    (func (export "_start") (local $count i32)
      (drop (call $args_sizes_get (i32.const 0) (i32.const 4)))
      (local.set $count (i32.load (i32.const 0)))
      (call $once)
      (loop $again
        (call $many)
        (br_if $again
          (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))))`,
);
instrument('args', '--clock', 'instructions');
ok('record', '-o', 'one.wperf', 'args.prof.wasm');
ok('record', '-o', 'three.wperf', 'args.prof.wasm', 'a', 'b');

test('runs add up, and a report shows the sum', () => {
  assert.equal(ok('merge', 'one.wperf', 'three.wperf', 'one.wperf', '-o', 'sum.wperf'), '');
  const name = Object.keys(callCounts(read('one.wperf'))).find((stack) => !stack.includes(';'));
  const expected = { [name]: 3, [`${name};many`]: 5, [`${name};once`]: 3 };
  assert.deepEqual(callCounts(read('sum.wperf')), expected);
  const self = (file) => readProfile(read(file)).nodes.slice(1).map((node) => node.self);
  const [one, three] = [self('one.wperf'), self('three.wperf')];
  assert.deepEqual(self('sum.wperf'), one.map((value, i) => 2n * value + three[i]));
  assert.match(ok('report', 'sum.wperf'), / 5 +\S+ +many$/m);
});

test('a file may hold several profiles, one after another', () => {
  const parts = Array.from({ length: 70 }, () => read('one.wperf')); // more than are added up at once
  writeFileSync(at('parts.wperf'), Buffer.concat([...parts, read('three.wperf')]));
  ok('merge', 'parts.wperf', '-o', 'sum.wperf');
  assert.deepEqual(Object.values(callCounts(read('sum.wperf'))), [71, 73, 71]);
  writeFileSync(at('parts.wperf'), Buffer.concat([read('one.wperf'), read('three.wperf').subarray(0, -8)]));
  assert.match(perf('merge', 'parts.wperf', '-o', 'none.wperf').stderr, /parts\.wperf: offset 0x[0-9a-f]{3,}: the file ends inside/);
});

test('one profile stays as it is; - is stdin and stdout', () => {
  const bytes = read('three.wperf');
  ok('merge', '--output', 'same.wperf', 'three.wperf');
  assert.deepEqual(read('same.wperf'), bytes);
  const piped = tool('wasm-perf', ['merge', '-', '-o', '-'], { input: bytes, encoding: null });
  assert.deepEqual(piped.stdout, bytes);
  ok('merge', 'same.wperf', 'three.wperf', '-o', 'same.wperf'); // onto an input
  assert.deepEqual(Object.values(callCounts(read('same.wperf'))), [2, 6, 2]);
});

test('what does not fit together is refused by name, and no output appears', () => {
  const node = { function: 1, parent: 0, calls: 1, self: 5 };
  writeFileSync(at('wall.wperf'), writeProfile([node], [[1, 'main']]));
  writeFileSync(at('other.wperf'), writeProfile([node], [[1, 'niam']]));
  writeFileSync(at('cut.wperf'), read('one.wperf').subarray(0, 150));
  const before = readdirSync(folder);
  const cases = [
    [['one.wperf', 'wall.wperf'], /^wasm-perf: wall.wperf: its clock is wall, not instructions/],
    [['wall.wperf', 'other.wperf'], /^wasm-perf: other.wperf: function 1 is 'niam', not 'main'/],
    [['one.wperf', 'cut.wperf'], /^wasm-perf: cut.wperf: offset 0x96: the file ends inside/],
    [['none.wperf'], /^wasm-perf: none.wperf: No such file or directory$/],
  ];
  for (const [inputs, message] of cases) {
    const { status, stdout, stderr } = perf('merge', ...inputs, '-o', 'refused.wperf');
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr.slice(0, -1), message);
    assert.doesNotMatch(stderr.slice(0, -1), /\n/);
  }
  assert.deepEqual(readdirSync(folder), before);
  const missing = perf('merge', 'one.wperf', '-o', 'no/such.wperf');
  assert.equal(missing.status, 1);
  assert.equal(missing.stderr, 'wasm-perf: no/such.wperf: No such file or directory\n');
  if (!existsSync('/dev/full')) return;
  const full = perf('merge', 'one.wperf', '-o', '/dev/full');
  assert.equal(full.status, 1);
  assert.equal(full.stderr, 'wasm-perf: /dev/full: No space left on device\n');
});

test('wrong usage', () => {
  const wrong = [
    [[], 'a profile is missing'],
    [['-o', 'x.wperf'], 'a profile is missing'],
    [['one.wperf'], '-o is missing'],
    [['one.wperf', '-o', 'x.svg'], '-o x.svg: merge writes a .wperf; wasm-perf report shows it'],
    [['-', '-', '-o', 'x.wperf'], 'stdin can only be read once'],
    [['--sing', 'one.wperf', '-o', 'x.wperf'], "unrecognized option '--sing'"],
  ];
  for (const [args, message] of wrong) {
    const { status, stdout, stderr } = perf('merge', ...args);
    assert.deepEqual([status, stdout], [2, '']);
    assert.equal(stderr, `wasm-perf merge: ${message}\nTry 'wasm-perf merge --help'.\n`);
  }
  assert(!existsSync(at('x.wperf')));
  assert.match(ok('merge', '--help'), /^Usage: wasm-perf merge /);
  assert.match(ok('--help'), /\n {2}merge +\S/);
});

test('a profile without names goes to one that has them only by force', () => {
  const node = { function: 1, parent: 0, calls: 1, self: 5 };
  writeFileSync(at('named.wperf'), writeProfile([node], [[1, 'main']]));
  writeFileSync(at('nameless.wperf'), writeProfile([node], []));
  writeFileSync(at('idle.wperf'), writeProfile([], []));
  const told =
    'wasm-perf: nameless.wperf: it has no names, unlike named.wperf, so functions cannot be matched ' +
    'by name; --force matches them by index\n';
  for (const words of [
    ['merge', '-o', 'refused.wperf', 'named.wperf', 'nameless.wperf'],
    ['merge', '-o', 'refused.wperf', 'nameless.wperf', 'named.wperf'],
    ['diff', 'named.wperf', 'nameless.wperf'],
  ]) {
    const { status, stdout, stderr } = perf(...words);
    assert.deepEqual([status, stdout, stderr], [1, '', told]);
    assert(!existsSync(at('refused.wperf')));
    ok(words[0], '--force', ...words.slice(1));
    rmSync(at('refused.wperf'), { force: true });
  }
  ok('merge', '-o', 'sum.wperf', 'named.wperf', 'idle.wperf');
  ok('merge', '-o', 'sum.wperf', 'nameless.wperf', 'nameless.wperf');
});
