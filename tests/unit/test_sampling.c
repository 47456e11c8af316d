/* What few samples of many calls mean. */
#include "unit.h"

#include <string.h>

#include "report/model/sampling.h"

#define PERIOD UINT64_C(700000) /* nanoseconds, as V8's sampler has it */

enum { SAMPLES = 1000, MAIN = 0, CALLEE = 1 };

/* A callee with so many calls and samples, and its caller with the rest of them. */
static bool is_inlined(uint64_t call_count, uint64_t sample_count, bool uninlined) {
  wasm_perf_node nodes[] = {
      {.function = WASM_PERF_FUNCTION_ROOT},
      {.function = MAIN, .parent = 0, .call_count = 1, .self = (SAMPLES - sample_count) * PERIOD},
      {.function = CALLEE, .parent = 1, .call_count = call_count, .self = sample_count * PERIOD}};
  wasm_perf_profile profile = {.header = {.node_count = 3,
                                          .clock = WASM_PERF_CLOCK_SAMPLED,
                                          .ticks_per_second = 1000000000,
                                          .clock_read_count = SAMPLES},
                               .nodes = nodes,
                               .facts = {.uninlined = uninlined}};
  wi_tree *tree = wi_tree_new(&profile, WI_NO_DEPTH_LIMIT, 0);
  assert_non_null(tree);
  assert_int_equal(wi_sample_period(&profile, tree), PERIOD);
  uint32_t label = strcmp(wi_tree_text(tree, 0), "func[1]") == 0 ? 0 : 1;
  bool result = wi_is_inlined(&profile, tree, label);
  wi_tree_free(tree);
  return result;
}

static void test_many_calls(void **state) {
  (void)state;
  assert_true(is_inlined(6000000, 0, false));
  assert_true(is_inlined(6000000, 1, false));
  assert_false(is_inlined(6000000, 8, false)); /* a nanosecond each is what a short call takes */
  assert_false(is_inlined(6000000, 0, true));
}

static void test_few_calls(void **state) {
  (void)state;
  assert_false(is_inlined(50, 0, false));
  assert_false(is_inlined(20000, 0, false)); /* 20 ns each are half a sample */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_many_calls),
                                     cmocka_unit_test(test_few_calls)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
