#include "report/model/measured.h"

#include <stdlib.h>

#include "support/search.h"

wasm_perf_call_measure wi_shown_call_measure(const wi_report *report) {
  wasm_perf_call_measure measure = report->options.call_measure;
  bool is_there = (report->profile->calls.measures & WASM_PERF_CALL_MEASURE_BIT(measure)) != 0;
  return is_there ? measure : wi_calls_rank(report->profile);
}

wi_short_text wi_format_measured(wi_unit unit, uint64_t value) {
  return unit == WI_UNIT_INSTRUCTIONS ? wi_format_count(value) : wi_format_value(unit, value);
}

wi_short_text wi_format_call(wi_unit unit, uint64_t value) {
  return value == 0 ? (wi_short_text){WI_UNKNOWN_TEXT} : wi_format_measured(unit, value);
}

wi_short_text wi_format_multiple(uint64_t value, uint64_t median) {
  if (median == 0)
    return (wi_short_text){"-"};
  return wi_format_quotient(value, median, value / median < 10);
}

/* ---- Histograms ------------------------------------------------------------ */

static int compare_entries(const void *left, const void *right) {
  const wi_measured_entry *a = left, *b = right;
  if (a->label != b->label)
    return a->label < b->label ? -1 : 1;
  if (a->caller != b->caller)
    return a->caller < b->caller ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

static uint32_t label_of(const wi_measured_calls *calls, uint32_t node) {
  return node == 0 ? WI_NO_LABEL
                   : wi_labels_find(&calls->tree->labels, calls->profile->nodes[node].function);
}

static bool list_entries(wi_measured_calls *calls) {
  const wasm_perf_calls *of = &calls->profile->calls;
  if (!WI_ARRAY_RESERVE(calls, entries, of->histogram_count))
    return false;
  for (uint32_t i = 0; i < of->histogram_count; i++) {
    uint32_t node = of->histograms[i].node;
    if (of->histograms[i].measure == calls->measure)
      calls->entries[calls->entries_count++] = (wi_measured_entry){
          label_of(calls, node), label_of(calls, calls->profile->nodes[node].parent), i};
  }
  if (calls->entries_count > 0)
    qsort(calls->entries, calls->entries_count, sizeof *calls->entries, compare_entries);
  return true;
}

wi_bucket_sums wi_measured_sums(const wi_measured_calls *calls, const wi_measured *row) {
  wi_bucket_sums sums = {.count = 0};
  for (uint32_t i = row->first; i < row->after; i++)
    wi_bucket_sums_add(&sums, &calls->profile->calls.histograms[calls->entries[i].index]);
  return sums;
}

static void set_values(const wi_measured_calls *calls, wi_measured *row) {
  wi_bucket_sums sums = wi_measured_sums(calls, row);
  row->count = sums.count;
  row->p50 = wi_bucket_sums_quantile(&sums, 50, 100);
  row->p90 = wi_bucket_sums_quantile(&sums, 90, 100);
  row->p99 = wi_bucket_sums_quantile(&sums, 99, 100);
  row->most = wi_bucket_sums_most(&sums);
  row->total = wi_bucket_sums_total(&sums);
}

/* ---- Rows ------------------------------------------------------------------ */

/* Adds a row for the entries from `first` on that belong together. Returns false if out of memory. */
static bool add_row(wi_measured_calls *calls, uint32_t first, bool is_caller,
                    uint64_t function_total) {
  const wi_measured_entry *of = &calls->entries[first];
  wi_measured *row = WI_ARRAY_PUSH(calls, rows);
  if (!row)
    return false;
  *row = (wi_measured){.label = of->label,
                       .caller = of->caller,
                       .is_caller = is_caller,
                       .first = first,
                       .after = first};
  while (row->after < calls->entries_count && calls->entries[row->after].label == of->label &&
         (!is_caller || calls->entries[row->after].caller == of->caller))
    row->after++;
  set_values(calls, row);
  row->function_total = is_caller ? function_total : row->total;
  return true;
}

static bool add_rows(wi_measured_calls *calls) {
  uint64_t total = 0;
  uint32_t after = 0;
  for (uint32_t i = 0; i < calls->entries_count; i++) {
    const wi_measured_entry *of = &calls->entries[i];
    if (i == after) {
      if (!add_row(calls, i, false, 0))
        return false;
      after = calls->rows[calls->rows_count - 1].after;
      total = calls->rows[calls->rows_count - 1].total;
    }
    bool is_next = i > 0 && of[-1].label == of->label && of[-1].caller == of->caller;
    if (!is_next && !add_row(calls, i, true, total))
      return false;
  }
  return true;
}

static uint64_t at_most(uint64_t value, uint64_t limit) {
  return value < limit ? value : limit;
}

/*
 * Sets the largest value to a kept call's, which is exact if it is in that bucket. No percentile, which
 * is interpolated, is above it.
 */
static void learn_most(wi_measured *row, uint64_t value) {
  if (wasm_perf_bucket_of(row->most) != wasm_perf_bucket_of(value) ||
      (row->is_exact && row->most > value))
    return;
  row->most = value;
  row->is_exact = true;
  row->p50 = at_most(row->p50, value);
  row->p90 = at_most(row->p90, value);
  row->p99 = at_most(row->p99, value);
}

/* Finds the exact largest values among the kept calls. The rows are in the order of their entries. */
static void find_exact(wi_measured_calls *calls) {
  const wasm_perf_calls *of = &calls->profile->calls;
  for (uint32_t i = 0; i < of->kept_count; i++) {
    uint64_t value = of->kept[i].values[calls->measure];
    uint32_t label = label_of(calls, of->kept[i].node), count, caller_count;
    uint32_t caller = label_of(calls, calls->profile->nodes[of->kept[i].node].parent);
    const wi_measured *rows =
        WI_EQUAL_RANGE(wi_measured, calls->rows, calls->rows_count, label, label, &count);
    if (count == 0 || value == 0)
      continue;
    wi_measured *function = &calls->rows[rows - calls->rows];
    const wi_measured *found =
        WI_EQUAL_RANGE(wi_measured, function + 1, count - 1, caller, caller, &caller_count);
    learn_most(function, value);
    if (found)
      learn_most(&calls->rows[found - calls->rows], value);
  }
}

/* Functions by total, each before its callers, which are by total, too. */
static int compare_rows(const void *left, const void *right) {
  const wi_measured *a = left, *b = right;
  if (a->function_total != b->function_total)
    return a->function_total < b->function_total ? 1 : -1;
  if (a->label != b->label)
    return a->label < b->label ? -1 : 1;
  if (a->is_caller != b->is_caller)
    return a->is_caller - b->is_caller;
  if (a->total != b->total)
    return a->total < b->total ? 1 : -1;
  return (a->caller > b->caller) - (a->caller < b->caller);
}

/* Counts calls that no histogram has: only functions with histograms were measured. */
static void count_unmeasured(wi_measured_calls *calls) {
  for (uint32_t i = 0; i < calls->rows_count; i++) {
    wi_measured *row = &calls->rows[i];
    uint64_t count = calls->tree->sums[row->label].call_count;
    if (!row->is_caller && count > row->count && wi_tree_is_counted(calls->tree, row->label))
      row->unmeasured_count = count - row->count;
  }
}

/* ---- Public functions -------------------------------------------------------- */

bool wi_measured_calls_init(wi_measured_calls *calls, const wi_report *report,
                            wasm_perf_call_measure measure) {
  *calls = (wi_measured_calls){.profile = report->profile,
                               .tree = report->tree,
                               .measure = measure,
                               .unit = wi_call_measure_unit(measure)};
  if (!list_entries(calls) || !add_rows(calls)) {
    wi_measured_calls_clear(calls);
    return false;
  }
  find_exact(calls);
  if (calls->rows_count > 0)
    qsort(calls->rows, calls->rows_count, sizeof *calls->rows, compare_rows);
  count_unmeasured(calls);
  return true;
}

void wi_measured_calls_clear(wi_measured_calls *calls) {
  free(calls->rows);
  free(calls->entries);
}

const wi_measured *wi_measured_row(const wi_measured_calls *calls, const wasm_perf_call *call) {
  uint32_t label = label_of(calls, call->node);
  for (uint32_t i = 0; i < calls->rows_count; i++)
    if (calls->rows[i].label == label && !calls->rows[i].is_caller)
      return &calls->rows[i];
  return NULL;
}

const wasm_perf_call *wi_typical_call(const wasm_perf_profile *profile,
                                      const wasm_perf_call *call) {
  uint32_t function = profile->nodes[call->node].function;
  const wasm_perf_call *found = NULL;
  for (uint32_t i = wi_calls_slow_count(profile); i < profile->calls.kept_count; i++) {
    const wasm_perf_call *of = &profile->calls.kept[i];
    if (profile->nodes[of->node].function == function &&
        (!found || (found->node != call->node && of->node == call->node)))
      found = of;
  }
  return found;
}
