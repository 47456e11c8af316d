/* The section CALLS of .wperf files: calls that were measured one by one. */
#ifndef WI_PROFILE_WPERF_CALLS_H_
#define WI_PROFILE_WPERF_CALLS_H_

#include "profile/wperf.h"

bool wi_wperf_check_calls(const wi_wperf_input *in, wi_wperf_span section, uint32_t node_count);

/*
 * Reads a section that was checked, after the nodes. Returns false if out of memory.
 */
bool wi_wperf_read_calls(wasm_perf_profile *profile, const wi_wperf_input *in,
                         wi_wperf_span section);

#endif /* WI_PROFILE_WPERF_CALLS_H_ */
