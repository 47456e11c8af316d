/* What a page says of two profiles that it compares, for its reader (cli/reader/main.c). */
#ifndef WI_REPORT_DIFF_DIFF_PAGE_H_
#define WI_REPORT_DIFF_DIFF_PAGE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/model/parts.h"
#include "report/model/units.h"
#include "support/json_writer.h"

/* What the page compares. All of it is borrowed. */
typedef struct wi_diff_page {
  const char *title;
  const wi_part_function *functions;
  uint32_t function_count;
  wi_unit unit;
} wi_diff_page;

/*
 * Writes an object of JSON: the headline, the findings (diff_findings.h), and both as Markdown.
 * `numbers` are doubles, as reader.mjs writes them:
 *
 *     totals before and after, times per sample before and after (0: not from samples),
 *     1 if all functions of both profiles are there, 1 if the times are too rough for findings,
 *     for each function: self before and after, total before and after, calls before and after (NaN:
 *     not counted), 1 if it is new, 2 if it is gone
 *
 * Returns false if they are none of a comparison, or if memory ran out.
 */
bool wi_diff_page_write(wi_json *json, const wi_diff_page *page, const double *numbers,
                        size_t number_count);

#endif /* WI_REPORT_DIFF_DIFF_PAGE_H_ */
