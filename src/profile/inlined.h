/* Inlined source functions; wasm_perf/profile.h has the details of each. */
#ifndef WI_PROFILE_INLINED_H_
#define WI_PROFILE_INLINED_H_

#include "wasm_perf/profile.h"

/* Items with the same name and place are one function, however often it was inlined. */
typedef struct wi_inlined_functions {
  uint32_t *of;     /* per item in profile->lines.inlined: index of its function; owned */
  uint32_t *firsts; /* per function: index of its first item; owned */
  uint32_t count;
} wi_inlined_functions;

/* Returns false, with nothing to clear, if out of memory. */
bool wi_inlined_functions_init(wi_inlined_functions *functions, const wasm_perf_profile *profile);

void wi_inlined_functions_clear(wi_inlined_functions *functions);

#endif /* WI_PROFILE_INLINED_H_ */
