/* Which kept calls stay when profiles are added up. */
#ifndef WI_PROFILE_CALLS_CHOOSE_H_
#define WI_PROFILE_CALLS_CHOOSE_H_

#include "profile/calls.h"

/*
 * Keeps the slowest calls, at most `limit`, and for each function the typical call that is nearest to
 * the median. The calls are sorted. Returns false if out of memory.
 */
bool wi_calls_choose(wasm_perf_profile *profile, uint32_t limit);

#endif /* WI_PROFILE_CALLS_CHOOSE_H_ */
