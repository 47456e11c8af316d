/* The HTML report of several profiles. */
#ifndef WI_REPORT_FORMATS_HTML_H_
#define WI_REPORT_FORMATS_HTML_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "wasm_perf/report.h"

/*
 * Writes one page of profiles of one unit; `is_difference`: of two, which opens with the second one
 * compared with the first. `names` says what each is of; `options` may be NULL. False: write error
 * or out of memory.
 */
bool wi_html_write_runs(const wasm_perf_profile *const *profiles, const char *const *names,
                        size_t count, bool is_difference, const wasm_perf_report_options *options,
                        FILE *stream);

#endif /* WI_REPORT_FORMATS_HTML_H_ */
