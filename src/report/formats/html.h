/* The HTML report of several profiles. */
#ifndef WI_REPORT_FORMATS_HTML_H_
#define WI_REPORT_FORMATS_HTML_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "wasm_perf/report.h"

/*
 * Writes one page with profiles of the same unit. With `is_difference`, there are two, and the page
 * opens with their comparison. `names` are the profiles' titles; `options` may be NULL. Returns
 * false on a write error, or if memory ran out.
 */
bool wi_html_write_runs(const wasm_perf_profile *const *profiles, const char *const *names,
                        size_t count, bool is_difference, const wasm_perf_report_options *options,
                        FILE *stream);

#endif /* WI_REPORT_FORMATS_HTML_H_ */
