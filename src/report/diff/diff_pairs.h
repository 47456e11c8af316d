/* Two trees, matched node by node. */
#ifndef WI_REPORT_DIFF_DIFF_PAIRS_H_
#define WI_REPORT_DIFF_DIFF_PAIRS_H_

#include "report/model/tree.h"
#include "wasm_perf/diff.h"

#define WI_NO_NODE UINT32_MAX

enum { WI_DIFF_BEFORE, WI_DIFF_AFTER, WI_DIFF_SIDE_COUNT };

/* A stack that occurs in one or both trees. */
typedef struct wi_diff_pair {
  uint32_t nodes[WI_DIFF_SIDE_COUNT]; /* in each tree, or WI_NO_NODE */
  uint32_t parent;
  uint32_t first_child;
  uint32_t child_count;
} wi_diff_pair;

/* Pair 0 is the root; children are contiguous and sorted by label. */
typedef struct wi_diff_pairs {
  wi_tree *trees[WI_DIFF_SIDE_COUNT];
  wi_diff_pair *pairs;
  uint32_t pair_count;
} wi_diff_pairs;

/*
 * Builds both trees like wi_tree_new_matched, and matches their stacks by label. Memory is
 * proportional to the nodes. Returns false, with nothing to clear, if memory ran out.
 */
bool wi_diff_pairs_init(wi_diff_pairs *pairs, const wasm_perf_diff *diff, uint32_t depth_limit,
                        char separator);
void wi_diff_pairs_clear(wi_diff_pairs *pairs);

/* The next pair in preorder; 0 after the last. */
uint32_t wi_diff_pairs_next(const wi_diff_pairs *pairs, uint32_t pair);

/* The values of a pair, without a name. */
wasm_perf_diff_row wi_diff_pairs_row(const wi_diff_pairs *pairs, uint32_t pair);

/*
 * Writes the labels of a stack, outermost first, separated by ';'. The trees must have been built
 * with WI_DEPTH_LIMIT; the pair must not be the root.
 */
void wi_diff_pairs_write_stack(const wi_diff_pairs *pairs, uint32_t pair, FILE *stream);

#endif /* WI_REPORT_DIFF_DIFF_PAIRS_H_ */
