/* The functions of the source that were inlined; wasm_perf/profile.h says what is known of them. */
#ifndef WI_PROFILE_INLINED_H_
#define WI_PROFILE_INLINED_H_

#include "wasm_perf/profile.h"

/* Those of one name and place are one function, however often it was inlined. */
typedef struct wi_inlined_functions {
  uint32_t *of;     /* per profile->lines.inlined: index of its function; owned */
  uint32_t *firsts; /* per function: the first such item; owned */
  uint32_t count;
} wi_inlined_functions;

/* False, with nothing to clear: out of memory. */
bool wi_inlined_functions_init(wi_inlined_functions *functions, const wasm_perf_profile *profile);

void wi_inlined_functions_clear(wi_inlined_functions *functions);

#endif /* WI_PROFILE_INLINED_H_ */
