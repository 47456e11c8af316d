#include "report/model/tree.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "profile/children.h"
#include "report/model/units.h"
#include "support/arithmetic.h"
#include "support/large.h"
#include "support/search.h"

typedef struct tree_builder {
  const wasm_perf_profile *profile;
  wi_tree *tree;
  wi_children children;   /* profile nodes by label, below their node in `above` */
  uint64_t *values;       /* per profile node, in the view's unit */
  uint32_t *depths;       /* per profile node: at most depth_limit + 1 */
  uint32_t *above;        /* per profile node: its parent or, beyond the limit, its ancestor
                             there */
  uint32_t *level_starts; /* per tree level: its first node */
  uint32_t *level_ends;   /* per tree level: position of its next node */
  uint32_t level_count;
  uint32_t depth_limit;
  uint32_t deepest; /* depth of the deepest profile node */
} tree_builder;

/* ---- The profile's nodes ------------------------------------------------- */

static void link_nodes(tree_builder *builder) {
  const wasm_perf_node *nodes = builder->profile->nodes;
  uint32_t *depths = builder->depths, *above = builder->above;
  depths[0] = above[0] = 0;
  for (uint32_t i = 1; i < builder->profile->header.node_count; i++) {
    uint32_t parent = nodes[i].parent;
    above[i] = depths[parent] > builder->depth_limit ? above[parent] : parent;
    depths[i] = depths[above[i]] + 1;
    if (depths[i] > builder->deepest)
      builder->deepest = depths[i];
    wi_children_add(&builder->children, above[i], i,
                    wi_labels_find(&builder->tree->labels, nodes[i].function));
  }
}

/* Returns false if memory ran out. */
static bool find_values(tree_builder *builder) {
  builder->values = malloc(builder->profile->header.node_count * sizeof *builder->values);
  if (builder->values)
    wi_view_values(&builder->tree->view, builder->values);
  return builder->values != NULL;
}

/* ---- Levels -------------------------------------------------------------- */

/* Replaces everything beyond the depth limit by two levels: the elision marks and the functions. */
static void add_elided_level(tree_builder *builder, uint32_t *sizes) {
  builder->tree->elided_count = sizes[builder->deepest];
  sizes[builder->level_count++] = sizes[builder->deepest];
  sizes[builder->deepest] = sizes[builder->depth_limit]; /* an upper bound of the number of marks */
}

/* Allocates the levels as if no nodes were merged. */
static bool allocate_levels(tree_builder *builder) {
  uint32_t *sizes = calloc((size_t)builder->deepest + 2, sizeof *sizes);
  builder->level_starts = malloc(((size_t)builder->deepest + 2) * sizeof *sizes);
  builder->level_ends = sizes;
  if (!sizes || !builder->level_starts)
    return false;
  for (uint32_t i = 0; i < builder->profile->header.node_count; i++)
    sizes[builder->depths[i]]++;
  builder->level_count = builder->deepest + 1;
  if (builder->deepest > builder->depth_limit)
    add_elided_level(builder, sizes);
  size_t end = 0;
  for (uint32_t level = 0; level < builder->level_count; level++) {
    uint32_t size = sizes[level];
    builder->level_starts[level] = builder->level_ends[level] = (uint32_t)end;
    end += size;
  }
  builder->tree->nodes = wi_large_alloc(end * sizeof *builder->tree->nodes);
  return builder->tree->nodes != NULL;
}

/* Closes the gaps left by levels with merged nodes. */
static void close_gaps(tree_builder *builder) {
  wi_tree_node *nodes = builder->tree->nodes;
  uint32_t *gaps = builder->level_starts, end = 0; /* distance by which each level moves */
  for (uint32_t level = 0; level < builder->level_count; level++) {
    uint32_t size = builder->level_ends[level] - builder->level_starts[level];
    gaps[level] = builder->level_starts[level] - end;
    end += size;
  }
  builder->tree->node_count = end;
  if (gaps[builder->level_count - 1] == 0)
    return;
  for (uint32_t level = 1, i = 1; level < builder->level_count; level++)
    for (; i + gaps[level] < builder->level_ends[level]; i++) {
      nodes[i] = nodes[i + gaps[level]];
      nodes[i].parent -= gaps[level - 1];
      nodes[i].first_child -= nodes[i].child_count > 0 ? gaps[level + 1] : 0;
    }
}

/* ---- The tree's nodes ---------------------------------------------------- */

/* All children of a node must be appended consecutively, before the next node's. */
static uint32_t append_node(tree_builder *builder, uint32_t parent, uint32_t label,
                            uint32_t source) {
  wi_tree_node *nodes = builder->tree->nodes;
  uint32_t depth = nodes[parent].depth + 1, index = builder->level_ends[depth]++;
  nodes[index] = (wi_tree_node){.label = label, .depth = depth, .parent = parent, .source = source};
  if (nodes[parent].child_count++ == 0)
    nodes[parent].first_child = index;
  return index;
}

static void add_values(const tree_builder *builder, wi_tree_node *node) {
  for (uint32_t i = node->source; i != 0; i = builder->children.items[i].next) {
    const wasm_perf_node *source = &builder->profile->nodes[i];
    node->call_count = wi_saturating_add(node->call_count, source->call_count);
    node->self = wi_saturating_add(node->self, builder->values[i]);
  }
}

static uint32_t append_mark(tree_builder *builder, uint32_t parent, uint32_t group_count) {
  uint32_t source = wi_children_first(&builder->children, 0);
  for (uint32_t group = 1; group < group_count; group++) {
    uint32_t first = wi_children_first(&builder->children, group);
    source = first < source ? first : source;
  }
  return append_node(builder, parent, builder->tree->labels.count, source);
}

/* A mark's children are already there, because its source has none. */
static void add_children(tree_builder *builder, uint32_t index) {
  wi_tree *tree = builder->tree;
  uint32_t group_count = wi_children_group(&builder->children, tree->nodes[index].source);
  if (group_count > 0 && tree->nodes[index].depth == builder->depth_limit)
    index = append_mark(builder, index, group_count);
  for (uint32_t group = 0; group < group_count; group++) {
    uint32_t source = wi_children_first(&builder->children, group);
    uint32_t label = builder->children.items[source].kind;
    add_values(builder, &tree->nodes[append_node(builder, index, label, source)]);
  }
}

/* Preorder visits the nodes of each level in order. */
static void add_nodes(tree_builder *builder) {
  wi_tree *tree = builder->tree;
  tree->nodes[0] = (wi_tree_node){0};
  builder->level_ends[0] = 1;
  uint32_t index = 0;
  do {
    add_children(builder, index);
    index = wi_tree_next(tree, index);
  } while (index != 0);
  close_gaps(builder);
}

/* An elided node follows its mark, so it overwrites it. Returns false if memory ran out. */
static bool find_nodes(const tree_builder *builder) {
  wi_tree *tree = builder->tree;
  tree->nodes_of = calloc(builder->profile->header.node_count, sizeof *tree->nodes_of);
  if (!tree->nodes_of)
    return false;
  for (uint32_t i = 1; i < tree->node_count; i++)
    for (uint32_t source = tree->nodes[i].source; source != 0;
         source = builder->children.items[source].next)
      tree->nodes_of[source] = i;
  return true;
}

/* ---- Shared calls -------------------------------------------------------- */

static int compare_groups(const void *left, const void *right) {
  const wi_shared_calls *a = left, *b = right;
  return (a->group > b->group) - (a->group < b->group);
}

/*
 * Writes the shared calls to `sorted` in the order of their nodes. `ends`: zeros, one more than
 * nodes; on return, where the items of each node end.
 */
static void place_shared(const wi_tree *tree, wi_shared_calls *sorted, uint32_t *ends) {
  for (uint32_t i = 0; i < tree->shared_count; i++)
    ends[tree->shared[i].node + 1]++;
  for (uint32_t node = 0; node < tree->node_count; node++)
    ends[node + 1] += ends[node];
  for (uint32_t i = 0; i < tree->shared_count; i++)
    sorted[ends[tree->shared[i].node]++] = tree->shared[i];
}

/*
 * There may be hundreds of thousands of items, and nearly all nodes have one: qsort would take
 * longer than the rest of the tree.
 */
static bool sort_shared(wi_tree *tree) {
  uint32_t *ends = calloc(tree->node_count + (size_t)1, sizeof *ends);
  wi_shared_calls *sorted = malloc(tree->shared_count * sizeof *sorted);
  bool ok = ends && sorted;
  if (ok) {
    place_shared(tree, sorted, ends);
    for (uint32_t start = 0; start < tree->shared_count; start = ends[sorted[start].node])
      if (ends[sorted[start].node] - start > 1)
        qsort(sorted + start, ends[sorted[start].node] - start, sizeof *sorted, compare_groups);
    free(tree->shared);
    tree->shared = sorted;
  } else {
    free(sorted);
  }
  free(ends);
  return ok;
}

/* Merges calls of a group in the same node, and counts the nodes of each group. */
static void merge_shared(wi_tree *tree) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < tree->shared_count; i++) {
    const wi_shared_calls *next = &tree->shared[i];
    wi_shared_calls *last = count > 0 ? &tree->shared[count - 1] : NULL;
    if (last && last->node == next->node && last->group == next->group) {
      last->call_count += next->call_count;
    } else {
      tree->groups[next->group].node_count++;
      tree->shared[count++] = *next;
    }
  }
  tree->shared_count = count;
}

/* Removes groups whose nodes the tree has merged into one: its calls are then its own. */
static void remove_whole_groups(wi_tree *tree) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < tree->shared_count; i++) {
    const wi_call_group *group = &tree->groups[tree->shared[i].group];
    if (group->node_count > 1 || group->is_open)
      tree->shared[count++] = tree->shared[i];
  }
  tree->shared_count = count;
}

/* The groups of a profile's nodes, numbered from 1; 0: none. A group's first node identifies it. */
typedef struct group_numbers {
  uint32_t *of_node;
  uint32_t *sizes; /* per group, in nodes of the profile */
} group_numbers;

/*
 * If the callee was only sampled below some of the nodes that share the caller's calls, its calls
 * may have come from the others.
 */
static void find_open(wi_tree *tree, const wasm_perf_profile *profile,
                      const group_numbers *numbers) {
  for (uint32_t i = 0; i < profile->shared_count; i++) {
    uint32_t node = profile->shared[i].node, group = numbers->of_node[node];
    uint32_t above = numbers->of_node[profile->nodes[node].parent];
    if (numbers->sizes[group] == 1 ||
        (above != 0 &&
         (tree->groups[above - 1].is_open || numbers->sizes[above] > numbers->sizes[group])))
      tree->groups[group - 1].is_open = true;
  }
}

static void add_shared(wi_tree *tree, const wasm_perf_profile *profile, group_numbers *numbers) {
  for (uint32_t i = 0; i < profile->shared_count; i++) {
    uint32_t node = profile->shared[i].node, first = profile->shared[i].first;
    if (numbers->of_node[first] == 0)
      numbers->of_node[first] = ++tree->group_count;
    uint32_t group = numbers->of_node[node] = numbers->of_node[first];
    uint64_t calls = profile->nodes[node].call_count;
    numbers->sizes[group]++;
    tree->groups[group - 1].call_count += calls;
    tree->shared[tree->shared_count++] = (wi_shared_calls){tree->nodes_of[node], group - 1, calls};
  }
}

static bool find_shared(const tree_builder *builder) {
  const wasm_perf_profile *profile = builder->profile;
  wi_tree *tree = builder->tree;
  uint32_t count = profile->shared_count;
  if (count == 0)
    return true;
  group_numbers numbers = {calloc(profile->header.node_count, sizeof *numbers.of_node),
                           calloc(count + (size_t)1, sizeof *numbers.sizes)};
  tree->shared = calloc(count, sizeof *tree->shared);
  tree->groups = calloc(count, sizeof *tree->groups);
  bool done = numbers.of_node && numbers.sizes && tree->shared && tree->groups;
  if (done) {
    add_shared(tree, profile, &numbers);
    find_open(tree, profile, &numbers);
    done = sort_shared(tree);
  }
  if (done) {
    merge_shared(tree);
    remove_whole_groups(tree);
  }
  free(numbers.of_node);
  free(numbers.sizes);
  return done;
}

const wi_shared_calls *wi_tree_shared(const wi_tree *tree, uint32_t node, uint32_t *count) {
  *count = 0;
  if (tree->shared_count == 0)
    return NULL;
  uint32_t at = WI_LOWER_BOUND(wi_shared_calls, tree->shared, tree->shared_count, node, node);
  while (at + *count < tree->shared_count && tree->shared[at + *count].node == node)
    ++*count;
  return &tree->shared[at];
}

/* ---- Sums ---------------------------------------------------------------- */

static void add_to_label(wi_label_sum *sum, const wi_tree_node *node) {
  sum->call_count = wi_saturating_add(sum->call_count, node->call_count);
  sum->self = wi_saturating_add(sum->self, node->self);
}

/* Children follow their parents. */
static void sum_totals(wi_tree *tree) {
  for (uint32_t i = tree->node_count - 1; i > 0; i--) {
    wi_tree_node *node = &tree->nodes[i];
    wi_tree_node *parent = &tree->nodes[node->parent];
    node->total = wi_saturating_add(node->total, node->self);
    parent->total = wi_saturating_add(parent->total, node->total);
    add_to_label(&tree->sums[node->label], node);
  }
  for (uint32_t i = 0; i < tree->labels.count; i++)
    tree->call_count = wi_saturating_add(tree->call_count, tree->sums[i].call_count);
}

/* ---- Entry points -------------------------------------------------------- */

/* Returns false if memory ran out. */
static bool fill(tree_builder *builder) {
  uint32_t count = builder->profile->header.node_count;
  builder->depths = wi_large_alloc(count * sizeof *builder->depths);
  builder->above = wi_large_alloc(count * sizeof *builder->above);
  if (!builder->depths || !builder->above || !wi_children_init(&builder->children, count))
    return false;
  link_nodes(builder);
  if (!find_values(builder) || !allocate_levels(builder))
    return false;
  add_nodes(builder);
  const wasm_perf_profile *profile = builder->profile;
  bool needs_nodes =
      profile->follows_memory || profile->shared_count > 0 || profile->thread_count > 0;
  return !needs_nodes || (find_nodes(builder) && find_shared(builder));
}

static bool build(wi_tree *tree, const wasm_perf_profile *profile, uint32_t depth_limit) {
  tree_builder builder = {.profile = profile, .tree = tree, .depth_limit = depth_limit};
  tree->sums = calloc(tree->labels.count + (size_t)1, sizeof *tree->sums);
  bool ok = tree->sums && fill(&builder);
  wi_children_clear(&builder.children);
  free(builder.values);
  free(builder.depths);
  free(builder.above);
  free(builder.level_starts);
  free(builder.level_ends);
  return ok;
}

static wi_tree *make_tree(const wi_view *view, uint32_t depth_limit, char separator,
                          const wi_identity *identities) {
  const wasm_perf_profile *profile = view->profile;
  wi_tree *tree = calloc(1, sizeof *tree);
  if (!tree)
    return NULL;
  tree->view = *view;
  if (!wi_labels_init(&tree->labels, profile, separator, identities) ||
      !wi_label_places_init(&tree->places, &tree->labels, profile) ||
      !build(tree, profile, depth_limit)) {
    wi_tree_free(tree);
    return NULL;
  }
  sum_totals(tree);
  return tree;
}

wi_tree *wi_tree_new(const wi_view *view, uint32_t depth_limit, char separator) {
  return make_tree(view, depth_limit, separator, NULL);
}

wi_tree *wi_tree_new_matched(const wi_view *view, uint32_t depth_limit, char separator,
                             const wi_identity *identities) {
  return make_tree(view, depth_limit, separator, identities);
}

void wi_tree_free(wi_tree *tree) {
  if (tree) {
    wi_label_places_clear(&tree->places);
    wi_labels_clear(&tree->labels);
    free(tree->sums);
    free(tree->nodes);
    free(tree->nodes_of);
    free(tree->shared);
    free(tree->groups);
    free(tree);
  }
}

const char *wi_tree_text(const wi_tree *tree, uint32_t label) {
  return label < tree->labels.count ? tree->labels.texts[label] : WI_ELIDED_TEXT;
}

int wi_tree_compare(const wi_tree *before, uint32_t a, const wi_tree *after, uint32_t b) {
  bool is_a = a < before->labels.count, is_b = b < after->labels.count;
  return is_a && is_b ? wi_labels_compare(&before->labels, a, &after->labels, b) : is_b - is_a;
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

wasm_perf_kind wi_tree_kind(const wi_tree *tree, uint32_t label) {
  return label < tree->labels.count ? (wasm_perf_kind)tree->labels.kinds[label]
                                    : WASM_PERF_KIND_WASM;
}

uint32_t wi_tree_confidence(const wi_tree *tree, uint32_t label) {
  return label < tree->labels.count ? tree->labels.confidences[label] : 0;
}

bool wi_tree_is_host(const wi_tree *tree, uint32_t label) {
  return wi_tree_kind(tree, label) != WASM_PERF_KIND_WASM;
}

bool wi_tree_counts_calls(const wi_tree *tree) {
  return tree->call_count > 0 || tree->node_count == 1;
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
