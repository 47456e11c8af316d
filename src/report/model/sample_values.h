/*
 * The values per stack in formats of samples (pprof, OTLP): calls and, depending on the clock, cpu
 * (of the module's functions) and wall nanoseconds, instructions or ticks. Memory profiles add the
 * values of heap profiles and the peak.
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
  uint32_t clock_type_count; /* excludes memory's types, which follow */
  uint32_t shown_type;       /* the one to show first */
  wi_heap heap;
} wi_sample_values;

/* The report must outlive the values. Returns false, with nothing to clear, if memory ran out. */
bool wi_sample_values_init(wi_sample_values *values, const wi_report *report);
void wi_sample_values_clear(wi_sample_values *values);

/* Whether the tree node has any value of its own. */
bool wi_sample_values_any(const wi_sample_values *values, uint32_t node);

/* Writes the node's values to numbers[type_count], in the order of the types. */
void wi_sample_values_get(const wi_sample_values *values, uint32_t node, uint64_t *numbers);

/*
 * Returns as much of a number as *rest allows, and subtracts it: readers add up in 63 bits without
 * checks. In a difference, negative numbers are kept: see wasm_perf_profile.
 */
uint64_t wi_sample_values_take(const wi_sample_values *values, uint64_t *rest, uint64_t number);

#endif /* WI_REPORT_MODEL_SAMPLE_VALUES_H_ */
