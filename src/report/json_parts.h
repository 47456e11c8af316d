/* What several of the JSON formats have in common. */
#ifndef WASM_PERF_REPORT_JSON_PARTS_H_
#define WASM_PERF_REPORT_JSON_PARTS_H_

#include "report/json_writer.h"
#include "report/numbers.h"
#include "report/tree.h"
#include "wasm_perf/profile.h"

/* Who wrote the file, in formats that say so. */
#define WASM_PERF_JSON_EXPORTER "wasm-perf"

/* The title that was given, else the exporter's name. */
const char *wasm_perf_json_title(const wasm_perf_report_options *options);

/* "nanoseconds", "instructions", "calls", "ticks" */
const char *wasm_perf_json_unit(wasm_perf_unit unit);

/*
 * Decimals of a value in µs, for formats that know nothing but time: where values are no times, 1
 * µs stands for one.
 */
unsigned wasm_perf_json_decimals(wasm_perf_unit unit);

/* What wasm_perf_json_decimals means to readers; NULL where values are times. */
const char *wasm_perf_json_scale(wasm_perf_unit unit);

/* The lines of the summary, each as a string within the array that is open. */
void wasm_perf_json_summary(wasm_perf_json *json, const wasm_perf_profile *profile,
                            const wasm_perf_tree *tree);

/*
 * The tree as spans along a line: each frame opens where the sum of all values before it ends and
 * closes behind its callees.
 */
typedef struct wasm_perf_json_spans {
  const wasm_perf_tree *tree;
  bool counts_calls; /* the values are calls, not what the clock counts */
  bool is_open;      /* the event is that `node` opens; else it closes */
  uint32_t node;
  uint64_t position;
} wasm_perf_json_spans;

/* Before the first event. */
void wasm_perf_json_spans_init(wasm_perf_json_spans *spans, const wasm_perf_tree *tree,
                               bool counts_calls);

/* Goes to the next event; false after the last one, and `position` is then the end. */
bool wasm_perf_json_spans_next(wasm_perf_json_spans *spans);

#endif /* WASM_PERF_REPORT_JSON_PARTS_H_ */
