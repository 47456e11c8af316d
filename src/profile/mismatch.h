/* Checks whether profiles fit together, and describes why not. */
#ifndef WI_PROFILE_MISMATCH_H_
#define WI_PROFILE_MISMATCH_H_

#include "wasm_perf/profile.h"

typedef struct wi_clock_text {
  char text[24];
} wi_clock_text;

/* Name of a clock, or of the quantity that a file of samples has instead. */
wi_clock_text wi_clock_words(uint32_t clock);

/* Fills in *mismatch from a printf format. Always returns false. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
bool wi_mismatch_set(wasm_perf_mismatch *mismatch, size_t index, const char *format, ...);

/*
 * Whether the values of both headers have the same unit. If not, *mismatch says how profile `index`
 * differs.
 */
bool wi_clocks_match(const wasm_perf_header *before, const wasm_perf_header *header, size_t index,
                     wasm_perf_mismatch *mismatch);

#endif /* WI_PROFILE_MISMATCH_H_ */
