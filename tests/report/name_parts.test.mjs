// What reports find in the names of functions: parts of the program, and short forms for places with little room. C finds
// them, and the page chooses which parts it shows.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

import { groupFunctions } from '../../src/report/formats/html/groups.mjs';
import { formsOf } from '../../src/report/formats/html/labels.mjs';
import { tool } from '../support/tools.mjs';

/** The lines that name-parts prints about names, one a line. */
const run = (what, lines) => execFileSync(tool('name-parts'), [what], { input: `${lines.join('\n')}\n`, encoding: 'utf8' }).trimEnd().split('\n');

/** What the page knows of functions given as [name, self, kind, file]. */
const headOf = (functions) =>
  JSON.parse(run('parts', functions.map(([name, , kind = 0, file = '']) => `${kind}\t${file}\t${name}`)).join('\n'));

/** A name, and its forms behind it. */
const shortened = [
  ['json::parse(char const*)', 'json::parse', 'parse'],
  ['github.com/evanw/esbuild/js_printer.(*printer).printExpr', 'evanw/esbuild/js_printer.(*printer).printExpr',
    'esbuild/js_printer.(*printer).printExpr', 'js_printer.(*printer).printExpr', '(*printer).printExpr', 'printExpr'],
  ['github.com_evanw_esbuild_internal_js_printer.__printer_.printExpr', '__printer_.printExpr', 'printExpr'],
  ['main.main.func1', 'main.func1'],
  ['app.debug.wasm', 'debug.wasm'],
  ['void duckdb::BinaryExecutor::ExecuteFlatLoop<duckdb::string_t, bool>(bool*, unsigned long)',
    'void duckdb::BinaryExecutor::ExecuteFlatLoop<\u2026>', 'void duckdb::BinaryExecutor::ExecuteFlatLoop',
    'duckdb::BinaryExecutor::ExecuteFlatLoop', 'BinaryExecutor::ExecuteFlatLoop', 'ExecuteFlatLoop'],
  ['duckdb::PhysicalHashAggregate::GetData(duckdb::DataChunk&) const', 'duckdb::PhysicalHashAggregate::GetData',
    'PhysicalHashAggregate::GetData', 'GetData'],
  ['bool duckdb::operator==(duckdb::A const&, duckdb::B)', 'bool duckdb::operator==', 'duckdb::operator==', 'operator=='],
  ['std::operator<<(int)', 'std::operator<<', 'operator<<'],
  ['std::__2::__func<X::Y(int)::$_0>::operator()(int&&)', 'std::__2::__func<\u2026>::operator()',
    'std::__2::__func::operator()', '__2::__func::operator()', '__func::operator()'],
  ['operator new(unsigned long)', 'operator new'],
  ['app::run::{closure#0}', 'run::{closure#0}'],
  ['<alloc::vec::Vec<T> as core::ops::Drop>::drop', '<alloc::vec::Vec as core::ops::Drop>::drop', 'drop'],
  ['<alloc::raw_vec::RawVecInner<_>>::reserve::do_reserve_and_handle::<alloc::alloc::Global>',
    '<alloc::raw_vec::RawVecInner<\u2026>>::reserve::do_reserve_and_handle::<\u2026>',
    '<alloc::raw_vec::RawVecInner>::reserve::do_reserve_and_handle', 'reserve::do_reserve_and_handle',
    'do_reserve_and_handle'],
  ['parse (/lib/json/decoder.py:3)', 'parse (decoder.py:3)', 'parse (decoder.py)', 'parse'],
  ['<module> (/lib/json/decoder.py:3)', '<module> (decoder.py:3)', '<module> (decoder.py)', 'decoder.py'],
  ['main (<exec>:14)', 'main (<exec>)', 'main'],
  ['func[151]', '151'],
  ['func[12] calls fd_write', '12 calls fd_write', 'func[12]', '12'],
  ['FS.open app.cjs:39:193523', 'FS.open (app.cjs)', 'FS.open', 'open'],
  ['(anonymous) app.mjs:241:10', 'app.mjs:241:10', 'app.mjs:241', '241:10'],
  // What libiberty refuses of clang 18 and later.
  ['_ZNSt3__220__shared_ptr_emplaceIN6duckdb6DuckDBENS_9allocatorIS2_EEEC2B8ne180100IJRNS_12basic_stringIcEES4_TnNS_9enable_ifIXntsr7is_sameINT0_10value_typeENS_19__for_overwrite_tagEEE5valueEiE4typeELi0EEES4_DpOT_',
    'std::__2::__shared_ptr_emplace::__shared_ptr_emplace', '__2::__shared_ptr_emplace::__shared_ptr_emplace',
    '__shared_ptr_emplace::__shared_ptr_emplace', '__shared_ptr_emplace'],
  ['_ZNSt3__210__str_findB8ne180100IcmNS_11char_traitsIcEETnT0_Lm4294967295EEES3_PKT_S3_S4_S3_', 'std::__2::__str_find',
    '__2::__str_find', '__str_find'],
  ['orig$_ZNSt3__212basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEE6__initIPcTnNS_9enable_ifIXsr31__has_forward_iterator_categoryIT_EE5valueEiE4typeELi0EEEvS9_S9_',
    'std::__2::basic_string::__init', '__2::basic_string::__init', 'basic_string::__init', '__init'],
  ['_ZNKSt3__26ranges4lessclB8ne180100IRjS3_Q20totally_ordered_withIT_T0_EEEbOS4_OS5_', 'std::__2::ranges::less',
    '__2::ranges::less', 'ranges::less', 'less'],
  ['_ZNSt3__24pairIPKcPcEC2B8ne180100IS2_S3_TnNS_9enable_ifIXclsr10_CheckArgsE17__enable_implicitIT_T0_EEEiE4typeELi0EEEOS5_OS6_',
    'std::__2::pair::pair', '__2::pair::pair', 'pair::pair', 'pair'],
  ['_Z3foo', 'foo'], ['_Zoo'],
  ['sqlite3_step'], ['[truncated]'], ['malloc (func 12)'],
];
const found = run('forms', shortened.map(([name]) => name)).map((line) => line.split('\t'));
shortened.forEach((forms, i) => test(`${forms[0]} is shortened from the left`, () => assert.deepEqual(found[i], forms)));

test('the page makes the same forms of what C writes', () => {
  const names = [...shortened.map(([name]) => name), 'caf\u00e9::\u{1f600}::f<int>(int)'];
  const head = headOf(names.map((name) => [name]));
  const forms = run('forms', names).map((line) => line.split('\t'));
  assert.deepEqual(head.names.map((name, i) => formsOf(name, head.forms[i])), forms);
});

test('the page knows where a function\'s own name begins', () => {
  const names = ['json::parse(char const*)', 'main', 'void ns::run<ns::run>(int)', 'caf\u00e9::\u{1f600}::f<int>(int)'];
  assert.deepEqual(headOf(names.map((name) => [name])).forms.map(([start]) => start), [6, 0, 9, 10]);
});

test('many brackets take linear time', () => {
  const name = '(<'.repeat(2000);
  assert.equal(run('forms', [name])[0], name);
});

/** A name, and its part. */
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
  ['github.com_me_tool_pkg.__T_.Run', 'github.com_me_tool_pkg'],
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

test('a name has a part', () => {
  const ofNames = run('part', names);
  assert.deepEqual(Object.fromEntries(names.map((name, i) => [name, ofNames[i]])), parts);
});

test('the page shows the part of a name', () => {
  // Another part is the largest, so that these are not divided.
  const all = [...names, 'other::a', 'other::b', 'lua_call', 'lua_gc', 'sqlite3_step', 'sqlite3_open'];
  const { ofLabel } = groupFunctions(headOf(all.map((name) => [name])), all.map((_, i) => (i < names.length ? 1 : names.length)));
  assert.deepEqual(Object.fromEntries(names.map((name, i) => [name, ofLabel[i].name])), parts);
});

test('two names with one prefix make no part', () => {
  const { ofLabel } = groupFunctions(headOf([['next_random'], ['next_word'], ['find']]), [1, 1, 1]);
  assert.deepEqual(ofLabel.map(({ name }) => name), ['program', 'program', 'program']);
});

/** The groups of functions given as [name, self, kind, file]. */
function groupsOf(functions) {
  const { groups, ofLabel } = groupFunctions(headOf(functions), functions.map(([, self]) => self));
  return { groups, of: Object.fromEntries(functions.map(([name], i) => [name, [ofLabel[i].kind, ofLabel[i].text]])) };
}

test('packages of Go are parts, however the linker writes them', () => {
  const { of, groups } = groupsOf([
    ['github.com_evanw_esbuild_internal_js_parser.__parser_.parseStmt', 50],
    ['github.com_evanw_esbuild_internal_js_printer.__printer_.printExpr', 40],
    ['runtime.mallocgc', 5, 1],
  ]);
  assert.deepEqual(Object.values(of), [['program', 'parser'], ['program', 'printer'], ['runtime', 'Go\'s runtime']]);
  assert.equal(new Set(groups.map(({ color }) => color)).size, 3);
});

test('a namespace that has most is shown by its parts', () => {
  const { of } = groupsOf([['duckdb::Binary::Run<int>(int)', 60], ['duckdb::Hash::Get()', 30], ['fmt::print()', 10], ['duckdb::Open()', 1]]);
  assert.deepEqual(Object.values(of).map(([, text]) => text), ['duckdb::Binary', 'duckdb::Hash', 'fmt', 'duckdb']);
});

test('files tell the parts of C; Python and JavaScript are apart', () => {
  const { of, groups } = groupsOf([
    ['sift', 30, 1, './libc-top-half/musl/src/stdlib/qsort.c'], ['find', 20, 0, '/src/words.c'], ['lua_push', 5], ['lua_pop', 0], ['lua_gc', 0],
    ['run (/app/main.py:3)', 10], ['<module> (<exec>:1)', 4], ['step (file:///app/main.mjs:9)', 5],
    ['wasi.fd_write', 3, 2], ['onclick', 2.5, 3], ['(garbage collector)', 2.4, 4], ['func[7]', 2, 6], ['[truncated]', 1, 7],
    ['func[8], func[9]', 1, 0, '/src/tokens.ts'],
  ]);
  assert.deepEqual(Object.values(of), [['runtime', 'C library'], ['program', 'words.c'], ['program', 'lua'],
    ['program', 'lua'], ['program', 'lua'], ['python', 'main.py'], ['python', 'interactive'], ['javascript', 'main.mjs'], ['host', 'host'],
    ['javascript', 'JavaScript'], ['collection', 'garbage collection'], ['unnamed', 'without names'], ['cut', 'cut at a limit'],
    ['program', 'tokens.ts']]);
  assert.equal(new Set(groups.filter(({ kind }) => kind !== 'cut').map(({ color }) => color)).size, groups.length - 1);
});

test('libraries of languages have their names, and assembly of Go its package', () => {
  const { of } = groupsOf([
    ['core::fmt::write', 9, 1], ['<alloc::vec::Vec<T> as core::ops::Drop>::drop', 8, 1], ['std::io::stdio::_print', 7, 1], ['std::__2::sort(int*)', 6, 1],
    ['std::vector<int>::push_back(int)', 5, 1], ['operator new(unsigned long)', 4, 1], ['~lib/rt/tlsf/allocateBlock', 3, 1], ['~__uflow', 2, 1],
    ['memeqbody', 1, 0, '/usr/local/go/src/internal/bytealg/compare_wasm.s'], ['emscripten_resize_heap', 1, 1], ['walk', 1, 1, '/go/src/internal/runtime/maps/map.go'],
  ]);
  assert.deepEqual(Object.values(of).map(([, text]) => text), ['Rust\'s library', 'Rust\'s library', 'Rust\'s library', 'C++ library', 'C++ library',
    'C++ library', 'AssemblyScript\'s library', 'C library', 'internal/bytealg', 'Emscripten', 'Go\'s runtime']);
});

test('types of Rust and nested namespaces are parts of parts', () => {
  const { of } = groupsOf([['<duckdb::hash::Table<T> as core::Drop>::drop', 30], ['<duckdb::Leaf>::size', 20],
    ['duckdb::(anonymous namespace)::Type::method(int)', 10], ['duckdb::Vec<ns::T>::Inner::push(int)', 5], ['duckdb::operator==(A, B)', 5], ['duckdb::run<int>(int)', 1]]);
  assert.deepEqual(Object.values(of).map(([, text]) => text),
    ['duckdb::hash', 'duckdb::Leaf', 'duckdb::Type', 'duckdb::Vec', 'duckdb', 'duckdb']);
});

test('names that are only hints are marked', () =>
  assert.deepEqual(headOf([['func[3] calls fd_write'], ['func[4]'], ['func[5] (in a.wasm)']]).hints, [0]));
