/* Source locations of the JavaScript callers in a profile of memory, see CALLERS in format.h. */
#ifndef WI_SAMPLES_CALLER_PLACES_H_
#define WI_SAMPLES_CALLER_PLACES_H_

#include "support/file_reader.h"
#include "wasm_perf/profile.h"

/*
 * Replaces the places of JavaScript functions that have a column by those in the source maps of
 * their scripts, which `read` reads, and joins functions that are then the same. Returns false if
 * out of memory.
 */
bool wi_caller_places_map(wasm_perf_profile *profile, wi_file_reader *read);

#endif /* WI_SAMPLES_CALLER_PLACES_H_ */
