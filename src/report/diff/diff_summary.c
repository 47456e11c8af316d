#include <stdio.h>
#include <string.h>

#include "report/diff/diff.h"
#include "support/arithmetic.h"

#define MAX_TIMES 99999u /* beyond it a percentage tells nothing */

static wi_short_text with_sign(wasm_perf_change change, wi_short_text text) {
  wi_short_text result;
  const char *sign = change.after > change.before ? "+" : change.after < change.before ? "-" : "";
  snprintf(result.text, sizeof result.text, "%s%.60s", sign, text.text);
  return result;
}

wi_short_text wi_format_change(wasm_perf_change change, wi_display_unit unit) {
  return with_sign(change, wi_format_in(unit, wi_change_size(change)));
}

wi_short_text wi_format_change_of(wasm_perf_change change, uint64_t whole) {
  if (change.before == change.after)
    return (wi_short_text){"0"};
  if (whole == 0)
    return (wi_short_text){"-"};
  uint64_t size = wi_change_size(change);
  uint64_t times = size / whole;
  if (times > MAX_TIMES)
    return with_sign(change, (wi_short_text){"9,999,999"});
  uint64_t halves = wi_scale(size % whole, whole, 20000); /* of a hundredth of a percent */
  return with_sign(change, wi_format_quotient(times * 10000 + (halves + 1) / 2, 100, 2));
}

wi_long_text wi_format_before_after(wi_unit unit, wasm_perf_change change) {
  wi_long_text result;
  size_t size = sizeof result.text;
  int length =
      snprintf(result.text, size, "%s \xE2\x86\x92 %s", wi_format_value(unit, change.before).text,
               wi_format_value(unit, change.after).text);
  if (change.before != 0)
    snprintf(result.text + length, size - (size_t)length, ", %s %%",
             wi_format_change_of(change, change.before).text);
  return result;
}

static void add_totals(wi_summary *summary, const wasm_perf_diff *diff) {
  wi_unit unit = wi_diff_unit(diff);
  if (unit == WI_UNIT_CALLS) {
    wi_summary_add(summary, "%s (no clock)", wi_format_before_after(unit, diff->total).text);
    return;
  }
  wi_summary_add(summary, "%s; %s", wi_format_before_after(unit, diff->total).text,
                 wi_format_before_after(WI_UNIT_CALLS, diff->call_count).text);
}

static void add_new_and_gone(wi_summary *summary, const wasm_perf_diff *diff) {
  uint32_t new_count = 0, gone_count = 0;
  for (uint32_t i = 0; i < diff->row_count; i++) {
    new_count += diff->rows[i].is_new;
    gone_count += diff->rows[i].is_gone;
  }
  if (new_count > 0 || gone_count > 0)
    wi_summary_add(summary, "New: %s; gone: %s.", wi_format_quantity(new_count, "function").text,
                   wi_format_count(gone_count).text);
}

static void add_hook_times(wi_summary *summary, const wasm_perf_diff *diff) {
  wi_unit unit = wi_diff_unit(diff);
  const wasm_perf_profile *before = diff->before, *after = diff->after;
  if (before->hook_time == 0 && after->hook_time == 0)
    return;
  uint64_t times[] = {wi_value(&before->header, before->hook_time),
                      wi_value(&after->header, after->hook_time)};
  wi_summary_add(summary, "Taken out: %s of the hooks before, %s after.",
                 wi_format_value(unit, times[0]).text, wi_format_value(unit, times[1]).text);
}

static void add_hidden_calls(wi_summary *summary, const wasm_perf_diff *diff) {
  const wasm_perf_profile *before = diff->before, *after = diff->after;
  if (before->hidden_call_count > 0 || after->hidden_call_count > 0)
    wi_summary_add(summary, "Left out: %s of the host before, %s after.",
                   wi_format_quantity(before->hidden_call_count, "call").text,
                   wi_format_count(after->hidden_call_count).text);
}

/* What makes the two hard to compare. */
static void add_cautions(wi_summary *summary, const wasm_perf_diff *diff) {
  const wasm_perf_header *before = &diff->before->header, *after = &diff->after->header;
  if (diff->unnamed_count.before > 0 || diff->unnamed_count.after > 0)
    wi_summary_add(summary, "Without names, so matched by their numbers: %s before, %s after.",
                   wi_format_quantity(diff->unnamed_count.before, "function").text,
                   wi_format_count(diff->unnamed_count.after).text);
  if (before->recursion != after->recursion)
    wi_summary_add(summary,
                   "Recursive calls are counted in the outer frame of their function only %s.",
                   before->recursion == WASM_PERF_RECURSION_FOLD ? "before" : "after");
  if (before->folded_call_count > 0 || after->folded_call_count > 0)
    wi_summary_add(
        summary,
        "Counted in an outer frame of the same function or in [truncated], past the limit "
        "of nodes: %s before, %s after.",
        wi_format_quantity(before->folded_call_count, "call").text,
        wi_format_count(after->folded_call_count).text);
}

void wi_diff_summary_init(wi_summary *summary, const wasm_perf_diff *diff) {
  summary->line_count = 0;
  add_totals(summary, diff);
  add_new_and_gone(summary, diff);
  add_hook_times(summary, diff);
  add_hidden_calls(summary, diff);
  add_cautions(summary, diff);
}
