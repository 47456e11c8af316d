/* Files of sampling profilers. */
#ifndef WI_SAMPLES_READ_H_
#define WI_SAMPLES_READ_H_

#include "samples/samples.h"
#include "support/error.h"
#include "wasm_perf/profile.h"

/* Files may be so large: what is read of them takes some ten times as much. */
#define WI_SAMPLES_MAX_SIZE (UINT32_C(1) << 29)

/*
 * Reads a .cpuprofile, a profile in Firefox's processed format, or the text of perf script: which
 * of them, its content tells. *samples is to be cleared after, in any case. False with *error set:
 * where it is none of them, `offset` is in bytes.
 */
bool wi_samples_read(const uint8_t *bytes, size_t size, wi_samples *samples, wi_error *error);

/* The same of what wasm-perf sample wrote. False: memory ran out. */
bool wi_samples_of_profile(const wasm_perf_profile *profile, wi_samples *samples);

#endif /* WI_SAMPLES_READ_H_ */
