/* What a report says of threads. */
#ifndef WI_REPORT_MODEL_SUMMARY_THREADS_H_
#define WI_REPORT_MODEL_SUMMARY_THREADS_H_

#include <stdbool.h>

#include "wasm_perf/profile.h"

#define WI_THREADS_TEXT_SIZE 232u

/*
 * Writes how long each of several threads was busy, of the time in which it was sampled. False:
 * there are no several threads, or other code than WebAssembly is left out.
 */
bool wi_summary_threads(const wasm_perf_profile *profile, char text[WI_THREADS_TEXT_SIZE]);

#endif /* WI_REPORT_MODEL_SUMMARY_THREADS_H_ */
