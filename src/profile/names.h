/* Names of functions with the confidence in them, and places with their column. */
#ifndef WI_PROFILE_NAMES_H_
#define WI_PROFILE_NAMES_H_

#include <string.h>

#include "wasm_perf/profile.h"

/* Names `function` with that confidence; 0: none is known. Returns false if out of memory. */
static inline bool wi_name_set(wasm_perf_profile *profile, uint32_t function, const char *text,
                               uint32_t confidence) {
  return wasm_perf_profile_set_name(profile, function, text) &&
         (confidence == 0 || wasm_perf_profile_set_confidence(profile, function, confidence));
}

/* Gives a function another one's place, if it has none. Returns false if out of memory. */
static inline bool wi_place_copy(wasm_perf_profile *profile, uint32_t function,
                                 const wasm_perf_place *place) {
  if (!wasm_perf_profile_set_place(profile, function, place->line, place->file,
                                   strlen(place->file)))
    return false;
  const wasm_perf_place *copy = wasm_perf_profile_place(profile, function);
  profile->places[copy - profile->places].column = place->column;
  return true;
}

#endif /* WI_PROFILE_NAMES_H_ */
