#include "report/model/line_split.h"

#include <stdlib.h>

#include "support/arithmetic.h"

/* ---- What there is -------------------------------------------------------- */

static void add_wholes(wi_line_split *split) {
  const wi_tree *tree = split->report->tree;
  for (uint32_t i = 1; i < tree->node_count; i++) {
    uint64_t *whole = &split->labels[tree->nodes[i].label].whole;
    *whole = wi_saturating_add(*whole, tree->nodes[i].self);
  }
  for (uint32_t i = 0; i < split->costs.count; i++) {
    uint64_t *sum = &split->labels[split->costs.items[i].label].line_sum;
    *sum = wi_saturating_add(*sum, split->costs.items[i].line.instruction_count);
  }
  for (uint32_t i = 0; i <= tree->labels.count; i++)
    if (split->labels[i].line_sum > split->labels[i].whole)
      split->labels[i].line_sum = 0;
}

static bool init(wi_line_split *split) {
  const wi_tree *tree = split->report->tree;
  if (split->report->unit != WI_UNIT_INSTRUCTIONS || split->report->profile->lines.count == 0)
    return true;
  split->labels = calloc(tree->labels.count + (size_t)1, sizeof *split->labels);
  if (!split->labels || !wi_line_costs_init(&split->costs, tree, split->report->profile, true))
    return false;
  split->given = calloc(split->costs.count + (size_t)1, sizeof *split->given);
  split->shares = calloc(split->costs.count + (size_t)1, sizeof *split->shares);
  add_wholes(split);
  return split->given && split->shares;
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
  free(split->given);
  free(split->shares);
  *split = (wi_line_split){0};
}

/* ---- Splitting ------------------------------------------------------------ */

static const wi_line_cost *items_of(const wi_line_split *split, uint32_t node, uint32_t *count) {
  const wi_tree_node *it = &split->report->tree->nodes[node];
  *count = 0;
  if (split->costs.count == 0 || it->self == 0 || split->labels[it->label].line_sum == 0)
    return NULL;
  return wi_line_costs_find(&split->costs, it->label, count);
}

uint32_t wi_line_split_count(const wi_line_split *split, uint32_t node) {
  uint32_t count;
  items_of(split, node, &count);
  return count;
}

/* What a part may have up to now, rounded down, beyond what it has; no more than is left. */
static uint64_t take_due(uint64_t part, const wi_label_split *label, uint64_t given,
                         uint64_t *left) {
  uint64_t due = wi_scale(part, label->whole, label->reached);
  uint64_t taken = due <= given ? 0 : due - given < *left ? due - given : *left;
  *left -= taken;
  return taken;
}

/* Whether a part has less than it may have, be it by less than one. */
static bool is_short(uint64_t part, const wi_label_split *label, uint64_t given) {
  return (wi_u128)part * label->reached > (wi_u128)given * label->whole;
}

const wi_line_cost *wi_line_split_next(wi_line_split *split, uint32_t node, uint32_t *count,
                                       uint64_t *rest) {
  const wi_tree_node *it = &split->report->tree->nodes[node];
  const wi_line_cost *items = items_of(split, node, count);
  uint64_t left = *rest = it->self;
  if (!items)
    return NULL;
  wi_label_split *label = &split->labels[it->label];
  uint32_t first = (uint32_t)(items - split->costs.items), end = first + *count;
  label->reached = wi_saturating_add(label->reached, it->self);
  *rest = take_due(label->whole - label->line_sum, label, label->rest_given, &left);
  label->rest_given += *rest;
  for (uint32_t i = first; i < end; i++) {
    const wasm_perf_line *line = &split->costs.items[i].line;
    split->shares[i] = take_due(line->instruction_count, label, split->given[i], &left);
    split->given[i] += split->shares[i];
  }
  for (uint32_t i = first; i < end && left > 0; i++)
    if (is_short(split->costs.items[i].line.instruction_count, label, split->given[i])) {
      split->shares[i]++;
      split->given[i]++;
      left--;
    }
  *rest += left;
  label->rest_given += left;
  return items;
}
