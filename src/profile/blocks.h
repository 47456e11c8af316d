/* Blocks and lines, for this room only; wasm_perf/profile.h declares the public functions. */
#ifndef WI_PROFILE_BLOCKS_H_
#define WI_PROFILE_BLOCKS_H_

#include "wasm_perf/profile.h"

/* Frees blocks and lines when the profile is freed. */
void wi_blocks_clear(wasm_perf_profile *profile);

/*
 * Whether functions with blocks in both profiles have the same number of them. If not, *function is
 * one that differs.
 */
bool wi_blocks_agree(const wasm_perf_profile *left, const wasm_perf_profile *right,
                     uint32_t *function);

/*
 * Adds zeroed counts for a function without counts; the caller fills them in. NULL: out of memory.
 */
uint64_t *wi_blocks_new(wasm_perf_profile *profile, uint32_t function, uint32_t count);

#endif /* WI_PROFILE_BLOCKS_H_ */
