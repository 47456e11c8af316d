#include "report/model/outline.h"

#include <stdlib.h>
#include <string.h>

#include "report/model/call_sum.h"
#include "report/model/fold.h"
#include "report/model/units.h"
#include "support/arithmetic.h"

/* One of the function's frames whose callers an outline node stands for. */
typedef struct outline_entry {
  uint32_t label;       /* of `place` */
  uint32_t source;      /* the function's frame, whose value is counted */
  uint32_t place;       /* the frame reached on the way up from there */
  uint32_t frame_count; /* consecutive frames of `label` there */
} outline_entry;

typedef struct outline_builder {
  const wi_tree *tree;
  const wasm_perf_report_options *limits;
  wi_outline *outline;
  wi_outline_kind kind;
  uint32_t function;
  wi_call_summer calls;
  wi_fold fold;   /* unless for callers: outline nodes are its nodes */
  bool *is_inner; /* unless for the tree, per tree node: the function is among its callers */
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

/* Moves each entry up to its caller, so that a node's children share its value. */
static void climb(outline_builder *builder, uint32_t first, uint32_t count) {
  const wi_tree *tree = builder->tree;
  for (uint32_t i = first; i < first + count; i++) {
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
}

static int compare_entries(const void *left, const void *right) {
  const outline_entry *a = left;
  const outline_entry *b = right;
  if (a->label != b->label)
    return a->label < b->label ? -1 : 1;
  return (a->source > b->source) - (a->source < b->source);
}

/* ---- Nodes --------------------------------------------------------------- */

static bool is_recursion(const outline_builder *builder, const wi_outline_node *node) {
  return node->depth > 0 && builder->kind != WI_OUTLINE_TREE && node->label == builder->function;
}

static void add_calls(outline_builder *builder, wi_outline_node *node, uint32_t source) {
  wi_call_summer_add(&builder->calls, source);
  node->is_uncounted |= !wi_tree_is_counted(builder->tree, builder->tree->nodes[source].label);
}

/* A function, its callers and its callees have the calls of all stacks, in the tree or not. */
static void end_calls(outline_builder *builder, wi_outline_node *node) {
  wi_call_sum calls = wi_call_summer_end(&builder->calls);
  bool has_all_stacks = builder->kind != WI_OUTLINE_TREE && node->depth <= 1;
  node->call_count = calls.call_count;
  node->is_shared = calls.is_at_most || (calls.is_open && !has_all_stacks);
}

/* Sums the entries of a node of callers. */
static void sum_entries(outline_builder *builder, wi_outline_node *node) {
  for (uint32_t i = node->first_entry; i < node->first_entry + node->entry_count; i++) {
    const outline_entry *entry = &builder->entries[i];
    const wi_tree_node *source = &builder->tree->nodes[entry->source];
    if (node->frame_count < entry->frame_count)
      node->frame_count = entry->frame_count;
    add_calls(builder, node, entry->source);
    node->self = wi_saturating_add(node->self, source->self);
    if (!builder->is_inner[entry->source])
      node->total = wi_saturating_add(node->total, source->total);
  }
  end_calls(builder, node);
}

/* Copies the folded node that a node stands for. */
static void copy_folded(outline_builder *builder, wi_outline_node *node) {
  const wi_fold_node *folded = &builder->fold.nodes[node->first_entry];
  node->frame_count = folded->frame_count;
  node->self = folded->self;
  node->total = folded->total;
  for (uint32_t i = folded->first_member; i != 0; i = builder->fold.next_member[i])
    add_calls(builder, node, i);
  end_calls(builder, node);
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

static wi_outline_node *add_child(outline_builder *builder, uint32_t parent, uint32_t label) {
  wi_outline_node *node = WI_ARRAY_PUSH(builder->outline, nodes);
  if (node)
    *node = (wi_outline_node){
        .label = label, .parent = parent, .depth = builder->outline->nodes[parent].depth + 1};
  return node;
}

/* Adds one child per label of the callers. */
static bool add_callers(outline_builder *builder, uint32_t parent) {
  uint32_t first = builder->outline->nodes[parent].first_entry;
  uint32_t count = builder->outline->nodes[parent].entry_count;
  climb(builder, first, count);
  qsort(builder->entries + first, count, sizeof *builder->entries, compare_entries);
  for (uint32_t i = first, size; i < first + count; i += size) {
    size = run_size(&builder->entries[i], first + count - i);
    wi_outline_node *node = add_child(builder, parent, builder->entries[i].label);
    if (!node)
      return false;
    node->first_entry = i;
    node->entry_count = size;
    sum_entries(builder, node);
  }
  return true;
}

static bool add_callees(outline_builder *builder, uint32_t parent) {
  const wi_fold_node *nodes = builder->fold.nodes;
  uint32_t above = builder->outline->nodes[parent].first_entry;
  for (uint32_t i = nodes[above].first_child; i != 0; i = nodes[i].next_sibling) {
    wi_outline_node *node = add_child(builder, parent, nodes[i].label);
    if (!node)
      return false;
    node->first_entry = i;
    copy_folded(builder, node);
  }
  return true;
}

/* Adds the children, largest first. */
static bool add_children(outline_builder *builder, uint32_t parent) {
  wi_outline *outline = builder->outline;
  uint32_t begin = outline->nodes_count;
  if (!(builder->kind == WI_OUTLINE_CALLERS ? add_callers(builder, parent)
                                            : add_callees(builder, parent)))
    return false;
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
  bool is_end = node->label == WI_OUTLINE_NO_LABEL && builder->kind == WI_OUTLINE_CALLERS;
  if (is_end || is_recursion(builder, node))
    return true;
  return add_children(builder, index) && offer_children(builder, index);
}

/* ---- Building ------------------------------------------------------------ */

/* Adds the function's frames to the root as entries. */
static bool add_frames(outline_builder *builder, wi_outline_node *root) {
  const wi_tree *tree = builder->tree;
  for (uint32_t i = 1; i < tree->node_count; i++) {
    if (tree->nodes[i].label != builder->function)
      continue;
    outline_entry *entry = WI_ARRAY_PUSH(builder, entries);
    if (!entry)
      return false;
    *entry = (outline_entry){.source = i, .place = i, .frame_count = 1};
  }
  root->entry_count = builder->entries_count;
  sum_entries(builder, root);
  return true;
}

/* Adds the root: the function or the host. */
static bool add_root(outline_builder *builder) {
  wi_outline_node *root = WI_ARRAY_PUSH(builder->outline, nodes);
  if (!root)
    return false;
  *root = (wi_outline_node){.label = builder->function, .is_shown = true};
  if (builder->kind != WI_OUTLINE_TREE)
    return add_frames(builder, root);
  copy_folded(builder, root);
  return true;
}

/* Parents precede their children in the tree. */
static void mark_inner(outline_builder *builder) {
  const wi_tree *tree = builder->tree;
  for (uint32_t i = 1; i < tree->node_count; i++) {
    uint32_t parent = tree->nodes[i].parent;
    builder->is_inner[i] = builder->is_inner[parent] ||
                           (parent != 0 && tree->nodes[parent].label == builder->function);
  }
}

static bool prepare(outline_builder *builder) {
  const wi_tree *tree = builder->tree;
  builder->outline = calloc(1, sizeof *builder->outline);
  builder->is_inner = calloc(tree->node_count, sizeof *builder->is_inner);
  if (!wi_call_summer_init(&builder->calls, tree) || !builder->outline || !builder->is_inner)
    return false;
  if (builder->kind != WI_OUTLINE_TREE)
    mark_inner(builder);
  return builder->kind == WI_OUTLINE_CALLERS ||
         wi_fold_init(&builder->fold, tree,
                      builder->kind == WI_OUTLINE_TREE ? WI_FOLD_WHOLE : builder->function);
}

static bool build(outline_builder *builder) {
  wi_outline *outline = builder->outline;
  if (!add_root(builder) || !expand(builder, 0))
    return false;
  for (uint32_t rows = 0; builder->heap_count > 0;) {
    uint32_t node = heap_pop(builder);
    bool is_row = outline->nodes[outline->nodes[node].parent].child_count > 1;
    if (is_row && rows == builder->limits->row_limit) {
      outline->hides_rest = true;
      continue;
    }
    rows += is_row;
    outline->nodes[node].is_shown = true;
    outline->shown_count++;
    if (!expand(builder, node))
      return false;
  }
  return true;
}

wi_outline *wi_outline_new(const wi_report *report, wi_outline_kind kind, uint32_t function) {
  const wi_tree *tree = report->tree;
  outline_builder builder = {
      .tree = tree, .limits = &report->options, .kind = kind, .function = function};
  bool ok = prepare(&builder) && build(&builder);
  wi_call_summer_clear(&builder.calls);
  wi_fold_clear(&builder.fold);
  free(builder.is_inner);
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
