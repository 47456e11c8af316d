/* What several of the JSON formats have in common. */
#ifndef WI_REPORT_ENCODE_JSON_PARTS_H_
#define WI_REPORT_ENCODE_JSON_PARTS_H_

#include "report/model/summary.h"
#include "report/model/tree.h"
#include "report/model/units.h"
#include "support/json_writer.h"

/* Who wrote the file, in formats that say so. */
#define WI_JSON_PROGRAM "wasm-perf"

/*
 * Decimals of a value in µs, for formats that know nothing but time: where values are no times, 1
 * µs stands for one.
 */
unsigned wi_json_decimals(wi_unit unit);

/* What wi_json_decimals means to readers; NULL where values are times. */
const char *wi_json_scale(wi_unit unit);

/* An array of the summary's lines. */
void wi_json_summary(wi_json *json, const char *key, const wi_summary *summary);

/*
 * The tree as spans along a line: each frame opens where the sum of all values before it ends and
 * closes after its callees.
 */
typedef struct wi_json_spans {
  const wi_tree *tree;
  bool counts_calls; /* the values are calls, not what the clock counts */
  bool is_open;      /* the event is that `node` opens; else it closes */
  uint32_t node;
  uint64_t position;
} wi_json_spans;

/* Before the first event. */
void wi_json_spans_init(wi_json_spans *spans, const wi_tree *tree, bool counts_calls);

/* Goes to the next event; false after the last one, and `position` is then the end. */
bool wi_json_spans_next(wi_json_spans *spans);

#endif /* WI_REPORT_ENCODE_JSON_PARTS_H_ */
