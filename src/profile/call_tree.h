/* A single call as a profile of its own. */
#ifndef WI_PROFILE_CALL_TREE_H_
#define WI_PROFILE_CALL_TREE_H_

#include "wasm_perf/profile.h"

/* Whether the instructions of the call's functions are known. */
bool wi_call_has_instructions(const wasm_perf_call *call);

/*
 * Makes a profile of the rows of a call of `profile`: names, places and kinds are copied. It counts
 * instructions if `clock` is INSTRUCTIONS, else only calls. The caller frees it. NULL if out of
 * memory.
 */
wasm_perf_profile *wi_call_profile(const wasm_perf_profile *profile, const wasm_perf_call *call,
                                   wasm_perf_clock clock);

#endif /* WI_PROFILE_CALL_TREE_H_ */
