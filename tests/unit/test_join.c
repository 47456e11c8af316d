/* wasm_perf_profile_join: several modules in one profile, and functions of a guest after all of
 * them. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "wasm_perf/profile.h"

enum { ROOT = 0xFFFFFFFF, FIRST_GUEST = 5, NODE_COUNT = 4 };

/* root -> main -> two functions, each called as often as told. The caller frees it. */
static wasm_perf_profile *profile_of(const char *first, uint64_t first_calls, const char *second,
                                     uint64_t second_calls, uint32_t number) {
  wasm_perf_profile *profile = calloc(1, sizeof *profile);
  profile->header.node_count = NODE_COUNT;
  profile->header.function_count = 3;
  profile->nodes = calloc(NODE_COUNT, sizeof *profile->nodes);
  profile->nodes[0] = (wasm_perf_node){.function = ROOT};
  profile->nodes[1] = (wasm_perf_node){.function = 2, .call_count = 1};
  profile->nodes[2] = (wasm_perf_node){.function = number, .parent = 1, .call_count = first_calls};
  profile->nodes[3] =
      (wasm_perf_node){.function = number + 1, .parent = 1, .call_count = second_calls};
  profile->facts.first_guest = number == FIRST_GUEST ? FIRST_GUEST : 0;
  assert_true(wasm_perf_profile_set_name(profile, 2, "main"));
  assert_true(wasm_perf_profile_set_name(profile, number, first));
  assert_true(wasm_perf_profile_set_name(profile, number + 1, second));
  assert_true(wasm_perf_profile_set_place(profile, number, 7, "app.py", strlen("app.py")));
  return profile;
}

/* A module and an interpreter, as a recording has them. */
static wasm_perf_profile *recording(const char *first, uint64_t first_calls, const char *second,
                                    uint64_t second_calls) {
  wasm_perf_profile *const parts[] = {
      profile_of(first, first_calls, second, second_calls, FIRST_GUEST),
      profile_of("a", 10, "b", 20, 0)};
  const char *const labels[] = {"python.wasm", "other.wasm"};
  wasm_perf_mismatch mismatch;
  wasm_perf_profile *joined =
      wasm_perf_profile_join((const wasm_perf_profile *const *)parts, labels, 2, &mismatch);
  assert_non_null(joined);
  wasm_perf_profile_free(parts[0]);
  wasm_perf_profile_free(parts[1]);
  return joined;
}

static uint64_t calls_of(const wasm_perf_profile *profile, const char *name) {
  uint64_t calls = 0;
  for (uint32_t i = 1; i < profile->header.node_count; i++) {
    const char *text = wasm_perf_profile_name(profile, profile->nodes[i].function);
    if (text && strcmp(text, name) == 0)
      calls += profile->nodes[i].call_count;
  }
  return calls;
}

static wasm_perf_profile *told(const char *command, const char *date) {
  wasm_perf_profile *profile = profile_of("f", 1, "g", 1, 0);
  assert_true(
      wasm_perf_profile_set_text(profile, WASM_PERF_FACT_command, command, strlen(command)));
  assert_true(wasm_perf_profile_set_text(profile, WASM_PERF_FACT_date, date, strlen(date)));
  return profile;
}

/* What the profiles agree on is kept, and the latest date. */
static void test_texts_of_the_run(void **state) {
  (void)state;
  static const char *const labels[] = {"a.wasm", "b.wasm"};
  for (int differ = 0; differ < 2; differ++) {
    wasm_perf_profile *parts[] = {told("app", "2026-11-30T01:43:58.000Z"),
                                  told(differ ? "other" : "app", "2026-11-30T01:43:57.999Z")};
    wasm_perf_mismatch mismatch;
    wasm_perf_profile *joined =
        wasm_perf_profile_join((const wasm_perf_profile *const *)parts, labels, 2, &mismatch);
    assert_non_null(joined);
    assert_string_equal(joined->facts.date, "2026-11-30T01:43:58.000Z");
    if (differ)
      assert_null(joined->facts.command);
    else
      assert_string_equal(joined->facts.command, "app");
    wasm_perf_profile_free(parts[0]);
    wasm_perf_profile_free(parts[1]);
    wasm_perf_profile_free(joined);
  }
}

static void test_guests_come_last(void **state) {
  wasm_perf_profile *joined = recording("f", 3, "g", 4);
  /* Each module takes one number for itself: 1 + FIRST_GUEST, 1 + 3. */
  assert_int_equal(joined->facts.first_guest, 1 + FIRST_GUEST + 1 + 3);
  assert_int_equal(calls_of(joined, "f"), 3);
  assert_int_equal(calls_of(joined, "g"), 4);
  assert_int_equal(calls_of(joined, "a"), 10);
  assert_int_equal(calls_of(joined, "main"), 1 + 1); /* of two modules, which both know */
  assert_int_equal(joined->joined_count, 2);
  assert_string_equal(joined->joined[1].name, "other.wasm");
  assert_int_equal(joined->joined[1].function, 1 + FIRST_GUEST);
  assert_int_equal(joined->joined[1].count, 3);
  for (uint32_t i = 0; i + 1 < joined->header.name_count; i++)
    assert_true(joined->names[i].function < joined->names[i + 1].function);
  wasm_perf_profile_free(joined);
}

static void test_recordings_that_met_other_functions(void **state) {
  wasm_perf_profile *const both[] = {recording("f", 3, "g", 4), recording("h", 5, "f", 6)};
  wasm_perf_mismatch mismatch;
  wasm_perf_profile *sum =
      wasm_perf_profile_merge((const wasm_perf_profile *const *)both, 2, &mismatch);
  assert_non_null(sum);
  assert_int_equal(calls_of(sum, "g"), 4);
  assert_int_equal(calls_of(sum, "h"), 5);
  assert_int_equal(calls_of(sum, "a"), 20);
  assert_int_equal(calls_of(sum, "main"), 2 * (1 + 1));
  assert_int_equal(sum->joined_count, 2);
  assert_int_equal(calls_of(sum, "python.wasm"), 0);
  assert_int_equal(calls_of(sum, "f"), 3 + 6);
  wasm_perf_profile_free(sum);
  wasm_perf_profile_free(both[0]);
  wasm_perf_profile_free(both[1]);
}

static void test_other_modules_are_refused(void **state) {
  wasm_perf_profile *const both[] = {recording("f", 3, "g", 4), recording("h", 5, "f", 6)};
  wasm_perf_mismatch mismatch;
  both[1]->joined[1].name[0] = 'O';
  assert_null(wasm_perf_profile_merge((const wasm_perf_profile *const *)both, 2, &mismatch));
  assert_string_equal(mismatch.message, "it has other modules, or in another order");
  wasm_perf_profile_free(both[0]);
  wasm_perf_profile_free(both[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_texts_of_the_run),
      cmocka_unit_test(test_guests_come_last),
      cmocka_unit_test(test_recordings_that_met_other_functions),
      cmocka_unit_test(test_other_modules_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
