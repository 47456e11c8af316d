#include "report/formats/html/findings.h"

#include <stdlib.h>
#include <string.h>

#include "report/model/report_findings.h"

/* ---- JSON -------------------------------------------------------------------- */

static void write_finding(wi_json *json, const wi_finding *finding, const uint32_t *order) {
  wi_json_open(json, NULL, '[');
  if (finding->label == WI_FINDING_NO_LABEL)
    wi_json_literal(json, NULL, "-1");
  else
    wi_json_integer(json, NULL, finding->label);
  wi_json_integer(json, NULL, order ? order[finding->node] : finding->node);
  wi_json_string(json, NULL, finding->before);
  wi_json_string(json, NULL, finding->after);
  if (finding->end > 0)
    wi_json_integer(json, NULL, finding->end);
  wi_json_close(json, ']');
}

void wi_html_finding_list_write(wi_json *json, const wi_findings *findings, const uint32_t *order) {
  wi_json_open(json, "findings", '[');
  for (unsigned i = 0; i < findings->count; i++)
    write_finding(json, &findings->list[i], order);
  wi_json_close(json, ']');
}

/* ---- The first view ---------------------------------------------------------- */

/* What is only summed for the findings; owned. */
typedef struct first_view {
  uint64_t *calls;       /* per node */
  uint64_t *short_lived; /* per name */
  uint64_t *allocated;
  uint8_t *notes;
} first_view;

static int value_index(const wi_html_data *data, const char *key) {
  for (unsigned v = 0; v < data->value_count; v++)
    if (strcmp(data->values[v].key, key) == 0)
      return (int)v;
  return -1;
}

static void sum_by_name(const wi_html_data *data, const char *key, uint64_t *sums) {
  int value = value_index(data, key);
  for (uint32_t i = 1; value >= 0 && i < data->node_count; i++)
    sums[data->functions[i]] += data->runs[0].columns[value][i];
}

static void fill(first_view *view, const wi_html_data *data) {
  const wi_html_run *run = &data->runs[0];
  const wi_tree *tree = run->report->tree;
  int calls = value_index(data, "calls");
  bool counts = calls >= 0 && wi_tree_counts_calls(tree);
  for (uint32_t i = 1; i < data->node_count; i++)
    view->calls[i] = counts ? run->columns[calls][i] : WI_SHOWN_UNCOUNTED;
  for (uint32_t i = 0; i < tree->labels.count; i++)
    view->notes[run->labels[i]] = run->report->notes.of[i];
  for (uint32_t i = 1; counts && i < tree->node_count; i++)
    if (!wi_tree_is_counted(tree, tree->nodes[i].label))
      view->calls[data->places[i]] = WI_SHOWN_UNCOUNTED;
  sum_by_name(data, wasm_perf_measure_name(WASM_PERF_MEASURE_TEMPORARY_OBJECTS), view->short_lived);
  sum_by_name(data, wasm_perf_measure_name(WASM_PERF_MEASURE_ALLOCATED_OBJECTS), view->allocated);
}

static bool find_in(wi_findings *findings, const wi_html_data *data, const first_view *view,
                    const wi_part_function *functions) {
  const wi_html_value *value = &data->values[0];
  wi_shown shown = {.node_count = data->node_count,
                    .label_count = data->name_count,
                    .parents = data->parents,
                    .labels = data->functions,
                    .selves = data->runs[0].columns[0],
                    .calls = view->calls,
                    .functions = functions,
                    .notes = value->is_measure ? NULL : view->notes,
                    .short_lived = value->is_measure ? view->short_lived : NULL,
                    .allocated = view->allocated,
                    .unit = value->unit,
                    .sample_period = wi_sample_period(data->runs[0].report->tree),
                    .is_memory = value->is_measure,
                    .has_all_calls = !value->is_measure};
  if (!wi_shown_sum(&shown))
    return false;
  bool done = wi_findings_find(findings, &shown);
  wi_shown_clear(&shown);
  return done;
}

/* Adds what only the profile knows. */
static bool find_more(wi_findings *findings, const wi_html_run *run) {
  wi_findings more;
  if (!wi_report_find_more(&more, run->report))
    return false;
  for (unsigned i = 0; i < more.count; i++)
    more.list[i].label = run->labels[more.list[i].label];
  wi_findings_put(findings, &more);
  return true;
}

bool wi_html_findings_write(wi_json *json, const wi_html_data *data,
                            const wi_part_function *functions, const uint32_t *order) {
  if (data->run_count > 1)
    return true;
  size_t names = data->name_count + (size_t)1;
  wi_findings findings;
  first_view view = {.calls = calloc(data->node_count, sizeof *view.calls),
                     .short_lived = calloc(names, sizeof *view.short_lived),
                     .allocated = calloc(names, sizeof *view.allocated),
                     .notes = calloc(names, sizeof *view.notes)};
  bool done = view.calls && view.short_lived && view.allocated && view.notes;
  if (done) {
    fill(&view, data);
    done = find_in(&findings, data, &view, functions) && find_more(&findings, &data->runs[0]);
  }
  if (done)
    wi_html_finding_list_write(json, &findings, order);
  free(view.calls);
  free(view.short_lived);
  free(view.allocated);
  free(view.notes);
  return done;
}
