#include "report/model/tree.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "profile/units.h"
#include "support/arithmetic.h"

/* One node of the profile, to be sorted into the tree. */
typedef struct tree_entry {
  uint32_t parent; /* tree node */
  uint32_t label;
  uint32_t source; /* profile node */
} tree_entry;

typedef struct tree_builder {
  const wasm_perf_profile *profile;
  wi_tree *tree;
  uint64_t *values; /* per profile node: its own, in the tree's unit */
  uint32_t *depths; /* per profile node, at most deepest */
  uint32_t *places; /* per profile node: the tree node it went into */
  uint32_t *order;  /* profile nodes by depth, then index */
  tree_entry *entries;
  uint32_t depth_limit;
  uint32_t deepest; /* of all nodes, at most depth_limit + 1 */
} tree_builder;

static int compare_entries(const void *left, const void *right) {
  const tree_entry *a = left;
  const tree_entry *b = right;
  if (a->parent != b->parent)
    return a->parent < b->parent ? -1 : 1;
  if (a->label != b->label)
    return a->label < b->label ? -1 : 1;
  return (a->source > b->source) - (a->source < b->source);
}

static uint32_t append_node(wi_tree *tree, uint32_t parent, uint32_t label, uint32_t source) {
  uint32_t index = tree->node_count++;
  wi_tree_node *node = &tree->nodes[index];
  memset(node, 0, sizeof *node);
  node->label = label;
  node->parent = parent;
  node->source = source;
  node->depth = tree->nodes[parent].depth + 1;
  if (tree->nodes[parent].child_count++ == 0)
    tree->nodes[parent].first_child = index;
  return index;
}

/*
 * Turns entries of one level into nodes. All children of a node are of one level
 * and sorting brings them together, which makes them contiguous and in order.
 */
static void add_level(tree_builder *builder, uint32_t count) {
  tree_entry *entries = builder->entries;
  qsort(entries, count, sizeof *entries, compare_entries);
  uint32_t node = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (i == 0 || entries[i].parent != entries[i - 1].parent ||
        entries[i].label != entries[i - 1].label)
      node = append_node(builder->tree, entries[i].parent, entries[i].label, entries[i].source);
    builder->places[entries[i].source] = node;
  }
}

static void add_values(tree_builder *builder, const uint32_t *sources, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const wasm_perf_node *source = &builder->profile->nodes[sources[i]];
    wi_tree_node *node = &builder->tree->nodes[builder->places[sources[i]]];
    node->call_count = wi_saturating_add(node->call_count, source->call_count);
    node->self = wi_saturating_add(node->self, builder->values[sources[i]]);
  }
}

static void add_entry(tree_builder *builder, uint32_t index, uint32_t parent, uint32_t source) {
  uint32_t function = builder->profile->nodes[source].function;
  uint32_t label = wi_labels_find(&builder->tree->labels, function);
  builder->entries[index] = (tree_entry){.parent = parent, .label = label, .source = source};
}

static void add_ordinary_level(tree_builder *builder, const uint32_t *sources, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t parent = builder->profile->nodes[sources[i]].parent;
    add_entry(builder, i, builder->places[parent], sources[i]);
  }
  add_level(builder, count);
  add_values(builder, sources, count);
}

/* Everything beyond the depth limit becomes two levels: the elision marks and the functions. */
static void add_elided_levels(tree_builder *builder, const uint32_t *sources, uint32_t count) {
  uint32_t *places = builder->places;
  for (uint32_t i = 0; i < count; i++) {
    /* Parents come first, so the place at the limit is handed on all the way down. */
    places[sources[i]] = places[builder->profile->nodes[sources[i]].parent];
  }
  for (uint32_t i = 0; i < count; i++) {
    builder->entries[i] = (tree_entry){
        .parent = places[sources[i]], .label = builder->tree->labels.count, .source = sources[i]};
  }
  add_level(builder, count);
  for (uint32_t i = 0; i < count; i++)
    add_entry(builder, i, places[sources[i]], sources[i]);
  add_level(builder, count);
  add_values(builder, sources, count);
  builder->tree->elided_count = count;
}

static void find_values(tree_builder *builder) {
  const wasm_perf_profile *profile = builder->profile;
  wi_unit unit = wi_unit_of(&profile->header);
  if (unit == WI_UNIT_NANOSECONDS) {
    wi_node_times(profile, builder->values);
    return;
  }
  for (uint32_t i = 1; i < profile->header.node_count; i++)
    builder->values[i] =
        unit == WI_UNIT_CALLS ? profile->nodes[i].call_count : profile->nodes[i].self;
}

static void find_depths(tree_builder *builder) {
  const wasm_perf_node *nodes = builder->profile->nodes;
  for (uint32_t i = 1; i < builder->profile->header.node_count; i++) {
    uint32_t depth = builder->depths[nodes[i].parent];
    depth += depth <= builder->depth_limit;
    builder->depths[i] = depth;
    builder->deepest = depth > builder->deepest ? depth : builder->deepest;
  }
}

/* Counting sort of the nodes by depth. level_ends[d] becomes the end of level d in `order`. */
static void sort_by_depth(tree_builder *builder, uint32_t *level_ends) {
  uint32_t node_count = builder->profile->header.node_count;
  for (uint32_t i = 0; i < node_count; i++)
    level_ends[builder->depths[i] + 1]++;
  for (uint32_t depth = 1; depth <= builder->deepest; depth++)
    level_ends[depth] += level_ends[depth - 1];
  for (uint32_t i = 0; i < node_count; i++)
    builder->order[level_ends[builder->depths[i]]++] = i;
}

static bool allocate_nodes(tree_builder *builder, const uint32_t *level_ends) {
  size_t capacity = builder->profile->header.node_count;
  if (builder->deepest > builder->depth_limit) {
    /* No more elision marks than nodes at the limit. */
    capacity += level_ends[builder->depth_limit] - level_ends[builder->depth_limit - 1];
  }
  builder->tree->nodes = calloc(capacity + 1, sizeof *builder->tree->nodes);
  return builder->tree->nodes != NULL;
}

static bool add_levels(tree_builder *builder) {
  uint32_t *level_ends = calloc((size_t)builder->deepest + 2, sizeof *level_ends);
  if (!level_ends)
    return false;
  sort_by_depth(builder, level_ends);
  bool ok = allocate_nodes(builder, level_ends);
  builder->tree->node_count = 1;
  for (uint32_t depth = 1; ok && depth <= builder->deepest; depth++) {
    const uint32_t *sources = builder->order + level_ends[depth - 1];
    uint32_t count = level_ends[depth] - level_ends[depth - 1];
    if (depth > builder->depth_limit)
      add_elided_levels(builder, sources, count);
    else
      add_ordinary_level(builder, sources, count);
  }
  free(level_ends);
  return ok;
}

static void sum_totals(wi_tree *tree) {
  for (uint32_t i = tree->node_count - 1; i > 0; i--) {
    wi_tree_node *node = &tree->nodes[i];
    wi_tree_node *parent = &tree->nodes[node->parent];
    node->total = wi_saturating_add(node->total, node->self);
    parent->total = wi_saturating_add(parent->total, node->total);
    tree->call_count = wi_saturating_add(tree->call_count, node->call_count);
  }
}

static bool build(wi_tree *tree, const wasm_perf_profile *profile, uint32_t depth_limit) {
  size_t count = profile->header.node_count + (size_t)1;
  tree_builder builder = {.profile = profile, .tree = tree, .depth_limit = depth_limit};
  builder.values = calloc(count, sizeof *builder.values);
  builder.depths = calloc(count, sizeof *builder.depths);
  builder.places = calloc(count, sizeof *builder.places);
  builder.order = malloc(count * sizeof *builder.order);
  builder.entries = malloc(count * sizeof *builder.entries);
  bool ok = builder.values && builder.depths && builder.places && builder.order && builder.entries;
  if (ok) {
    find_values(&builder);
    find_depths(&builder);
    ok = add_levels(&builder);
  }
  if (ok && profile->follows_memory) {
    tree->nodes_of = builder.places;
    builder.places = NULL;
  }
  free(builder.values);
  free(builder.depths);
  free(builder.places);
  free(builder.order);
  free(builder.entries);
  return ok;
}

static wi_tree *make_tree(const wasm_perf_profile *profile, uint32_t depth_limit, char separator,
                          wi_label_rule rule) {
  wi_tree *tree = calloc(1, sizeof *tree);
  if (!tree)
    return NULL;
  if (!wi_labels_init(&tree->labels, profile, separator, rule) ||
      !wi_label_places_init(&tree->places, &tree->labels, profile) ||
      !build(tree, profile, depth_limit)) {
    wi_tree_free(tree);
    return NULL;
  }
  sum_totals(tree);
  return tree;
}

wi_tree *wi_tree_new(const wasm_perf_profile *profile, uint32_t depth_limit, char separator) {
  return make_tree(profile, depth_limit, separator, WI_LABEL_EACH_FUNCTION);
}

wi_tree *wi_tree_new_by_name(const wasm_perf_profile *profile, uint32_t depth_limit,
                             char separator) {
  return make_tree(profile, depth_limit, separator, WI_LABEL_EACH_NAME);
}

void wi_tree_free(wi_tree *tree) {
  if (tree) {
    wi_label_places_clear(&tree->places);
    wi_labels_clear(&tree->labels);
    free(tree->nodes);
    free(tree->nodes_of);
    free(tree);
  }
}

const char *wi_tree_text(const wi_tree *tree, uint32_t label) {
  return label < tree->labels.count ? tree->labels.texts[label] : WI_ELIDED_TEXT;
}

const wi_label_place *wi_tree_place(const wi_tree *tree, uint32_t label) {
  if (label >= tree->labels.count || tree->places.items[label].file == WI_NO_FILE)
    return NULL;
  return &tree->places.items[label];
}

const char *wi_tree_file(const wi_tree *tree, uint32_t label, uint32_t *line) {
  const wi_label_place *place = wi_tree_place(tree, label);
  if (!place)
    return NULL;
  *line = place->line;
  return tree->places.files[place->file];
}

bool wi_tree_is_host(const wi_tree *tree, uint32_t label) {
  return label < tree->labels.count && tree->labels.is_host[label];
}

bool wi_tree_is_counted(const wi_tree *tree, uint32_t label) {
  return label >= tree->labels.count || !tree->labels.is_uncounted[label];
}

uint32_t wi_tree_next(const wi_tree *tree, uint32_t node) {
  const wi_tree_node *nodes = tree->nodes;
  if (nodes[node].child_count > 0)
    return nodes[node].first_child;
  for (; node != 0; node = nodes[node].parent) {
    const wi_tree_node *parent = &nodes[nodes[node].parent];
    if (node + 1 < parent->first_child + parent->child_count)
      return node + 1;
  }
  return 0;
}
