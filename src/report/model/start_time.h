/* When a run began, from the date at which its profile was taken. */
#ifndef WI_REPORT_MODEL_START_TIME_H_
#define WI_REPORT_MODEL_START_TIME_H_

#include "wasm_perf/profile.h"

/* Nanoseconds since 1970 in UTC; 0 if the date is unknown or not of the form that hosts write. */
uint64_t wi_start_time(const wasm_perf_facts *facts);

#endif /* WI_REPORT_MODEL_START_TIME_H_ */
