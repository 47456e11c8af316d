#include "report/model/explanation.h"

#include <stdlib.h>
#include <string.h>

#include "support/arithmetic.h"
#include "support/array.h"

/* ---- Functions ------------------------------------------------------------ */

bool wi_explanation_ranks_calls(const wi_report *report) {
  return report->unit == WI_UNIT_CALLS ||
         (report->tree->nodes[0].total == 0 && !wi_view_has_measure(&report->tree->view, NULL));
}

static uint64_t value_of(const wi_report *report, const wi_function_stats *row) {
  return wi_explanation_ranks_calls(report) ? row->call_count : row->self;
}

static int compare_calls(const void *left, const void *right) {
  const wi_function_stats *a = left, *b = right;
  if (a->call_count != b->call_count)
    return a->call_count > b->call_count ? -1 : 1;
  return (a->label > b->label) - (a->label < b->label);
}

static bool find_functions(wi_explanation *e) {
  const wi_tree *tree = e->report->tree;
  e->rows = wi_function_stats_new(tree);
  if (!e->rows)
    return false;
  if (wi_explanation_ranks_calls(e->report))
    qsort(e->rows, tree->labels.count, sizeof *e->rows, compare_calls);
  while (e->row_count < WI_EXPLAINED_FUNCTIONS && e->row_count < tree->labels.count &&
         value_of(e->report, &e->rows[e->row_count]) > 0) {
    wi_function_stats *row = &e->rows[e->row_count++];
    row->note = (wi_time_note)e->report->notes.of[row->label];
  }
  return true;
}

const wi_function_stats *wi_explanation_next(const wi_explanation *e) {
  for (uint32_t i = 0; i < e->row_count; i++)
    if (!wi_tree_is_host(e->report->tree, e->rows[i].label) &&
        !wi_label_is_bracketed(wi_tree_text(e->report->tree, e->rows[i].label)))
      return &e->rows[i];
  return NULL;
}

/* ---- The path ------------------------------------------------------------- */

/* The child at which the path continues; 0 if the node's own value exceeds each child's. */
static uint32_t heaviest_child(const wi_tree *tree, uint32_t node) {
  const wi_tree_node *parent = &tree->nodes[node];
  uint32_t best = 0;
  for (uint32_t i = parent->first_child; i < parent->first_child + parent->child_count; i++)
    if (best == 0 || tree->nodes[i].total > tree->nodes[best].total)
      best = i;
  return best != 0 && tree->nodes[best].total > parent->self ? best : 0;
}

typedef struct path {
  WI_ARRAY(wi_path_step, steps);
} path;

static bool follow(path *found, const wi_tree *tree) {
  for (uint32_t at = heaviest_child(tree, 0); at != 0; at = heaviest_child(tree, at)) {
    wi_path_step *last = found->steps_count ? &found->steps[found->steps_count - 1] : NULL;
    if (last && tree->nodes[last->node].label == tree->nodes[at].label) {
      last->count++;
      continue;
    }
    last = WI_ARRAY_PUSH(found, steps);
    if (!last)
      return false;
    *last = (wi_path_step){at, 1};
  }
  return true;
}

/* Keeps both ends of a long path: where it starts and, above all, where it leads. */
static bool find_path(wi_explanation *e) {
  enum { HEAD = WI_EXPLAINED_STEPS / 3 };
  path found = {0};
  bool ok = follow(&found, e->report->tree);
  uint32_t count = ok ? found.steps_count : 0, skipped = 0;
  if (count > WI_EXPLAINED_STEPS)
    skipped = count - WI_EXPLAINED_STEPS;
  e->skipped_after = skipped > 0 ? HEAD : count;
  for (uint32_t i = 0; i < count; i++)
    if (i < e->skipped_after || i >= e->skipped_after + skipped)
      e->steps[e->step_count++] = found.steps[i];
    else
      e->skipped_count += found.steps[i].count;
  free(found.steps);
  return ok;
}

/* ---- Lines ---------------------------------------------------------------- */

static int compare_lines(const void *left, const void *right) {
  const wi_line_cost *a = left, *b = right;
  if (a->line.instruction_count != b->line.instruction_count)
    return a->line.instruction_count > b->line.instruction_count ? -1 : 1;
  if (a->label != b->label)
    return a->label < b->label ? -1 : 1;
  return (a->line.line > b->line.line) - (a->line.line < b->line.line);
}

static bool find_lines(wi_explanation *e) {
  wi_line_costs costs;
  if (wi_view_has_measure(&e->report->tree->view,
                          NULL)) /* lines have instructions, which say nothing of memory */
    return true;
  if (!wi_line_costs_init(&costs, e->report->tree, e->report->profile, false))
    return false;
  qsort(costs.items, costs.count, sizeof *costs.items, compare_lines);
  for (uint32_t i = 0; i < costs.count; i++) {
    const wi_line_cost *cost = &costs.items[i];
    e->line_whole = wi_saturating_add(e->line_whole, cost->line.instruction_count);
    if (e->line_count < WI_EXPLAINED_LINES && cost->line.file != WASM_PERF_NO_FILE &&
        cost->line.instruction_count > 0)
      e->lines[e->line_count++] = *cost;
  }
  wi_line_costs_clear(&costs);
  return true;
}

/* ---- Entry points --------------------------------------------------------- */

bool wi_explanation_init(wi_explanation *e, const wi_report *report) {
  *e = (wi_explanation){.report = report};
  if (find_functions(e) && find_path(e) && find_lines(e))
    return true;
  wi_explanation_clear(e);
  return false;
}

void wi_explanation_clear(wi_explanation *e) {
  free(e->rows);
  *e = (wi_explanation){0};
}
