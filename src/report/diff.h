/* Two profiles beside each other: what the formats of differences share. */
#ifndef WASM_PERF_REPORT_DIFF_H_
#define WASM_PERF_REPORT_DIFF_H_

#include "report/numbers.h"
#include "report/summary.h"
#include "report/tree.h"
#include "wasm_perf/profile.h"

/* The write functions behind wasm_perf_diff_formats. False: write or memory error. */

/*
 * A table of functions or stacks, what changed most first; what did not change is only counted.
 * Stacks are cut at WASM_PERF_DEPTH_LIMIT as in the folded report.
 */
bool wasm_perf_diff_table_write(const wasm_perf_diff *diff, const wasm_perf_diff_options *options,
                                FILE *stream);

/* The folded report's lines with two values, "frame;frame BEFORE AFTER", unless both are 0. */
bool wasm_perf_diff_folded_write(const wasm_perf_diff *diff, const wasm_perf_diff_options *options,
                                 FILE *stream);

/*
 * The flame graph of the profile after, each frame coloured by how its own value changed; what is
 * gone has no frame and is told in a line.
 */
bool wasm_perf_diff_flamegraph_write(const wasm_perf_diff *diff,
                                     const wasm_perf_diff_options *options, FILE *stream);

/* ---- What both profiles are about ---------------------------------------- */

wasm_perf_unit wasm_perf_diff_unit(const wasm_perf_diff *diff);

/* Totals first, then what to be aware of. */
void wasm_perf_diff_summary_init(wasm_perf_summary *summary, const wasm_perf_diff *diff);

/* By how much it changed, up or down. */
uint64_t wasm_perf_change_size(wasm_perf_change change);

/* "+1.500", "-2" or "0": the difference, as wasm_perf_format_in. */
wasm_perf_short_text wasm_perf_format_change(wasm_perf_change change, wasm_perf_display_unit unit);

/* The difference as a percentage of `whole`, without its sign: "+12.34"; "-" of nothing. */
wasm_perf_short_text wasm_perf_format_change_of(wasm_perf_change change, uint64_t whole);

/* "1 call → 3 calls, +200.00 %" */
typedef struct wasm_perf_long_text {
  char text[160];
} wasm_perf_long_text;

wasm_perf_long_text wasm_perf_format_before_after(wasm_perf_unit unit, wasm_perf_change change);

/* ---- Two trees as one ---------------------------------------------------- */

#define WASM_PERF_NO_NODE UINT32_MAX

enum { WASM_PERF_BEFORE, WASM_PERF_AFTER, WASM_PERF_SIDE_COUNT };

/* A stack that occurs in one tree or in both. */
typedef struct wasm_perf_pair {
  uint32_t nodes[WASM_PERF_SIDE_COUNT]; /* in each of the trees, or WASM_PERF_NO_NODE */
  uint32_t parent;
  uint32_t first_child;
  uint32_t child_count;
} wasm_perf_pair;

/* Pair 0 is the root; children are contiguous and in order of their labels. */
typedef struct wasm_perf_pairs {
  wasm_perf_tree *trees[WASM_PERF_SIDE_COUNT];
  wasm_perf_pair *pairs;
  uint32_t pair_count;
} wasm_perf_pairs;

/*
 * Trees as wasm_perf_tree_new makes them, with their stacks matched by labels. Memory in proportion
 * to the nodes. False, with nothing to clear: out of memory.
 */
bool wasm_perf_pairs_init(wasm_perf_pairs *pairs, const wasm_perf_diff *diff, uint32_t depth_limit,
                          char separator);
void wasm_perf_pairs_clear(wasm_perf_pairs *pairs);

/* The pair that follows in preorder, 0 after the last one. */
uint32_t wasm_perf_pairs_next(const wasm_perf_pairs *pairs, uint32_t pair);

/* The values of a pair, without a name. */
wasm_perf_diff_row wasm_perf_pairs_row(const wasm_perf_pairs *pairs, uint32_t pair);

/*
 * Writes the labels of a stack, ';' between them, outermost first. The trees must have been cut
 * at WASM_PERF_DEPTH_LIMIT; the pair must not be the root.
 */
void wasm_perf_pairs_write_stack(const wasm_perf_pairs *pairs, uint32_t pair, FILE *stream);

#endif /* WASM_PERF_REPORT_DIFF_H_ */
