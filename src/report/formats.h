/* The write functions behind wasm_perf_exporters. False: write or memory error. */
#ifndef WI_REPORT_FORMATS_H_
#define WI_REPORT_FORMATS_H_

#include <stdbool.h>
#include <stdio.h>

#include "wasm_perf/profile.h"

/*
 * One line "frame;frame;frame VALUE" per stack with a value of its own: nanoseconds,
 * instructions, or calls without a clock. Outermost frame first; the host is no frame.
 * Lines are in order of their frames. ';' in names becomes ':'; see labels.h for the
 * rest. Beyond WI_DEPTH_LIMIT frames a stack reads "…;[...];innermost".
 */
bool wi_folded_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                     FILE *stream);

/*
 * A Callgrind profile: the cost of each function by itself, and for each pair of caller and callee
 * the number of calls and their cost with all that they called. A call of a function that is open
 * already adds no cost, so the calls of a function sum up to its total. The host is an object of
 * its own, and the function that calls the module's first ones.
 */
bool wi_callgrind_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                        FILE *stream);

/*
 * An SVG of bounded size that needs nothing else: readable as it is, and where
 * scripts run it zooms and searches. Children stand in order of their names.
 */
bool wi_flamegraph_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                         FILE *stream);

/*
 * An HTML page of bounded size that needs nothing else and loads nothing: the summary, the flame
 * graph, the table of functions with callers and callees. All of it is there without scripts; with
 * them it sorts, searches and shows who calls whom. Its policy allows its own scripts and styles
 * only.
 */
bool wi_html_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                   FILE *stream);

/*
 * pprof's profile.proto, compressed by gzip: a sample for each stack with calls or a value of its
 * own, innermost frame first. Its values are calls and, by the clock, cpu (of the module's
 * functions) and wall nanoseconds, instructions or ticks; the last is shown by default. Comments
 * hold the summary. Beyond WI_DEPTH_LIMIT frames as above. Sums stay within 63 bits.
 */
bool wi_pprof_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                    FILE *stream);

/*
 * A table of functions for the terminal, by self value or options->sort. A total counts only the
 * outermost of a function's frames on a stack, so recursion is not counted twice.
 */
bool wi_top_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                  FILE *stream);

/*
 * The call tree as text, the largest totals first: what options->min_share, depth_limit and
 * row_limit leave, with a line at each place where they leave something out.
 */
bool wi_tree_text_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                        FILE *stream);

/*
 * Trace events, as chrome://tracing, Perfetto and Chrome's performance panel read them: a pair of B
 * and E per frame, at running sums in µs, to the nanosecond; where values are no times, 1 µs stands
 * for one, as the thread's name and "otherData" say. Calls are in "args".
 */
bool wi_chrome_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                     FILE *stream);

/*
 * V8's .cpuprofile: one sample for each frame with a value of its own, as long as that value, in
 * µs, to the nanosecond (the protocol's type says integers; V8's own readers take any number).
 * Where values are no times, 1 µs stands for one. The format has no place for calls.
 */
bool wi_cpuprofile_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                         FILE *stream);

/*
 * The Firefox Profiler's processed format. Thread "time" (or "instructions", "ticks") is weighted
 * by that, in ms to the nanosecond, or in counts; thread "calls" has the same stacks weighted by
 * calls.
 */
bool wi_firefox_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                      FILE *stream);

/*
 * Everything that a report knows, for programs: wasm_perf/report.schema.json. Integers are written
 * exactly, up to 2^64 - 1.
 */
bool wi_json_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                   FILE *stream);

/*
 * speedscope's own format: events at running sums, which stay at 2^64 - 1 where they would be
 * larger. A profile of what the clock counted, one of calls; without a clock just the latter.
 * Numbers are exact; speedscope itself rounds those above 2^53, in nanoseconds 104 days.
 */
bool wi_speedscope_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                         FILE *stream);

#endif /* WI_REPORT_FORMATS_H_ */
