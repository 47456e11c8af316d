/* Compares two profiles: one row per function. */
#include "wasm_perf/diff.h"

#include <stdlib.h>
#include <string.h>

#include "profile/mismatch.h"
#include "report/diff/change.h"
#include "report/model/function_stats.h"
#include "report/model/labels.h"
#include "report/model/sampling.h"

/* ---- Functions ----------------------------------------------------------- */

/* The functions of one profile, in order of their labels. */
typedef struct function_list {
  wi_tree *tree;
  wi_function_stats *rows;
} function_list;

static int compare_by_label(const void *left, const void *right) {
  uint32_t a = ((const wi_function_stats *)left)->label;
  uint32_t b = ((const wi_function_stats *)right)->label;
  return (a > b) - (a < b);
}

static bool list_functions(function_list *list, const wi_view *view,
                           const wi_identity *identities) {
  list->tree = wi_tree_new_matched(view, WI_NO_DEPTH_LIMIT, 0, identities);
  list->rows = list->tree ? wi_function_stats_new(list->tree) : NULL;
  if (!list->rows)
    return false;
  qsort(list->rows, list->tree->labels.count, sizeof *list->rows, compare_by_label);
  return true;
}

static void list_clear(function_list *list) {
  wi_tree_free(list->tree);
  free(list->rows);
}

/* Hosts may also name such a function by its number. */
static bool is_unnamed(const char *name) {
  return !name || *name == 0 || wi_label_is_number(name, NULL);
}

static uint32_t count_unnamed(const wasm_perf_profile *profile, const wi_labels *labels) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < labels->functions.count; i++) {
    const char *name = wasm_perf_profile_name(profile, labels->functions.items[i]);
    count += labels->functions.items[i] != WASM_PERF_FUNCTION_TRUNCATED && is_unnamed(name);
  }
  return count;
}

/*
 * `before` or `after` is NULL if the function does not occur there. Returns false if memory ran
 * out.
 */
static bool add_row(wasm_perf_diff *diff, const char *name, bool counts_calls,
                    const wi_function_stats *before, const wi_function_stats *after) {
  static const wi_function_stats none = {0};
  wasm_perf_diff_row *row = &diff->rows[diff->row_count];
  row->name = strdup(name);
  before = before ? before : &none;
  after = after ? after : &none;
  row->self = (wasm_perf_change){before->self, after->self};
  row->total = (wasm_perf_change){before->total, after->total};
  wi_diff_row_count(row, counts_calls && !before->is_uncounted && !after->is_uncounted,
                    (wasm_perf_change){before->call_count, after->call_count});
  diff->row_count += row->name != NULL;
  return row->name != NULL;
}

static bool match_functions(wasm_perf_diff *diff, const function_list *before,
                            const function_list *after) {
  const wi_labels *a = &before->tree->labels;
  const wi_labels *b = &after->tree->labels;
  diff->rows = calloc((size_t)a->count + b->count + 1, sizeof *diff->rows);
  bool counts_calls = wi_tree_counts_calls(before->tree) && wi_tree_counts_calls(after->tree);
  bool ok = diff->rows != NULL;
  for (uint32_t i = 0, j = 0; ok && (i < a->count || j < b->count);) {
    int order = i == a->count ? 1 : j == b->count ? -1 : wi_labels_compare(a, i, b, j);
    ok = add_row(diff, order < 0 ? a->texts[i] : b->texts[j], counts_calls,
                 order <= 0 ? &before->rows[i] : NULL, order >= 0 ? &after->rows[j] : NULL);
    i += order <= 0;
    j += order >= 0;
  }
  return ok;
}

static bool compare(wasm_perf_diff *diff) {
  function_list before = {0}, after = {0};
  const wi_view views[] = {wi_view_of(diff->before, diff->value),
                           wi_view_of(diff->after, diff->value)};
  wi_identity **identities =
      wi_identities_new((const wasm_perf_profile *[]){diff->before, diff->after}, 2);
  bool ok = identities && list_functions(&before, &views[0], identities[0]) &&
            list_functions(&after, &views[1], identities[1]) &&
            match_functions(diff, &before, &after);
  wi_identities_free(identities, 2);
  if (ok) {
    diff->total = (wasm_perf_change){before.tree->nodes[0].total, after.tree->nodes[0].total};
    diff->call_count = (wasm_perf_change){before.tree->call_count, after.tree->call_count};
    diff->sample_period =
        (wasm_perf_change){wi_sample_period(before.tree), wi_sample_period(after.tree)};
    diff->unnamed_count.before = count_unnamed(diff->before, &before.tree->labels);
    diff->unnamed_count.after = count_unnamed(diff->after, &after.tree->labels);
    diff->namesake_count.before = wi_labels_namesake_count(&before.tree->labels);
    diff->namesake_count.after = wi_labels_namesake_count(&after.tree->labels);
  }
  list_clear(&before);
  list_clear(&after);
  return ok;
}

wasm_perf_diff *wasm_perf_diff_new(const wasm_perf_profile *before, const wasm_perf_profile *after,
                                   wasm_perf_value value, wasm_perf_mismatch *mismatch) {
  const wi_view views[] = {wi_view_of(before, value), wi_view_of(after, value)};
  if (!wi_views_match(&views[0], &views[1], 1, mismatch))
    return NULL;
  wasm_perf_diff *diff = calloc(1, sizeof *diff);
  if (diff) {
    diff->before = before;
    diff->after = after;
    diff->value = value;
    if (compare(diff))
      return diff;
  }
  wasm_perf_diff_free(diff);
  wi_mismatch_set(mismatch, 2, "out of memory");
  return NULL;
}

void wasm_perf_diff_free(wasm_perf_diff *diff) {
  if (!diff)
    return;
  for (uint32_t i = 0; i < diff->row_count; i++)
    free((char *)diff->rows[i].name);
  free(diff->rows);
  free(diff);
}
