/* The line about threads in a report's summary. */
#ifndef WI_REPORT_MODEL_SUMMARY_THREADS_H_
#define WI_REPORT_MODEL_SUMMARY_THREADS_H_

#include <stdbool.h>

#include "wasm_perf/profile.h"

#define WI_THREADS_TEXT_SIZE 232u

/*
 * Writes how long each thread was busy while it was sampled. Returns false if there are not several
 * threads, or if code other than WebAssembly is excluded.
 */
bool wi_summary_threads(const wasm_perf_profile *profile, char text[WI_THREADS_TEXT_SIZE]);

#endif /* WI_REPORT_MODEL_SUMMARY_THREADS_H_ */
