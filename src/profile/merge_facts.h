/* What a merged profile says of where it comes from. */
#ifndef WI_PROFILE_MERGE_FACTS_H_
#define WI_PROFILE_MERGE_FACTS_H_

#include "profile/guests.h"
#include "wasm_perf/profile.h"

/*
 * Facts and places of `guests->count` profiles for `result`, which has none. A number or text is
 * kept unless two profiles disagree on it; identities must agree. Instances and unmatched times are
 * added up. False, with *mismatch filled in: an identity differs, or memory ran out.
 */
bool wi_merge_facts(wasm_perf_profile *result, const wi_guests *guests,
                    wasm_perf_mismatch *mismatch);

#endif /* WI_PROFILE_MERGE_FACTS_H_ */
