#include "report/diff/diff_summary.h"

#include <stdio.h>
#include <string.h>

#include "report/diff/change.h"
#include "report/diff/diff_findings.h"

static bool counts_all(const wasm_perf_diff *diff) {
  for (uint32_t i = 0; i < diff->row_count; i++)
    if (diff->rows[i].is_uncounted)
      return false;
  return true;
}

static void add_totals(wi_summary *summary, const wasm_perf_diff *diff) {
  wi_unit unit = wi_diff_unit(diff);
  wi_long_text headline = wi_diff_headline(diff, wi_diff_unit(diff));
  const wi_view before = wi_view_of(diff->before, diff->value);
  if (unit == WI_UNIT_CALLS) {
    wi_summary_add(summary, "%s%s", headline.text,
                   wi_view_name(&before) ? "" : "; time was not measured");
    return;
  }
  wi_summary_add(summary, "%s; %s", headline.text,
                 counts_all(diff) ? wi_format_before_after(WI_UNIT_CALLS, diff->call_count).text
                                  : "not all calls were counted");
}

static void add_new_and_gone(wi_summary *summary, const wasm_perf_diff *diff) {
  uint32_t new_count = 0, gone_count = 0;
  for (uint32_t i = 0; i < diff->row_count; i++) {
    new_count += diff->rows[i].is_new;
    gone_count += diff->rows[i].is_gone;
  }
  if (new_count > 0 || gone_count > 0)
    wi_summary_add(summary, "New: %s; gone: %s", wi_format_quantity(new_count, "function").text,
                   wi_format_count(gone_count).text);
}

static void add_hook_times(wi_summary *summary, const wasm_perf_diff *diff) {
  wi_unit unit = wi_diff_unit(diff);
  const wi_view before = wi_view_of(diff->before, diff->value);
  const wi_view after = wi_view_of(diff->after, diff->value);
  uint64_t times[] = {wi_view_hook_time(&before), wi_view_hook_time(&after)};
  if (times[0] == 0 && times[1] == 0)
    return;
  wi_summary_add(summary, "Profiler overhead removed: %s before, %s after",
                 wi_format_value(unit, times[0]).text, wi_format_value(unit, times[1]).text);
}

static void add_hidden_calls(wi_summary *summary, const wasm_perf_diff *diff) {
  const wasm_perf_profile *before = diff->before, *after = diff->after;
  if (before->hidden_call_count > 0 || after->hidden_call_count > 0)
    wi_summary_add(summary, "Host functions, excluded: %s before, %s after",
                   wi_format_quantity(before->hidden_call_count, "call").text,
                   wi_format_count(after->hidden_call_count).text);
}

/* Reports what makes the profiles hard to compare. */
static void add_cautions(wi_summary *summary, const wasm_perf_diff *diff) {
  const wasm_perf_header *before = &diff->before->header, *after = &diff->after->header;
  if (diff->unnamed_count.before > 0 || diff->unnamed_count.after > 0)
    wi_summary_warn(summary, "Matched by index, because they have no names: %s before, %s after",
                    wi_format_quantity(diff->unnamed_count.before, "function").text,
                    wi_format_count(diff->unnamed_count.after).text);
  if (diff->namesake_count.before > 0 || diff->namesake_count.after > 0)
    wi_summary_warn(summary, "Merged with a function of the same name: %s before, %s after",
                    wi_format_quantity(diff->namesake_count.before, "function").text,
                    wi_format_count(diff->namesake_count.after).text);
  if (before->recursion != after->recursion)
    wi_summary_warn(summary, "Recursion is folded only %s: stacks differ",
                    before->recursion == WASM_PERF_RECURSION_FOLD ? "before" : "after");
  if (before->truncated_call_count > 0 || after->truncated_call_count > 0)
    wi_summary_warn(
        summary,
        "Out of nodes: calls counted in an outer frame or in [truncated]: %s before, %s after",
        wi_format_count(before->truncated_call_count).text,
        wi_format_count(after->truncated_call_count).text);
}

void wi_diff_summary_init(wi_summary *summary, const wasm_perf_diff *diff) {
  summary->line_count = summary->number_count = 0;
  add_totals(summary, diff);
  add_new_and_gone(summary, diff);
  add_hook_times(summary, diff);
  add_hidden_calls(summary, diff);
  add_cautions(summary, diff);
}
