/* V8's CPU profiles, as written by Chrome DevTools and node --cpu-prof. */
#ifndef WI_SAMPLES_CPUPROFILE_H_
#define WI_SAMPLES_CPUPROFILE_H_

#include <jansson.h>

#include "samples/samples.h"
#include "support/error.h"

/* Whether the document looks like one. */
bool wi_cpuprofile_is(const json_t *document);

/*
 * Adds the profile to *samples, which is empty. Frames are WebAssembly if their script's URL starts
 * with "wasm:". A sample represents the time in which it is the nearest one; if the profile has
 * only counts, all samples represent the same time. Garbage collection has no stack and gets a
 * frame where the program was.
 */
bool wi_cpuprofile_read(const json_t *document, wi_samples *samples, wi_error *error);

#endif /* WI_SAMPLES_CPUPROFILE_H_ */
