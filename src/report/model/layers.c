#include "report/model/layers.h"

#include <stdio.h>
#include <stdlib.h>

#include "report/model/heap.h"
#include "report/model/units.h"
#include "support/arithmetic.h"

/* What a layer allocates for another function. */
typedef struct layer_use {
  uint32_t layer;
  uint32_t user;
  uint64_t self;
} layer_use;

static uint64_t allocations_of(const wi_heap *heap, uint32_t node) {
  const uint64_t *values = wi_heap_values(heap, node);
  return values ? values[WASM_PERF_MEASURE_ALLOCATED_OBJECTS] +
                      values[WASM_PERF_MEASURE_RESIZED_OBJECTS]
                : 0;
}

/*
 * Adds up the allocations of each label and of its callees, in `sums`. They count several times for
 * a recursive function, which is therefore not a layer. `counts`: a zero per node.
 */
static void sum_allocations(const wi_tree *tree, const wi_heap *heap, uint64_t *counts,
                            uint64_t *sums) {
  for (uint32_t i = tree->node_count - 1; i > 0; i--) {
    const wi_tree_node *node = &tree->nodes[i];
    counts[i] += allocations_of(heap, i);
    counts[node->parent] += counts[i];
    if (node->label < tree->labels.count)
      sums[node->label] = wi_saturating_add(sums[node->label], counts[i]);
  }
}

/* A function that is called once may allocate once by chance. */
static bool is_layer(const wi_tree *tree, const uint64_t *sums, uint32_t label) {
  return label < tree->labels.count && wi_tree_is_counted(tree, label) &&
         tree->sums[label].call_count > 1 && tree->sums[label].call_count == sums[label];
}

/* Lists what layers allocate, by stack, and adds it up in `layers`; returns the number of items. */
static uint32_t list_uses(const wi_tree *tree, const uint64_t *sums, const wi_heap *heap,
                          wasm_perf_measure measure, wi_layer *layers, layer_use *uses) {
  uint32_t count = 0;
  for (uint32_t i = 1; i < tree->node_count; i++) {
    const wi_tree_node *node = &tree->nodes[i];
    const uint64_t *values = wi_heap_values(heap, i);
    uint32_t user = i;
    if (!values || values[measure] == 0 || !is_layer(tree, sums, node->label))
      continue;
    uint64_t *self = &layers[node->label].self;
    *self = wi_saturating_add(*self, values[measure]);
    while (user != 0 && is_layer(tree, sums, tree->nodes[user].label))
      user = tree->nodes[user].parent;
    if (user != 0)
      uses[count++] = (layer_use){node->label, tree->nodes[user].label, values[measure]};
  }
  return count;
}

static int compare_uses(const void *left, const void *right) {
  const layer_use *a = left, *b = right;
  if (a->layer != b->layer)
    return a->layer < b->layer ? -1 : 1;
  return (a->user > b->user) - (a->user < b->user);
}

static void choose_users(wi_layer *layers, layer_use *uses, uint32_t count) {
  qsort(uses, count, sizeof *uses, compare_uses);
  for (uint32_t from = 0, to; from < count; from = to) {
    uint64_t self = 0;
    for (to = from; to < count && compare_uses(&uses[from], &uses[to]) == 0; to++)
      self = wi_saturating_add(self, uses[to].self);
    wi_layer *layer = &layers[uses[from].layer];
    if (self > layer->of_user) {
      layer->user = uses[from].user;
      layer->of_user = self;
    }
  }
}

wi_layer *wi_layers_new(const wi_report *report, wasm_perf_measure measure) {
  const wi_tree *tree = report->tree;
  wi_heap heap = {0};
  wi_layer *layers = malloc((tree->labels.count + (size_t)1) * sizeof *layers);
  uint64_t *counts = calloc(tree->node_count, sizeof *counts);
  uint64_t *sums = calloc(tree->labels.count + (size_t)1, sizeof *sums);
  layer_use *uses = malloc(tree->node_count * sizeof *uses);
  bool ok = layers && counts && sums && uses && wi_heap_init(&heap, report->profile, tree);
  if (ok) {
    for (uint32_t i = 0; i < tree->labels.count; i++)
      layers[i] = (wi_layer){.user = WI_NO_USER};
    sum_allocations(tree, &heap, counts, sums);
    choose_users(layers, uses, list_uses(tree, sums, &heap, measure, layers, uses));
    wi_heap_clear(&heap);
  } else {
    free(layers);
    layers = NULL;
  }
  free(counts);
  free(sums);
  free(uses);
  return layers;
}

void wi_layer_describe(const wi_tree *tree, const wi_layer *layer, wi_layer_text *text) {
  text->text[0] = '\0';
  if (layer->user == WI_NO_USER)
    return;
  const char *user = wi_tree_text(tree, layer->user);
  if (layer->of_user == layer->self)
    snprintf(text->text, sizeof text->text, "for %s", user);
  else
    snprintf(text->text, sizeof text->text, "for %s (%s %%)", user,
             wi_format_percentage(layer->of_user, layer->self, 0).text);
}
