/* The write functions behind wasm_perf_exporters. False: write or memory error. */
#ifndef WASM_PERF_REPORT_EXPORTERS_H_
#define WASM_PERF_REPORT_EXPORTERS_H_

#include <stdbool.h>
#include <stdio.h>

#include "wasm_perf/profile.h"

/*
 * One line "frame;frame;frame VALUE" per stack with a value of its own: nanoseconds,
 * instructions, or calls without a clock. Outermost frame first; the host is no frame.
 * Lines are in order of their frames. ';' in names becomes ':'; see labels.h for the
 * rest. Beyond WASM_PERF_DEPTH_LIMIT frames a stack reads "…;[...];innermost".
 */
bool wasm_perf_folded_write(const wasm_perf_profile *profile,
                            const wasm_perf_report_options *options, FILE *stream);

/*
 * An SVG of bounded size that needs nothing else: readable as it is, and where
 * scripts run it zooms and searches. Children stand in order of their names.
 */
bool wasm_perf_flamegraph_write(const wasm_perf_profile *profile,
                                const wasm_perf_report_options *options, FILE *stream);

/*
 * A table of functions for the terminal, by self value or options->sort. A total counts only the
 * outermost of a function's frames on a stack, so recursion is not counted twice.
 */
bool wasm_perf_top_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                         FILE *stream);

/*
 * The call tree as text, the largest totals first: what options->min_share, depth_limit and
 * row_limit leave, with a line at each place where they leave something out.
 */
bool wasm_perf_tree_text_write(const wasm_perf_profile *profile,
                               const wasm_perf_report_options *options, FILE *stream);

#endif /* WASM_PERF_REPORT_EXPORTERS_H_ */
