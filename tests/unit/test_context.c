/* The public interface of the native runtime: contexts, clocks, threads. */
#include "unit.h"

#include <pthread.h>

#include "runtime/native.h"
#include "wasm_perf/profile.h"

static wasm_perf_context *context_with(wasm_perf_clock clock, uint32_t node_limit) {
  wasm_perf_options options = {.clock = clock, .node_limit = node_limit};
  wasm_perf_context *context = wasm_perf_context_new(&options);
  assert_non_null(context);
  return context;
}

static wasm_perf_profile *take_and_free(wasm_perf_context *context) {
  wasm_perf_profile *profile = wasm_perf_profile_take(context);
  assert_non_null(profile);
  wasm_perf_context_free(context);
  return profile;
}

static uint64_t total_self(const wasm_perf_profile *profile) {
  uint64_t total = 0;
  for (uint32_t i = 0; i < profile->header.node_count; i++)
    total += profile->nodes[i].self;
  return total;
}

static void clock_none_counts_only(void **state) {
  wasm_perf_context *context = context_with(WASM_PERF_CLOCK_NONE, 0);
  wasm_perf_start(context, 7);
  wasm_perf_start_at(context, 8, 100);
  assert_int_equal(wasm_perf_depth(context), 2);
  wasm_perf_end_at(context, 200);
  wasm_perf_end(context);
  wasm_perf_profile *profile = take_and_free(context);
  assert_int_equal(profile->header.clock, WASM_PERF_CLOCK_NONE);
  assert_int_equal(profile->header.ticks_per_second, 0);
  assert_int_equal(profile->header.node_count, 3);
  assert_int_equal(profile->nodes[2].function, 8);
  assert_int_equal(total_self(profile), 0);
  wasm_perf_profile_free(profile);
}

static void module_clock_counts_what_the_module_says(void **state) {
  wasm_perf_context *context = context_with(WASM_PERF_CLOCK_INSTRUCTIONS, 0);
  wasm_perf_start_at(context, 1, 4);
  wasm_perf_start_at(context, 2, 6);
  wasm_perf_unwind_at(context, 2, 7); /* nothing to drop: no event */
  wasm_perf_start_at(context, 3, 9);
  wasm_perf_unwind_at(context, 1, 20);
  wasm_perf_end_at(context, 50);
  wasm_perf_start(context, 1); /* without a reading: counted, not charged */
  wasm_perf_end_at(context, 51);
  wasm_perf_profile *profile = take_and_free(context);
  assert_int_equal(profile->header.clock, WASM_PERF_CLOCK_INSTRUCTIONS);
  assert_int_equal(profile->header.ticks_per_second, 0);
  static const uint64_t self[] = {4, 2 + 30 + 1, 3, 11};
  for (uint32_t i = 0; i < COUNT(self); i++)
    assert_int_equal(profile->nodes[i].self, self[i]);
  assert_int_equal(profile->nodes[1].call_count, 2);
  wasm_perf_profile_free(profile);
}

/* On a real clock. */
static void the_wall_clock_measures_its_hooks(void **state) {
  wasm_perf_context *context = context_with(WASM_PERF_CLOCK_WALL, 0);
  for (int i = 0; i < 1000; i++) {
    wasm_perf_start(context, 2);
    wasm_perf_end(context);
  }
  wasm_perf_profile *hooks = wasm_perf_profile_take(context);
  assert_non_null(hooks);
  assert_true(hooks->header.inner_hook_cost > 0);
  assert_true(hooks->header.outer_hook_cost > 0);
  wasm_perf_profile_free(hooks);
  wasm_perf_reset(context);
  wasm_perf_start(context, 1);
  wasm_perf_profile *first = wasm_perf_profile_take(context);
  assert_non_null(first);
  assert_int_equal(first->header.node_count, 2);
  assert_int_equal(first->header.open_frame_count, 1);
  assert_int_equal(first->nodes[1].call_count, 1);
  wasm_perf_end(context);
  assert_int_equal(wasm_perf_depth(context), 0);
  wasm_perf_profile *second = take_and_free(context);
  assert_int_equal(second->nodes[1].call_count, 1);
  wasm_perf_profile_free(first);
  wasm_perf_profile_free(second);
}

static void wall_clock_charges_time(void **state) {
  wasm_perf_context *context = wasm_perf_context_new(NULL);
  assert_non_null(context);
  for (int i = 0; i < 10000; i++) {
    wasm_perf_start(context, 1);
    wasm_perf_start(context, 2);
    wasm_perf_unwind(context, 1);
    wasm_perf_end(context);
  }
  wasm_perf_end(context);
  wasm_perf_start(context, 3);
  wasm_perf_profile *profile = take_and_free(context);
  assert_int_equal(profile->header.clock, WASM_PERF_CLOCK_WALL);
  assert_true(profile->header.ticks_per_second > 0);
  assert_int_equal(profile->header.unbalanced_count, 1);
  assert_int_equal(profile->header.open_frame_count, 1);
  assert_int_equal(profile->header.node_limit, WASM_PERF_DEFAULT_NODE_LIMIT);
  assert_int_equal(profile->nodes[2].call_count, 10000);
  assert_true(profile->nodes[1].self > 0);
  assert_true(profile->nodes[2].self > 0);
  wasm_perf_profile_free(profile);
}

static void reset_keeps_clock_and_limit(void **state) {
  wasm_perf_context *context = context_with(WASM_PERF_CLOCK_NONE, 3);
  for (uint32_t f = 0; f < 10; f++)
    wasm_perf_start(context, f);
  wasm_perf_reset(context);
  assert_int_equal(wasm_perf_depth(context), 0);
  wasm_perf_start(context, 5);
  wasm_perf_profile *profile = take_and_free(context);
  assert_int_equal(profile->header.clock, WASM_PERF_CLOCK_NONE);
  assert_int_equal(profile->header.node_limit, 3);
  assert_int_equal(profile->header.node_count, 2);
  assert_int_equal(profile->header.truncated_call_count, 0);
  assert_int_equal(profile->nodes[1].function, 5);
  wasm_perf_profile_free(profile);
}

static void context_goes_on_after_a_profile_was_taken(void **state) {
  wasm_perf_context *context = context_with(WASM_PERF_CLOCK_NONE, 0);
  wasm_perf_start(context, 1);
  wasm_perf_profile *first = wasm_perf_profile_take(context);
  wasm_perf_start(context, 2);
  wasm_perf_end(context);
  wasm_perf_profile *second = take_and_free(context);
  assert_int_equal(first->header.node_count, 2);
  assert_int_equal(first->header.open_frame_count, 1);
  assert_int_equal(second->header.node_count, 3);
  assert_int_equal(second->header.open_frame_count, 1);
  wasm_perf_profile_free(first);
  wasm_perf_profile_free(second);
}

static void unknown_clock_is_refused(void **state) {
  wasm_perf_options options = {.clock = WASM_PERF_CLOCK_SAMPLED};
  assert_null(wasm_perf_context_new(&options));
  options.clock = (wasm_perf_clock)5;
  assert_null(wasm_perf_context_new(&options));
  wasm_perf_context_free(NULL);
}

/* ---- Threads --------------------------------------------------------------- */

#define THREAD_COUNT 4
#define ROUND_COUNT  20000

static void *run_thread(void *argument) {
  uint32_t first = *(const uint32_t *)argument;
  wasm_perf_context *context = wasm_perf_context_new(NULL);
  if (!context)
    return NULL;
  for (uint32_t i = 0; i < ROUND_COUNT; i++) {
    wasm_perf_start(context, first);
    wasm_perf_start(context, first + 1 + i % 100);
    wasm_perf_end(context);
    wasm_perf_end(context);
  }
  wasm_perf_profile *profile = wasm_perf_profile_take(context);
  wasm_perf_context_free(context);
  return profile;
}

static void contexts_in_threads_are_independent(void **state) {
  pthread_t threads[THREAD_COUNT];
  uint32_t firsts[THREAD_COUNT];
  uint64_t ticks_per_second = 0;
  for (uint32_t i = 0; i < THREAD_COUNT; i++) {
    firsts[i] = i * 1000;
    assert_int_equal(pthread_create(&threads[i], NULL, run_thread, &firsts[i]), 0);
  }
  for (uint32_t i = 0; i < THREAD_COUNT; i++) {
    void *result;
    assert_int_equal(pthread_join(threads[i], &result), 0);
    wasm_perf_profile *profile = result;
    assert_non_null(profile);
    assert_int_equal(profile->header.node_count, 102);
    assert_int_equal(profile->nodes[1].function, firsts[i]);
    assert_int_equal(profile->nodes[1].call_count, ROUND_COUNT);
    for (uint32_t node = 2; node < 102; node++)
      assert_int_equal(profile->nodes[node].call_count, ROUND_COUNT / 100);
    assert_true(i == 0 || profile->header.ticks_per_second == ticks_per_second);
    ticks_per_second = profile->header.ticks_per_second;
    wasm_perf_profile_free(profile);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contexts_in_threads_are_independent), /* first: they calibrate at once */
      cmocka_unit_test(clock_none_counts_only),
      cmocka_unit_test(module_clock_counts_what_the_module_says),
      cmocka_unit_test(the_wall_clock_measures_its_hooks),
      cmocka_unit_test(wall_clock_charges_time),
      cmocka_unit_test(reset_keeps_clock_and_limit),
      cmocka_unit_test(context_goes_on_after_a_profile_was_taken),
      cmocka_unit_test(unknown_clock_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
