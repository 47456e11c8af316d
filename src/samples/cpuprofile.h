/* V8's CPU profiles, as written by Chrome DevTools and node --cpu-prof. */
#ifndef WI_SAMPLES_CPUPROFILE_H_
#define WI_SAMPLES_CPUPROFILE_H_

#include "samples/samples.h"
#include "samples/v8_profile.h"

/* Whether the document, a valid one, looks like such a profile. */
bool wi_cpuprofile_is(wi_cursor document);

/*
 * Adds the profile to *samples. Frames are WebAssembly if their script's URL starts with "wasm:". A
 * sample represents the time up to the next one, as in DevTools, if `is_span` or in our own files,
 * else the time in which it is the nearest one; if the profile has only counts, all samples
 * represent the same time. Garbage collection has no stack and gets a frame where the program was.
 */
bool wi_cpuprofile_read(wi_cursor document, bool is_span, wi_samples *samples, wi_error *error);

/* A profile that was read. */
typedef struct wi_cpuprofile {
  wi_v8_profile *profile; /* gets sorted */
  const char *thread;     /* its name */
  bool is_span;
} wi_cpuprofile;

/* Same for a profile that was read. */
bool wi_cpuprofile_add(const wi_cpuprofile *from, wi_samples *samples, wi_error *error);

#endif /* WI_SAMPLES_CPUPROFILE_H_ */
