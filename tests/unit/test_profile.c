/* Profiles in memory: names, and the UTF-8 that they must be. */
#include "unit.h"

#include "support/utf8.h"
#include "wasm_perf/profile.h"

static wasm_perf_profile *new_profile(void) {
  wasm_perf_context *context =
      wasm_perf_context_new(&(wasm_perf_options){.clock = WASM_PERF_CLOCK_NONE, .node_limit = 8});
  assert_non_null(context);
  wasm_perf_profile *profile = wasm_perf_profile_take(context);
  wasm_perf_context_free(context);
  assert_non_null(profile);
  return profile;
}

static void names_are_found_whatever_the_order(void **state) {
  wasm_perf_profile *profile = new_profile();
  assert_null(wasm_perf_profile_name(profile, 0));
  char text[16];
  for (uint32_t i = 0; i < 1000; i++) {
    uint32_t function = i * 389 % 1000 * 2; /* every even number below 2000 once */
    snprintf(text, sizeof text, "f%u", function);
    assert_true(wasm_perf_profile_set_name(profile, function, text));
  }
  assert_int_equal(profile->header.name_count, 1000);
  for (uint32_t i = 0; i < 1000; i++) {
    snprintf(text, sizeof text, "f%u", 2 * i);
    assert_int_equal(profile->names[i].function, 2 * i);
    assert_string_equal(wasm_perf_profile_name(profile, 2 * i), text);
    assert_null(wasm_perf_profile_name(profile, 2 * i + 1));
  }
  wasm_perf_profile_free(profile);
}

static void a_later_name_replaces_an_earlier_one(void **state) {
  wasm_perf_profile *profile = new_profile();
  assert_true(wasm_perf_profile_set_name(profile, 3, "old"));
  assert_true(wasm_perf_profile_set_name(profile, 5, "other"));
  assert_true(wasm_perf_profile_set_name(profile, 3, "a longer new name"));
  assert_int_equal(profile->header.name_count, 2);
  assert_string_equal(wasm_perf_profile_name(profile, 3), "a longer new name");
  assert_string_equal(wasm_perf_profile_name(profile, 5), "other");
  wasm_perf_profile_free(profile);
}

static void names_become_utf8(void **state) {
  static const struct {
    const char *given, *kept;
  } cases[] = {
      {"", ""},
      {"f\xC3\xBC\xE2\x82\xAC\xF0\x9F\x98\x80", "f\xC3\xBC\xE2\x82\xAC\xF0\x9F\x98\x80"},
      {"\xFF", "\xEF\xBF\xBD"},
      {"a\x80\x80z", "a\xEF\xBF\xBD\xEF\xBF\xBDz"},
      {"cut \xE2\x82", "cut \xEF\xBF\xBD\xEF\xBF\xBD"},
  };
  wasm_perf_profile *profile = new_profile();
  for (size_t i = 0; i < COUNT(cases); i++) {
    assert_true(wasm_perf_profile_set_name(profile, 1, cases[i].given));
    assert_string_equal(wasm_perf_profile_name(profile, 1), cases[i].kept);
  }
  assert_true(wasm_perf_profile_set_name_n(profile, 1, "prefix only", 6));
  assert_string_equal(wasm_perf_profile_name(profile, 1), "prefix");
  wasm_perf_profile_free(profile);
}

static void utf8_is_told_from_other_bytes(void **state) {
  static const struct {
    const char *text;
    size_t valid_size;
  } cases[] = {
      {"plain", 5},
      {"\x7F", 1},
      {"\xC2\x80", 2},
      {"\xDF\xBF", 2},
      {"\xE0\xA0\x80", 3},
      {"\xED\x9F\xBF", 3},
      {"\xEE\x80\x80", 3},
      {"\xEF\xBF\xBF", 3},
      {"\xF0\x90\x80\x80", 4},
      {"\xF4\x8F\xBF\xBF", 4},
      {"\x80", 0},
      {"\xBF", 0},
      {"\xC0\x80", 0},
      {"\xC1\xBF", 0},
      {"\xE0\x9F\xBF", 0},
      {"\xED\xA0\x80", 0},
      {"\xED\xBF\xBF", 0},
      {"\xF0\x8F\xBF\xBF", 0},
      {"\xF4\x90\x80\x80", 0},
      {"\xF5\x80\x80\x80", 0},
      {"\xFF", 0},
      {"\xC2", 0},
      {"\xE2\x82", 0},
      {"\xF0\x9F\x98", 0},
      {"\xC2"
       "a",
       0},
      {"\xE2\x82"
       "a",
       0},
      {"\xF0\x9F\x98"
       "a",
       0},
      {"ok\xE2\x28\xA1", 2},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    const uint8_t *bytes = (const uint8_t *)cases[i].text;
    assert_int_equal(wi_utf8_check(bytes, strlen(cases[i].text)), cases[i].valid_size);
  }
}

static void freeing_nothing_is_allowed(void **state) {
  wasm_perf_profile_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_are_found_whatever_the_order),
      cmocka_unit_test(a_later_name_replaces_an_earlier_one),
      cmocka_unit_test(names_become_utf8),
      cmocka_unit_test(utf8_is_told_from_other_bytes),
      cmocka_unit_test(freeing_nothing_is_allowed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
