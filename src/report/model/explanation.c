#include "report/model/explanation.h"

#include <stdlib.h>
#include <string.h>

#include "report/model/report_findings.h"
#include "report/model/shown_findings.h"
#include "support/arithmetic.h"
#include "support/array.h"

/* ---- Functions ------------------------------------------------------------ */

static uint64_t value_of(const wi_explanation *e, uint32_t label) {
  const wi_shown_function *of = &e->shown->of[label];
  if (!e->ranks_calls)
    return of->self;
  return of->calls == WI_SHOWN_UNCOUNTED ? 0 : of->calls;
}

/* Whether a function is listed before another one. */
static bool precedes(const wi_explanation *e, uint32_t a, uint32_t b) {
  uint64_t left = value_of(e, a), right = value_of(e, b);
  const wi_part_function *of = e->shown->functions;
  return left != right ? left > right : strcmp(of[a].name, of[b].name) < 0;
}

/* Puts a function where it belongs among the rows, if it does. */
static void insert(wi_explanation *e, uint32_t label) {
  uint32_t at = e->row_count;
  while (at > 0 && precedes(e, label, e->rows[at - 1]))
    at--;
  if (at == WI_EXPLAINED_FUNCTIONS)
    return;
  if (e->row_count < WI_EXPLAINED_FUNCTIONS)
    e->row_count++;
  memmove(&e->rows[at + 1], &e->rows[at], (e->row_count - 1 - at) * sizeof e->rows[0]);
  e->rows[at] = label;
}

static void find_functions(wi_explanation *e) {
  const wi_shown *shown = e->shown;
  e->ranks_calls = shown->unit == WI_UNIT_CALLS || (shown->totals[0] == 0 && !shown->is_memory);
  for (uint32_t i = 0; i < shown->label_count; i++) {
    e->whole = wi_saturating_add(e->whole, value_of(e, i));
    if (value_of(e, i) > 0)
      insert(e, i);
  }
}

uint32_t wi_explanation_next(const wi_explanation *e) {
  for (uint32_t i = 0; i < e->row_count; i++) {
    const wi_part_function *of = &e->shown->functions[e->rows[i]];
    if (of->kind != WI_COLOR_HOST && !wi_label_is_bracketed(of->name))
      return e->rows[i];
  }
  return WI_FINDING_NO_LABEL;
}

/* ---- The path ------------------------------------------------------------- */

/* The child at which the path continues; 0 if the node's own value exceeds each child's. */
static uint32_t heaviest_child(const wi_shown *shown, uint32_t node) {
  uint32_t best = 0;
  for (uint32_t i = wi_shown_first(shown, node); i != 0; i = wi_shown_next(shown, i))
    if (best == 0 || shown->totals[i] > shown->totals[best])
      best = i;
  return best != 0 && shown->totals[best] > shown->selves[node] ? best : 0;
}

typedef struct path {
  WI_ARRAY(wi_path_step, steps);
} path;

static bool follow(path *found, const wi_shown *shown) {
  for (uint32_t at = heaviest_child(shown, 0); at != 0; at = heaviest_child(shown, at)) {
    wi_path_step *last = found->steps_count ? &found->steps[found->steps_count - 1] : NULL;
    if (last && shown->labels[last->node] == shown->labels[at]) {
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
  bool ok = follow(&found, e->shown);
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

bool wi_explanation_init(wi_explanation *e, const wi_shown *shown, const wi_report *report) {
  *e = (wi_explanation){
      .shown = shown, .report = report, .title = report->title, .summary = &report->summary};
  find_functions(e);
  return find_path(e) && find_lines(e) && wi_report_find(&e->findings, shown, report);
}

bool wi_explanation_init_part(wi_explanation *e, const wi_shown *shown, const char *title,
                              const wi_summary *summary) {
  *e = (wi_explanation){.shown = shown, .title = title, .summary = summary};
  find_functions(e);
  return find_path(e) && wi_shown_find(&e->findings, shown);
}
