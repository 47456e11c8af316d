#include "report/model/report_shown.h"

#include "report/model/heap.h"

static void fill_labels(wi_shown *shown, const wi_report *report) {
  const wi_tree *tree = report->tree;
  for (uint32_t i = 0; i < tree->labels.count; i++) {
    wi_part_function *function = &shown->functions[i];
    function->name = wi_tree_text(tree, i);
    function->file = wi_tree_file(tree, i, &function->line);
    function->kind = wi_color_kind_of(function->name, function->file, wi_tree_kind(tree, i));
    if (!shown->is_memory)
      shown->notes[i] = report->notes.of[i];
  }
}

static void fill_nodes(wi_shown *shown, const wi_tree *tree, const wi_heap *heap) {
  bool counts = wi_tree_counts_calls(tree);
  for (uint32_t i = 1; i < tree->node_count; i++) {
    const wi_tree_node *node = &tree->nodes[i];
    const uint64_t *values = wi_heap_values(heap, i);
    bool is_known = counts && wi_tree_is_counted(tree, node->label);
    shown->parents[i] = node->parent;
    shown->labels[i] = node->label;
    shown->selves[i] = node->self;
    shown->calls[i] = is_known ? node->call_count : WI_SHOWN_UNCOUNTED;
    if (!values)
      continue;
    shown->short_lived[node->label] += values[WASM_PERF_MEASURE_TEMPORARY_OBJECTS];
    shown->allocated[node->label] += values[WASM_PERF_MEASURE_ALLOCATED_OBJECTS];
  }
}

bool wi_report_show(wi_shown *shown, const wi_report *report) {
  const wi_tree *tree = report->tree;
  wi_heap heap;
  if (!wi_shown_init(shown, tree->node_count, tree->labels.count))
    return false;
  shown->unit = report->unit;
  shown->sample_period = wi_sample_period(tree);
  shown->is_memory = wi_view_has_measure(&tree->view, NULL);
  shown->has_all_calls = !shown->is_memory;
  shown->is_rough = report->summary.is_rough && wi_view_has_time(&tree->view);
  bool done = wi_heap_init(&heap, report->profile, tree);
  if (done) {
    fill_labels(shown, report);
    fill_nodes(shown, tree, &heap);
    wi_heap_clear(&heap);
    done = wi_shown_sum(shown);
  }
  if (!done)
    wi_shown_clear(shown);
  return done;
}
