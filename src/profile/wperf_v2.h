/* Reads version 2 of .wperf files. */
#ifndef WI_PROFILE_WPERF_V2_H_
#define WI_PROFILE_WPERF_V2_H_

#include "profile/wperf.h"

/*
 * To be called after the magic and version were read. Returns NULL on failure, with the error
 * filled in.
 */
wasm_perf_profile *wi_wperf_read_v2(const wi_wperf_input *in);

#endif /* WI_PROFILE_WPERF_V2_H_ */
