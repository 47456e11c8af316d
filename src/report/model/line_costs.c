#include "report/model/line_costs.h"

#include <stdlib.h>

#include "support/arithmetic.h"
#include "support/search.h"

static int compare_costs(const void *left, const void *right) {
  const wi_line_cost *a = left, *b = right;
  if (a->label != b->label)
    return a->label < b->label ? -1 : 1;
  if (a->line.file != b->line.file)
    return a->line.file < b->line.file ? -1 : 1;
  if (a->line.line != b->line.line)
    return a->line.line < b->line.line ? -1 : 1;
  return (a->line.inlined > b->line.inlined) - (a->line.inlined < b->line.inlined);
}

static bool is_same_line(const wi_line_cost *a, const wi_line_cost *b) {
  return a->label == b->label && a->line.file == b->line.file && a->line.line == b->line.line &&
         a->line.inlined == b->line.inlined;
}

static void add_cost(wasm_perf_line *to, const wasm_perf_line *from) {
  to->execution_count = wi_saturating_add(to->execution_count, from->execution_count);
  to->instruction_count = wi_saturating_add(to->instruction_count, from->instruction_count);
  to->call_count = wi_saturating_add(to->call_count, from->call_count);
}

static void sort_and_merge(wi_line_costs *costs) {
  uint32_t count = costs->count;
  if (count > 0)
    qsort(costs->items, count, sizeof *costs->items, compare_costs);
  costs->count = 0;
  for (uint32_t i = 0; i < count; i++) {
    wi_line_cost *last = costs->count > 0 ? &costs->items[costs->count - 1] : NULL;
    if (last && is_same_line(last, &costs->items[i]))
      add_cost(&last->line, &costs->items[i].line);
    else
      costs->items[costs->count++] = costs->items[i];
  }
}

bool wi_line_costs_init(wi_line_costs *costs, const wi_tree *tree, const wasm_perf_profile *profile,
                        bool by_inlined) {
  *costs =
      (wi_line_costs){.items = malloc((profile->lines.count + (size_t)1) * sizeof *costs->items),
                      .by_inlined = by_inlined};
  for (uint32_t i = 0; costs->items && i < profile->lines.count; i++) {
    wi_line_cost cost = {.line = profile->lines.items[i]};
    if (!by_inlined)
      cost.line.inlined = 0;
    if (wi_labels_search(&tree->labels, cost.line.function, &cost.label))
      costs->items[costs->count++] = cost;
  }
  if (costs->items)
    sort_and_merge(costs);
  return costs->items != NULL;
}

void wi_line_costs_clear(wi_line_costs *costs) {
  free(costs->items);
  *costs = (wi_line_costs){0};
}

const wi_line_cost *wi_line_costs_find(const wi_line_costs *costs, uint32_t label,
                                       uint32_t *count) {
  return WI_EQUAL_RANGE(wi_line_cost, costs->items, costs->count, label, label, count);
}

uint32_t wi_line_costs_index(const wi_line_costs *costs, const wi_tree *tree,
                             const wasm_perf_line *line) {
  wi_line_cost key = {.line = *line};
  if (!costs->by_inlined)
    key.line.inlined = 0;
  if (!wi_labels_search(&tree->labels, line->function, &key.label))
    return UINT32_MAX;
  uint32_t index =
      wi_lower_bound(&key, costs->items, costs->count, sizeof *costs->items, compare_costs);
  bool is_there = index < costs->count && is_same_line(&key, &costs->items[index]);
  return is_there ? index : UINT32_MAX;
}
