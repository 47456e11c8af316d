/* Numbers, labels and colours under the reports. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "names/label.h"
#include "names/part.h"
#include "report/model/color.h"
#include "report/model/units.h"
#include "support/arithmetic.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void test_scale(void **state) {
  static const struct {
    uint64_t part, whole, factor, result;
  } cases[] = {
      {1, 3, 10, 3},
      {0, 7, 1000, 0},
      {7, 7, 1000, 1000},
      {UINT64_MAX, UINT64_MAX, 10000000, 10000000},
      {12345678901234567u, 98765432109876543u, 10000000, 1249999},
      {UINT64_C(1) << 33, (UINT64_C(1) << 34) + 1, (UINT64_C(1) << 40) + 12345, 549755820028u},
      {UINT64_MAX - 1, UINT64_MAX, 1000000000, 999999999},
      {(UINT64_C(1) << 63) + 5, UINT64_MAX - 58, UINT64_MAX, 9223372036854775842u},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    assert_int_equal(wi_scale(cases[i].part, cases[i].whole, cases[i].factor), cases[i].result);
  }
}

static void test_value(void **state) {
  static const struct {
    uint64_t ticks, ticks_per_second, nanoseconds;
  } cases[] = {
      {1, 3, 333333333},
      {123456789012345678u, 3333333333u, 37037036707407407u},
      {UINT64_MAX, 2893000000u, 6376337391534584035u},
      {UINT64_MAX, UINT64_MAX, 1000000000},
      {UINT64_MAX - 1, UINT64_MAX, 999999999},
      {18446744073u, 1, 18446744073000000000u},
      {18446744074u, 1, UINT64_MAX},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    wasm_perf_header header = {.clock = WASM_PERF_CLOCK_WALL,
                               .ticks_per_second = cases[i].ticks_per_second};
    assert_int_equal(wi_value(&header, cases[i].ticks), cases[i].nanoseconds);
  }
}

static void test_hook_time(void **state) {
  static const struct {
    uint64_t call_count, cost, ticks; /* a cost is that of 1,024 calls */
  } cases[] = {
      {0, 5, 0},
      {1, 1023, 0},
      {1, 1024, 1},
      {2047, 1500, 2998},
      {UINT64_MAX, 0, 0},
      {5000000000000u, 0, 0},
      {5000000000000u, 2048, 10000000000000u},
      {3, 1099511627776u, 3221225472u},
      {UINT64_MAX, 1024, UINT64_MAX},
      {1024, UINT64_MAX, UINT64_MAX},
      {1023, UINT64_MAX, 18428729675200069631u},
      {1025, UINT64_MAX, UINT64_MAX},
      {UINT64_MAX, 1025, UINT64_MAX},
      {UINT64_MAX, UINT64_MAX, UINT64_MAX},
  };
  for (size_t i = 0; i < COUNT(cases); i++)
    assert_int_equal(wi_hook_time(cases[i].call_count, cases[i].cost), cases[i].ticks);
}

/* Very many calls of hooks that cost nothing, as they did not where a clock is coarse. */
static void test_free_hooks(void **state) {
  wasm_perf_node nodes[] = {
      {.function = WASM_PERF_FUNCTION_ROOT, .self = 7},
      {.function = 0, .call_count = 5000000000000u, .self = 123456789},
  };
  wasm_perf_profile profile = {
      .header = {.clock = WASM_PERF_CLOCK_WALL, .ticks_per_second = 1000000000, .node_count = 2},
      .nodes = nodes};
  wasm_perf_profile_compensate(&profile);
  assert_int_equal(nodes[0].self, 7);
  assert_int_equal(nodes[1].self, 123456789);
  assert_int_equal(profile.hook_time, 0);
}

static void test_time(void **state) {
  static const struct {
    uint64_t nanoseconds;
    const char *text;
  } cases[] = {
      {0, "0 ns"},
      {999, "999 ns"},
      {1000, "1.00 \xC2\xB5s"},
      {9994, "9.99 \xC2\xB5s"},
      {9995, "10.0 \xC2\xB5s"},
      {999499, "999 \xC2\xB5s"},
      {999500, "1.00 ms"},
      {12345678, "12.3 ms"},
      {999949999, "1.00 s"},
      {123456789012u, "123 s"},
      {1234567890123u, "1,235 s"},
      {UINT64_MAX, "18,446,744,074 s"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    assert_string_equal(wi_format_value(WI_UNIT_NANOSECONDS, cases[i].nanoseconds).text,
                        cases[i].text);
  }
}

static void test_counts(void **state) {
  assert_string_equal(wi_format_count(0).text, "0");
  assert_string_equal(wi_format_count(999).text, "999");
  assert_string_equal(wi_format_count(1000).text, "1,000");
  assert_string_equal(wi_format_count(UINT64_MAX).text, "18,446,744,073,709,551,615");
  assert_string_equal(wi_format_quantity(1, "call").text, "1 call");
  assert_string_equal(wi_format_quantity(0, "call").text, "0 calls");
  assert_string_equal(wi_format_quotient(2, 3, 3).text, "0.667");
  assert_string_equal(wi_format_quotient(9999, 1000, 1).text, "10.0");
  assert_string_equal(wi_format_quotient(UINT64_MAX, 1, 0).text, "18,446,744,073,709,551,615");
}

static void test_sentences(void **state) {
  assert_string_equal(wi_format_short(WI_UNIT_INSTRUCTIONS, 29120168982).text,
                      "29.1 G instructions");
  assert_string_equal(wi_format_short(WI_UNIT_CALLS, 99999).text, "99,999 calls");
  assert_string_equal(wi_format_short(WI_UNIT_CALLS, 100000).text, "100 k calls");
  assert_string_equal(wi_format_short(WI_UNIT_NANOSECONDS, 29120168982).text, "29.1 s");
}

static void test_percentages(void **state) {
  assert_string_equal(wi_format_percentage(0, 0, 1).text, "0.0");
  assert_string_equal(wi_format_percentage(1, 3, 2).text, "33.33");
  assert_string_equal(wi_format_percentage(2, 3, 1).text, "66.7");
  assert_string_equal(wi_format_percentage(UINT64_MAX - 1, UINT64_MAX, 2).text, "100.00");
  assert_string_equal(wi_format_percentage(5, 4, 1).text, "100.0"); /* sums at their limit */
}

static void test_clean(void **state) {
  static const struct {
    const char *name, *label;
  } cases[] = {
      {"plain", "plain"},
      {"a;b", "a:b"},
      {"tab\tnl\nesc\x1b del\x7f", "tab_nl_esc_ del_"},
      {"c1 \xC2\x85", "c1 _"},
      {"gr\xC3\xB6\xC3\x9F"
       "e \xF0\x9F\x98\x80",
       "gr\xC3\xB6\xC3\x9F"
       "e \xF0\x9F\x98\x80"},
      {"\xFF", "\xEF\xBF\xBD"},
      {"cut \xE2\x82", "cut \xEF\xBF\xBD\xEF\xBF\xBD"},
      {"overlong \xC0\xAF", "overlong \xEF\xBF\xBD\xEF\xBF\xBD"},
      {"surrogate \xED\xA0\x80", "surrogate \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
      {"beyond \xF4\x90\x80\x80", "beyond \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
      {"noncharacter \xEF\xBF\xBF", "noncharacter \xEF\xBF\xBD"},
      {"\xE2\x80\xAE reversed", "_ reversed"},
  };
  char label[WI_LABEL_MAX_SIZE + 1];
  for (size_t i = 0; i < COUNT(cases); i++) {
    wi_label_clean(label, cases[i].name, ';');
    assert_string_equal(label, cases[i].label);
  }
  wi_label_clean(label, "a;b", 0);
  assert_string_equal(label, "a;b");
}

#define ELLIPSIS "\xE2\x80\xA6"

/* A long name of characters of every size, so that each meets the end of the room differently. */
static void test_long_names(void **state) {
  static const char *const characters[] = {"x", "\xC3\xB6", "\xE2\x82\xAC", "\xF0\x9F\x98\x80",
                                           "\xFF"};
  for (size_t c = 0; c < COUNT(characters); c++) {
    for (size_t shift = 0; shift < 8; shift++) {
      char name[20000] = "", label[WI_LABEL_MAX_SIZE + 1], other[WI_LABEL_MAX_SIZE + 1];
      memset(name, 'a', shift);
      while (strlen(name) < 5000)
        strcat(name, characters[c]);
      wi_label_clean(label, name, 0);
      assert_null(strstr(label, ELLIPSIS));
      while (strlen(name) < 17000)
        strcat(name, characters[c]);
      wi_label_clean(label, name, 0);
      wi_label_clean(other, strcat(name, "b"), 0); /* differs late, but differs */
      assert_string_not_equal(label, other);
      size_t size = strlen(label);
      assert_in_range(size, WI_LABEL_MAX_SIZE - 3, WI_LABEL_MAX_SIZE);
      assert_memory_equal(label + size - 11, ELLIPSIS, 3);
      assert_int_not_equal(label[size - 12] & 0xC0, 0xC0); /* no character is cut in two */
    }
  }
}

/* Names without a qualifier; tests/report/name_parts.test.mjs has others. */
static void test_parts(void **state) {
  static const struct {
    const char *name, *part;
  } cases[] = {
      {"main", "main"},
      {"Parser(int)", "Parser"},
      {"operator new(unsigned long)", "operator"},
      {"", ""},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    size_t size = 0;
    const char *part = wi_name_part(cases[i].name, &size);
    assert_int_equal(size, strlen(cases[i].part));
    assert_memory_equal(part, cases[i].part, size);
  }
}

static bool is_grey(const char *name) {
  uint32_t color = wi_function_color(name, NULL, WASM_PERF_KIND_WASM);
  return color >> 16 == (color >> 8 & 0xFF);
}

static void test_colors(void **state) {
  static const char *const grey[] = {"[truncated]",
                                     "malloc",
                                     "abort",
                                     "memcpy",
                                     "__wasm_call_ctors",
                                     "std::vector<int>::push_back(int&&)",
                                     "core::fmt::write",
                                     "runtime.mallocgc",
                                     "operator delete(void*)",
                                     "~lib/rt/itcms/__new"};
  static const char *const warm[] = {"main",        "json::parse",    "main.main", "mallocator",
                                     "standard::f", "free_list_init", "open"};
  for (size_t i = 0; i < COUNT(grey); i++)
    assert_true(is_grey(grey[i]));
  for (size_t i = 0; i < COUNT(warm); i++) {
    assert_false(is_grey(warm[i]));
    assert_true(wi_function_color(warm[i], NULL, WASM_PERF_KIND_WASM) >> 16 >
                (wi_function_color(warm[i], NULL, WASM_PERF_KIND_WASM) >> 8 & 0xFF));
  }
  uint32_t parse = wi_function_color("json::parse", NULL, WASM_PERF_KIND_WASM);
  assert_int_equal(parse, wi_function_color("json::parse", NULL, WASM_PERF_KIND_WASM));
  assert_int_not_equal(parse, wi_function_color("json::print", NULL, WASM_PERF_KIND_WASM));
}

static void test_color_kinds(void **state) {
  assert_int_equal(wi_color_kind_of("func[12]", NULL, WASM_PERF_KIND_WASM), WI_COLOR_UNNAMED);
  assert_int_equal(wi_color_kind_of("func[12].x", NULL, WASM_PERF_KIND_WASM), WI_COLOR_PROGRAM);
  assert_int_equal(wi_color_kind_of("_start.command_export", NULL, WASM_PERF_KIND_WASM),
                   WI_COLOR_RUNTIME);
  assert_int_equal(wi_color_kind_of("func[]", NULL, WASM_PERF_KIND_WASM), WI_COLOR_PROGRAM);
  assert_int_equal(wi_color_kind_of("func[12]", NULL, WASM_PERF_KIND_IMPORT), WI_COLOR_HOST);
  assert_int_equal(wi_color_kind_of("[truncated]", NULL, WASM_PERF_KIND_WASM), WI_COLOR_CUT);
  assert_int_equal(wi_color_kind_of("malloc", NULL, WASM_PERF_KIND_WASM), WI_COLOR_RUNTIME);
}

static wi_color_kind kind_in(const char *name, const char *file) {
  return wi_color_kind_of(name, file, WASM_PERF_KIND_WASM);
}

/* A file decides about names of C, and gives them their hue. */
static void test_colors_of_files(void **state) {
  static const char *const libraries[] = {
      "./libc-top-half/musl/src/stdlib/qsort.c", "./dlmalloc/src/malloc.c", "musl/x.c",
      "/rustc/123abc/library/core/src/fmt/mod.rs", "/usr/local/go/src/runtime/proc.go"};
  for (size_t i = 0; i < COUNT(libraries); i++)
    assert_int_equal(kind_in("sift", libraries[i]), WI_COLOR_RUNTIME);
  static const char *const own[] = {"/src/words.c", "/src/musly/a.c", "/src/mylibc/a.c",
                                    "libcxx2/a.c"};
  for (size_t i = 0; i < COUNT(own); i++) {
    assert_int_equal(kind_in("__original_main", own[i]), WI_COLOR_PROGRAM);
    assert_int_equal(kind_in("malloc", own[i]), WI_COLOR_PROGRAM);
  }
  assert_int_equal(kind_in("core::fmt::write", "/src/lib.rs"), WI_COLOR_RUNTIME);
  assert_int_equal(kind_in("func[12]", "/src/words.c"), WI_COLOR_PROGRAM);
  static const char *const names[] = {"find", "x::find"};
  for (size_t i = 0; i < COUNT(names); i++) {
    uint32_t first = wi_function_color(names[i], "/src/words.c", WASM_PERF_KIND_WASM);
    assert_int_equal(first, wi_function_color(names[i], "/b/words.c", WASM_PERF_KIND_WASM));
    bool is_same = first == wi_function_color(names[i], "/src/table.c", WASM_PERF_KIND_WASM);
    assert_int_equal(is_same, i == 1);
  }
}

/* Neighbours in number are told apart at a glance, and none is grey. */
static void test_unnamed_colors(void **state) {
  char name[32];
  uint32_t last = 0;
  for (unsigned i = 0; i < 5000; i++) {
    snprintf(name, sizeof name, "func[%u]", i);
    uint32_t color = wi_function_color(name, NULL, WASM_PERF_KIND_WASM);
    int difference = 0;
    for (unsigned shift = 0; shift < 24; shift += 8)
      difference += abs((int)(color >> shift & 0xFF) - (int)(last >> shift & 0xFF));
    assert_true(difference > 60);
    assert_false(is_grey(name) && (color & 0xFF) == color >> 16);
    last = color;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_scale),
      cmocka_unit_test(test_value),
      cmocka_unit_test(test_hook_time),
      cmocka_unit_test(test_free_hooks),
      cmocka_unit_test(test_time),
      cmocka_unit_test(test_counts),
      cmocka_unit_test(test_sentences),
      cmocka_unit_test(test_percentages),
      cmocka_unit_test(test_clean),
      cmocka_unit_test(test_long_names),
      cmocka_unit_test(test_parts),
      cmocka_unit_test(test_colors),
      cmocka_unit_test(test_color_kinds),
      cmocka_unit_test(test_unnamed_colors),
      cmocka_unit_test(test_colors_of_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
