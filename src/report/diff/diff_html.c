/* The HTML report of both profiles, which opens with their difference. */
#include "report/diff/diff_writers.h"
#include "report/formats/html.h"

bool wi_diff_html_write(const wasm_perf_diff *diff, const wasm_perf_diff_options *options,
                        FILE *stream) {
  (void)options;
  const wasm_perf_profile *profiles[] = {diff->before, diff->after};
  const char *names[] = {"before", "after"};
  const wasm_perf_report_options page = {.title = "Before and after", .value = diff->value};
  return wi_html_write_runs(profiles, names, 2, true, &page, stream);
}
