#include "report/model/fold.h"

#include <stdlib.h>

#include "support/arithmetic.h"

#define OUTSIDE 0xFFFFFFFFu /* instead of a place: not below the function */

/* What a node of the tree has replaced, to be put back after its last descendant. */
typedef struct replaced {
  uint32_t path;
  uint32_t place;
  uint32_t node;
} replaced;

/* Visits the tree in preorder. The path leads to the current node's place. */
typedef struct folder {
  const wi_tree *tree;
  wi_fold *fold;
  uint32_t function;
  uint32_t function_depth; /* in the tree, of the function's innermost frame on the stack */
  uint32_t *places;        /* per node of the tree: the folded node, or OUTSIDE */
  uint32_t *frames;        /* per node of the tree: how many of its stack its place has by then */
  replaced *earlier;       /* per node of the tree */
  uint32_t *path;          /* per depth of a folded node */
  uint32_t *last_place;    /* per label: on the stack; 0: none */
  uint32_t *last_node;     /* per folded node: of the tree, on the stack; 0: none */
} folder;

/* Returns the child, which is made if there is none yet. */
static uint32_t child_of(wi_fold *fold, uint32_t parent, uint32_t label) {
  uint32_t *child = wi_child_table_at(fold->children, parent, label);
  if (*child != 0)
    return *child;
  wi_fold_node *above = &fold->nodes[parent];
  fold->nodes[fold->count] = (wi_fold_node){.parent = parent,
                                            .label = label,
                                            .depth = above->depth + 1,
                                            .next_sibling = above->first_child};
  above->first_child = fold->count;
  return *child = fold->count++;
}

static bool is_on_path(const folder *work, uint32_t place, uint32_t last) {
  const wi_fold_node *nodes = work->fold->nodes;
  return nodes[place].depth <= nodes[last].depth && work->path[nodes[place].depth] == place;
}

/* The place of a node whose caller's place is `above`. */
static uint32_t place_below(folder *work, uint32_t above, uint32_t label) {
  uint32_t last = work->last_place[label];
  return last != 0 && is_on_path(work, last, above) ? last : child_of(work->fold, above, label);
}

static void add_member(wi_fold *fold, uint32_t place, uint32_t node) {
  fold->next_member[node] = fold->nodes[place].first_member;
  fold->nodes[place].first_member = node;
}

/* All frames of the function are the root. */
static void enter_function(folder *work, uint32_t at, uint32_t above) {
  const wi_tree_node *node = &work->tree->nodes[at];
  wi_fold_node *root = &work->fold->nodes[0];
  if (above != OUTSIDE) {
    uint32_t place = child_of(work->fold, above, work->function);
    add_member(work->fold, place, at);
    work->fold->nodes[place].frame_count = 1;
  }
  root->self = wi_saturating_add(root->self, node->self);
  work->places[at] = 0;
  work->earlier[at].place = work->function_depth;
  work->function_depth = node->depth;
}

/* Counts the frame: on a stack of the function, since its last call. */
static void count_frame(folder *work, uint32_t at, uint32_t place) {
  uint32_t last = work->last_node[place];
  bool is_same = last != 0 && work->tree->nodes[last].depth > work->function_depth;
  uint32_t *most = &work->fold->nodes[place].frame_count;
  work->frames[at] = is_same ? work->frames[last] + 1 : 1;
  *most = work->frames[at] > *most ? work->frames[at] : *most;
}

static void enter(folder *work, uint32_t at) {
  const wi_tree_node *node = &work->tree->nodes[at];
  uint32_t above = work->places[node->parent];
  if (node->label == work->function) {
    enter_function(work, at, above);
    return;
  }
  uint32_t place = above == OUTSIDE ? OUTSIDE : place_below(work, above, node->label);
  work->places[at] = place;
  if (place == OUTSIDE)
    return;
  wi_fold_node *folded = &work->fold->nodes[place];
  folded->self = wi_saturating_add(folded->self, node->self);
  add_member(work->fold, place, at);
  count_frame(work, at, place);
  work->earlier[at] = (replaced){.path = work->path[folded->depth],
                                 .place = work->last_place[node->label],
                                 .node = work->last_node[place]};
  work->path[folded->depth] = place;
  work->last_place[node->label] = place;
  work->last_node[place] = at;
}

static void leave(folder *work, uint32_t at) {
  const replaced *earlier = &work->earlier[at];
  uint32_t place = work->places[at];
  if (place == 0) {
    work->function_depth = earlier->place;
  } else if (place != OUTSIDE) {
    work->path[work->fold->nodes[place].depth] = earlier->path;
    work->last_place[work->tree->nodes[at].label] = earlier->place;
    work->last_node[place] = earlier->node;
  }
}

static void visit(folder *work) {
  const wi_tree *tree = work->tree;
  work->places[0] = work->function == WI_FOLD_WHOLE ? 0 : OUTSIDE;
  uint32_t at = 0;
  for (uint32_t next = wi_tree_next(tree, at); next != 0; next = wi_tree_next(tree, at)) {
    for (; at != tree->nodes[next].parent; at = tree->nodes[at].parent)
      leave(work, at);
    enter(work, next);
    at = next;
  }
}

static void sum_totals(wi_fold *fold) {
  for (uint32_t i = fold->count; i-- > 0;) {
    wi_fold_node *node = &fold->nodes[i];
    node->total = wi_saturating_add(node->total, node->self);
    if (i > 0)
      fold->nodes[node->parent].total =
          wi_saturating_add(fold->nodes[node->parent].total, node->total);
  }
}

bool wi_fold_init(wi_fold *fold, const wi_tree *tree, uint32_t function) {
  size_t nodes = tree->node_count;
  size_t label_count = tree->labels.count + (size_t)1;
  *fold = (wi_fold){.nodes = calloc(nodes, sizeof *fold->nodes),
                    .next_member = calloc(nodes, sizeof *fold->next_member),
                    .children = wi_child_table_new(tree->node_count),
                    .count = 1};
  folder work = {.tree = tree, .fold = fold, .function = function};
  work.places = calloc(nodes, sizeof *work.places);
  work.frames = calloc(nodes, sizeof *work.frames);
  work.earlier = calloc(nodes, sizeof *work.earlier);
  work.path = calloc(label_count + 1, sizeof *work.path);
  work.last_place = calloc(label_count, sizeof *work.last_place);
  work.last_node = calloc(nodes, sizeof *work.last_node);
  bool ok = fold->nodes && fold->next_member && fold->children && work.places && work.frames &&
            work.earlier && work.path && work.last_place && work.last_node;
  if (ok) {
    visit(&work);
    sum_totals(fold);
  }
  free(work.places);
  free(work.frames);
  free(work.earlier);
  free(work.path);
  free(work.last_place);
  free(work.last_node);
  return ok;
}

void wi_fold_clear(wi_fold *fold) {
  wi_child_table_free(fold->children);
  free(fold->nodes);
  free(fold->next_member);
  *fold = (wi_fold){0};
}
