/* Parts that several JSON formats share. */
#ifndef WI_REPORT_ENCODE_JSON_PARTS_H_
#define WI_REPORT_ENCODE_JSON_PARTS_H_

#include "report/model/summary.h"
#include "report/model/tree.h"
#include "report/model/units.h"
#include "support/json_writer.h"

/* The program's name, for formats that record it. */
#define WI_JSON_PROGRAM "wasm-perf"

/*
 * Decimals of a value in µs, for formats that only support time. If values are not times, 1 µs
 * stands for one.
 */
unsigned wi_json_decimals(wi_unit unit);

/* Explains that scale to readers; NULL if values are times. */
const char *wi_json_scale(wi_unit unit);

/* Writes an array of the summary's lines. */
void wi_json_summary(wi_json *json, const char *key, const wi_summary *summary);

/* Writes an object of the summary's numbers, whose keys end in their unit: "total_nanoseconds". */
void wi_json_numbers(wi_json *json, const char *key, const wi_summary *summary);

/*
 * The tree as spans along a line: each frame opens at the sum of all values before it, and closes
 * after its callees.
 */
typedef struct wi_json_spans {
  const wi_tree *tree;
  bool counts_calls; /* the values are calls, not clock values */
  bool is_open;      /* `node` opens at this event; otherwise it closes */
  uint32_t node;
  uint64_t position;
} wi_json_spans;

/* Call before the first event. */
void wi_json_spans_init(wi_json_spans *spans, const wi_tree *tree, bool counts_calls);

/* Advances to the next event. Returns false after the last one; `position` is then the end. */
bool wi_json_spans_next(wi_json_spans *spans);

#endif /* WI_REPORT_ENCODE_JSON_PARTS_H_ */
