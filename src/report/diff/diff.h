/* Two profiles beside each other: what the formats of differences share. */
#ifndef WI_REPORT_DIFF_DIFF_H_
#define WI_REPORT_DIFF_DIFF_H_

#include "profile/units.h"
#include "report/model/summary.h"
#include "report/model/tree.h"
#include "wasm_perf/profile.h"

/* The write functions behind wasm_perf_diff_formats. False: write or memory error. */

/*
 * A table of functions or stacks, what changed most first; what did not change is only counted.
 * Stacks are cut at WI_DEPTH_LIMIT as in the folded report.
 */
bool wi_diff_table_write(const wasm_perf_diff *diff, const wasm_perf_diff_options *options,
                         FILE *stream);

/* The folded report's lines with two values, "frame;frame BEFORE AFTER", unless both are 0. */
bool wi_diff_folded_write(const wasm_perf_diff *diff, const wasm_perf_diff_options *options,
                          FILE *stream);

/*
 * The flame graph of the profile after, each frame coloured by how its own value changed; what is
 * gone has no frame and is told in a line.
 */
bool wi_diff_flamegraph_write(const wasm_perf_diff *diff, const wasm_perf_diff_options *options,
                              FILE *stream);

/* ---- What both profiles are about ---------------------------------------- */

wi_unit wi_diff_unit(const wasm_perf_diff *diff);

/* Totals first, then what to be aware of. */
void wi_diff_summary_init(wi_summary *summary, const wasm_perf_diff *diff);

/* By how much it changed, up or down. */
uint64_t wi_change_size(wasm_perf_change change);

/* "+1.500", "-2" or "0": the difference, as wi_format_in. */
wi_short_text wi_format_change(wasm_perf_change change, wi_display_unit unit);

/* The difference as a percentage of `whole`, without its sign: "+12.34"; "-" of nothing. */
wi_short_text wi_format_change_of(wasm_perf_change change, uint64_t whole);

/* "1 call → 3 calls, +200.00 %" */
typedef struct wi_long_text {
  char text[160];
} wi_long_text;

wi_long_text wi_format_before_after(wi_unit unit, wasm_perf_change change);

/* ---- Two trees as one ---------------------------------------------------- */

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

#endif /* WI_REPORT_DIFF_DIFF_H_ */
