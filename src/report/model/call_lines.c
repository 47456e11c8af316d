#include "report/model/call_lines.h"

#include <stdlib.h>

#include "support/arithmetic.h"
#include "support/search.h"

static int compare_edges(const void *left, const void *right) {
  const wi_call_line *a = left, *b = right;
  if (a->caller != b->caller)
    return a->caller < b->caller ? -1 : 1;
  return (a->callee > b->callee) - (a->callee < b->callee);
}

static int compare_lines(const void *left, const void *right) {
  const wi_call_line *a = left, *b = right;
  int order = compare_edges(a, b);
  return order ? order : (a->item > b->item) - (a->item < b->item);
}

static void sort_and_merge(wi_call_lines *lines) {
  uint32_t count = lines->count;
  if (count > 0)
    qsort(lines->items, count, sizeof *lines->items, compare_lines);
  lines->count = 0;
  for (uint32_t i = 0; i < count; i++) {
    wi_call_line *last = lines->count > 0 ? &lines->items[lines->count - 1] : NULL;
    if (last && compare_lines(last, &lines->items[i]) == 0)
      last->call_count = wi_saturating_add(last->call_count, lines->items[i].call_count);
    else
      lines->items[lines->count++] = lines->items[i];
  }
}

bool wi_call_lines_init(wi_call_lines *lines, const wi_tree *tree, const wasm_perf_profile *profile,
                        const wi_line_costs *costs) {
  const wasm_perf_lines *from = &profile->lines;
  *lines = (wi_call_lines){.items = malloc((from->call_count + (size_t)1) * sizeof *lines->items)};
  if (!lines->items)
    return false;
  for (uint32_t i = 0; i < from->call_count; i++) {
    const wasm_perf_line_call *call = &from->calls[i];
    wi_call_line line = {.item = wi_line_costs_index(costs, tree, &from->items[call->line]),
                         .callee = WASM_PERF_ANY_CALLEE,
                         .call_count = call->call_count};
    bool is_known = line.item != UINT32_MAX && call->call_count > 0 &&
                    (call->callee == WASM_PERF_ANY_CALLEE ||
                     wi_labels_search(&tree->labels, call->callee, &line.callee));
    if (!is_known)
      continue;
    line.caller = costs->items[line.item].label;
    lines->items[lines->count++] = line;
  }
  sort_and_merge(lines);
  return true;
}

void wi_call_lines_clear(wi_call_lines *lines) {
  free(lines->items);
  *lines = (wi_call_lines){0};
}

static uint32_t lower_bound(const wi_call_lines *lines, const wi_call_line *key) {
  return wi_lower_bound(key, lines->items, lines->count, sizeof *lines->items, compare_edges);
}

const wi_call_line *wi_call_lines_find(const wi_call_lines *lines, uint32_t caller, uint32_t callee,
                                       uint32_t *count) {
  const uint32_t callees[] = {callee, WASM_PERF_ANY_CALLEE};
  *count = 0;
  for (unsigned i = 0; i < 2; i++) {
    wi_call_line key = {.caller = caller, .callee = callees[i]};
    uint32_t first = lower_bound(lines, &key);
    while (first + *count < lines->count && compare_edges(&key, &lines->items[first + *count]) == 0)
      ++*count;
    if (*count > 0)
      return &lines->items[first];
  }
  return NULL;
}

uint64_t wi_call_lines_part(const wi_call_line *lines, uint32_t count, uint32_t index,
                            uint64_t value) {
  uint64_t before = 0, whole = 0;
  for (uint32_t i = 0; i < count; i++) {
    before = i == index ? whole : before;
    whole = wi_saturating_add(whole, lines[i].call_count);
  }
  uint64_t end = wi_saturating_add(before, lines[index].call_count);
  return wi_scale(end, whole, value) - wi_scale(before, whole, value);
}
