// The page groups functions by the parts that give other reports their colors: JavaScript and C read the same names.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

import { groupFunctions } from '../../src/report/formats/html/groups.mjs';
import { tool } from '../support/tools.mjs';

const cases = [
  ['lua_pushnil', 'lua'],
  ['sqlite3BtreeOpen', 'sqlite3'],
  ['json::parse(char const*)', 'json'],
  ['void json::parse<int>(int)', 'json'],
  ['ns::Type<other::T>::method() const', 'ns'],
  ['Vec<ns::T>::push(ns::T)', 'Vec'],
  ['virtual thunk to ns::Type::method()', 'ns'],
  ['bool ns::operator==(ns::A const&, ns::B)', 'ns'],
  ['ns::operator<<(int)', 'ns'],
  ['ns::Type::operator()(int)', 'ns'],
  ['(anonymous namespace)::Type::method(int)', 'Type'],
  ['ns::(anonymous namespace)::Type::method(int)', 'ns'],
  ['tables::Leaf::size', 'tables'],
  ['regex::exec::Exec::run [clone .cold]', 'regex'],
  ['<tables::Leaf>::size', 'tables'],
  ['<&mut tables::Leaf>::size', 'tables'],
  ['<tables::Leaf as core::fmt::Debug>::fmt', 'tables'],
  ['<dyn tables::Measure as core::fmt::Debug>::fmt', 'tables'],
  ['<&mut dyn tables::Measure as core::fmt::Debug>::fmt', 'tables'],
  ['<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop', 'alloc'],
  ['<u32 as core::fmt::Display>::fmt', 'core'],
  ['<&T as core::fmt::Debug>::fmt', 'core'],
  ['<*const T as core::fmt::Debug>::fmt', 'core'],
  ['main.(*Server).Run', 'main'],
  ['github.com/me/tool/pkg.(*T).Run', 'github.com/me/tool/pkg'],
  ['assembly/index/fib', 'assembly/index'],
  ['~lib/rt/itcms/__new', '~lib/rt/itcms'],
  ['helper.cold', 'helper'],
  ['com.acme.Order.<init>', 'com.acme'], // Kotlin
  ['com.vendor.Scale$.weigh(int)', 'com.vendor'], // Scala
  ['virtual thunk to org.acme.Order.total()', 'org.acme'],
  ['kotlin.collections.ArrayList.add', 'kotlin'],
  ['io.copyBuffer.func1', 'io'],
  ['com.example', 'com'],
];
const names = cases.map(([name]) => name);
const parts = Object.fromEntries(cases);

/** Parts as JavaScript sees them. Another part is the largest, so that these are not divided. */
function partsInPage() {
  const all = [...names, 'other::a', 'other::b', 'lua_call', 'lua_gc', 'sqlite3_step', 'sqlite3_open'];
  const { ofLabel } = groupFunctions({ names: all, kinds: all.map(() => 0), places: [] },
    all.map((_, i) => (i < names.length ? 1 : names.length)));
  return Object.fromEntries(names.map((name, i) => [name, ofLabel[i].name]));
}

test('the page finds the part of a name', () => assert.deepEqual(partsInPage(), parts));

test('the page makes no part of two names with one prefix', () => {
  const { ofLabel } = groupFunctions({ names: ['next_random', 'next_word', 'find'], kinds: [0, 0, 0], places: [] }, [1, 1, 1]);
  assert.deepEqual(ofLabel.map(({ name }) => name), ['program', 'program', 'program']);
});

test('C finds the part of a name', () => {
  const found = execFileSync(tool('name-parts'), { input: names.join('\n'), encoding: 'utf8' }).trimEnd().split('\n');
  assert.deepEqual(Object.fromEntries(names.map((name, i) => [name, found[i]])), parts);
});
