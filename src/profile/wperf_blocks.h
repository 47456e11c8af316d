/* The section BLOCKS of .wperf files. */
#ifndef WI_PROFILE_WPERF_BLOCKS_H_
#define WI_PROFILE_WPERF_BLOCKS_H_

#include "profile/blocks.h"
#include "profile/wperf.h"

bool wi_wperf_check_blocks(const wi_wperf_input *in, wi_wperf_span section);

/* Reads a section that was checked. Returns false if out of memory. */
bool wi_wperf_read_blocks(wasm_perf_profile *profile, const wi_wperf_input *in,
                          wi_wperf_span section);

#endif /* WI_PROFILE_WPERF_BLOCKS_H_ */
