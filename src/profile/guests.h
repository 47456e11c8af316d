/*
 * Functions of a guest, as those of Python that a module interprets: each run numbers them in the
 * order in which it meets them. In several profiles it is their name and place that say which are
 * the same.
 */
#ifndef WI_PROFILE_GUESTS_H_
#define WI_PROFILE_GUESTS_H_

#include "wasm_perf/profile.h"

/* Whether the function is a guest's, where these begin with `first`; 0: there are none. */
static inline bool wi_is_guest(uint64_t first, uint32_t function) {
  return first != 0 && function >= first;
}

typedef struct wi_guests {
  const wasm_perf_profile *const *profiles; /* borrowed */
  size_t count;
  uint32_t **numbers; /* of each profile: of each of its names the number it gets; owned; NULL: as
                         they are */
  uint64_t first;     /* the first number; 0: there are no guests */
} wi_guests;

/* Numbers them; of a single profile they stay as they are. False: memory ran out, nothing is
 * kept. */
bool wi_guests_init(wi_guests *guests, const wasm_perf_profile *const *profiles, size_t count);
void wi_guests_clear(wi_guests *guests);

/* What that function of a profile becomes: itself, unless it is a guest's. */
uint32_t wi_guests_number(const wi_guests *guests, size_t profile, uint32_t function);

#endif /* WI_PROFILE_GUESTS_H_ */
