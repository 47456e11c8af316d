/* Folded stacks, as Brendan Gregg's scripts and many profilers write them. */
#ifndef WI_SAMPLES_FOLDED_H_
#define WI_SAMPLES_FOLDED_H_

#include "samples/samples.h"
#include "support/error.h"

/* Whether the first line is one: "main;parse;malloc 12". */
bool wi_folded_is(const uint8_t *bytes, size_t size);

/* Adds all lines to *samples. Times are the numbers. Returns false with *error filled in. */
bool wi_folded_read(const uint8_t *bytes, size_t size, wi_samples *samples, wi_error *error);

#endif /* WI_SAMPLES_FOLDED_H_ */
