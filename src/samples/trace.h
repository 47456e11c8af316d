/* Traces of Chrome, as the Performance panel of DevTools saves them: with the samples of V8 in pieces. */
#ifndef WI_SAMPLES_TRACE_H_
#define WI_SAMPLES_TRACE_H_

#include "samples/samples.h"
#include "support/cursor.h"

/* Whether the document, a valid one, looks like a trace. */
bool wi_trace_is(wi_cursor document);

/*
 * Adds the samples of each thread to *samples, as wi_cpuprofile_read does. `is_wasm`: only of
 * threads in which WebAssembly ran. Otherwise a trace without samples is read for its events.
 */
bool wi_trace_read(wi_cursor document, bool is_wasm, wi_samples *samples, wi_error *error);

#endif /* WI_SAMPLES_TRACE_H_ */
