/* What a page says of two profiles that it compares, for its reader (cli/reader/main.c). */
#ifndef WI_REPORT_DIFF_DIFF_PAGE_H_
#define WI_REPORT_DIFF_DIFF_PAGE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/model/units.h"
#include "support/json_writer.h"

/*
 * Writes the headline and the findings (diff_findings.h) as an object of JSON. `numbers` are
 * doubles, as reader.mjs writes them:
 *
 *     totals before and after, times per sample before and after (0: not from samples),
 *     1 if all functions of both profiles are there,
 *     for each function: self before and after, total before and after, calls before and after (NaN:
 *     not counted), 1 if it is new, 2 if it is gone
 *
 * Returns false if there are too few numbers, or if memory ran out.
 */
bool wi_diff_page_write(wi_json *json, const double *numbers, size_t number_count, wi_unit unit);

#endif /* WI_REPORT_DIFF_DIFF_PAGE_H_ */
