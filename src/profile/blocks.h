/* What the rest of this room needs of blocks and lines; wasm_perf/profile.h has the functions. */
#ifndef WI_PROFILE_BLOCKS_H_
#define WI_PROFILE_BLOCKS_H_

#include "wasm_perf/profile.h"

/* Frees blocks and lines, on the way to freeing the profile. */
void wi_blocks_clear(wasm_perf_profile *profile);

/* Whether functions that both have blocks of have as many; else *function is one that has not. */
bool wi_blocks_agree(const wasm_perf_profile *left, const wasm_perf_profile *right,
                     uint32_t *function);

/*
 * Counts of 0 for a function that has none yet, for the caller to fill in; NULL: out of memory.
 */
uint64_t *wi_blocks_new(wasm_perf_profile *profile, uint32_t function, uint32_t count);

#endif /* WI_PROFILE_BLOCKS_H_ */
