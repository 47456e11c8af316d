/* Any bytes as two .wperf files; what is accepted is added up and compared. */
#define _GNU_SOURCE /* open_memstream */

#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "report/model/tree.h"
#include "support/arithmetic.h"
#include "wasm_perf/diff.h"

static uint64_t count_calls(const wasm_perf_profile *profile) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < profile->header.node_count; i++)
    count = wi_saturating_add(count, profile->nodes[i].call_count);
  return count;
}

/* What is written can be read, and says the same. */
static void check_file(const wasm_perf_profile *profile) {
  char *bytes;
  size_t size;
  FILE *stream = open_memstream(&bytes, &size);
  CHECK(stream && wasm_perf_profile_write(profile, stream) && fclose(stream) == 0);
  wasm_perf_error error;
  wasm_perf_profile *copy = wasm_perf_profile_parse((const uint8_t *)bytes, size, &error);
  CHECK(copy && copy->header.node_count == profile->header.node_count);
  wasm_perf_profile_free(copy);
  free(bytes);
}

static void merge(const wasm_perf_profile *first, const wasm_perf_profile *second) {
  const wasm_perf_profile *profiles[] = {first, second, first};
  wasm_perf_mismatch mismatch;
  wasm_perf_profile *sum = wasm_perf_profile_merge(profiles, 3, &mismatch);
  if (!sum) {
    CHECK(mismatch.index == 1 && mismatch.message[0] != '\0');
    return;
  }
  uint64_t calls = count_calls(first);
  CHECK(count_calls(sum) ==
        wi_saturating_add(wi_saturating_add(calls, count_calls(second)), calls));
  CHECK(sum->header.node_count <= first->header.node_count + second->header.node_count);
  check_file(sum);
  wasm_perf_profile_free(sum);
}

static void diff(const wasm_perf_profile *first, const wasm_perf_profile *second) {
  wasm_perf_mismatch mismatch;
  wasm_perf_diff *result = wasm_perf_diff_new(first, second, WASM_PERF_VALUE_SELF, &mismatch);
  CHECK(result || (mismatch.index == 1 && mismatch.message[0] != '\0'));
  if (!result)
    return;
  FILE *nowhere = fopen("/dev/null", "w");
  CHECK(nowhere != NULL);
  wasm_perf_diff_options by_stack = {.by_stack = true, .sort = WASM_PERF_SORT_TOTAL};
  for (const wasm_perf_diff_format *format = wasm_perf_diff_formats; format->name; format++)
    CHECK(format->write(result, NULL, nowhere) && format->write(result, &by_stack, nowhere));
  uint32_t grown_count = wasm_perf_diff_growth(result, 0, 1, nowhere);
  CHECK(first != second || grown_count == 0);
  CHECK(wasm_perf_diff_growth(result, UINT64_MAX, 3, NULL) <= grown_count);
  fclose(nowhere);
  wasm_perf_diff_free(result);
}

static void check_pair(const wasm_perf_profile *first, const wasm_perf_profile *second) {
  merge(first, second);
  diff(first, second);
}

/* The first two bytes are the size of the first profile. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t first_size = size < 2 ? 0 : (size_t)(data[0] | data[1] << 8);
  if (size < 2 || first_size > size - 2)
    return 0;
  wasm_perf_error error;
  wasm_perf_profile *first = wasm_perf_profile_parse(data + 2, first_size, &error);
  wasm_perf_profile *second =
      wasm_perf_profile_parse(data + 2 + first_size, size - 2 - first_size, &error);
  if (first)
    check_pair(first, first);
  if (first && second)
    check_pair(first, second);
  wasm_perf_profile_free(first);
  wasm_perf_profile_free(second);
  return 0;
}
