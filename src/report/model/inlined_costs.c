#include "report/model/inlined_costs.h"

#include <stdlib.h>

#include "profile/inlined.h"
#include "support/arithmetic.h"
#include "support/search.h"

static int compare_by_function(const void *left, const void *right) {
  const wi_inlined_cost *a = left, *b = right;
  if (a->label != b->label)
    return a->label < b->label ? -1 : 1;
  return (a->inlined > b->inlined) - (a->inlined < b->inlined);
}

static int compare_by_cost(const void *left, const void *right) {
  const wi_inlined_cost *a = left, *b = right;
  if (a->label != b->label)
    return a->label < b->label ? -1 : 1;
  if (a->instruction_count != b->instruction_count)
    return a->instruction_count > b->instruction_count ? -1 : 1;
  return (a->inlined > b->inlined) - (a->inlined < b->inlined);
}

static void sort_and_merge(wi_inlined_costs *costs) {
  uint32_t count = costs->count;
  if (count == 0)
    return;
  qsort(costs->items, count, sizeof *costs->items, compare_by_function);
  costs->count = 0;
  for (uint32_t i = 0; i < count; i++) {
    wi_inlined_cost *last = costs->count > 0 ? &costs->items[costs->count - 1] : NULL;
    if (last && compare_by_function(last, &costs->items[i]) == 0)
      last->instruction_count =
          wi_saturating_add(last->instruction_count, costs->items[i].instruction_count);
    else
      costs->items[costs->count++] = costs->items[i];
  }
  qsort(costs->items, costs->count, sizeof *costs->items, compare_by_cost);
}

bool wi_inlined_costs_init(wi_inlined_costs *costs, const wi_tree *tree,
                           const wasm_perf_profile *profile) {
  wi_inlined_functions functions;
  *costs = (wi_inlined_costs){
      .items = malloc((profile->lines.count + (size_t)1) * sizeof *costs->items)};
  if (!costs->items || !wi_inlined_functions_init(&functions, profile)) {
    wi_inlined_costs_clear(costs);
    return false;
  }
  for (uint32_t i = 0; i < profile->lines.count; i++) {
    const wasm_perf_line *line = &profile->lines.items[i];
    uint32_t label;
    if (line->inlined > 0 && wi_labels_search(&tree->labels, line->function, &label))
      costs->items[costs->count++] = (wi_inlined_cost){
          label, functions.firsts[functions.of[line->inlined - 1]], line->instruction_count};
  }
  wi_inlined_functions_clear(&functions);
  sort_and_merge(costs);
  return true;
}

void wi_inlined_costs_clear(wi_inlined_costs *costs) {
  free(costs->items);
  *costs = (wi_inlined_costs){0};
}

const wi_inlined_cost *wi_inlined_costs_find(const wi_inlined_costs *costs, uint32_t label,
                                             uint32_t *count) {
  return WI_EQUAL_RANGE(wi_inlined_cost, costs->items, costs->count, label, label, count);
}
