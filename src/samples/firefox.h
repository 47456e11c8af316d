/* Profiles in the Firefox Profiler's processed format, as wasmtime run --profile=guest writes
 * it. */
#ifndef WI_SAMPLES_FIREFOX_H_
#define WI_SAMPLES_FIREFOX_H_

#include <jansson.h>

#include "samples/samples.h"
#include "support/error.h"

/* Whether the document looks like one. */
bool wi_firefox_is(const json_t *document);

/*
 * Adds the samples of all threads to *samples, which is empty; each frame is taken to be one of
 * WebAssembly. A sample's weight is in milliseconds or, where it counts samples, in the interval
 * that the profile tells.
 */
bool wi_firefox_read(const json_t *document, wi_samples *samples, wi_error *error);

#endif /* WI_SAMPLES_FIREFOX_H_ */
