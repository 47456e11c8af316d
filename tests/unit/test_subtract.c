/* wasm_perf_profile_subtract: what came between two profiles of a run, stack by stack. */
#include "unit.h"

#include "profile/unused.h"
#include "wasm_perf/profile.h"

enum { ROOT = 0xFFFFFFFF };

/* Profiles on the caller's stack: `nodes` and `rows` are arrays. */
#define PROFILE(...)                                                                               \
  {                                                                                                \
    .header = {.node_count =                                                                       \
                   sizeof(const wasm_perf_node[]){__VA_ARGS__} / sizeof(wasm_perf_node)},          \
    .nodes = (wasm_perf_node[]) {                                                                  \
      __VA_ARGS__                                                                                  \
    }                                                                                              \
  }

static wasm_perf_node node(uint32_t function, uint32_t parent, uint64_t calls, uint64_t self) {
  return (wasm_perf_node){
      .function = function, .parent = parent, .call_count = calls, .self = self};
}

#define ASSERT_NODE(profile, index, calls, own)                                                    \
  do {                                                                                             \
    assert_int_equal((profile).nodes[index].call_count, calls);                                    \
    assert_int_equal((profile).nodes[index].self, own);                                            \
  } while (0)

/* main -> a -> b, main -> b: the same functions on other stacks, and in another order. */
static void test_goes_by_stack(void **state) {
  wasm_perf_profile before = PROFILE(node(ROOT, 0, 0, 1), node(7, 0, 1, 10), node(9, 1, 2, 20),
                                     node(8, 1, 3, 30), node(9, 3, 4, 40));
  wasm_perf_profile after = PROFILE(node(ROOT, 0, 0, 2), node(7, 0, 1, 15), node(8, 1, 13, 130),
                                    node(9, 2, 104, 140), node(9, 1, 2, 21), node(5, 1, 6, 60));
  assert_true(wasm_perf_profile_subtract(&after, &before));
  ASSERT_NODE(after, 0, 0, 1);
  ASSERT_NODE(after, 1, 0, 5);
  ASSERT_NODE(after, 2, 10, 100);
  ASSERT_NODE(after, 3, 100, 100);
  ASSERT_NODE(after, 4, 0, 1);
  ASSERT_NODE(after, 5, 6, 60);
}

/* Samples may find another place later; what is below a stack that has gone is left alone. */
static void test_calls_stay_above_zero(void **state) {
  wasm_perf_profile before =
      PROFILE(node(ROOT, 0, 0, 0), node(1, 0, 5, 50), node(2, 0, 1, 1), node(1, 2, 1, 1));
  wasm_perf_profile after = PROFILE(node(ROOT, 0, 0, 0), node(1, 0, 5, 49));
  before.facts.run_time = 10;
  after.facts.run_time = 30;
  assert_true(wasm_perf_profile_subtract(&after, &before));
  ASSERT_NODE(after, 1, 0, 0);
  assert_int_equal(after.facts.run_time, 20);
}

static void test_memory_has_no_peak(void **state) {
  wasm_perf_profile before = PROFILE(node(ROOT, 0, 0, 0), node(1, 0, 1, 0), node(2, 1, 1, 0));
  wasm_perf_profile after = PROFILE(node(ROOT, 0, 0, 0), node(1, 0, 1, 0), node(2, 1, 1, 0));
  wasm_perf_row old[] = {{.node = 2,
                          .values = {[WASM_PERF_MEASURE_ALLOCATED_BYTES] = 100,
                                     [WASM_PERF_MEASURE_LIVE_BYTES] = 100,
                                     [WASM_PERF_MEASURE_PEAK_BYTES] = 100}}};
  wasm_perf_row rows[] = {{.node = 1, .values = {[WASM_PERF_MEASURE_ALLOCATED_BYTES] = 1}},
                          {.node = 2,
                           .values = {[WASM_PERF_MEASURE_ALLOCATED_BYTES] = 130,
                                      [WASM_PERF_MEASURE_LIVE_BYTES] = 30,
                                      [WASM_PERF_MEASURE_PEAK_BYTES] = 110}}};
  before.rows = old;
  before.row_count = 1;
  after.rows = rows;
  after.row_count = 2;
  assert_true(wasm_perf_profile_subtract(&after, &before));
  assert_int_equal(rows[0].values[WASM_PERF_MEASURE_ALLOCATED_BYTES], 1);
  assert_int_equal(rows[1].values[WASM_PERF_MEASURE_ALLOCATED_BYTES], 30);
  assert_int_equal((int64_t)rows[1].values[WASM_PERF_MEASURE_LIVE_BYTES], -70);
  assert_int_equal(wasm_perf_measure_total(&after, WASM_PERF_MEASURE_LIVE_BYTES), 0);
  assert_int_equal(rows[1].values[WASM_PERF_MEASURE_PEAK_BYTES], 0);
}

static void test_blocks_are_subtracted(void **state) {
  uint64_t before_counts[] = {1, 2}, counts[] = {11, 22}, others[] = {5};
  wasm_perf_blocks old[] = {{.function = 7, .count = 2, .counts = before_counts}};
  wasm_perf_blocks blocks[] = {{.function = 6, .count = 1, .counts = others},
                               {.function = 7, .count = 2, .counts = counts}};
  wasm_perf_profile before = PROFILE(node(ROOT, 0, 0, 0)), after = PROFILE(node(ROOT, 0, 0, 0));
  before.blocks = old;
  before.block_function_count = 1;
  after.blocks = blocks;
  after.block_function_count = 2;
  assert_true(wasm_perf_profile_subtract(&after, &before));
  assert_int_equal(others[0], 5);
  assert_int_equal(counts[0], 10);
  assert_int_equal(counts[1], 20);
}

/* A node stays if anything was counted in it, in a row of it, or below it. */
static void test_unused_nodes_are_dropped(void **state) {
  wasm_perf_profile profile =
      PROFILE(node(ROOT, 0, 0, 0), node(2, 0, 1, 4), node(3, 0, 0, 0), node(5, 1, 0, 3),
              node(1, 2, 0, 0), node(3, 4, 8, 0), node(9, 2, 0, 0), node(4, 0, 0, 0));
  wasm_perf_row rows[] = {{.node = 6}, {.node = 7, .values = {[WASM_PERF_MEASURE_LIVE_BYTES] = 1}}};
  profile.rows = rows;
  profile.row_count = 2;
  assert_true(wi_unused_drop(&profile));
  static const struct {
    uint32_t function, parent;
  } expected[] = {{ROOT, 0}, {2, 0}, {3, 0}, {5, 1}, {1, 2}, {3, 4}, {4, 0}};
  assert_int_equal(profile.header.node_count, sizeof expected / sizeof *expected);
  for (uint32_t i = 0; i < profile.header.node_count; i++) {
    assert_int_equal(profile.nodes[i].function, expected[i].function);
    assert_int_equal(profile.nodes[i].parent, expected[i].parent);
  }
  assert_int_equal(profile.rows[profile.row_count - 1].node, 6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_goes_by_stack),
      cmocka_unit_test(test_calls_stay_above_zero),
      cmocka_unit_test(test_memory_has_no_peak),
      cmocka_unit_test(test_blocks_are_subtracted),
      cmocka_unit_test(test_unused_nodes_are_dropped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
