/* Facts of a merged profile. */
#ifndef WI_PROFILE_MERGE_FACTS_H_
#define WI_PROFILE_MERGE_FACTS_H_

#include "profile/guests.h"
#include "wasm_perf/profile.h"

/*
 * Merges facts and places of `guests->count` profiles into `result`, which has none. A number or
 * text is kept unless two profiles disagree; identities must agree. Instance counts and unmatched
 * times are added up. Returns false with *mismatch filled in if identities differ or memory ran
 * out.
 */
bool wi_merge_facts(wasm_perf_profile *result, const wi_guests *guests,
                    wasm_perf_mismatch *mismatch);

/*
 * Sets what all profiles say of the run: its tool, command and engine, and the latest date. Returns
 * false and sets the mismatch if memory ran out.
 */
bool wi_merge_run_texts(wasm_perf_profile *result, const wasm_perf_profile *const *profiles,
                        size_t count, wasm_perf_mismatch *mismatch);

#endif /* WI_PROFILE_MERGE_FACTS_H_ */
