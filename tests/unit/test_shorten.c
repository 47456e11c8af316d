/* Names in too little room, and how much room a text takes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "names/names_fit.h"
#include "names/shorten.h"
#include "names/text_width.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct {
  uint32_t width;
  const char *name, *text;
} cases[] = {
    /* C++: the innermost lists go first, and at each depth parameters before template arguments. */
    {80, "std::map<int, char>::find(int const&)", "std::map<int, char>::find(int const&)"},
    {36, "std::map<int, char>::find(int const&)", "std::map<int, char>::find(…)"},
    {27, "std::map<int, char>::find(int const&)", "std::map<…>::find(…)"},
    {100,
     "std::vector<std::basic_string<char, std::char_traits<char>, std::allocator<char> >, "
     "std::allocator<int> >::push_back(std::vector<int> const&)",
     "std::vector<std::basic_string<…>, std::allocator<int> >::push_back(std::vector<int> const&)"},
    {50,
     "std::vector<std::basic_string<char, std::char_traits<char>, std::allocator<char> >, "
     "std::allocator<int> >::push_back(std::vector<int> const&)",
     "std::vector<…>::push_back(…)"},
    {40, "void std::sort<int*, bool (*)(int, int)>(int*, int*, bool (*)(int, int))",
     "void std::sort<int*, bool (*)(…)>(…)"},
    {20, "foo(bar<int>) const", "foo(bar<int>) const"},
    {18, "foo(bar<int>) const", "foo(…) const"},
    /* Operators keep their signs. */
    {60,
     "std::basic_ostream<char, std::char_traits<char> >& std::operator<< "
     "<std::char_traits<char> >(std::basic_ostream<char, std::char_traits<char> >&, char const*)",
     "std::basic_ostream<…>& std::operator<< <…>(…)"},
    {30, "bool operator< <Key, Value>(Key const&, Value const&)", "bool operator< <Key, Value>(…)"},
    {30, "Matrix<double, 3, 3>::operator()(unsigned int, unsigned int) const",
     "Matrix<…>::operator()(…) const"},
    {30, "std::vector<long long, Alloc>::operator[](unsigned long)",
     "std::vector<…>::operator[](…)"},
    {30, "std::unique_ptr<Node<int>, Deleter>::operator->() const",
     "std::uniq…::operator->() const"},
    {32, "std::strong_ordering Version::operator<=>(Version const&) const",
     "std::stron…:operator<=>(…) const"},
    {30, "ns::Iterator<Value, Tag>::operator->*(long Value::*)", "ns::Itera…r<…>::operator->*(…)"},
    {28, "Clock<Seconds, 1000>::operator>>=(Clock<Seconds, 1000> const&)",
     "Clock<…>::operator>>=(…)"},
    {25, "Set<Key, &operator< <int, long> >::insert(Key const&)", "Set<…>::insert(…)"},
    {25, "Set<Key, &operator> <int, long> >::insert(Key const&)", "Set<…>::insert(…)"},
    /* What stands in brackets but is no list of arguments. */
    {40, "(anonymous namespace)::parse_header(Buffer const&, unsigned long)",
     "(anonymous namespace)::parse_header(…)"},
    {40, "run(Options const&)::{lambda(int, char const*)#2}::operator()(int, char const*) const",
     "run(…)::{lamb…)#2}::operator()(…) const"},
    {45, "run<(anonymous namespace)::Visitor>(Options const&, char const*)",
     "run<(anonymous namespace)::Visitor>(…)"},
    {45, "run(Options const&)::{lambda(int, char const*)#2}::operator()(int, char const*) const",
     "run(…)::{lambda(…)#2}::operator()(…) const"},
    {30, "main::'lambda'(int, float)::operator()(int, float) const",
     "main::'la…:operator()(…) const"},
    {24, "Array<(N)>(2), char>::at(unsigned long)", "Array<(…2), char>::at(…)"},
    {30, "auto twice<int>(int) -> decltype((fp) + (fp))", "auto twic…(int) -> decltype(…)"},
    /* Rust: a type and its trait stay, their own lists and then their paths do not. */
    {60, "<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop",
     "<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop"},
    {70, "<alloc::vec::Vec<alloc::string::String> as core::iter::traits::collect::Extend>::extend",
     "<alloc::vec::Vec<…> as core::iter::traits::collect::Extend>::extend"},
    {40, "<alloc::vec::Vec<alloc::string::String> as core::iter::traits::collect::Extend>::extend",
     "<…::Vec<…> as …::Extend>::extend"},
    {50, "core::fmt::num::imp::<impl core::fmt::Display for core::num::NonZero>::fmt",
     "core::fmt::num::…l …::Display for …::NonZero>::fmt"},
    {60, "core::fmt::num::imp::<impl core::fmt::Display for core::num::NonZero>::fmt",
     "core::fmt::num::imp::<impl …::Display for …::NonZero>::fmt"},
    {45, "shop::cart::total::<alloc::vec::Vec<u32>, shop::Euro>::{closure#0}",
     "shop::cart::total::<…>::{closure#0}"},
    {40, "<shop::Cart<T> as core::convert::From<[T; 4]>>::from",
     "<…::Cart<T> as …::From<…>>::from"},
    /* Others have their middle cut. */
    {30, "github.com/example/tool/pkg.(*Server).ListenAndServe", "github.co…rver).ListenAndServe"},
    {30, "~lib/map/Map<~lib/string/String,i32>#find", "~lib/map/Map<…>#find"},
    {20, "$s4main5ModelC6updateyySiF_and_more", "$s4mai…ySiF_and_more"},
    {9, "abcdefghijklmnop", "ab…klmnop"},
    {1, "abcdefghijklmnop", "…"},
    {2, "abc", "…c"},
    /* Unbalanced ones. */
    {8, "a < b and a much longer text", "a … text"},
    {12, "((((((((((((((((", "(((…(((((((("},
    {12, "))))>>>><<<<<((((", ")))…<<<<(((("},
    {12, "", ""},
    /* Wide characters and marks. */
    {10, "größe::日本語日本語", "grö…日本語"},
    {6,
     "e\xCC\x81"
     "e\xCC\x81"
     "e\xCC\x81"
     "e\xCC\x81"
     "e\xCC\x81"
     "e\xCC\x81"
     "e\xCC\x81",
     "e\xCC\x81…e\xCC\x81"
     "e\xCC\x81"
     "e\xCC\x81"
     "e\xCC\x81"},
};

static void test_shorten(void **state) {
  for (size_t i = 0; i < COUNT(cases); i++) {
    char text[WI_SHORTENED_SIZE];
    wi_shorten(text, cases[i].name, cases[i].width);
    assert_string_equal(text, cases[i].text);
    assert_true(wi_text_width(text) <= cases[i].width);
  }
}

/* Every name of the table at every width: it fits, and what fits as it is stays. */
static void test_all_widths(void **state) {
  for (size_t i = 0; i < COUNT(cases); i++) {
    uint32_t whole = wi_text_width(cases[i].name);
    for (uint32_t width = 1; width <= whole + 1; width++) {
      char text[WI_SHORTENED_SIZE];
      wi_shorten(text, cases[i].name, width);
      assert_true(wi_text_width(text) <= width);
      assert_int_equal(strcmp(text, cases[i].name) == 0, width >= whole);
    }
  }
}

/* Names of the greatest size made of what the rules look for, so that no buffer is too small. */
static void test_largest(void **state) {
  static const char *const pieces[] = {"<",
                                       "(",
                                       "(ab)",
                                       "<a as b>",
                                       "a::b::",
                                       "<impl a::b for c::d>",
                                       "\xF0\x9F\x98\x80",
                                       "operator<",
                                       "(\xC3\xB6)",
                                       "<(",
                                       ">)"};
  for (size_t i = 0; i < COUNT(pieces) * COUNT(pieces); i++) {
    char name[WI_LABEL_MAX_SIZE + 1] = "", text[WI_SHORTENED_SIZE];
    const char *piece = pieces[i / COUNT(pieces)], *other = pieces[i % COUNT(pieces)];
    while (strlen(name) + strlen(piece) + strlen(other) < sizeof name)
      strcat(strcat(name, piece), other);
    uint32_t whole = wi_text_width(name);
    for (uint32_t width = 1; width < whole; width += 1 + width / 3) {
      wi_shorten(text, name, width);
      assert_true(strlen(text) < sizeof text && wi_text_width(text) <= width);
    }
    wi_shorten(text, name, whole - 1);
    assert_true(wi_text_width(text) < whole);
  }
}

static void test_fit(void **state) {
  static const char first[] = "std::vector<std::pair<int, float>, A>::push_back(int)";
  static const char second[] = "std::vector<std::pair<int, double>, A>::push_back(int)";
  static const char third[] = "std::map<int, char>::find(int const&)";
  static const char shown[] = "std::map<…>::find(…)"; /* "…" in the name */
  wi_fitted_name names[] = {{first, 30, NULL}, {second, 30, NULL}, {third, 25, NULL},
                            {first, 30, NULL}, {shown, 25, NULL},  {third, 0, NULL}};
  assert_true(wi_names_fit(names, COUNT(names)));
  for (size_t i = 0; i < COUNT(names); i++)
    for (size_t j = 0; j < COUNT(names); j++)
      if (names[i].name != names[j].name)
        assert_string_not_equal(wi_fitted_text(&names[i]), wi_fitted_text(&names[j]));
  assert_string_equal(wi_fitted_text(&names[0]), wi_fitted_text(&names[3]));
  assert_string_equal(wi_fitted_text(&names[4]), shown);
  assert_string_equal(wi_fitted_text(&names[5]), third);
  assert_string_equal(wi_fitted_text(&names[2]), "std::map<int, char>::find(…)");
  wi_names_clear(names, COUNT(names));
  wi_fitted_name alone = {first, 30, NULL};
  assert_true(wi_names_fit(&alone, 1));
  assert_string_equal(wi_fitted_text(&alone), "std::vector<…>::push_back(int)");
  wi_names_clear(&alone, 1);
}

static void test_width(void **state) {
  static const struct {
    const char *text;
    uint32_t width;
  } texts[] = {
      {"", 0},
      {"abc", 3},
      {"gr\xC3\xB6\xC3\x9F"
       "e",
       5},
      {"\xE6\x97\xA5\xE6\x9C\xAC", 4},             /* 日本 */
      {"\xED\x95\x9C", 2},                         /* 한 */
      {"\xEF\xBC\xA1\xEF\xBD\xB1", 3},             /* a full-width and a half-width letter */
      {"\xF0\x9F\x98\x80", 2},                     /* 😀 */
      {"e\xCC\x81\xCC\xA8", 1},                    /* two marks */
      {"a\xE2\x80\x8D\xEF\xB8\x8F", 1},            /* a joiner, a variation selector */
      {"\xE2\x94\x9C\xE2\x94\x80\xE2\x86\xB3", 3}, /* ├─↳ */
      {"\xF0\x9F\xA6\x80", 2},                     /* a crab */
      {"\xE0\xA4\xA8\xE0\xA5\x8D", 1},             /* Devanagari na with its virama */
      {"…", 1},
  };
  for (size_t i = 0; i < COUNT(texts); i++)
    assert_int_equal(wi_text_width(texts[i].text), texts[i].width);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shorten), cmocka_unit_test(test_all_widths),
      cmocka_unit_test(test_largest), cmocka_unit_test(test_fit),
      cmocka_unit_test(test_width),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
