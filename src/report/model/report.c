#include "report/model/report.h"

#include "report/model/memory_summary.h"

#define DEFAULT_TITLE     "module.wasm"
#define DEFAULT_ROW_LIMIT 20u
#define DEFAULT_DEPTH     40u
#define DEFAULT_MIN_SHARE 10000u

static wasm_perf_report_options with_defaults(const wasm_perf_report_options *options) {
  wasm_perf_report_options result = options ? *options : (wasm_perf_report_options){0};
  if (!result.title)
    result.title = DEFAULT_TITLE;
  if (result.row_limit == 0)
    result.row_limit = DEFAULT_ROW_LIMIT;
  if (result.depth_limit == 0)
    result.depth_limit = DEFAULT_DEPTH;
  if (result.min_share == 0)
    result.min_share = DEFAULT_MIN_SHARE;
  return result;
}

bool wi_report_init(wi_report *report, const wasm_perf_profile *profile,
                    const wasm_perf_report_options *options, wi_stacks stacks) {
  *report = (wi_report){
      .profile = profile, .options = with_defaults(options), .unit = wi_unit_of(&profile->header)};
  bool is_cut = stacks == WI_STACKS_CUT || stacks == WI_STACKS_JOINED;
  uint32_t depth_limit = is_cut ? WI_DEPTH_LIMIT : WI_NO_DEPTH_LIMIT;
  char separator = stacks == WI_STACKS_JOINED ? ';' : 0;
  report->tree = stacks == WI_STACKS_MATCHED
                     ? wi_tree_new_by_name(profile, depth_limit, separator, NULL)
                     : wi_tree_new(profile, depth_limit, separator);
  if (!report->tree)
    return false;
  wi_label_clean(report->title, report->options.title, 0);
  if (!wi_time_notes_init(&report->notes, profile, report->tree)) {
    wi_report_clear(report);
    return false;
  }
  wi_summary_init(&report->summary, profile, report->tree, &report->notes);
  wi_summary_add_memory(&report->summary, profile);
  return true;
}

void wi_report_clear(wi_report *report) {
  wi_time_notes_clear(&report->notes);
  wi_tree_free(report->tree);
  report->tree = NULL;
}

bool wi_report_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                     wi_stacks stacks, wi_report_writer *writer, FILE *stream) {
  wi_report report;
  if (!wi_report_init(&report, profile, options, stacks))
    return false;
  bool ok = writer(&report, stream);
  wi_report_clear(&report);
  return fflush(stream) == 0 && ok && !ferror(stream);
}
