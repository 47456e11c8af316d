#include "report/diff/diff_findings.h"

#include <stdio.h>
#include <string.h>

#include "report/model/holdings.h"
#include "support/arithmetic.h"

#define LEAST_PART   50u
#define LEAST_COMMON 4u             /* of so many functions, one is in both profiles of a program */
#define MINUS        "\xE2\x88\x92" /* U+2212 */

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

/* How many functions matter, and how many of them both profiles have. */
typedef struct common_functions {
  uint32_t count, common_count;
} common_functions;

static bool is_large(uint64_t self, uint64_t total) {
  return self > 0 && self >= total / LEAST_PART;
}

/* Without counted calls, a function with few samples may have none in another run by chance. */
static common_functions find_common(const wasm_perf_diff *diff) {
  common_functions found = {0};
  for (uint32_t i = 0; i < diff->row_count; i++) {
    const wasm_perf_diff_row *row = &diff->rows[i];
    bool is_before = row->total.before > 0 || row->call_count.before > 0;
    bool is_after = row->total.after > 0 || row->call_count.after > 0;
    if (row->is_uncounted && !is_large(row->self.before, diff->total.before) &&
        !is_large(row->self.after, diff->total.after))
      continue;
    found.count += is_before || is_after;
    found.common_count += is_before && is_after;
  }
  return found;
}

wi_long_text wi_diff_headline(const wasm_perf_diff *diff, wi_unit unit) {
  wasm_perf_change total = diff->total;
  common_functions functions = find_common(diff);
  wi_long_text text;
  char relation[180] = "the same";
  if (total.before != total.after && total.before == 0)
    snprintf(relation, sizeof relation, "none before");
  else if (total.before != total.after && total.after == 0)
    snprintf(relation, sizeof relation, "none after");
  else if (functions.common_count < functions.count / LEAST_COMMON)
    snprintf(relation, sizeof relation, "different programs? %s of %s in common",
             wi_format_count(functions.common_count).text,
             wi_format_quantity(functions.count, "function").text);
  else if (total.before != total.after)
    snprintf(relation, sizeof relation, "%s %% %s", percentage_of(total).text,
             total.after > total.before ? "more" : "less");
  snprintf(text.text, sizeof text.text, "%s: %s \xE2\x86\x92 %s", relation,
           wi_format_value(unit, total.before).text, wi_format_value(unit, total.after).text);
  return text;
}

wi_long_text wi_diff_finding(const wasm_perf_diff *diff, const wasm_perf_diff_row *row,
                             wi_unit unit) {
  wasm_perf_change self = row->self;
  uint64_t error = wi_change_error(self, diff->sample_period);
  char deviation[80] = "";
  wi_long_text text;
  char relation[80];
  if (self.before == 0)
    strcpy(relation, row->is_new ? "new" : "none before");
  else if (self.after == 0)
    strcpy(relation, row->is_gone ? "gone" : "none after");
  else
    snprintf(relation, sizeof relation, "%s%s %%", sign_of(self), percentage_of(self).text);
  if (error > 0)
    snprintf(deviation, sizeof deviation, " \xC2\xB1 %s", wi_format_short(unit, error).text);
  snprintf(text.text, sizeof text.text, "%s%s%s (%s)", sign_of(self),
           wi_format_short(unit, wi_change_size(self)).text, deviation, relation);
  return text;
}

static bool find_holdings(wi_holdings *holdings, const wasm_perf_profile *profile,
                          wasm_perf_value value) {
  const wasm_perf_report_options options = {.value = value};
  wi_report report;
  if (!wi_report_init(&report, profile, &options, WI_STACKS_WHOLE))
    return false;
  bool done = wi_holdings_init(holdings, &report);
  wi_report_clear(&report);
  return done;
}

wi_long_text wi_diff_holder(const wasm_perf_diff *diff) {
  wi_long_text text = {""};
  wi_holdings before, after;
  const wi_view view = wi_view_of(diff->after, diff->value);
  if (!wi_view_has_measure(&view, NULL) || !find_holdings(&before, diff->before, diff->value))
    return text;
  if (find_holdings(&after, diff->after, diff->value)) {
    uint64_t growth;
    const wi_holding *most = wi_holdings_compare(&before, &after, &growth);
    if (most)
      snprintf(text.text, sizeof text.text, "+%s live at the end: %.150s, called in %.70s",
               wi_format_value(WI_UNIT_BYTES, growth).text, most->text, most->name);
    wi_holdings_clear(&after);
  }
  wi_holdings_clear(&before);
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
