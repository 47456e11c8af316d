/* Completes a profile with information from its module. */
#ifndef WI_SYMBOLS_COMPLETE_H_
#define WI_SYMBOLS_COMPLETE_H_

#include "wasm_instrument/wasm_instrument.h"
#include "wasm_perf/profile.h"

/* A module as it ran; everything is borrowed. */
typedef struct wi_ran_module {
  const char *name; /* file name */
  const uint8_t *bytes;
  size_t size;
} wi_ran_module;

/*
 * Records the module's identity if it ran without hooks. Names the functions of a profile without
 * names, and adds the confidence in names from other builds, and source locations from the module's
 * DWARF. Returns false with *error filled in if out of memory or if the module is unreadable.
 */
bool wi_profile_complete(wasm_perf_profile *profile, const wi_ran_module *module, wi_error *error);

#endif /* WI_SYMBOLS_COMPLETE_H_ */
