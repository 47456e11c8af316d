#include "report/model/line_split.h"

#include <stdlib.h>

#include "support/arithmetic.h"

/* ---- Collecting ----------------------------------------------------------- */

static void add_wholes(wi_line_split *split) {
  const wi_tree *tree = split->report->tree;
  for (uint32_t i = 0; i <= tree->labels.count; i++)
    split->labels[i].whole = tree->sums[i].self;
  for (uint32_t i = 0; i < split->costs.count; i++) {
    wi_share *rest = &split->labels[split->costs.items[i].label].rest;
    split->shares[i].part = split->costs.items[i].line.instruction_count;
    rest->part = wi_saturating_add(rest->part, split->shares[i].part);
  }
  for (uint32_t i = 0; i <= tree->labels.count;
       i++) { /* a sum of lines above the label's own makes the split invalid */
    wi_division *label = &split->labels[i];
    if (label->rest.part > label->whole)
      label->whole = 0;
    label->rest.part = label->whole - (label->whole ? label->rest.part : 0);
  }
}

static bool init(wi_line_split *split) {
  const wi_tree *tree = split->report->tree;
  if (split->report->unit != WI_UNIT_INSTRUCTIONS || split->report->profile->lines.count == 0)
    return true;
  split->labels = calloc(tree->labels.count + (size_t)1, sizeof *split->labels);
  if (!split->labels || !wi_line_costs_init(&split->costs, tree, split->report->profile, true))
    return false;
  split->shares = calloc(split->costs.count + (size_t)1, sizeof *split->shares);
  if (!split->shares)
    return false;
  add_wholes(split);
  return true;
}

bool wi_line_split_init(wi_line_split *split, const wi_report *report) {
  *split = (wi_line_split){.report = report};
  if (init(split))
    return true;
  wi_line_split_clear(split);
  return false;
}

void wi_line_split_clear(wi_line_split *split) {
  wi_line_costs_clear(&split->costs);
  free(split->labels);
  free(split->shares);
  *split = (wi_line_split){0};
}

/* ---- Splitting ------------------------------------------------------------ */

static const wi_line_cost *items_of(const wi_line_split *split, uint32_t node, uint32_t *count) {
  const wi_tree_node *it = &split->report->tree->nodes[node];
  *count = 0;
  if (split->costs.count == 0 || it->self == 0 || split->labels[it->label].whole == 0)
    return NULL;
  return wi_line_costs_find(&split->costs, it->label, count);
}

uint32_t wi_line_split_count(const wi_line_split *split, uint32_t node) {
  uint32_t count;
  items_of(split, node, &count);
  return count;
}

const wi_line_cost *wi_line_split_next(wi_line_split *split, uint32_t node, uint32_t *count,
                                       uint64_t *rest) {
  const wi_tree_node *it = &split->report->tree->nodes[node];
  const wi_line_cost *items = items_of(split, node, count);
  *rest = it->self;
  if (!items)
    return NULL;
  wi_division *label = &split->labels[it->label];
  wi_division_next(label, &split->shares[items - split->costs.items], *count, it->self);
  *rest = label->rest.last;
  return items;
}
