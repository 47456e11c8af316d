/* Reads files of sampling profilers. */
#ifndef WI_SAMPLES_READ_H_
#define WI_SAMPLES_READ_H_

#include "samples/samples.h"
#include "support/error.h"
#include "wasm_perf/profile.h"

/* Maximum size of a file. */
#define WI_SAMPLES_MAX_SIZE (UINT32_C(1) << 29)

/*
 * Reads a .cpuprofile, a profile in Firefox's processed format, or the output of perf script;
 * detects the format from the content. The caller must clear *samples even on failure. Returns
 * false with *error filled in; error offsets are in bytes.
 */
bool wi_samples_read(const uint8_t *bytes, size_t size, wi_samples *samples, wi_error *error);

/* Same for a profile recorded with --no-hooks. Returns false if out of memory. */
bool wi_samples_of_profile(const wasm_perf_profile *profile, wi_samples *samples);

#endif /* WI_SAMPLES_READ_H_ */
