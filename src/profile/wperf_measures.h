/* The sections of .wperf files that are of memory. */
#ifndef WI_PROFILE_WPERF_MEASURES_H_
#define WI_PROFILE_WPERF_MEASURES_H_

#include "profile/wperf.h"

/* Where they stand; offset 0 where there is none. */
typedef struct wi_wperf_memory {
  wi_wperf_span measures;
  wi_wperf_span sizes;
  wi_wperf_span timeline;
} wi_wperf_memory;

/* Checks them against the number of nodes; false, with the error filled in, if they are no good. */
bool wi_wperf_check_memory(const wi_wperf_input *in, const wi_wperf_memory *sections,
                           uint32_t node_count);

/* Reads them, once checked; false: out of memory. */
bool wi_wperf_read_memory(wasm_perf_profile *profile, const wi_wperf_input *in,
                          const wi_wperf_memory *sections);

#endif /* WI_PROFILE_WPERF_MEASURES_H_ */
