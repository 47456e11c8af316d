/* The output of `perf script` for a program with a perf map. */
#ifndef WI_SAMPLES_PERF_SCRIPT_H_
#define WI_SAMPLES_PERF_SCRIPT_H_

#include "samples/samples.h"
#include "support/error.h"

/*
 * Adds the samples of the text to *samples, which is empty, with stacks (perf record -g) or
 * without. WebAssembly frames are those in the perf maps of V8 (--perf-basic-prof) or wasmtime
 * (--profile=perfmap); other code that they call is charged to them. A sample's time is its period
 * if the event is a clock; otherwise all samples together take the duration of the recording.
 * Returns false if nothing looks like a sample or memory ran out.
 */
bool wi_perf_script_read(const char *text, size_t size, wi_samples *samples, wi_error *error);

#endif /* WI_SAMPLES_PERF_SCRIPT_H_ */
