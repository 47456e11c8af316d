#include "report/diff/change.h"

#include <stdio.h>

#include "profile/view.h"
#include "support/arithmetic.h"

wi_unit wi_diff_unit(const wasm_perf_diff *diff) {
  return wi_view_of(diff->before, diff->value).unit;
}

#define MAX_TIMES 99999u /* beyond this, a percentage is meaningless */

uint64_t wi_change_size(wasm_perf_change change) {
  return change.after > change.before ? change.after - change.before : change.before - change.after;
}

uint64_t wi_change_error(wasm_perf_change change, wasm_perf_change periods) {
  return wi_square_root((double)change.before * (double)periods.before +
                        (double)change.after * (double)periods.after);
}

static bool is_only_in(uint64_t calls, uint64_t other_calls, uint64_t other_total) {
  return calls > 0 && other_calls == 0 && other_total == 0;
}

void wi_diff_row_count(wasm_perf_diff_row *row, bool is_counted, wasm_perf_change call_count) {
  row->is_uncounted = !is_counted;
  row->call_count = is_counted ? call_count : (wasm_perf_change){0};
  row->is_new = is_only_in(row->call_count.after, row->call_count.before, row->total.before);
  row->is_gone = is_only_in(row->call_count.before, row->call_count.after, row->total.after);
}

static wi_short_text with_sign(wasm_perf_change change, wi_short_text text) {
  wi_short_text result;
  const char *sign = change.after > change.before ? "+" : change.after < change.before ? "-" : "";
  snprintf(result.text, sizeof result.text, "%s%.60s", sign, text.text);
  return result;
}

wi_short_text wi_format_change(wasm_perf_change change, wi_display_unit unit) {
  return with_sign(change, wi_format_in(unit, wi_change_size(change)));
}

bool wi_change_has_percentage(wasm_perf_change change, uint64_t whole) {
  return whole > 0 && wi_change_size(change) / whole <= MAX_TIMES;
}

wi_short_text wi_format_change_of(wasm_perf_change change, uint64_t whole) {
  if (change.before == change.after)
    return (wi_short_text){"0"};
  if (!wi_change_has_percentage(change, whole))
    return (wi_short_text){"-"};
  uint64_t size = wi_change_size(change);
  uint64_t times = size / whole;
  uint64_t halves = wi_scale(size % whole, whole, 20000); /* of a hundredth of a percent */
  return with_sign(change, wi_format_quotient(times * 10000 + (halves + 1) / 2, 100, 2));
}

wi_long_text wi_format_before_after(wi_unit unit, wasm_perf_change change) {
  wi_long_text result;
  size_t size = sizeof result.text;
  int length =
      snprintf(result.text, size, "%s \xE2\x86\x92 %s", wi_format_value(unit, change.before).text,
               wi_format_value(unit, change.after).text);
  if (wi_change_has_percentage(change, change.before))
    snprintf(result.text + length, size - (size_t)length, ", %s %%",
             wi_format_change_of(change, change.before).text);
  return result;
}
