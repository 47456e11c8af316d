/*
 * What formats of samples (pprof, OTLP) say of each stack: calls and, by the clock, cpu (of the
 * module's functions) and wall nanoseconds, instructions or ticks; of a profile of memory also
 * what heap profiles have, and the peak.
 */
#ifndef WI_REPORT_MODEL_SAMPLE_VALUES_H_
#define WI_REPORT_MODEL_SAMPLE_VALUES_H_

#include "report/model/heap.h"
#include "report/model/report.h"

#define WI_MAX_SAMPLE_VALUES (3u + WASM_PERF_MEASURE_COUNT)

typedef struct wi_value_type {
  const char *name;
  const char *unit;
} wi_value_type;

typedef struct wi_sample_values {
  const wi_report *report; /* borrowed */
  wi_value_type types[WI_MAX_SAMPLE_VALUES];
  uint32_t type_count;
  uint32_t clock_type_count; /* without those of memory, which come after */
  uint32_t shown_type;       /* what to show first */
  wi_heap heap;
} wi_sample_values;

/* The report must outlive the values. False, with nothing to clear: out of memory. */
bool wi_sample_values_init(wi_sample_values *values, const wi_report *report);
void wi_sample_values_clear(wi_sample_values *values);

/* Whether the node of the report's tree has anything of its own. */
bool wi_sample_values_any(const wi_sample_values *values, uint32_t node);

/* Puts what it has into numbers[type_count], in the order of the types. */
void wi_sample_values_get(const wi_sample_values *values, uint32_t node, uint64_t *numbers);

/*
 * The part of a number that its sum has room for: readers add up in 63 bits and do not check. Of a
 * difference numbers below 0 are kept: see wasm_perf_profile.
 */
uint64_t wi_sample_values_take(const wi_sample_values *values, uint64_t *rest, uint64_t number);

#endif /* WI_REPORT_MODEL_SAMPLE_VALUES_H_ */
