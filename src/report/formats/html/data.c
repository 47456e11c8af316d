#include "report/formats/html/data.h"

#include <stdlib.h>
#include <string.h>

#include "profile/measures.h"
#include "report/model/heap.h"
#include "support/child_table.h"

/* ---- Values -------------------------------------------------------------- */

static wi_html_value *add_value(wi_html_data *data, const char *key, wi_unit unit) {
  static const char *const names[] = {[WI_UNIT_CALLS] = "calls",
                                      [WI_UNIT_NANOSECONDS] = "time",
                                      [WI_UNIT_INSTRUCTIONS] = "instructions",
                                      [WI_UNIT_TICKS] = "ticks"};
  wi_html_value *value = &data->values[data->value_count++];
  bool has_name = unit < sizeof names / sizeof *names;
  *value = (wi_html_value){.key = key, .name = has_name ? names[unit] : key, .unit = unit};
  return value;
}

static void add_measure(wi_html_data *data, wasm_perf_measure measure) {
  wi_html_value *value = add_value(data, wasm_perf_measure_name(measure), wi_measure_unit(measure));
  value->name = wi_measure_words(measure);
  value->is_measure = true;
  value->measure = measure;
}

static bool occurs(const wi_html_data *data, wasm_perf_measure measure) {
  for (uint32_t r = 0; r < data->run_count; r++)
    if (wasm_perf_measure_total(data->runs[r].report->profile, measure) > 0)
      return true;
  return false;
}

/* The profile's own value is first: calls if the clock measures nothing. */
static void list_values(wi_html_data *data) {
  const wi_report *first = data->runs[0].report;
  wasm_perf_measure shown = WASM_PERF_MEASURE_COUNT; /* none */
  if (wi_view_has_measure(&first->tree->view, &shown))
    add_measure(data, shown);
  else if (first->unit != WI_UNIT_CALLS)
    add_value(data, "self", first->unit);
  add_value(data, "calls", WI_UNIT_CALLS);
  for (wasm_perf_measure i = 0; i < WASM_PERF_MEASURE_COUNT; i++)
    if (occurs(data, i) && i != shown)
      add_measure(data, i);
}

/* ---- Names of all runs ---------------------------------------------------- */

typedef struct run_label {
  const char *text;
  uint32_t run;
  uint32_t label;
} run_label;

static int compare_texts(const void *left, const void *right) {
  return strcmp(((const run_label *)left)->text, ((const run_label *)right)->text);
}

static void list_labels(const wi_html_data *data, run_label *list) {
  for (uint32_t r = 0; r < data->run_count; r++) {
    const wi_tree *tree = data->runs[r].report->tree;
    for (uint32_t i = 0; i < tree->labels.count; i++)
      *list++ = (run_label){wi_tree_text(tree, i), r, i};
  }
}

static void number_names(wi_html_data *data, const run_label *list, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const wi_html_run *run = &data->runs[list[i].run];
    if (i == 0 || strcmp(list[i].text, list[i - 1].text) != 0)
      data->names[data->name_count++] = list[i].text;
    run->labels[list[i].label] = data->name_count - 1;
    uint8_t kind = (uint8_t)wi_tree_kind(run->report->tree, list[i].label);
    if (data->kinds[data->name_count - 1] < kind)
      data->kinds[data->name_count - 1] = kind;
  }
}

static bool find_names(wi_html_data *data) {
  size_t count = 0;
  for (uint32_t r = 0; r < data->run_count; r++) {
    wi_html_run *run = &data->runs[r];
    run->labels = malloc((run->report->tree->labels.count + (size_t)1) * sizeof *run->labels);
    if (!run->labels)
      return false;
    count += run->report->tree->labels.count;
  }
  run_label *list = malloc((count + 1) * sizeof *list);
  data->names = malloc((count + 1) * sizeof *data->names);
  data->kinds = calloc(count + 1, sizeof *data->kinds);
  bool ok = list && data->names && data->kinds;
  if (ok) {
    list_labels(data, list);
    if (data->run_count > 1) /* the labels of one run are sorted */
      qsort(list, count, sizeof *list, compare_texts);
    number_names(data, list, count);
  }
  free(list);
  return ok;
}

/* ---- Nodes of all runs ---------------------------------------------------- */

/* `places`: per node of the run's tree, its node in the data. */
static void add_run(wi_html_data *data, wi_child_table *table, wi_html_run *run,
                    uint64_t first_order, uint32_t *places) {
  const wi_tree *tree = run->report->tree;
  places[0] = 0;
  for (uint32_t i = 1; i < tree->node_count; i++) {
    const wi_tree_node *node = &tree->nodes[i];
    uint32_t parent = places[node->parent], function = run->labels[node->label];
    uint32_t *place = wi_child_table_at(table, parent, function);
    if (*place == 0) {
      uint32_t added = *place = data->node_count++;
      data->parents[added] = parent;
      data->functions[added] = function;
      data->orders[added] = first_order + node->source;
    }
    places[i] = *place;
  }
}

static uint64_t value_of(const wi_html_value *value, const wi_tree_node *node,
                         const uint64_t *measures) {
  if (value->is_measure)
    return measures ? measures[value->measure] : 0;
  return value->unit == WI_UNIT_CALLS ? node->call_count : node->self;
}

static bool allocate_columns(const wi_html_data *data, wi_html_run *run) {
  for (unsigned v = 0; v < data->value_count; v++) {
    run->columns[v] = calloc(data->node_count, sizeof *run->columns[v]);
    if (!run->columns[v])
      return false;
  }
  return true;
}

static bool fill_columns(const wi_html_data *data, wi_html_run *run, const uint32_t *places) {
  const wi_tree *tree = run->report->tree;
  wi_heap heap;
  if (!allocate_columns(data, run) || !wi_heap_init(&heap, run->report->profile, tree))
    return false;
  for (uint32_t i = 1; i < tree->node_count; i++)
    for (unsigned v = 0; v < data->value_count; v++)
      run->columns[v][places[i]] =
          value_of(&data->values[v], &tree->nodes[i], wi_heap_values(&heap, i));
  wi_heap_clear(&heap);
  return true;
}

static bool allocate_nodes(wi_html_data *data, size_t capacity) {
  data->parents = calloc(capacity, sizeof *data->parents);
  data->functions = calloc(capacity, sizeof *data->functions);
  data->orders = calloc(capacity, sizeof *data->orders);
  return data->parents && data->functions && data->orders;
}

static bool add_nodes(wi_html_data *data) {
  size_t capacity = 1;
  for (uint32_t r = 0; r < data->run_count; r++)
    capacity += data->runs[r].report->tree->node_count;
  wi_child_table *table = capacity < UINT32_MAX / 2 ? wi_child_table_new((uint32_t)capacity) : NULL;
  uint32_t *places = malloc(capacity * sizeof *places); /* runs one after the other */
  bool ok = table && places && allocate_nodes(data, capacity);
  if (ok) {
    uint32_t *at = places;
    uint64_t order = 0;
    data->node_count = 1;
    for (uint32_t r = 0; r < data->run_count; r++) {
      add_run(data, table, &data->runs[r], order, at);
      order += data->runs[r].report->profile->header.node_count;
      at += data->runs[r].report->tree->node_count;
    }
    at = places;
    for (uint32_t r = 0; ok && r < data->run_count; r++) {
      ok = fill_columns(data, &data->runs[r], at);
      at += data->runs[r].report->tree->node_count;
    }
  }
  wi_child_table_free(table);
  data->places = places;
  return ok;
}

/* ---- Order of names ------------------------------------------------------- */

typedef struct name_use {
  uint32_t node_count;
  uint32_t name;
} name_use;

static int compare_uses(const void *left, const void *right) {
  const name_use *a = left;
  const name_use *b = right;
  if (a->node_count != b->node_count)
    return a->node_count > b->node_count ? -1 : 1;
  return (a->name > b->name) - (a->name < b->name);
}

static void renumber(wi_html_data *data, const name_use *uses, uint32_t *places, const char **names,
                     uint8_t *kinds) {
  for (uint32_t i = 0; i < data->name_count; i++) {
    places[uses[i].name] = i;
    names[i] = data->names[uses[i].name];
    kinds[i] = data->kinds[uses[i].name];
  }
  for (uint32_t i = 1; i < data->node_count; i++)
    data->functions[i] = places[data->functions[i]];
  for (uint32_t r = 0; r < data->run_count; r++)
    for (uint32_t i = 0; i < data->runs[r].report->tree->labels.count; i++)
      data->runs[r].labels[i] = places[data->runs[r].labels[i]];
  memcpy(data->names, names, data->name_count * sizeof *names);
  memcpy(data->kinds, kinds, data->name_count * sizeof *kinds);
}

/* Gives frequent functions the small numbers, which pack best. */
static bool sort_names(wi_html_data *data) {
  size_t capacity = data->name_count + (size_t)1;
  name_use *uses = calloc(capacity, sizeof *uses);
  uint32_t *places = calloc(capacity, sizeof *places);
  const char **names = calloc(capacity, sizeof *names);
  uint8_t *kinds = calloc(capacity, sizeof *kinds);
  bool ok = uses && places && names && kinds;
  if (ok) {
    for (uint32_t i = 0; i < data->name_count; i++)
      uses[i].name = i;
    for (uint32_t i = 1; i < data->node_count; i++)
      uses[data->functions[i]].node_count++;
    qsort(uses, data->name_count, sizeof *uses, compare_uses);
    renumber(data, uses, places, names, kinds);
  }
  free(uses);
  free(places);
  free(names);
  free(kinds);
  return ok;
}

/* ---- Public functions ----------------------------------------------------- */

bool wi_html_data_init(wi_html_data *data, const wi_report *reports, uint32_t count) {
  *data = (wi_html_data){.runs = calloc(count, sizeof *data->runs)};
  if (data->runs) {
    data->run_count = count;
    for (uint32_t r = 0; r < count; r++)
      data->runs[r].report = &reports[r];
    list_values(data);
    if (find_names(data) && add_nodes(data) && sort_names(data))
      return true;
  }
  wi_html_data_clear(data);
  return false;
}

void wi_html_data_clear(wi_html_data *data) {
  for (uint32_t r = 0; r < data->run_count; r++) {
    wi_html_run *run = &data->runs[r];
    free(run->labels);
    for (unsigned v = 0; v < WI_HTML_MAX_VALUES; v++)
      free(run->columns[v]);
  }
  free(data->runs);
  free(data->names);
  free(data->kinds);
  free(data->parents);
  free(data->functions);
  free(data->orders);
  free(data->places);
  *data = (wi_html_data){0};
}
