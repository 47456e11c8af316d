#include "report/diff/diff_findings.h"

#include <stdio.h>

#include "support/arithmetic.h"

#define LEAST_PART 50u
#define MINUS      "\xE2\x88\x92" /* U+2212 */

static const char *sign_of(wasm_perf_change change) {
  return change.after > change.before ? "+" : MINUS;
}

/* The change as a percentage of `before`, which is not 0; in tenths only if it is less than that. */
static wi_short_text percentage_of(wasm_perf_change change) {
  uint64_t size = wi_change_size(change), steps = size < change.before ? 1000 : 100;
  uint64_t times = size / change.before;
  uint64_t halves = wi_scale(size % change.before, change.before, 2 * steps);
  uint64_t whole = times <= UINT64_MAX / steps ? times * steps : UINT64_MAX;
  return wi_format_quotient(wi_saturating_add(whole, (halves + 1) / 2), steps / 100,
                            steps == 1000 ? 1 : 0);
}

wi_long_text wi_diff_headline(wi_unit unit, wasm_perf_change total) {
  wi_long_text text;
  char relation[80] = "the same";
  if (total.before != total.after && total.before == 0)
    snprintf(relation, sizeof relation, "all new");
  else if (total.before != total.after && total.after == 0)
    snprintf(relation, sizeof relation, "all gone");
  else if (total.before != total.after)
    snprintf(relation, sizeof relation, "%s %% %s", percentage_of(total).text,
             total.after > total.before ? "more" : "less");
  snprintf(text.text, sizeof text.text, "%s: %s \xE2\x86\x92 %s", relation,
           wi_format_value(unit, total.before).text, wi_format_value(unit, total.after).text);
  return text;
}

wi_long_text wi_diff_finding(wi_unit unit, wasm_perf_change self) {
  wi_long_text text;
  char relation[80] = "new";
  if (self.before > 0 && self.after == 0)
    snprintf(relation, sizeof relation, "gone");
  else if (self.before > 0)
    snprintf(relation, sizeof relation, "%s%s %%", sign_of(self), percentage_of(self).text);
  snprintf(text.text, sizeof text.text, "%s%s (%s)", sign_of(self),
           wi_format_short(unit, wi_change_size(self)).text, relation);
  return text;
}

/* Puts a row into its place among the largest changes so far. */
static void insert(const wasm_perf_diff *diff, uint32_t row, uint32_t *rows, unsigned *count) {
  uint64_t size = wi_change_size(diff->rows[row].self);
  unsigned at = *count;
  while (at > 0 && wi_change_size(diff->rows[rows[at - 1]].self) < size)
    at--;
  if (at == WI_DIFF_FINDINGS)
    return;
  *count += *count < WI_DIFF_FINDINGS;
  for (unsigned i = *count - 1; i > at; i--)
    rows[i] = rows[i - 1];
  rows[at] = row;
}

unsigned wi_diff_find(const wasm_perf_diff *diff, uint32_t rows[WI_DIFF_FINDINGS]) {
  uint64_t sum = 0;
  unsigned count = 0;
  for (uint32_t i = 0; i < diff->row_count; i++) {
    uint64_t size = wi_change_size(diff->rows[i].self);
    sum = wi_saturating_add(sum, size);
    if (size > 0)
      insert(diff, i, rows, &count);
  }
  while (count > 1 &&
         wi_scale(wi_change_size(diff->rows[rows[count - 1]].self), sum, LEAST_PART) == 0)
    count--;
  return count;
}
