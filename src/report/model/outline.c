#include "report/model/outline.h"

#include <stdlib.h>
#include <string.h>

#include "report/model/call_sum.h"
#include "report/model/units.h"
#include "support/arithmetic.h"

/* One of the tree nodes that an outline node stands for. */
typedef struct outline_entry {
  uint32_t label;       /* of `place` */
  uint32_t source;      /* for callers: the function's frame, whose value is counted */
  uint32_t place;       /* for callers: the frame reached on the way up from there */
  uint32_t frame_count; /* consecutive frames of `label` there */
} outline_entry;

typedef struct outline_builder {
  const wi_tree *tree;
  const wasm_perf_report_options *limits;
  wi_outline *outline;
  wi_outline_kind kind;
  uint32_t function;
  bool *is_inner;   /* per tree node: the function is among its callers */
  uint64_t *totals; /* per tree node: its total without the function's frames below it */
  wi_call_summer calls;
  WI_ARRAY(outline_entry, entries);
  WI_ARRAY(uint32_t, heap); /* of nodes that may be shown next, largest first */
} outline_builder;

/* ---- The heap ------------------------------------------------------------ */

static int compare_values(const wi_outline_node *a, const wi_outline_node *b) {
  if (a->total != b->total)
    return a->total > b->total ? -1 : 1;
  if (a->self != b->self)
    return a->self > b->self ? -1 : 1;
  return (a->call_count < b->call_count) - (a->call_count > b->call_count);
}

static bool is_before(const outline_builder *builder, uint32_t left, uint32_t right) {
  const wi_outline_node *nodes = builder->outline->nodes;
  int order = compare_values(&nodes[left], &nodes[right]);
  return order != 0 ? order < 0 : left < right;
}

static bool heap_push(outline_builder *builder, uint32_t node) {
  if (!WI_ARRAY_RESERVE(builder, heap, 1))
    return false;
  uint32_t at = builder->heap_count++;
  for (; at > 0 && is_before(builder, node, builder->heap[(at - 1) / 2]); at = (at - 1) / 2)
    builder->heap[at] = builder->heap[(at - 1) / 2];
  builder->heap[at] = node;
  return true;
}

static uint32_t heap_pop(outline_builder *builder) {
  uint32_t *heap = builder->heap;
  uint32_t first = heap[0], last = heap[--builder->heap_count], at = 0;
  for (;;) {
    uint64_t child = 2 * (uint64_t)at + 1;
    if (child >= builder->heap_count)
      break;
    if (child + 1 < builder->heap_count && is_before(builder, heap[child + 1], heap[child]))
      child++;
    if (!is_before(builder, heap[child], last))
      break;
    heap[at] = heap[child];
    at = (uint32_t)child;
  }
  heap[at] = last;
  return first;
}

/* ---- Entries ------------------------------------------------------------- */

static uint32_t caller_label(const wi_tree *tree, uint32_t caller) {
  return caller == 0 ? WI_OUTLINE_NO_LABEL : tree->nodes[caller].label;
}

/* For callers: moves each entry up to its caller, so that a node's children share its value. */
static bool climb(outline_builder *builder, uint32_t first, uint32_t *count) {
  const wi_tree *tree = builder->tree;
  for (uint32_t i = first; i < first + *count; i++) {
    outline_entry *entry = &builder->entries[i];
    entry->place = tree->nodes[entry->place].parent;
    entry->label = caller_label(tree, entry->place);
    entry->frame_count = 1;
    while (entry->place != 0 && entry->label != builder->function &&
           caller_label(tree, tree->nodes[entry->place].parent) == entry->label) {
      entry->place = tree->nodes[entry->place].parent;
      entry->frame_count++;
    }
  }
  return true;
}

/* The child that is a frame of the same function, or 0. */
static uint32_t recursive_child(const wi_tree *tree, uint32_t place) {
  const wi_tree_node *node = &tree->nodes[place];
  for (uint32_t c = node->first_child; c < node->first_child + node->child_count; c++)
    if (tree->nodes[c].label == node->label)
      return c;
  return 0;
}

/* Whether the node merges directly recursive frames of its entries. */
static bool has_runs(const outline_builder *builder, const wi_outline_node *node) {
  return builder->kind != WI_OUTLINE_CALLERS && node->depth > 0 &&
         (builder->kind == WI_OUTLINE_TREE || node->label != builder->function);
}

static bool add_entries(outline_builder *builder, uint32_t place, uint32_t left_out) {
  const wi_tree_node *parent = &builder->tree->nodes[place];
  if (!WI_ARRAY_RESERVE(builder, entries, parent->child_count))
    return false;
  for (uint32_t c = parent->first_child; c < parent->first_child + parent->child_count; c++)
    if (left_out == 0 || c != left_out)
      builder->entries[builder->entries_count++] = (outline_entry){
          .label = builder->tree->nodes[c].label, .source = c, .place = c, .frame_count = 1};
  return true;
}

/* For callees: appends the children of all entries of a node. */
static bool descend(outline_builder *builder, bool has_runs, uint32_t *first, uint32_t *count) {
  uint32_t begin = builder->entries_count;
  for (uint32_t i = *first; i < *first + *count; i++) {
    uint32_t place = builder->entries[i].place, next;
    do {
      next = has_runs ? recursive_child(builder->tree, place) : 0;
      if (!add_entries(builder, place, next))
        return false;
      place = next;
    } while (place != 0);
  }
  *first = begin;
  *count = builder->entries_count - begin;
  return true;
}

static int compare_entries(const void *left, const void *right) {
  const outline_entry *a = left;
  const outline_entry *b = right;
  if (a->label != b->label)
    return a->label < b->label ? -1 : 1;
  return (a->source > b->source) - (a->source < b->source);
}

/* ---- Nodes --------------------------------------------------------------- */

/* The entry's total for this kind of outline. */
static uint64_t total_of(const outline_builder *builder, const outline_entry *entry) {
  if (builder->kind == WI_OUTLINE_CALLERS)
    return builder->is_inner[entry->source] ? 0 : builder->tree->nodes[entry->source].total;
  return builder->totals[entry->source];
}

static bool is_recursion(const outline_builder *builder, const wi_outline_node *node) {
  return node->depth > 0 && builder->kind != WI_OUTLINE_TREE && node->label == builder->function;
}

/* Adds the entry's directly recursive frames; its total already includes theirs. */
static void add_run(outline_builder *builder, wi_outline_node *node, outline_entry *entry) {
  const wi_tree *tree = builder->tree;
  for (uint32_t at = recursive_child(tree, entry->place); at != 0; at = recursive_child(tree, at)) {
    wi_call_summer_add(&builder->calls, at);
    node->self = wi_saturating_add(node->self, tree->nodes[at].self);
    entry->frame_count++;
  }
}

/*
 * Sums the node's entries. The root already includes the time of recursive calls, but not their
 * number.
 */
static void sum_entries(outline_builder *builder, wi_outline_node *node) {
  bool has_time = builder->kind != WI_OUTLINE_CALLEES || !is_recursion(builder, node);
  for (uint32_t i = node->first_entry; i < node->first_entry + node->entry_count; i++) {
    outline_entry *entry = &builder->entries[i];
    const wi_tree_node *source = &builder->tree->nodes[entry->source];
    if (has_runs(builder, node))
      add_run(builder, node, entry);
    if (node->frame_count < entry->frame_count)
      node->frame_count = entry->frame_count;
    wi_call_summer_add(&builder->calls, entry->source);
    node->is_uncounted |= !wi_tree_is_counted(builder->tree, source->label);
    if (has_time) {
      node->self = wi_saturating_add(node->self, source->self);
      node->total = wi_saturating_add(node->total, total_of(builder, entry));
    }
  }
  wi_call_sum calls = wi_call_summer_end(&builder->calls);
  node->call_count = calls.call_count;
  node->is_shared = calls.is_at_most;
}

static uint32_t run_size(const outline_entry *entries, uint32_t count) {
  uint32_t size = 1;
  while (size < count && entries[size].label == entries[0].label)
    size++;
  return size;
}

static int compare_nodes(const void *left, const void *right) {
  const wi_outline_node *a = left;
  const wi_outline_node *b = right;
  int order = compare_values(a, b);
  return order != 0 ? order : (a->label > b->label) - (a->label < b->label);
}

/* Adds one child per label in the entries, which are sorted. */
static bool add_children(outline_builder *builder, uint32_t parent, uint32_t first,
                         uint32_t count) {
  wi_outline *outline = builder->outline;
  uint32_t begin = outline->nodes_count;
  for (uint32_t i = first, size; i < first + count; i += size) {
    size = run_size(&builder->entries[i], first + count - i);
    wi_outline_node *node = WI_ARRAY_PUSH(outline, nodes);
    if (!node)
      return false;
    *node = (wi_outline_node){.label = builder->entries[i].label,
                              .parent = parent,
                              .depth = outline->nodes[parent].depth + 1,
                              .first_entry = i,
                              .entry_count = size};
    sum_entries(builder, node);
  }
  outline->nodes[parent].first_child = begin;
  outline->nodes[parent].child_count = outline->nodes_count - begin;
  qsort(outline->nodes + begin, outline->nodes_count - begin, sizeof *outline->nodes,
        compare_nodes);
  return true;
}

static bool is_share(uint64_t part, uint64_t whole, uint32_t min_share) {
  return whole > 0 && wi_scale(part, whole, 1000000) >= min_share;
}

static bool is_large(const outline_builder *builder, const wi_outline_node *node) {
  const wi_outline_node *root = &builder->outline->nodes[0];
  uint32_t min_share = builder->limits->min_share;
  if (min_share == WASM_PERF_ANY_SHARE || root->total == 0 ||
      is_share(node->total, root->total, min_share))
    return true;
  return builder->kind == WI_OUTLINE_CALLEES && is_recursion(builder, node) &&
         (is_share(node->self, root->self, min_share) ||
          is_share(node->call_count, root->call_count, min_share));
}

/* Pushes the children within the limits to the heap. */
static bool offer_children(outline_builder *builder, uint32_t parent) {
  wi_outline *outline = builder->outline;
  uint32_t first = outline->nodes[parent].first_child;
  for (uint32_t i = first; i < first + outline->nodes[parent].child_count; i++) {
    if (outline->nodes[i].depth > builder->limits->depth_limit)
      outline->hides_deep = true;
    else if (!is_large(builder, &outline->nodes[i]))
      outline->hides_small = true;
    else if (!heap_push(builder, i))
      return false;
  }
  return true;
}

static bool expand(outline_builder *builder, uint32_t index) {
  const wi_outline_node *node = &builder->outline->nodes[index];
  if (node->label == WI_OUTLINE_NO_LABEL && builder->kind == WI_OUTLINE_CALLERS)
    return true;
  if (is_recursion(builder, node))
    return true;
  uint32_t first = node->first_entry, count = node->entry_count;
  bool ok = builder->kind == WI_OUTLINE_CALLERS
                ? climb(builder, first, &count)
                : descend(builder, has_runs(builder, node), &first, &count);
  if (!ok || count == 0)
    return ok;
  qsort(builder->entries + first, count, sizeof *builder->entries, compare_entries);
  return add_children(builder, index, first, count) && offer_children(builder, index);
}

/* ---- Building ------------------------------------------------------------ */

/* Adds the root, whose entries are all frames of the function, or the host. */
static bool add_root(outline_builder *builder) {
  const wi_tree *tree = builder->tree;
  wi_outline *outline = builder->outline;
  bool is_tree = builder->kind == WI_OUTLINE_TREE;
  uint32_t last = is_tree ? 1 : tree->node_count;
  for (uint32_t i = !is_tree; i < last; i++) {
    if (!is_tree && tree->nodes[i].label != builder->function)
      continue;
    outline_entry *entry = WI_ARRAY_PUSH(builder, entries);
    if (!entry)
      return false;
    *entry = (outline_entry){.source = i, .place = i, .frame_count = 1};
  }
  wi_outline_node *root = WI_ARRAY_PUSH(outline, nodes);
  if (!root)
    return false;
  *root = (wi_outline_node){
      .label = builder->function, .entry_count = builder->entries_count, .is_shown = true};
  sum_entries(builder, &outline->nodes[0]);
  outline->nodes[0].is_shared = false; /* it has all calls of the function */
  return true;
}

/* Relates all nodes to the function's frames. Parents precede their children in the tree. */
static void mark_inner(outline_builder *builder) {
  const wi_tree *tree = builder->tree;
  for (uint32_t i = 1; i < tree->node_count; i++) {
    uint32_t parent = tree->nodes[i].parent;
    builder->is_inner[i] = builder->is_inner[parent] ||
                           (parent != 0 && tree->nodes[parent].label == builder->function);
  }
  for (uint32_t i = tree->node_count; i-- > 0;) {
    builder->totals[i] = wi_saturating_add(builder->totals[i], tree->nodes[i].self);
    uint32_t parent = tree->nodes[i].parent;
    if (i > 0 && (builder->kind == WI_OUTLINE_TREE || tree->nodes[i].label != builder->function))
      builder->totals[parent] = wi_saturating_add(builder->totals[parent], builder->totals[i]);
  }
}

static bool build(outline_builder *builder) {
  wi_outline *outline = builder->outline;
  mark_inner(builder);
  if (!add_root(builder) || !expand(builder, 0))
    return false;
  while (builder->heap_count > 0 && outline->shown_count < builder->limits->row_limit) {
    uint32_t node = heap_pop(builder);
    outline->nodes[node].is_shown = true;
    outline->shown_count++;
    if (!expand(builder, node))
      return false;
  }
  outline->hides_rest = builder->heap_count > 0;
  return true;
}

wi_outline *wi_outline_new(const wi_report *report, wi_outline_kind kind, uint32_t function) {
  const wi_tree *tree = report->tree;
  outline_builder builder = {
      .tree = tree, .limits = &report->options, .kind = kind, .function = function};
  builder.outline = calloc(1, sizeof *builder.outline);
  builder.is_inner = calloc(tree->node_count, sizeof *builder.is_inner);
  builder.totals = calloc(tree->node_count, sizeof *builder.totals);
  bool ok = wi_call_summer_init(&builder.calls, tree) && builder.outline && builder.is_inner &&
            builder.totals && build(&builder);
  wi_call_summer_clear(&builder.calls);
  free(builder.is_inner);
  free(builder.totals);
  free(builder.entries);
  free(builder.heap);
  if (ok)
    return builder.outline;
  wi_outline_free(builder.outline);
  return NULL;
}

bool wi_outline_shows_rest(const wi_outline *outline, const wi_report *report, uint64_t total) {
  uint64_t whole = outline->nodes[0].total;
  uint32_t min_share = report->options.min_share;
  return whole == 0 || min_share == WASM_PERF_ANY_SHARE || is_share(total, whole, min_share);
}

void wi_outline_free(wi_outline *outline) {
  if (outline) {
    free(outline->nodes);
    free(outline);
  }
}
