/* Reads version 1 of .wperf files. */
#ifndef WI_PROFILE_WPERF_V1_H_
#define WI_PROFILE_WPERF_V1_H_

#include "profile/wperf.h"

/*
 * To be called after the magic and version were read. Returns NULL on failure, with the error
 * filled in.
 */
wasm_perf_profile *wi_wperf_read_v1(const wi_wperf_input *in);

#endif /* WI_PROFILE_WPERF_V1_H_ */
