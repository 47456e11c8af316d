/* wi_samples_attribute where stacks of WebAssembly are below JavaScript: what has the calls. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "samples/attribute.h"
#include "wasm_perf/profile.h"

enum { ROOT = 0xFFFFFFFF, RUN = 1, STEP = 2, NODE_COUNT = 4 };

/* root -> run (10 calls) -> step (100 calls) -> run (5 calls). The caller frees it. */
static wasm_perf_profile *counted(void) {
  wasm_perf_profile *profile = calloc(1, sizeof *profile);
  profile->header.node_count = NODE_COUNT;
  profile->header.host_function_count = 1;
  profile->header.function_count = profile->header.hooked_function_count = 2;
  profile->nodes = calloc(NODE_COUNT, sizeof *profile->nodes);
  profile->nodes[0] = (wasm_perf_node){.function = ROOT};
  profile->nodes[1] = (wasm_perf_node){.function = RUN, .call_count = 10};
  profile->nodes[2] = (wasm_perf_node){.function = STEP, .parent = 1, .call_count = 100};
  profile->nodes[3] = (wasm_perf_node){.function = RUN, .parent = 2, .call_count = 5};
  assert_true(wasm_perf_profile_set_name(profile, RUN, "run"));
  assert_true(wasm_perf_profile_set_name(profile, STEP, "step"));
  return profile;
}

static uint32_t script(wi_samples *samples, const char *name) {
  wi_sample_frame place = {.kind = WASM_PERF_KIND_JAVASCRIPT, .line = 3, .file_size = 4};
  uint32_t frame;
  place.name_size = (uint32_t)strlen(name);
  assert_true(wi_samples_add_other(samples, &place, name, "a.js", &frame));
  return frame;
}

static uint32_t function(wi_samples *samples, uint32_t index) {
  uint32_t frame;
  assert_true(wi_samples_add_frame(samples, index, "", 0, &frame));
  return frame;
}

/* A stack and its nanoseconds. */
static uint32_t stack(wi_samples *samples, uint32_t parent, uint32_t frame, double time) {
  uint32_t node;
  assert_true(wi_samples_add_node(samples, parent, frame, &node));
  wi_samples_add_time(samples, node, time);
  return node;
}

/* The node of a path of names "a/b"; fails where there is none. */
static uint32_t node_at(const wasm_perf_profile *profile, const char *path) {
  uint32_t node = 0;
  while (*path) {
    size_t size = strcspn(path, "/");
    uint32_t found = 0;
    for (uint32_t i = 1; i < profile->header.node_count && found == 0; i++) {
      const char *name = wasm_perf_profile_name(profile, profile->nodes[i].function);
      bool is_it = name && strlen(name) == size && memcmp(name, path, size) == 0;
      found = is_it && profile->nodes[i].parent == node ? i : 0;
    }
    assert_int_not_equal(found, 0);
    node = found;
    path += size + (path[size] == '/');
  }
  return node;
}

static uint32_t first_shared(const wasm_perf_profile *profile, uint32_t node) {
  for (uint32_t i = 0; i < profile->shared_count; i++)
    if (profile->shared[i].node == node)
      return profile->shared[i].first;
  return 0;
}

static void expect(const wasm_perf_profile *profile, const char *path, uint64_t calls,
                   uint64_t self) {
  const wasm_perf_node *node = &profile->nodes[node_at(profile, path)];
  assert_int_equal(node->call_count, calls);
  assert_int_equal(node->self, self);
}

static void attribute(wasm_perf_profile *profile, wi_samples *samples) {
  wi_samples_match match;
  samples->is_numbered = true;
  assert_true(wi_samples_attribute(samples, profile, true, &match));
  for (uint32_t i = 1; i < profile->header.node_count; i++)
    assert_true(profile->nodes[i].parent < i);
  wi_samples_clear(samples);
}

static void test_one_caller(void **state) {
  wasm_perf_profile *profile = counted();
  wi_samples samples = {0};
  assert_true(wi_samples_init(&samples));
  uint32_t load = stack(&samples, 0, script(&samples, "load"), 7);
  stack(&samples, load, function(&samples, RUN), 20);
  attribute(profile, &samples);
  expect(profile, "load", 0, 7);
  expect(profile, "load/run", 10, 20);
  expect(profile, "load/run/step", 100, 0);
  expect(profile, "load/run/step/run", 5, 0);
  assert_int_equal(profile->header.node_count, 5);
  assert_int_equal(profile->shared_count, 0);
  uint32_t function = profile->nodes[node_at(profile, "load")].function;
  assert_int_equal(wasm_perf_profile_kind(profile, function), WASM_PERF_KIND_JAVASCRIPT);
  assert_false(wasm_perf_profile_is_counted(profile, function));
  assert_int_equal(wasm_perf_profile_place(profile, function)->line, 3);
  wasm_perf_profile_free(profile);
}

static void test_several_callers(void **state) {
  wasm_perf_profile *profile = counted();
  wi_samples samples = {0};
  assert_true(wi_samples_init(&samples));
  uint32_t run = function(&samples, RUN);
  stack(&samples, stack(&samples, 0, script(&samples, "load"), 0), run, 20);
  stack(&samples, stack(&samples, 0, script(&samples, "save"), 0), run, 30);
  attribute(profile, &samples);
  expect(profile, "load/run", 0, 20);
  expect(profile, "save/run", 10, 30);
  expect(profile, "save/run/step", 100, 0);
  uint32_t shared = first_shared(profile, node_at(profile, "load/run"));
  assert_int_not_equal(shared, 0);
  assert_int_equal(first_shared(profile, node_at(profile, "save/run")), shared);
  assert_int_not_equal(first_shared(profile, node_at(profile, "save/run/step")), 0);

  assert_true(wasm_perf_profile_hide(profile, WASM_PERF_KIND_BIT(WASM_PERF_KIND_JAVASCRIPT)));
  assert_int_equal(profile->header.node_count, NODE_COUNT);
  expect(profile, "run", 10, 50);
  expect(profile, "run/step/run", 5, 0);
  assert_int_equal(profile->shared_count, 0);
  wasm_perf_profile_free(profile);
}

/* Gives step 7 bytes, and the run below it 2. */
static void measure(wasm_perf_profile *profile) {
  profile->rows = calloc(2, sizeof *profile->rows);
  profile->row_count = 2;
  profile->rows[0].node = 2;
  profile->rows[0].values[WASM_PERF_MEASURE_LIVE_BYTES] = 7;
  profile->rows[1].node = 3;
  profile->rows[1].values[WASM_PERF_MEASURE_LIVE_BYTES] = 2;
}

static void expect_bytes(const wasm_perf_profile *profile, const char *path, uint64_t bytes) {
  uint64_t found = 0;
  for (uint32_t i = 0; i < profile->row_count; i++)
    if (profile->rows[i].node == node_at(profile, path))
      found += profile->rows[i].values[WASM_PERF_MEASURE_LIVE_BYTES];
  assert_int_equal(found, bytes);
}

/* Bytes below the caller with most samples would blame it for those of the others. */
static void test_measures_of_several_callers(void **state) {
  for (int time = 20; time <= 5000; time += 4980) { /* the second is rare beside the other */
    wasm_perf_profile *profile = counted();
    wi_samples samples = {0};
    assert_true(wi_samples_init(&samples));
    measure(profile);
    uint32_t run = function(&samples, RUN);
    stack(&samples, stack(&samples, 0, script(&samples, "load"), 0), run, 20);
    stack(&samples, stack(&samples, 0, script(&samples, "save"), 0), run, time + 10);
    attribute(profile, &samples);
    expect(profile, "save/run/step", 100, 0);
    expect_bytes(profile, "save/run/step", 0);
    expect(profile, "several callers/run/step", 0, 0);
    expect_bytes(profile, "several callers/run/step", 7);
    expect_bytes(profile, "several callers/run/step/run", 2);
    wasm_perf_profile_free(profile);
  }
}

/* Measured calls of step and of the run below it, of which one was kept. */
static void measure_calls(wasm_perf_profile *profile) {
  wasm_perf_calls *calls = &profile->calls;
  calls->measures = WASM_PERF_CALL_MEASURE_BIT(WASM_PERF_CALL_MEASURE_TIME);
  calls->histograms = calloc(1, sizeof *calls->histograms);
  calls->histograms[0].node = 2;
  calls->histograms[0].buckets = calloc(1, sizeof(wasm_perf_bucket));
  calls->histograms[0].bucket_count = 1;
  calls->histograms[0].buckets[0] = (wasm_perf_bucket){40, 100};
  calls->kept = calloc(1, sizeof *calls->kept);
  calls->kept[0] = (wasm_perf_call){.node = 2, .why = WASM_PERF_KEPT_SLOW, .row_count = 2};
  calls->kept[0].rows = calloc(2, sizeof(wasm_perf_call_row));
  calls->kept[0].rows[0] = (wasm_perf_call_row){.node = 2, .call_count = 1};
  calls->kept[0].rows[1] = (wasm_perf_call_row){.node = 3, .call_count = 5};
  calls->histogram_count = calls->kept_count = 1;
}

static void expect_calls(const wasm_perf_profile *profile, const char *step, const char *run) {
  const wasm_perf_calls *calls = &profile->calls;
  assert_int_equal(calls->histogram_count, 1);
  assert_int_equal(calls->histograms[0].node, node_at(profile, step));
  assert_int_equal(calls->kept[0].node, node_at(profile, step));
  assert_int_equal(calls->kept[0].rows[0].node, node_at(profile, step));
  assert_int_equal(calls->kept[0].rows[1].node, node_at(profile, run));
}

/* Likewise, a histogram of all calls would blame one of the callers. */
static void test_measured_calls(void **state) {
  for (unsigned caller_count = 1; caller_count <= 2; caller_count++) {
    wasm_perf_profile *profile = counted();
    wi_samples samples = {0};
    assert_true(wi_samples_init(&samples));
    measure_calls(profile);
    uint32_t run = function(&samples, RUN);
    stack(&samples, stack(&samples, 0, script(&samples, "load"), 0), run, 20);
    if (caller_count == 2)
      stack(&samples, stack(&samples, 0, script(&samples, "save"), 0), run, 30);
    attribute(profile, &samples);
    if (caller_count == 1)
      expect_calls(profile, "load/run/step", "load/run/step/run");
    else
      expect_calls(profile, "several callers/run/step", "several callers/run/step/run");
    assert_true(wasm_perf_profile_hide(profile, WASM_PERF_KIND_BIT(WASM_PERF_KIND_JAVASCRIPT)));
    expect_calls(profile, "run/step", "run/step/run");
    wasm_perf_profile_free(profile);
  }
}

static void test_measures_of_one_caller(void **state) {
  wasm_perf_profile *profile = counted();
  wi_samples samples = {0};
  assert_true(wi_samples_init(&samples));
  measure(profile);
  uint32_t load = stack(&samples, 0, script(&samples, "load"), 7);
  stack(&samples, load, function(&samples, RUN), 20);
  attribute(profile, &samples);
  expect_bytes(profile, "load/run/step", 7);
  assert_int_equal(profile->header.node_count, 5);
  wasm_perf_profile_free(profile);
}

/* V8 loses the callers of one sample. */
static void test_rare(void **state) {
  wasm_perf_profile *profile = counted();
  wi_samples samples = {0};
  assert_true(wi_samples_init(&samples));
  uint32_t run = function(&samples, RUN);
  stack(&samples, stack(&samples, 0, script(&samples, "load"), 0), run, 200);
  stack(&samples, stack(&samples, 0, run, 1), function(&samples, STEP), 2);
  attribute(profile, &samples);
  expect(profile, "load/run", 10, 200);
  expect(profile, "load/run/step", 100, 2);
  expect(profile, "load/run/step/run", 5, 0);
  expect(profile, "run", 0, 1);
  assert_int_equal(profile->header.node_count, 6);
  assert_int_equal(profile->shared_count, 0);
  wasm_perf_profile_free(profile);
}

/* V8 loses all callers of several samples. */
static void test_lost(void **state) {
  wasm_perf_profile *profile = counted();
  wi_samples samples = {0};
  assert_true(wi_samples_init(&samples));
  stack(&samples, stack(&samples, 0, script(&samples, "load"), 0), function(&samples, RUN), 200);
  stack(&samples, 0, function(&samples, STEP), 50);
  attribute(profile, &samples);
  expect(profile, "load/run", 10, 200);
  expect(profile, "load/run/step", 100, 50);
  expect(profile, "load/run/step/run", 5, 0);
  assert_int_equal(profile->header.node_count, 5);
  assert_int_equal(profile->shared_count, 0);
  wasm_perf_profile_free(profile);
}

/* The host calls run directly, too, and often: its time stays there. */
static void test_host_and_caller(void **state) {
  wasm_perf_profile *profile = counted();
  wi_samples samples = {0};
  assert_true(wi_samples_init(&samples));
  uint32_t run = function(&samples, RUN);
  stack(&samples, stack(&samples, 0, script(&samples, "load"), 0), run, 200);
  stack(&samples, stack(&samples, 0, run, 50), function(&samples, STEP), 30);
  attribute(profile, &samples);
  expect(profile, "load/run", 10, 200);
  expect(profile, "run", 0, 50);
  expect(profile, "run/step", 100, 30);
  assert_int_not_equal(first_shared(profile, node_at(profile, "run")), 0);
  assert_int_not_equal(first_shared(profile, node_at(profile, "run/step")), 0);
  wasm_perf_profile_free(profile);
}

/* run -> step -> JavaScript -> run: the counts do not know the code between. */
static void test_between(void **state) {
  wasm_perf_profile *profile = counted();
  wi_samples samples = {0};
  assert_true(wi_samples_init(&samples));
  uint32_t run = function(&samples, RUN);
  uint32_t outer = stack(&samples, 0, run, 1);
  uint32_t step = stack(&samples, outer, function(&samples, STEP), 2);
  uint32_t callback = stack(&samples, step, script(&samples, "callback"), 40);
  stack(&samples, callback, run, 3);
  attribute(profile, &samples);
  expect(profile, "run", 10, 1);
  expect(profile, "run/step", 100, 2);
  expect(profile, "run/step/callback", 0, 40);
  expect(profile, "run/step/callback/run", 5, 3);
  assert_int_equal(profile->header.node_count, 5);
  assert_int_equal(profile->shared_count, 0);
  wasm_perf_profile_free(profile);
}

/* Two threads, in whose profiles other stacks share their calls. */
static void test_merge(void **state) {
  wasm_perf_profile *profiles[2];
  for (int i = 0; i < 2; i++) {
    wi_samples samples = {0};
    profiles[i] = counted();
    assert_true(wi_samples_init(&samples));
    uint32_t run = function(&samples, RUN);
    stack(&samples, stack(&samples, 0, script(&samples, i == 0 ? "load" : "read"), 0), run, 20);
    stack(&samples, stack(&samples, 0, script(&samples, "save"), 0), run, 30);
    attribute(profiles[i], &samples);
  }
  wasm_perf_mismatch mismatch;
  wasm_perf_profile *sum =
      wasm_perf_profile_merge((const wasm_perf_profile *const *)profiles, 2, &mismatch);
  assert_non_null(sum);
  expect(sum, "save/run", 20, 60);
  expect(sum, "read/run", 0, 20);
  uint32_t shared = first_shared(sum, node_at(sum, "load/run"));
  assert_int_not_equal(shared, 0);
  assert_int_equal(first_shared(sum, node_at(sum, "save/run")), shared);
  assert_int_equal(first_shared(sum, node_at(sum, "read/run")), shared);
  uint32_t function = sum->nodes[node_at(sum, "read")].function;
  assert_int_equal(wasm_perf_profile_kind(sum, function), WASM_PERF_KIND_JAVASCRIPT);
  wasm_perf_profile_free(sum);
  wasm_perf_profile_free(profiles[0]);
  wasm_perf_profile_free(profiles[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_caller),
      cmocka_unit_test(test_several_callers),
      cmocka_unit_test(test_measures_of_several_callers),
      cmocka_unit_test(test_measures_of_one_caller),
      cmocka_unit_test(test_measured_calls),
      cmocka_unit_test(test_rare),
      cmocka_unit_test(test_lost),
      cmocka_unit_test(test_host_and_caller),
      cmocka_unit_test(test_between),
      cmocka_unit_test(test_merge),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
