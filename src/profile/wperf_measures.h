/* The memory sections of .wperf files. */
#ifndef WI_PROFILE_WPERF_MEASURES_H_
#define WI_PROFILE_WPERF_MEASURES_H_

#include "profile/wperf.h"

/* Their positions; offset 0: missing. */
typedef struct wi_wperf_memory {
  wi_wperf_span measures;
  wi_wperf_span sizes;
  wi_wperf_span timeline;
  wi_wperf_span callers;
} wi_wperf_memory;

/*
 * Checks the sections against the number of nodes. Returns false with the error filled in if one is
 * invalid.
 */
bool wi_wperf_check_memory(const wi_wperf_input *in, const wi_wperf_memory *sections,
                           uint32_t node_count);

/* Reads the sections after they were checked. Returns false if out of memory. */
bool wi_wperf_read_memory(wasm_perf_profile *profile, const wi_wperf_input *in,
                          const wi_wperf_memory *sections);

#endif /* WI_PROFILE_WPERF_MEASURES_H_ */
