/* The output of `perf script`. */
#ifndef WI_SAMPLES_PERF_SCRIPT_H_
#define WI_SAMPLES_PERF_SCRIPT_H_

#include "samples/samples.h"
#include "support/error.h"

/* Whether the first line that is not a comment begins a sample. */
bool wi_perf_script_is(const char *text, size_t size);

/*
 * Adds the samples of the text to *samples, which is empty, with stacks (perf record -g) or
 * without, of the event that comes first. WebAssembly frames are those in the perf maps of V8
 * (--perf-basic-prof) or wasmtime (--profile=perfmap). Other code is charged to them, or, if
 * `is_whole`, has frames of its own whose file is the object that contains it. A sample's time is
 * its period if the event is a clock; otherwise all samples together take the duration of the
 * recording. Returns false if nothing looks like a sample or memory ran out.
 */
bool wi_perf_script_read(const char *text, size_t size, bool is_whole, wi_samples *samples,
                         wi_error *error);

#endif /* WI_SAMPLES_PERF_SCRIPT_H_ */
