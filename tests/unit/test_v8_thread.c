/* The times of a thread from V8's samples: which are the program's if others had the processor. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "samples/v8_thread.h"
#include "samples/v8_times.h"
#include "support/error.h"
#include "unit.h"

#define SAMPLES   40u
#define USUAL     1000u   /* microseconds between two samples */
#define GAP       100000u /* between two of them */
#define GAP_INDEX 20u

static const wi_v8_thread_facts facts = {.name = "main", .home = "", .scope = WI_V8_PROGRAM};

/* A profile of one function, file:///a.js work, with samples at these distances. */
static size_t write_profile(char *json, size_t size, unsigned gap) {
  size_t used =
      (size_t)snprintf(json, size,
                       "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\","
                       "\"scriptId\":\"0\",\"url\":\"\","
                       "\"lineNumber\":-1,\"columnNumber\":-1},\"hitCount\":0,\"children\":[2]},"
                       "{\"id\":2,\"callFrame\":{\"functionName\":\"work\",\"scriptId\":\"7\","
                       "\"url\":\"file:///a.js\","
                       "\"lineNumber\":1,\"columnNumber\":1},\"hitCount\":1,\"children\":[]}],"
                       "\"startTime\":1000000,\"endTime\":%u,\"samples\":[",
                       1000000 + SAMPLES * USUAL + gap - USUAL + USUAL / 2);
  for (unsigned i = 0; i < SAMPLES; i++)
    used += (size_t)snprintf(json + used, size - used, "%s2", i > 0 ? "," : "");
  used += (size_t)snprintf(json + used, size - used, "],\"timeDeltas\":[");
  for (unsigned i = 0; i < SAMPLES; i++)
    used += (size_t)snprintf(json + used, size - used, "%s%u", i > 0 ? "," : "",
                             i == GAP_INDEX ? gap : USUAL);
  return used + (size_t)snprintf(json + used, size - used, "]}");
}

/* Adds that profile, for which the thread had `cpu` microseconds. */
static void add_profile(wi_v8_thread *thread, const char *json, size_t size, double cpu) {
  wi_error error;
  wi_error_reset(&error);
  const wi_v8_piece piece = {.cpu = cpu};
  assert_true(wi_v8_thread_add(thread, (const uint8_t *)json, (uint32_t)size, &piece, &error));
}

/* The thread with that profile, for which it had `cpu` microseconds. */
static wasm_perf_profile *profile_of(unsigned gap, double cpu) {
  static char json[4096];
  wi_v8_thread *thread = wi_v8_thread_new(&facts, NULL, 0);
  add_profile(thread, json, write_profile(json, sizeof json, gap), cpu);
  wasm_perf_profile *profile = wi_v8_thread_profile(thread);
  wi_v8_thread_free(thread);
  assert_non_null(profile);
  return profile;
}

/* Microseconds of functions of a kind. */
static uint64_t time_of(const wasm_perf_profile *profile, wasm_perf_kind kind) {
  uint64_t time = 0;
  for (uint32_t i = 1; i < profile->header.node_count; i++)
    if (wasm_perf_profile_kind(profile, profile->nodes[i].function) == kind)
      time += profile->nodes[i].self / 1000;
  return time;
}

static void assert_times(unsigned gap, double cpu, uint64_t working, uint64_t waiting) {
  wasm_perf_profile *profile = profile_of(gap, cpu);
  uint64_t in_order = 0;
  assert_int_equal(time_of(profile, WASM_PERF_KIND_JAVASCRIPT), working);
  assert_int_equal(time_of(profile, WASM_PERF_KIND_WAIT), waiting);
  for (uint32_t i = 0; i < profile->threads[0].stretch_count; i++)
    in_order += profile->threads[0].stretches[i].microseconds;
  assert_int_equal(in_order, working + waiting);
  assert_int_equal(profile->facts.starved_time, waiting * 1000);
  wasm_perf_profile_free(profile);
}

enum { ALL = SAMPLES * USUAL + GAP - USUAL }; /* microseconds from the first interval to the last */

static void test_a_gap_without_a_processor_is_waiting(void **state) {
  assert_times(GAP, SAMPLES * USUAL, SAMPLES * USUAL, GAP - USUAL);
}

static void test_a_gap_with_a_processor_is_work(void **state) {
  assert_times(GAP, ALL, ALL, 0);
  assert_times(GAP, 0, ALL, 0); /* not known */
  assert_times(GAP, ALL * 0.97, ALL, 0);
}

/* The signal of a sample ends a system call that waits, so such a thread has no gaps. */
static void test_samples_without_gaps_stay(void **state) {
  assert_times(USUAL, SAMPLES * USUAL / 10, SAMPLES * USUAL, 0);
}

/* Two samples when a program ends, 50 ms late each, are no work of 100 ms. */
static void test_few_samples_are_as_long_as_usual(void **state) {
  static const char end[] =
      "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\",\"scriptId\":\"0\","
      "\"url\":\"\",\"lineNumber\":-1,\"columnNumber\":-1},\"hitCount\":0,\"children\":[2]},"
      "{\"id\":2,\"callFrame\":{\"functionName\":\"end\",\"scriptId\":\"7\",\"url\":\"file:///"
      "a.js\","
      "\"lineNumber\":9,\"columnNumber\":1},\"hitCount\":2,\"children\":[]}],\"startTime\":2000000,"
      "\"endTime\":2200000,\"samples\":[2,2],\"timeDeltas\":[50000,50000]}";
  static char json[4096];
  wi_v8_thread *thread = wi_v8_thread_new(&facts, NULL, 0);
  add_profile(thread, json, write_profile(json, sizeof json, USUAL), SAMPLES * USUAL);
  add_profile(thread, end, sizeof end - 1, 3000);
  wasm_perf_profile *profile = wi_v8_thread_profile(thread);
  wi_v8_thread_free(thread);
  assert_in_range(time_of(profile, WASM_PERF_KIND_JAVASCRIPT), SAMPLES * USUAL + 2900,
                  SAMPLES * USUAL + 3100);
  wasm_perf_profile_free(profile);
}

/* Processor time in which no samples were taken: the sampler had no processor. */
static void test_gaps_share_the_processor_time(void **state) {
  const double spans[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 101, 11, 21};
  enum { COUNT = sizeof spans / sizeof *spans };
  double lost[COUNT];
  assert_true(wi_v8_usual_span(spans, COUNT, 5, lost) == 1);
  wi_v8_find_lost(spans, COUNT, 16 + 33, 1, lost);
  assert_true(fabs(lost[16] - 90) < 0.01 && fabs(lost[17]) < 0.01 && fabs(lost[18] - 10) < 0.01);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_gap_without_a_processor_is_waiting),
      cmocka_unit_test(test_a_gap_with_a_processor_is_work),
      cmocka_unit_test(test_samples_without_gaps_stay),
      cmocka_unit_test(test_few_samples_are_as_long_as_usual),
      cmocka_unit_test(test_gaps_share_the_processor_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
