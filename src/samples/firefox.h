/*
 * Profiles in the Firefox Profiler's processed format, as written by wasmtime run --profile=guest.
 */
#ifndef WI_SAMPLES_FIREFOX_H_
#define WI_SAMPLES_FIREFOX_H_

#include <jansson.h>

#include "samples/samples.h"
#include "support/error.h"

/* Whether the document looks like one. */
bool wi_firefox_is(const json_t *document);

/*
 * Adds the samples of all threads to *samples, which is empty. All frames are assumed to be
 * WebAssembly. A sample's weight is in milliseconds or, if it is a number of samples, in units of
 * the profile's interval.
 */
bool wi_firefox_read(const json_t *document, wi_samples *samples, wi_error *error);

#endif /* WI_SAMPLES_FIREFOX_H_ */
