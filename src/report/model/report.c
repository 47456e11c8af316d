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

/* `identities` as for wi_labels_init. */
static bool init(wi_report *report, const wasm_perf_profile *profile,
                 const wasm_perf_report_options *options, wi_stacks stacks,
                 const wi_identity *identities) {
  *report = (wi_report){.profile = profile, .options = with_defaults(options)};
  const wi_view view = wi_view_of(profile, report->options.value);
  report->unit = view.unit;
  bool is_cut = stacks == WI_STACKS_CUT || stacks == WI_STACKS_JOINED;
  uint32_t depth_limit = is_cut ? WI_DEPTH_LIMIT : WI_NO_DEPTH_LIMIT;
  char separator = stacks == WI_STACKS_JOINED ? ';' : 0;
  report->tree = identities ? wi_tree_new_matched(&view, depth_limit, separator, identities)
                            : wi_tree_new(&view, depth_limit, separator);
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

bool wi_report_init(wi_report *report, const wasm_perf_profile *profile,
                    const wasm_perf_report_options *options, wi_stacks stacks) {
  return init(report, profile, options, stacks, NULL);
}

bool wi_reports_init(wi_report *reports, const wasm_perf_profile *const *profiles,
                     const char *const *titles, uint32_t count,
                     const wasm_perf_report_options *options) {
  wi_identity **identities = wi_identities_new(profiles, count);
  wasm_perf_report_options titled = options ? *options : (wasm_perf_report_options){0};
  uint32_t made = 0;
  for (; identities && made < count; made++) {
    titled.title = titles[made];
    if (!init(&reports[made], profiles[made], &titled, WI_STACKS_WHOLE, identities[made]))
      break;
  }
  wi_identities_free(identities, count);
  if (made < count)
    wi_reports_clear(reports, made);
  return made == count;
}

void wi_reports_clear(wi_report *reports, uint32_t count) {
  while (count > 0)
    wi_report_clear(&reports[--count]);
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
