/* Profiles of V8, as Chrome DevTools and node --cpu-prof write them. */
#ifndef WI_SAMPLES_CPUPROFILE_H_
#define WI_SAMPLES_CPUPROFILE_H_

#include <jansson.h>

#include "samples/samples.h"
#include "support/error.h"

/* Whether the document looks like one. */
bool wi_cpuprofile_is(const json_t *document);

/* A function that begins so far right on its line is named with its place, as minified code has
 * one line. */
#define WI_FAR_COLUMN 500

/*
 * Adds what it has to *samples, which is empty: frames of WebAssembly are those of scripts whose
 * address begins with "wasm:". Each sample stands for the same time, as V8 is late for reasons that
 * have nothing to do with the program; garbage collection, which has no stack, gets a frame where
 * the program was.
 */
bool wi_cpuprofile_read(const json_t *document, wi_samples *samples, wi_error *error);

#endif /* WI_SAMPLES_CPUPROFILE_H_ */
