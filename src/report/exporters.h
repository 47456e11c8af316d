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
 * A Callgrind profile: the cost of each function by itself, and for each pair of caller and callee
 * the number of calls and their cost with all that they called. A call of a function that is open
 * already adds no cost, so the calls of a function sum up to its total. The host is an object of
 * its own, and the function that calls the module's first ones.
 */
bool wasm_perf_callgrind_write(const wasm_perf_profile *profile,
                               const wasm_perf_report_options *options, FILE *stream);

/*
 * An SVG of bounded size that needs nothing else: readable as it is, and where
 * scripts run it zooms and searches. Children stand in order of their names.
 */
bool wasm_perf_flamegraph_write(const wasm_perf_profile *profile,
                                const wasm_perf_report_options *options, FILE *stream);

/*
 * An HTML page of bounded size that needs nothing else and loads nothing: the summary, the flame
 * graph, the table of functions with callers and callees. All of it is there without scripts; with
 * them it sorts, searches and shows who calls whom. Its policy allows its own scripts and styles
 * only.
 */
bool wasm_perf_html_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                          FILE *stream);

/*
 * pprof's profile.proto, compressed by gzip: a sample for each stack with calls or a value of its
 * own, innermost frame first. Its values are calls and, by the clock, cpu (of the module's
 * functions) and wall nanoseconds, instructions or ticks; the last is shown by default. Comments
 * hold the summary. Beyond WASM_PERF_DEPTH_LIMIT frames as above. Sums stay within 63 bits.
 */
bool wasm_perf_pprof_write(const wasm_perf_profile *profile,
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
