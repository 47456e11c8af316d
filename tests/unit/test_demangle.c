/* Names of C++ and Rust, and the table of characters that stands in for libiberty's. */
#include <ctype.h>

#include "names/return_type.h"
#include "unit.h"
#include "wasm_instrument/wasm_instrument.h"

extern const unsigned short _sch_istable[256];

/* The categories of <libiberty/safe-ctype.h>, which does not go with <ctype.h>. */
static unsigned category(int c) {
  return (iscntrl(c) ? 0x02 : 0) | (isdigit(c) ? 0x04 : 0) | (islower(c) ? 0x08 : 0) |
         (isprint(c) ? 0x10 : 0) | (ispunct(c) ? 0x20 : 0) | (isspace(c) ? 0x40 : 0) |
         (isupper(c) ? 0x80 : 0) | (isxdigit(c) ? 0x100 : 0) | (isalpha(c) || c == '_' ? 0x200 : 0);
}

static void test_table_agrees_with_the_c_library(void **state) {
  for (int c = 0; c < 256; c++)
    assert_int_equal(_sch_istable[c] & 0x3fe, category(c));
}

static void assert_demangled(const char *name, const char *expected) {
  char text[256];
  assert_true(wi_demangle(name, text, sizeof text));
  assert_string_equal(text, expected);
}

static void test_names_become_readable(void **state) {
  assert_demangled("_ZN3foo3barEv", "foo::bar()");
  assert_demangled("__ZN3foo3barEv", "foo::bar()");
  assert_demangled("~_ZN3foo3barEv", "~foo::bar()"); /* of another build */
  assert_demangled("_ZNSt6vectorIiSaIiEE9push_backERKi",
                   "std::vector<int, std::allocator<int> >::push_back(int const&)");
  assert_demangled("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE",
                   "core::fmt::Write::write_fmt");
  assert_demangled("_RNvC4shop4sell", "shop::sell");
  assert_demangled("orig$_ZN3foo3barEv", "orig$foo::bar()");
  assert_demangled("_ZNSt3__26vectorIiNS_9allocatorIiEEE5clearEv",
                   "std::__2::vector<int, std::__2::allocator<int> >::clear()");
  assert_demangled("core::fmt::Write::write_fmt::h068285095bbf67a7", "core::fmt::Write::write_fmt");
  assert_demangled("<&ab[b6e99de01234567] as core[ed718c3d60ebd546]::ops::Mul>::mul",
                   "<&ab as core::ops::Mul>::mul");
  assert_demangled("core[ed718c3d60ebd546]::a::h068285095bbf67a7", "core::a");
  assert_demangled("core::a[ed718c3d60ebd546]", "core::a");
  assert_demangled("_RINvNtC3std3mem8align_ofdE", "std::mem::align_of::<f64>");
  assert_demangled("_RNCNvC4shop4main0", "shop::main::{closure#0}");
}

/* As Scala.js 1.19 wrote them. */
static void test_names_of_scala_js(void **state) {
  assert_demangled("f.com.acme.App$.fib;I;I", "com.acme.App$.fib(int)");
  assert_demangled("ct.com.acme.Order.<init>;I;V", "com.acme.Order.<init>(int)");
  assert_demangled("s.com.acme.App.main;[Ljava.lang.String;V",
                   "com.acme.App.main(java.lang.String[])");
  assert_demangled("f.java.lang.Object.hashCode;I", "java.lang.Object.hashCode()");
  assert_demangled("m.com.vendor.Scale$.weigh;I;I",
                   "virtual thunk to com.vendor.Scale$.weigh(int)");
  assert_demangled("f.com.acme.App$.main;[Ljava.lang.String;V__c0",
                   "com.acme.App$.main(java.lang.String[])__c0");
  char text[256];
  assert_false(wi_demangle("f.x;y;z", text, sizeof text)); /* no types */
  assert_false(wi_demangle("as.java.lang.String", text, sizeof text));
  assert_false(wi_demangle("f.com.acme.App$.fib;I;I", text, sizeof "com.acme.App$.fib(int)" - 1));
}

/* Names that clang 18 and later wrote, of libstdc++ and fmt; and small ones. */
static void test_types_of_template_parameters_are_left_out(void **state) {
  assert_demangled(
      "_ZNSt4pairIP4exprjEC2IRS1_iTnNSt9enable_ifIXaaclsr5_PCCPE22_MoveConstructiblePairIT_"
      "T0_EEclsr5_PCCPE30_ImplicitlyMoveConvertiblePairIS6_S7_EEEbE4typeELb1EEEOS6_OS7_",
      "std::pair<expr*, unsigned int>::pair<expr*&, int, true>(expr*&, int&&)");
  assert_demangled("_ZNSt4pairImiEC2ImiTnNSt9enable_ifIXsr6__and_ISt37__is_implicitly_default_"
                   "constructibleIT_ES3_IT0_EEE5valueEbE4typeELb1EEEv",
                   "std::pair<unsigned long, int>::pair<unsigned long, int, true>()");
  assert_demangled(
      "_ZN3fmt3v126detail10loc_writerIcEclIiTnNSt9enable_ifIXsr10is_integerIT_EE5valueEiE"
      "4typeELi0EEEbS6_",
      "bool fmt::v12::detail::loc_writer<char>::operator()<int, 0>(int)");
  assert_demangled("_ZN1n4wrapINS_1AETnPFT_S1_S1_EXadL_ZNS_3mulES1_S1_EEEEvm",
                   "void n::wrap<n::A, &n::mul>(unsigned long)");
  assert_demangled("_Z1fIJTniLi0ETniLi1EEEvv", "void f<0, 1>()");
  assert_demangled("_Z1fIiTniLi0EENSt9enable_ifIXsr3std7is_sameIT_iEE5valueEvE4typeES1_",
                   "std::enable_if<std::is_same<int, int>::value, void>::type f<int, 0>(int)");
  assert_demangled("orig$_Z1fITniLi0EEvv", "orig$void f<0>()");
}

static void test_a_bare_name_has_no_return_type(void **state) {
  char text[256];
  assert_demangled("_Z4fillIiEvPT_", "void fill<int>(int*)");
  assert_true(wi_demangle_bare("_Z4fillIiEvPT_", text, sizeof text));
  assert_string_equal(text, "fill<int>(int*)");
}

/* A mangled name of about 8 KB when it is readable, by substitutions. */
static void test_long_names_are_whole(void **state) {
  char text[WI_READABLE_MAX_SIZE], name[1024] = "_Z1fSt4pairIiiE";
  for (int i = 0; i < 7; i++) {
    char pair[32];
    snprintf(pair, sizeof pair, "S_IS%d_S%d_E", i, i);
    strcat(name, pair);
  }
  assert_true(wi_demangle(name, text, sizeof text));
  assert_in_range(strlen(text), 5000, sizeof text);
}

static void test_other_names_stay(void **state) {
  char text[256];
  const char *const names[] = {"",
                               "main",
                               "_",
                               "_Z",
                               "_R",
                               "_ZN3foo",
                               "_RNvC4shop9sell",
                               "a[ed718c3d60ebd54g]",
                               "a[ed718c3d60e]",
                               "a[ed718c3d60ebd5461]",
                               "a[ed718c3d60ebd546",
                               "a::h068285095bbf67a",
                               "::h068285095bbf67a7",
                               "$_Z",
                               "_Z1fITn",
                               "_Z1fITniEvv",
                               "_Z1fITniLi0E",
                               "_Z1fITniXE",
                               "_Z2f\1ITniLi0EEvv",
                               "a$_ZN3foo"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_false(wi_demangle(names[i], text, sizeof text));
  assert_false(wi_demangle("_ZN3foo3barEv", text, 4));
}

static void return_types(void **state) {
  static const char *const cases[][2] = {
      {"void fill<int>(int*)", "fill<int>(int*)"},
      {"std::vector<int, std::allocator<int> > fill<int>(int, int)", "fill<int>(int, int)"},
      {"unsigned long const& (anonymous namespace)::f<a (b)>(int)",
       "(anonymous namespace)::f<a (b)>(int)"},
      {"bool a::operator< <int>(a::b, int)", "a::operator< <int>(a::b, int)"},
      {"void f<g()::{lambda(int)#1}>(g()::{lambda(int)#1})",
       "f<g()::{lambda(int)#1}>(g()::{lambda(int)#1})"},
      {"operator new(unsigned long)", "operator new(unsigned long)"},
      {"virtual thunk to A::f(int)", "virtual thunk to A::f(int)"},
      {"f(int)", "f(int)"},
      {"main.Map[go.shape.interface {}]", "main.Map[go.shape.interface {}]"},
      {"a b", "a b"},
  };
  for (size_t i = 0; i < COUNT(cases); i++)
    assert_string_equal(wi_skip_return_type(cases[i][0]), cases[i][1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_table_agrees_with_the_c_library),
      cmocka_unit_test(test_names_become_readable),
      cmocka_unit_test(test_names_of_scala_js),
      cmocka_unit_test(test_types_of_template_parameters_are_left_out),
      cmocka_unit_test(test_a_bare_name_has_no_return_type),
      cmocka_unit_test(test_long_names_are_whole),
      cmocka_unit_test(test_other_names_stay),
      cmocka_unit_test(return_types),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
