/* Merges nodes that represent the same stack. */
#ifndef WI_PROFILE_STACKS_H_
#define WI_PROFILE_STACKS_H_

#include "wasm_perf/profile.h"

/*
 * Keeps the first node of each stack and adds the others to it, including memory measures. Parents
 * must precede children. There may be several roots, which are nodes of WASM_PERF_FUNCTION_ROOT.
 * Returns false if out of memory; the profile is then unchanged, or has lost its shared calls.
 */
bool wi_stacks_fold(wasm_perf_profile *profile);

#endif /* WI_PROFILE_STACKS_H_ */
