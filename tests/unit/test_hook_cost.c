/* What hooks cost is measured while they run: on a clock that advances by a known time per reading. */
#include "trees.h"

#include "runtime/recorder.h"
#include "wasm_perf/profile.h"

#define READING 7u /* ticks that a reading of the clock takes */

typedef struct fake_host {
  wi_recorder recorder; /* first: a recorder's address is also its host's */
  uint64_t now, reading_count;
} fake_host;

static inline uint64_t wi_recorder_read(const wi_recorder *recorder) {
  fake_host *host = (fake_host *)(uintptr_t)recorder;
  host->reading_count++;
  return host->now += READING;
}

static fake_host *host_new(void) {
  static const wasm_perf_options options = {.clock = WASM_PERF_CLOCK_WALL, .node_limit = 64};
  fake_host *host = calloc(1, sizeof *host);
  assert_non_null(host);
  host->recorder.clock = WASM_PERF_CLOCK_WALL;
  wi_calltree_config config = wi_recorder_config(&options, 1000000000);
  config.depth_limit = 64;
  tree_new(&host->recorder.tree, config);
  return host;
}

static void host_free(fake_host *host) {
  free(host->recorder.tree.stack);
  free(host);
}

/* A function that works for so many ticks, calls another one so often, which works as well. */
static void run(fake_host *host, uint32_t call_count, uint64_t work, uint64_t callee_work) {
  wi_recorder_start(&host->recorder, 1);
  for (uint32_t i = 0; i < call_count; i++) {
    host->now += work;
    wi_recorder_start(&host->recorder, 2);
    host->now += callee_work;
    wi_recorder_end(&host->recorder);
  }
  wi_recorder_end(&host->recorder);
}

/* The profile without the hooks. Its nodes are those of the tree. */
static wasm_perf_profile compensated(fake_host *host) {
  const wasm_perf_header *header = wi_recorder_snapshot(&host->recorder);
  wasm_perf_profile profile = {.header = *header, .nodes = host->recorder.tree.nodes};
  wasm_perf_profile_compensate(&profile);
  return profile;
}

static void what_hooks_take_is_taken_out(void **state) {
  fake_host *host = host_new();
  run(host, 100000, 5, 3);
  wasm_perf_profile profile = compensated(host);
  assert_int_equal(profile.header.inner_hook_cost, READING * WASM_PERF_COST_CALL_COUNT);
  assert_int_equal(profile.header.outer_hook_cost, READING * WASM_PERF_COST_CALL_COUNT);
  assert_int_equal(profile.header.hook_cost_error, 0);
  assert_int_equal(profile.nodes[1].self, 100000 * 5);
  assert_int_equal(profile.nodes[2].self, 100000 * 3);
  assert_int_equal(profile.hook_time, READING * (2 * 100000 + 1));
  host_free(host);
}

static void measuring_costs_little(void **state) {
  fake_host *host = host_new();
  run(host, 100000, 0, 0);
  uint64_t more = host->reading_count - 2 * 100001;
  assert_in_range(more, 200000 / 100, 200000 / 40);
  host_free(host);
}

static void few_calls_are_measured_too(void **state) {
  fake_host *host = host_new();
  run(host, 8, 5, 3);
  wasm_perf_profile profile = compensated(host);
  assert_int_equal(profile.nodes[1].self, 8 * 5);
  assert_int_equal(profile.nodes[2].self, 8 * 3);
  host_free(host);
}

/* ---- Costs that vary ------------------------------------------------------------ */

/* Adds hooks of each end, which take so long. */
static void add(wi_hook_cost *cost, uint32_t count, uint64_t ticks) {
  for (uint32_t i = 0; i < count; i++)
    for (unsigned end = 0; end < WI_HOOK_END_COUNT; end++)
      wi_hook_cost_add(cost, (wi_hook_end)end, ticks);
}

static uint64_t inner_cost(const wi_hook_cost *cost) {
  wasm_perf_header header;
  wi_hook_cost_write(cost, &header);
  return header.inner_hook_cost;
}

static void interruptions_are_no_hooks(void **state) {
  wi_hook_cost cost = {0};
  add(&cost, 1000, 50);
  add(&cost, 1, 10000000);
  assert_int_equal(inner_cost(&cost), 50 * WASM_PERF_COST_CALL_COUNT);
}

static void slow_hooks_count(void **state) {
  wi_hook_cost cost = {0};
  add(&cost, 5000, 50);
  add(&cost, 5000, 350);
  assert_in_range(inner_cost(&cost), 190 * WASM_PERF_COST_CALL_COUNT,
                  210 * WASM_PERF_COST_CALL_COUNT);
}

/* Its step is a hundred times what a hook takes. */
static void a_coarse_clock_has_a_mean(void **state) {
  wi_hook_cost cost = {0};
  for (unsigned i = 0; i < 100; i++) {
    add(&cost, 99, 0);
    add(&cost, 1, 5000);
  }
  assert_in_range(inner_cost(&cost), 35 * WASM_PERF_COST_CALL_COUNT,
                  65 * WASM_PERF_COST_CALL_COUNT);
}

static void three_hooks_say_nothing(void **state) {
  wi_hook_cost cost = {0};
  assert_int_equal(inner_cost(&cost), 0);
  add(&cost, 3, 10000);
  assert_int_equal(inner_cost(&cost), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_hooks_take_is_taken_out),
                                     cmocka_unit_test(measuring_costs_little),
                                     cmocka_unit_test(few_calls_are_measured_too),
                                     cmocka_unit_test(interruptions_are_no_hooks),
                                     cmocka_unit_test(slow_hooks_count),
                                     cmocka_unit_test(a_coarse_clock_has_a_mean),
                                     cmocka_unit_test(three_hooks_say_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
