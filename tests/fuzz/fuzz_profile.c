/* Any bytes as a .wperf file; what is accepted is written by every format. */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"
#include "wasm_perf/diff.h"

/* Measured calls, and the slowest one against the last one that was kept. */
static void write_calls(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                        FILE *stream) {
  const wasm_perf_calls *calls = &profile->calls;
  wasm_perf_report_options own = *options;
  own.by_caller = true;
  own.call_measure = (wasm_perf_call_measure)(options->row_limit % WASM_PERF_CALL_MEASURE_COUNT);
  CHECK(wasm_perf_measured.write(profile, &own, stream) == (calls->measures != 0));
  CHECK(wasm_perf_measured_json.write(profile, &own, stream) == (calls->measures != 0));
  const wasm_perf_call *last = calls->kept_count > 0 ? &calls->kept[calls->kept_count - 1] : NULL;
  if (last && last->row_count > 0 && calls->kept[0].row_count > 0)
    CHECK(wasm_perf_calls_compare(profile, &calls->kept[0], last, NULL, stream));
}

/* The views for terminals, narrow and coloured; of the function that the input's size chooses. */
static void write_views(const wasm_perf_profile *profile, size_t size, FILE *stream) {
  wasm_perf_report_options options = {.row_limit = 1 + (uint32_t)size % 200,
                                      .width = (uint32_t)size % 120,
                                      .uses_color = true,
                                      .sort = (wasm_perf_sort)(size % 3),
                                      .depth_limit = 1 + (uint32_t)size % 300,
                                      .min_share = size % 2 ? WASM_PERF_ANY_SHARE : 0};
  CHECK(wasm_perf_report_format_find("top")->write(profile, &options, stream));
  CHECK(wasm_perf_report_format_find("tree")->write(profile, &options, stream));
  CHECK(!wasm_perf_callers.write(profile, &options, stream));
  write_calls(profile, &options, stream);
  uint32_t count;
  char **names = wasm_perf_find_functions(profile, "*", &count);
  CHECK(names != NULL);
  if (count > 0) {
    options.function = names[size % count];
    CHECK(wasm_perf_callers.write(profile, &options, stream));
    CHECK(wasm_perf_callees.write(profile, &options, stream));
  }
  free(names);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  wasm_perf_error error;
  wasm_perf_profile *profile = wasm_perf_profile_parse(data, size, &error);
  if (!profile) {
    CHECK(error.message[0] != '\0' && error.offset <= size);
    return 0;
  }
  FILE *nowhere = fopen("/dev/null", "w");
  CHECK(nowhere != NULL);
  for (const wasm_perf_report_format *format = wasm_perf_report_formats; format->name; format++)
    CHECK(format->write(profile, NULL, nowhere));
  write_views(profile, size, nowhere);
  CHECK(wasm_perf_profile_write(profile, nowhere));
  fclose(nowhere);
  wasm_perf_profile_free(profile);
  return 0;
}
