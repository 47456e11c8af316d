/* The text that `perf script` prints of a program with a perf map. */
#ifndef WI_SAMPLES_PERF_SCRIPT_H_
#define WI_SAMPLES_PERF_SCRIPT_H_

#include "samples/samples.h"
#include "support/error.h"

/*
 * Adds the samples of such a text to *samples, which is empty, with stacks (perf record -g) or
 * without. Frames of WebAssembly are those of perf maps that V8 (--perf-basic-prof) or wasmtime
 * (--profile=perfmap) wrote; what they call is taken to count for them. A sample counts as
 * long as its period, where the event is a clock; else all together as long as the recording. False
 * where nothing looks like a sample, or memory ran out.
 */
bool wi_perf_script_read(const char *text, size_t size, wi_samples *samples, wi_error *error);

#endif /* WI_SAMPLES_PERF_SCRIPT_H_ */
