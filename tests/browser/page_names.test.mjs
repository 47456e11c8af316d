// Short forms of names and the parts that functions belong to: the page's modules by themselves, without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { groupFunctions } from '../../src/report/formats/html/groups.mjs';
import { fitName, formsOf, longestForm } from '../../src/report/formats/html/labels.mjs';

/** A name, and its forms behind it. */
const forms = [
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
  ['func[12] calls fd_write', '12 calls fd_write', '12'],
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
for (const [name, ...shorter] of forms)
  test(`${name} is shortened from the left`, () =>
    assert.deepEqual(formsOf(name).filter((form, i, all) => all.indexOf(form) === i).slice(1), shorter));

test('the longest form that fits is taken; the own name is cut at its end, and not to nothing', () => {
  const name = 'js_parser.(*parser).parseSuffix';
  assert.deepEqual([40, 25, 15, 11, 8].map((length) => fitName(name, length)),
    [name, '(*parser).parseSuffix', 'parseSuffix', 'parseSuffix', 'parseSu\u2026']);
  assert.equal(longestForm('abcdefghijklmn', (text) => text.length <= 10), 'abcdefghi\u2026');
  assert.equal(longestForm('abcdefghijklmn', (text) => text.length <= 6), '');
  assert.equal(longestForm('\u{1f600}'.repeat(9), (text) => text.length <= 12).isWellFormed(), true);
});

test('a function without a name keeps its index readable as one in a sentence', () => {
  assert.equal(fitName('func[1540] calls fd_write', 28), 'func[1540] calls fd_write');
  assert.equal(fitName('func[1540] calls fd_write', 20), 'func[1540]');
});

/** The groups of functions given as [name, self, kind, file]. */
function groupsOf(functions) {
  const { groups, ofLabel } = groupFunctions({
    names: functions.map(([name]) => name),
    kinds: functions.map(([, , kind = 0]) => kind),
    places: functions.flatMap(([, , , file], i) => (file === undefined ? [] : [[i, file, 1]])),
  }, functions.map(([, self]) => self));
  return { groups, of: Object.fromEntries(functions.map(([name], i) => [name, [ofLabel[i].kind, ofLabel[i].text]])) };
}

test('packages of Go are parts, however the linker writes them', () => {
  const { of, groups } = groupsOf([
    ['github.com_evanw_esbuild_internal_js_parser.__parser_.parseStmt', 50],
    ['github.com_evanw_esbuild_internal_js_printer.__printer_.printExpr', 40],
    ['runtime.mallocgc', 5, 1],
  ]);
  assert.deepEqual(Object.values(of), [['program', 'parser'], ['program', 'printer'], ['runtime', 'runtime and C library']]);
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
  assert.deepEqual(Object.values(of), [['runtime', 'runtime and C library'], ['program', 'words.c'], ['program', 'lua'],
    ['program', 'lua'], ['program', 'lua'], ['python', 'main.py'], ['python', 'interactive'], ['javascript', 'main.mjs'], ['host', 'host'],
    ['javascript', 'JavaScript'], ['collection', 'garbage collection'], ['unnamed', 'without names'], ['cut', 'cut at a limit'],
    ['program', 'tokens.ts']]);
  assert.equal(new Set(groups.filter(({ kind }) => kind !== 'cut').map(({ color }) => color)).size, groups.length - 1);
});
