/* Calls that were measured one by one: their distribution by function, and the slowest ones. */
#ifndef WI_REPORT_MODEL_MEASURED_H_
#define WI_REPORT_MODEL_MEASURED_H_

#include "profile/calls.h"
#include "report/model/report.h"
#include "support/array.h"

#define WI_NO_LABEL      UINT32_MAX
#define WI_SLOW_MULTIPLE 10u /* of the median, from which a call is worth a sentence */

/* The calls of a function, or those from one of its callers. Values are in the unit of the measure. */
typedef struct wi_measured {
  uint32_t label;
  uint32_t caller;           /* label; WI_NO_LABEL: the host */
  bool is_caller;            /* only the calls from `caller` */
  bool is_exact;             /* `most` is that of a kept call; otherwise its bucket's upper bound */
  uint64_t count;            /* of measured calls */
  uint64_t unmeasured_count; /* calls that were not measured; only of the whole function */
  uint64_t p50, p90, p99;
  uint64_t most;
  uint64_t total;          /* within 1/32: from the buckets */
  uint64_t function_total; /* of the whole function */
  uint32_t first, after;   /* range of its histograms in `entries` */
} wi_measured;

/* A histogram of the measure. */
typedef struct wi_measured_entry {
  uint32_t label;
  uint32_t caller;
  uint32_t index; /* in the profile's histograms */
} wi_measured_entry;

typedef struct wi_measured_calls {
  const wasm_perf_profile *profile; /* borrowed, with its report */
  const wi_tree *tree;
  wasm_perf_call_measure measure;
  wi_unit unit;
  WI_ARRAY(wi_measured, rows);          /* functions by total, each followed by its callers */
  WI_ARRAY(wi_measured_entry, entries); /* by label and caller */
} wi_measured_calls;

/*
 * Summarises the calls by that measure, which the profile has. The report must outlive the result.
 * Returns false, with nothing to clear, if memory ran out.
 */
bool wi_measured_calls_init(wi_measured_calls *calls, const wi_report *report,
                            wasm_perf_call_measure measure);
void wi_measured_calls_clear(wi_measured_calls *calls);

/* The row of the kept call's function. NULL: its histograms are missing. */
const wi_measured *wi_measured_row(const wi_measured_calls *calls, const wasm_perf_call *call);

/* The function's calls by bucket. */
wi_bucket_sums wi_measured_sums(const wi_measured_calls *calls, const wi_measured *row);

/* The typical call of the function of `call`; NULL: none was kept. */
const wasm_perf_call *wi_typical_call(const wasm_perf_profile *profile, const wasm_perf_call *call);

/* The measure that the report's options choose, if the profile has it, else its first one. */
wasm_perf_call_measure wi_shown_call_measure(const wi_report *report);

/* "212 ms", "1,234" instructions */
wi_short_text wi_format_measured(wi_unit unit, uint64_t value);

/* Likewise of a kept call; "?" if it lacks that measure. */
wi_short_text wi_format_call(wi_unit unit, uint64_t value);

/* "111", "1.4": value ÷ median; "-" if that is 0. */
wi_short_text wi_format_multiple(uint64_t value, uint64_t median);

#endif /* WI_REPORT_MODEL_MEASURED_H_ */
