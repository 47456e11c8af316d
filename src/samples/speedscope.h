/* Files of speedscope, which many profilers write. */
#ifndef WI_SAMPLES_SPEEDSCOPE_H_
#define WI_SAMPLES_SPEEDSCOPE_H_

#include "samples/samples.h"
#include "support/cursor.h"

/* Whether the document, a valid one, looks like such a file. */
bool wi_speedscope_is(wi_cursor document);

/*
 * Adds the stacks of all profiles with the unit of the first one to *samples; times are in
 * nanoseconds. Our own file also has a profile of the same stacks with calls. *unit is that of the
 * first profile, or its name if it has none. Returns false with *error filled in.
 */
bool wi_speedscope_read(wi_cursor document, wi_samples *samples, wi_span *unit, wi_error *error);

#endif /* WI_SAMPLES_SPEEDSCOPE_H_ */
