/* Two trees as one. */
#ifndef WI_REPORT_DIFF_DIFF_PAIRS_H_
#define WI_REPORT_DIFF_DIFF_PAIRS_H_

#include "report/model/tree.h"
#include "wasm_perf/diff.h"

#define WI_NO_NODE UINT32_MAX

enum { WI_DIFF_BEFORE, WI_DIFF_AFTER, WI_DIFF_SIDE_COUNT };

/* A stack that occurs in one tree or in both. */
typedef struct wi_diff_pair {
  uint32_t nodes[WI_DIFF_SIDE_COUNT]; /* in each of the trees, or WI_NO_NODE */
  uint32_t parent;
  uint32_t first_child;
  uint32_t child_count;
} wi_diff_pair;

/* Pair 0 is the root; children are contiguous and in order of their labels. */
typedef struct wi_diff_pairs {
  wi_tree *trees[WI_DIFF_SIDE_COUNT];
  wi_diff_pair *pairs;
  uint32_t pair_count;
} wi_diff_pairs;

/*
 * Trees as wi_tree_new makes them, with their stacks matched by labels. Memory in proportion
 * to the nodes. False, with nothing to clear: out of memory.
 */
bool wi_diff_pairs_init(wi_diff_pairs *pairs, const wasm_perf_diff *diff, uint32_t depth_limit,
                        char separator);
void wi_diff_pairs_clear(wi_diff_pairs *pairs);

/* The pair that follows in preorder, 0 after the last one. */
uint32_t wi_diff_pairs_next(const wi_diff_pairs *pairs, uint32_t pair);

/* The values of a pair, without a name. */
wasm_perf_diff_row wi_diff_pairs_row(const wi_diff_pairs *pairs, uint32_t pair);

/*
 * Writes the labels of a stack, ';' between them, outermost first. The trees must have been cut
 * at WI_DEPTH_LIMIT; the pair must not be the root.
 */
void wi_diff_pairs_write_stack(const wi_diff_pairs *pairs, uint32_t pair, FILE *stream);

#endif /* WI_REPORT_DIFF_DIFF_PAIRS_H_ */
