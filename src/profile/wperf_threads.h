/* The section SAMPLES of .wperf files. */
#ifndef WI_PROFILE_WPERF_THREADS_H_
#define WI_PROFILE_WPERF_THREADS_H_

#include "profile/wperf.h"

/* Checks that all records are valid and that the nodes of all stretches exist. */
bool wi_wperf_check_threads(const wi_wperf_input *in, wi_wperf_span section, uint32_t node_count);

/* Reads a section that was checked. Returns false if out of memory. */
bool wi_wperf_read_threads(wasm_perf_profile *profile, const wi_wperf_input *in,
                           wi_wperf_span section);

#endif /* WI_PROFILE_WPERF_THREADS_H_ */
