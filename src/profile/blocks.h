/* What the rest of this room needs of blocks and lines; wasm_perf/profile.h has the functions. */
#ifndef WI_PROFILE_BLOCKS_H_
#define WI_PROFILE_BLOCKS_H_

#include "profile/wperf.h"
#include "wasm_perf/profile.h"

/* Frees blocks and lines, on the way to freeing the profile. */
void wi_blocks_clear(wasm_perf_profile *profile);

/* Whether functions that both have blocks of have as many; else *function is one that has not. */
bool wi_blocks_agree(const wasm_perf_profile *left, const wasm_perf_profile *right,
                     uint32_t *function);

/* Checks, and reads, the section of blocks. */
bool wi_blocks_check(const wi_wperf_input *in, wi_wperf_span section);
bool wi_blocks_read(wasm_perf_profile *profile, const wi_wperf_input *in, wi_wperf_span section);

#endif /* WI_PROFILE_BLOCKS_H_ */
