/* The HTML report of one or several profiles. */
#include "report/formats/html.h"

#include <stdlib.h>

#include "profile/mismatch.h"
#include "report/formats/html/page.h"
#include "report/formats/writers.h"

#define DEFAULT_TITLE "wasm-perf"

bool wi_html_write(const wi_report *report, FILE *stream) {
  return wi_html_page_write(report, 1, false, report->title, stream);
}

/* Functions of a single report need not be recognised in another one. */
static bool make_reports(wi_report *reports, const wasm_perf_profile *const *profiles,
                         const char *const *names, const wasm_perf_report_options *shared,
                         uint32_t count) {
  if (count > 1)
    return wi_reports_init(reports, profiles, names, count, shared);
  wasm_perf_report_options options = shared ? *shared : (wasm_perf_report_options){0};
  options.title = names[0];
  return wi_report_init(reports, profiles[0], &options, WI_STACKS_WHOLE);
}

bool wi_html_write_runs(const wasm_perf_profile *const *profiles, const char *const *names,
                        size_t count, bool is_difference, const wasm_perf_report_options *options,
                        FILE *stream) {
  const char *title = options ? options->title : NULL;
  char clean_title[WI_LABEL_MAX_SIZE + 1];
  wi_label_clean(clean_title, title ? title : DEFAULT_TITLE, 0);
  wi_report *reports = calloc(count, sizeof *reports);
  if (!reports)
    return false;
  bool made = make_reports(reports, profiles, names, options, (uint32_t)count);
  bool ok =
      made && wi_html_page_write(reports, (uint32_t)count, is_difference, clean_title, stream);
  if (made)
    wi_reports_clear(reports, (uint32_t)count);
  free(reports);
  return fflush(stream) == 0 && ok && !ferror(stream);
}

bool wasm_perf_report_write_runs(const wasm_perf_profile *const *profiles, const char *const *names,
                                 size_t count, const wasm_perf_report_options *options,
                                 FILE *stream, wasm_perf_mismatch *mismatch) {
  *mismatch = (wasm_perf_mismatch){.index = count};
  wasm_perf_value value = options ? options->value : WASM_PERF_VALUE_SELF;
  for (size_t i = 1; i < count; i++) {
    const wi_view views[] = {wi_view_of(profiles[0], value), wi_view_of(profiles[i], value)};
    if (!wi_views_match(&views[0], &views[1], i, mismatch))
      return false;
  }
  return wi_html_write_runs(profiles, names, count, false, options, stream);
}
