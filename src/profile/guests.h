/*
 * Guest functions, such as Python functions that a module interprets. Each run numbers them in the
 * order of their first call, so several profiles are matched by name and place.
 */
#ifndef WI_PROFILE_GUESTS_H_
#define WI_PROFILE_GUESTS_H_

#include "wasm_perf/profile.h"

/* Whether the function is a guest's; guest functions start at `first`. 0: no guest. */
static inline bool wi_is_guest(uint64_t first, uint32_t function) {
  return first != 0 && function >= first;
}

typedef struct wi_guests {
  const wasm_perf_profile *const *profiles; /* borrowed */
  size_t count;
  uint32_t **numbers; /* per profile and name: the new number; owned; NULL: numbers do not change */
  uint64_t first;     /* first number of guest functions; 0: no guests */
} wi_guests;

/*
 * Assigns common numbers; a single profile keeps its own. Returns false, with nothing kept, if out
 * of memory.
 */
bool wi_guests_init(wi_guests *guests, const wasm_perf_profile *const *profiles, size_t count);
void wi_guests_clear(wi_guests *guests);

/* Returns the new number of a profile's function; other functions keep theirs. */
uint32_t wi_guests_number(const wi_guests *guests, size_t profile, uint32_t function);

#endif /* WI_PROFILE_GUESTS_H_ */
