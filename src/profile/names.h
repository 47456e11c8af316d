/* Names of functions with the confidence in them. */
#ifndef WI_PROFILE_NAMES_H_
#define WI_PROFILE_NAMES_H_

#include "wasm_perf/profile.h"

/* Names `function` with that confidence; 0: none is known. Returns false if out of memory. */
static inline bool wi_name_set(wasm_perf_profile *profile, uint32_t function, const char *text,
                               uint32_t confidence) {
  return wasm_perf_profile_set_name(profile, function, text) &&
         (confidence == 0 || wasm_perf_profile_set_confidence(profile, function, confidence));
}

#endif /* WI_PROFILE_NAMES_H_ */
