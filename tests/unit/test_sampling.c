/* What few samples of many calls mean, and what hooks do to shares. */
#include "unit.h"

#include <string.h>

#include "report/model/sampling.h"

#define PERIOD UINT64_C(700000) /* nanoseconds, as V8's sampler has it */

enum { SAMPLES = 1000, MAIN = 0, CALLEE = 1 };

typedef struct sampled_run {
  uint64_t call_count, sample_count; /* of the callee; its caller has the rest of the samples */
  bool uninlined, has_hooks;
  uint64_t cpu_samples; /* that the thread had a processor; 0: not known */
  uint64_t linked_time; /* nanoseconds in the linked runtime */
} sampled_run;

/* The note on one of two functions. */
static wi_time_note note_of(const wasm_perf_profile *profile, const char *name) {
  wi_time_notes found;
  const wi_view view = wi_view_of(profile, WASM_PERF_VALUE_SELF);
  wi_tree *tree = wi_tree_new(&view, WI_NO_DEPTH_LIMIT, 0);
  assert_non_null(tree);
  assert_true(wi_time_notes_init(&found, profile, tree));
  uint32_t label = strcmp(wi_tree_text(tree, 0), name) != 0;
  wi_time_note note = (wi_time_note)found.of[label];
  wi_time_notes_clear(&found);
  wi_tree_free(tree);
  return note;
}

/* The notes on the two functions, by function. */
static void note(const sampled_run *run, wi_time_note notes[2]) {
  wasm_perf_node nodes[] = {
      {.function = WASM_PERF_FUNCTION_ROOT},
      {.function = MAIN, .call_count = 1, .self = (SAMPLES - run->sample_count) * PERIOD},
      {.function = CALLEE,
       .parent = 1,
       .call_count = run->call_count,
       .self = run->sample_count * PERIOD}};
  wasm_perf_profile profile = {.header = {.node_count = 3,
                                          .clock = WASM_PERF_CLOCK_SAMPLED,
                                          .ticks_per_second = 1000000000,
                                          .clock_read_count = SAMPLES},
                               .nodes = nodes,
                               .facts = {.uninlined = run->uninlined,
                                         .hooks_sampled = run->has_hooks,
                                         .cpu_time = run->cpu_samples * PERIOD,
                                         .linked_time = run->linked_time}};
  wi_time_notes found;
  const wi_view view = wi_view_of(&profile, WASM_PERF_VALUE_SELF);
  wi_tree *tree = wi_tree_new(&view, WI_NO_DEPTH_LIMIT, 0);
  assert_non_null(tree);
  assert_int_equal(wi_sample_period(tree), PERIOD);
  assert_true(wi_time_notes_init(&found, &profile, tree));
  for (uint32_t label = 0; label < 2; label++)
    notes[strcmp(wi_tree_text(tree, label), "func[1]") == 0] = (wi_time_note)found.of[label];
  wi_time_notes_clear(&found);
  wi_tree_free(tree);
}

static void assert_notes(const sampled_run *run, wi_time_note caller, wi_time_note callee) {
  wi_time_note notes[2];
  note(run, notes);
  assert_string_equal(wi_time_note_text(notes[MAIN]), wi_time_note_text(caller));
  assert_string_equal(wi_time_note_text(notes[CALLEE]), wi_time_note_text(callee));
}

static void test_many_calls(void **state) {
  /* A nanosecond each is the least that a call takes: nine samples. */
  assert_notes(&(sampled_run){.call_count = 6000000}, WI_TIME_NONE, WI_TIME_IN_CALLER);
  assert_notes(&(sampled_run){6000000, 3, false, false, 0, 0}, WI_TIME_NONE, WI_TIME_IN_CALLER);
  assert_notes(&(sampled_run){6000000, 5, false, false, 0, 0}, WI_TIME_NONE, WI_TIME_IN_CALLER);
  assert_notes(&(sampled_run){6000000, 9, false, false, 0, 0}, WI_TIME_NONE, WI_TIME_NONE);
  assert_notes(&(sampled_run){6000000, 0, true, false, 0, 0}, WI_TIME_NONE, WI_TIME_NONE);
}

static void test_few_calls(void **state) {
  assert_notes(&(sampled_run){.call_count = 50}, WI_TIME_NONE, WI_TIME_NONE);
  assert_notes(&(sampled_run){.call_count = 20000}, WI_TIME_NONE, WI_TIME_NONE);
}

/* A nanosecond in the caller and in the callee for each of 100 million calls: 143 of 200 samples. */
static void test_hooks(void **state) {
  assert_notes(&(sampled_run){100000000, 200, false, true, 0, 0}, WI_TIME_SHIFTED, WI_TIME_SHIFTED);
  assert_notes(&(sampled_run){100000000, 200, false, false, 0, 0}, WI_TIME_NONE, WI_TIME_NONE);
  assert_notes(&(sampled_run){10000000, 200, false, true, 0, 0}, WI_TIME_NONE, WI_TIME_NONE);
}

/* Hooks of another module: calling them may take as long as what is seen in it, 26 ns for a call. */
static void test_linked_hooks(void **state) {
  assert_notes(&(sampled_run){10000000, 200, false, true, 0, 260000000}, WI_TIME_SHIFTED,
               WI_TIME_SHIFTED);
}

/* The hooks of a function that was inlined are in its caller. */
static void test_inlined_hooks(void **state) {
  assert_notes(&(sampled_run){100000000, 0, false, true, 0, 0}, WI_TIME_NONE, WI_TIME_IN_CALLER);
}

/* On a machine that does other work, the same calls take four times as long, and hooks the same part. */
static void test_load(void **state) {
  assert_notes(&(sampled_run){10000000, 200, false, true, 1000, 0}, WI_TIME_NONE, WI_TIME_NONE);
  assert_notes(&(sampled_run){10000000, 200, false, true, 250, 0}, WI_TIME_SHIFTED,
               WI_TIME_SHIFTED);
}

/* ---- Compilation at the first call ------------------------------------------------ */

/* The note on a caller that has samples of 20 ms before its callee's, and so many after it. */
static wi_time_note first_call_note(uint32_t later_samples, uint64_t code_size) {
  uint64_t later = later_samples * PERIOD;
  wasm_perf_node nodes[] = {{.function = WASM_PERF_FUNCTION_ROOT},
                            {.function = MAIN, .call_count = 1, .self = 20000000 + later},
                            {.function = CALLEE, .parent = 1, .call_count = 2, .self = 80000000}};
  wasm_perf_stretch stretches[] = {
      {1, 19000}, {1, 1000}, {2, 80000}, {1, (uint32_t)(later / 1000)}};
  wasm_perf_thread thread = {
      .name = "main", .stretch_count = later > 0 ? 4 : 3, .stretches = stretches};
  wasm_perf_profile profile = {.header = {.node_count = 3,
                                          .clock = WASM_PERF_CLOCK_SAMPLED,
                                          .ticks_per_second = 1000000000,
                                          .clock_read_count = 143 + later_samples},
                               .nodes = nodes,
                               .threads = &thread,
                               .thread_count = 1,
                               .facts = {.code_size = code_size}};
  return note_of(&profile, "func[0]");
}

/* V8 compiles a callee in its caller's time, by more than 20 bytes in a microsecond. */
static void test_compilation(void **state) {
  assert_int_equal(first_call_note(0, 1000000), WI_TIME_COMPILING);
  assert_int_equal(first_call_note(1, 1000000), WI_TIME_NONE);
  assert_int_equal(first_call_note(0, 100000), WI_TIME_NONE);
}

/* ---- Hooks that read a clock ----------------------------------------------------- */

#define HOOK 50u /* nanoseconds, of which the runtime knows, in each function of a call */

typedef struct wall_run {
  uint64_t call_count, self_each; /* of the callee: nanoseconds with hooks */
  bool is_subtracted;
} wall_run;

/* The note on a function that is called so often. Its caller takes a second. */
static wi_time_note wall_note(const wall_run *run) {
  wasm_perf_node nodes[] = {{.function = WASM_PERF_FUNCTION_ROOT},
                            {.function = MAIN, .call_count = 1, .self = 1000000000},
                            {.function = CALLEE,
                             .parent = 1,
                             .call_count = run->call_count,
                             .self = run->call_count * run->self_each}};
  wasm_perf_profile profile = {.header = {.node_count = 3,
                                          .clock = WASM_PERF_CLOCK_WALL,
                                          .ticks_per_second = 1000000000,
                                          .inner_hook_cost = HOOK * WASM_PERF_COST_CALL_COUNT,
                                          .outer_hook_cost = HOOK * WASM_PERF_COST_CALL_COUNT},
                               .nodes = nodes};
  if (run->is_subtracted)
    wasm_perf_profile_compensate(&profile);
  return note_of(&profile, "func[1]");
}

/* All calls take twice what is known of hooks: they may be nothing else. */
static void test_hooks_alone(void **state) {
  for (int is_subtracted = 0; is_subtracted < 2; is_subtracted++) {
    assert_int_equal(wall_note(&(wall_run){1000000, 2 * HOOK, is_subtracted}),
                     WI_TIME_MOSTLY_HOOKS);
    assert_int_equal(wall_note(&(wall_run){1000000, 11 * HOOK, is_subtracted}),
                     WI_TIME_MOSTLY_HOOKS);
    assert_int_equal(wall_note(&(wall_run){1000000, 13 * HOOK, is_subtracted}), WI_TIME_NONE);
    assert_int_equal(wall_note(&(wall_run){1000, 1000000, is_subtracted}), WI_TIME_NONE);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_many_calls),  cmocka_unit_test(test_few_calls),
      cmocka_unit_test(test_hooks),       cmocka_unit_test(test_inlined_hooks),
      cmocka_unit_test(test_load),        cmocka_unit_test(test_linked_hooks),
      cmocka_unit_test(test_compilation), cmocka_unit_test(test_hooks_alone)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
