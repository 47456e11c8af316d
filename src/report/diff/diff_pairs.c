#include "report/diff/diff_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "report/diff/change.h"

/* The limit, the elision mark and the function beyond it. */
#define MAX_DEPTH (WI_DEPTH_LIMIT + 2)

static const char *label_in(const wi_tree *tree, uint32_t node) {
  return wi_tree_text(tree, tree->nodes[node].label);
}

/* Children of one side that are not paired yet. */
typedef struct child_range {
  uint32_t next;
  uint32_t end;
} child_range;

static child_range children_of(const wi_diff_pairs *pairs, uint32_t pair, int side) {
  uint32_t index = pairs->pairs[pair].nodes[side];
  if (index == WI_NO_NODE)
    return (child_range){0, 0};
  const wi_tree_node *node = &pairs->trees[side]->nodes[index];
  return (child_range){node->first_child, node->first_child + node->child_count};
}

/* Negative if the next child only occurs before, positive if only after. */
static int compare_next(const wi_diff_pairs *pairs, const child_range *before,
                        const child_range *after) {
  if (before->next == before->end)
    return 1;
  if (after->next == after->end)
    return -1;
  const wi_tree *first = pairs->trees[WI_DIFF_BEFORE], *second = pairs->trees[WI_DIFF_AFTER];
  return wi_tree_compare(first, first->nodes[before->next].label, second,
                         second->nodes[after->next].label);
}

static void pair_children(wi_diff_pairs *pairs, uint32_t parent) {
  child_range before = children_of(pairs, parent, WI_DIFF_BEFORE);
  child_range after = children_of(pairs, parent, WI_DIFF_AFTER);
  wi_diff_pair *outer = &pairs->pairs[parent];
  outer->first_child = pairs->pair_count;
  while (before.next < before.end || after.next < after.end) {
    int order = compare_next(pairs, &before, &after);
    wi_diff_pair *pair = &pairs->pairs[pairs->pair_count++];
    memset(pair, 0, sizeof *pair);
    pair->nodes[WI_DIFF_BEFORE] = order <= 0 ? before.next++ : WI_NO_NODE;
    pair->nodes[WI_DIFF_AFTER] = order >= 0 ? after.next++ : WI_NO_NODE;
    pair->parent = parent;
  }
  outer->child_count = pairs->pair_count - outer->first_child;
}

bool wi_diff_pairs_init(wi_diff_pairs *pairs, const wasm_perf_diff *diff, uint32_t depth_limit,
                        char separator) {
  memset(pairs, 0, sizeof *pairs);
  const wasm_perf_profile *profiles[] = {diff->before, diff->after};
  wi_identity **identities = wi_identities_new(profiles, WI_DIFF_SIDE_COUNT);
  for (int side = 0; identities && side < WI_DIFF_SIDE_COUNT; side++) {
    const wi_view view = wi_view_of(profiles[side], diff->value);
    pairs->trees[side] = wi_tree_new_matched(&view, depth_limit, separator, identities[side]);
  }
  wi_identities_free(identities, WI_DIFF_SIDE_COUNT);
  if (pairs->trees[WI_DIFF_BEFORE] && pairs->trees[WI_DIFF_AFTER]) {
    size_t capacity =
        pairs->trees[WI_DIFF_BEFORE]->node_count + (size_t)pairs->trees[WI_DIFF_AFTER]->node_count;
    pairs->pairs = capacity < UINT32_MAX ? calloc(capacity, sizeof *pairs->pairs) : NULL;
  }
  if (!pairs->pairs) {
    wi_diff_pairs_clear(pairs);
    return false;
  }
  pairs->pair_count = 1;
  for (uint32_t i = 0; i < pairs->pair_count; i++)
    pair_children(pairs, i);
  return true;
}

void wi_diff_pairs_clear(wi_diff_pairs *pairs) {
  for (int side = 0; side < WI_DIFF_SIDE_COUNT; side++)
    wi_tree_free(pairs->trees[side]);
  free(pairs->pairs);
  memset(pairs, 0, sizeof *pairs);
}

uint32_t wi_diff_pairs_next(const wi_diff_pairs *pairs, uint32_t pair) {
  const wi_diff_pair *all = pairs->pairs;
  if (all[pair].child_count > 0)
    return all[pair].first_child;
  for (; pair != 0; pair = all[pair].parent) {
    const wi_diff_pair *parent = &all[all[pair].parent];
    if (pair + 1 < parent->first_child + parent->child_count)
      return pair + 1;
  }
  return 0;
}

static wi_tree_node node_of(const wi_diff_pairs *pairs, uint32_t pair, int side) {
  uint32_t index = pairs->pairs[pair].nodes[side];
  return index == WI_NO_NODE ? (wi_tree_node){0} : pairs->trees[side]->nodes[index];
}

static bool is_counted(const wi_diff_pairs *pairs, uint32_t pair, int side) {
  uint32_t index = pairs->pairs[pair].nodes[side];
  const wi_tree *tree = pairs->trees[side];
  return wi_tree_counts_calls(tree) &&
         (index == WI_NO_NODE || index == 0 || wi_tree_is_counted(tree, tree->nodes[index].label));
}

/* Whether some of its calls may have been on other stacks. */
static bool is_shared(const wi_diff_pairs *pairs, uint32_t pair, int side) {
  uint32_t index = pairs->pairs[pair].nodes[side], count = 0;
  if (index != WI_NO_NODE)
    wi_tree_shared(pairs->trees[side], index, &count);
  return count > 0;
}

wasm_perf_diff_row wi_diff_pairs_row(const wi_diff_pairs *pairs, uint32_t pair) {
  wi_tree_node before = node_of(pairs, pair, WI_DIFF_BEFORE);
  wi_tree_node after = node_of(pairs, pair, WI_DIFF_AFTER);
  wasm_perf_diff_row row = {.self = {before.self, after.self},
                            .total = {before.total, after.total}};
  wi_diff_row_count(
      &row, is_counted(pairs, pair, WI_DIFF_BEFORE) && is_counted(pairs, pair, WI_DIFF_AFTER),
      (wasm_perf_change){before.call_count, after.call_count});
  if (is_shared(pairs, pair, WI_DIFF_BEFORE) || is_shared(pairs, pair, WI_DIFF_AFTER))
    row.is_new = row.is_gone = false;
  return row;
}

static const char *label_of(const wi_diff_pairs *pairs, uint32_t pair) {
  const uint32_t *nodes = pairs->pairs[pair].nodes;
  int side = nodes[WI_DIFF_AFTER] == WI_NO_NODE ? WI_DIFF_BEFORE : WI_DIFF_AFTER;
  return label_in(pairs->trees[side], nodes[side]);
}

void wi_diff_pairs_write_stack(const wi_diff_pairs *pairs, uint32_t pair, FILE *stream) {
  const char *labels[MAX_DEPTH];
  uint32_t depth = 0;
  for (; pair != 0; pair = pairs->pairs[pair].parent)
    labels[depth++] = label_of(pairs, pair);
  while (depth-- > 0) {
    fputs(labels[depth], stream);
    if (depth > 0)
      fputc(';', stream);
  }
}
