/* Traces of Chrome, as the Performance panel of DevTools saves them: with the samples of V8 in pieces. */
#ifndef WI_SAMPLES_TRACE_H_
#define WI_SAMPLES_TRACE_H_

#include <jansson.h>

#include "samples/samples.h"
#include "support/error.h"

/* Whether the document looks like one. */
bool wi_trace_is(const json_t *document);

/*
 * Reads the samples of each thread in which WebAssembly ran, as wi_cpuprofile_read does. *samples
 * is empty before.
 */
bool wi_trace_read(const json_t *document, wi_samples *samples, wi_error *error);

#endif /* WI_SAMPLES_TRACE_H_ */
