#include "report/model/edges.h"

#include <stdlib.h>

#include "support/arithmetic.h"

/* A tree node, seen as a call. */
typedef struct call {
  uint32_t caller;
  uint32_t callee;
  uint32_t node;
} call;

static int compare_calls(const void *left, const void *right) {
  const call *a = left;
  const call *b = right;
  if (a->caller != b->caller)
    return a->caller < b->caller ? -1 : 1;
  return (a->callee > b->callee) - (a->callee < b->callee);
}

static void list_calls(const wi_tree *tree, call *calls) {
  for (uint32_t i = 1; i < tree->node_count; i++) {
    const wi_tree_node *node = &tree->nodes[i];
    calls[i - 1] =
        (call){.caller = node->parent == 0 ? WI_EDGE_HOST : tree->nodes[node->parent].label,
               .callee = node->label,
               .node = i};
  }
  qsort(calls, tree->node_count - 1, sizeof *calls, compare_calls);
}

/* Merges equal calls into one edge. Sets the edge of each node; returns the number of edges. */
static uint32_t number_edges(const call *calls, uint32_t call_count, wi_edge *edges,
                             uint32_t *edge_of) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < call_count; i++) {
    if (i == 0 || compare_calls(&calls[i], &calls[i - 1]) != 0)
      edges[count++] = (wi_edge){.caller = calls[i].caller, .callee = calls[i].callee};
    edge_of[calls[i].node] = count - 1;
  }
  return count;
}

/* `open_edges` and `open_labels`: zeroed, one entry per edge and per label. */
static void sum_edges(const wi_tree *tree, wi_edge *edges, const uint32_t *edge_of,
                      uint32_t *open_edges, uint32_t *open_labels) {
  uint32_t last = 0;
  for (uint32_t i = wi_tree_next(tree, 0); i != 0; i = wi_tree_next(tree, i)) {
    const wi_tree_node *node = &tree->nodes[i];
    for (; tree->nodes[last].depth >= node->depth; last = tree->nodes[last].parent) {
      open_edges[edge_of[last]]--;
      open_labels[tree->nodes[last].label]--;
    }
    last = i;
    wi_edge *edge = &edges[edge_of[i]];
    edge->call_count = wi_saturating_add(edge->call_count, node->call_count);
    if (open_edges[edge_of[i]]++ == 0)
      edge->total = wi_saturating_add(edge->total, node->total);
    if (open_labels[node->label]++ == 0)
      edge->outer_total = wi_saturating_add(edge->outer_total, node->total);
  }
}

wi_edge *wi_edges_new(const wi_tree *tree, uint32_t *count) {
  size_t capacity = tree->node_count; /* every node except the root is a call */
  call *calls = malloc(capacity * sizeof *calls);
  wi_edge *edges = malloc(capacity * sizeof *edges);
  uint32_t *edge_of = calloc(capacity, sizeof *edge_of);
  uint32_t *open_edges = calloc(capacity, sizeof *open_edges);
  uint32_t *open_labels = calloc(tree->labels.count + (size_t)1, sizeof *open_labels);
  if (calls && edges && edge_of && open_edges && open_labels) {
    list_calls(tree, calls);
    *count = number_edges(calls, tree->node_count - 1, edges, edge_of);
    sum_edges(tree, edges, edge_of, open_edges, open_labels);
  } else {
    free(edges);
    edges = NULL;
  }
  free(calls);
  free(edge_of);
  free(open_edges);
  free(open_labels);
  return edges;
}
