/* What a profile cannot know by itself: the module has it. */
#ifndef WI_SYMBOLS_COMPLETE_H_
#define WI_SYMBOLS_COMPLETE_H_

#include "wasm_instrument/wasm_instrument.h"
#include "wasm_perf/profile.h"

/* A module as it ran. Everything is borrowed. */
typedef struct wi_ran_module {
  const char *name; /* of its file */
  const uint8_t *bytes;
  size_t size;
  const wi_marker *marker;
} wi_ran_module;

/*
 * Says which module it is, where that ran as it was. Names the functions of a profile that has no
 * names, and says where functions stand in the source, as the module's DWARF has it. False, with
 * *error filled in: out of memory, or the module cannot be read.
 */
bool wi_profile_complete(wasm_perf_profile *profile, const wi_ran_module *module, wi_error *error);

#endif /* WI_SYMBOLS_COMPLETE_H_ */
