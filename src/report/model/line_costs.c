#include "report/model/line_costs.h"

#include <stdlib.h>

#include "support/search.h"

static int compare_costs(const void *left, const void *right) {
  const wi_line_cost *a = left, *b = right;
  if (a->label != b->label)
    return a->label < b->label ? -1 : 1;
  if (a->line.file != b->line.file)
    return a->line.file < b->line.file ? -1 : 1;
  return (a->line.line > b->line.line) - (a->line.line < b->line.line);
}

bool wi_line_costs_init(wi_line_costs *costs, const wi_tree *tree,
                        const wasm_perf_profile *profile) {
  *costs =
      (wi_line_costs){.items = malloc((profile->lines.count + (size_t)1) * sizeof *costs->items)};
  for (uint32_t i = 0; costs->items && i < profile->lines.count; i++) {
    const wasm_perf_line *line = &profile->lines.items[i];
    uint32_t label;
    if (wi_labels_search(&tree->labels, line->function, &label))
      costs->items[costs->count++] = (wi_line_cost){label, *line};
  }
  if (costs->count > 0)
    qsort(costs->items, costs->count, sizeof *costs->items, compare_costs);
  return costs->items != NULL;
}

void wi_line_costs_clear(wi_line_costs *costs) {
  free(costs->items);
  *costs = (wi_line_costs){0};
}

const wi_line_cost *wi_line_costs_find(const wi_line_costs *costs, uint32_t label,
                                       uint32_t *count) {
  uint32_t first = WI_LOWER_BOUND(wi_line_cost, costs->items, costs->count, label, label);
  uint32_t end =
      WI_LOWER_BOUND(wi_line_cost, costs->items, costs->count, label, label + UINT64_C(1));
  *count = end - first;
  return *count != 0 ? costs->items + first : NULL;
}
