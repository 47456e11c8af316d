#include "report/model/sample_values.h"

#include "profile/measures.h"

/*
 * The values of a memory profile: X(name, measure). Readers of heap profiles expect the first
 * four.
 */
#define HEAP_VALUES(X)                                                                             \
  X("alloc_objects", ALLOCATED_OBJECTS)                                                            \
  X("alloc_space", ALLOCATED_BYTES)                                                                \
  X("inuse_objects", LIVE_OBJECTS)                                                                 \
  X("inuse_space", LIVE_BYTES)                                                                     \
  X("peak_objects", PEAK_OBJECTS)                                                                  \
  X("peak_space", PEAK_BYTES)                                                                      \
  X("resized_objects", RESIZED_OBJECTS)                                                            \
  X("temporary_objects", TEMPORARY_OBJECTS)                                                        \
  X("grown_pages", GROWN_PAGES)                                                                    \
  X("refused_pages", REFUSED_PAGES)                                                                \
  X("gc_objects", GC_OBJECTS)                                                                      \
  X("gc_space", GC_BYTES)                                                                          \
  X("bulk_bytes", BULK_BYTES)                                                                      \
  X("bulk_elements", BULK_ELEMENTS)

enum { INUSE_SPACE = 3 }; /* index of that value */

/* In the order of these values. */
static const wasm_perf_measure heap_measures[] = {
#define HEAP_MEASURE(name, measure) WASM_PERF_MEASURE_##measure,
    HEAP_VALUES(HEAP_MEASURE)
#undef HEAP_MEASURE
};

_Static_assert(sizeof heap_measures / sizeof *heap_measures == WASM_PERF_MEASURE_COUNT,
               "each measure has a name for readers of samples");

static void add_type(wi_sample_values *values, const char *name, const char *unit) {
  values->types[values->type_count++] = (wi_value_type){name, unit};
}

static void add_heap_types(wi_sample_values *values) {
  wasm_perf_measure shown = WASM_PERF_MEASURE_COUNT; /* none */
  wi_view_has_measure(&values->report->tree->view, &shown);
#define HEAP_TYPE(name, measure)                                                                   \
  if (shown == WASM_PERF_MEASURE_##measure)                                                        \
    values->shown_type = values->type_count;                                                       \
  add_type(values, name,                                                                           \
           wi_measure_unit(WASM_PERF_MEASURE_##measure) == WI_UNIT_BYTES ? "bytes" : "count");
  HEAP_VALUES(HEAP_TYPE)
#undef HEAP_TYPE
  if (shown == WASM_PERF_MEASURE_PEAK_BYTES)
    values->shown_type = values->clock_type_count + INUSE_SPACE; /* as in heap profiles */
}

static void choose_types(wi_sample_values *values) {
  add_type(values, "calls", "count");
  switch (values->report->unit) {
  case WI_UNIT_NANOSECONDS:
    add_type(values, "cpu", "nanoseconds");
    add_type(values, "wall", "nanoseconds");
    break;
  case WI_UNIT_INSTRUCTIONS: add_type(values, "instructions", "count"); break;
  case WI_UNIT_TICKS: add_type(values, "ticks", "count"); break;
  default: break;
  }
  values->shown_type = values->type_count - 1;
  values->clock_type_count = values->type_count;
  if (values->report->profile->follows_memory)
    add_heap_types(values);
}

bool wi_sample_values_init(wi_sample_values *values, const wi_report *report) {
  *values = (wi_sample_values){.report = report};
  choose_types(values);
  return wi_heap_init(&values->heap, report->profile, report->tree);
}

void wi_sample_values_clear(wi_sample_values *values) {
  wi_heap_clear(&values->heap);
}

bool wi_sample_values_any(const wi_sample_values *values, uint32_t node) {
  const wi_tree_node *it = &values->report->tree->nodes[node];
  return it->call_count != 0 || it->self != 0 || wi_heap_values(&values->heap, node);
}

void wi_sample_values_get(const wi_sample_values *values, uint32_t node, uint64_t *numbers) {
  const wi_tree *tree = values->report->tree;
  const wi_tree_node *it = &tree->nodes[node];
  const uint64_t *heap = wi_heap_values(&values->heap, node);
  uint32_t clock_count = values->clock_type_count;
  numbers[0] = it->call_count;
  if (values->report->unit == WI_UNIT_NANOSECONDS)
    numbers[1] = wi_tree_is_host(tree, it->label) ? 0 : it->self;
  if (clock_count > 1)
    numbers[clock_count - 1] = it->self;
  for (uint32_t i = clock_count; i < values->type_count; i++)
    numbers[i] = heap ? heap[heap_measures[i - clock_count]] : 0;
}

uint64_t wi_sample_values_take(const wi_sample_values *values, uint64_t *rest, uint64_t number) {
  if (values->report->profile->is_difference && number > INT64_MAX)
    return number;
  uint64_t part = number < *rest ? number : *rest;
  *rest -= part;
  return part;
}
