/* A thread's samples in all code, see v8_thread.h. */
#ifndef WI_SAMPLES_THREAD_H_
#define WI_SAMPLES_THREAD_H_

#include "samples/samples.h"
#include "wasm_perf/profile.h"

/* Index at which the functions of a module start in the profile that joins modules. */
typedef struct wi_module_base {
  const char *file; /* name of the module's profile */
  uint32_t function;
} wi_module_base;

/*
 * Adds a thread's samples (see MODULES in format.h) to *samples, which is initialised. Functions of
 * the modules in `bases` get the profile's indices. Returns false if out of memory.
 */
bool wi_samples_add_thread(wi_samples *samples, const wasm_perf_profile *thread,
                           const wi_module_base *bases, size_t base_count);

/*
 * Adds a frame for a function of the profile that is not WebAssembly. Returns false if out of
 * memory.
 */
bool wi_samples_add_function(wi_samples *samples, const wasm_perf_profile *profile,
                             uint32_t function, uint32_t *frame);

#endif /* WI_SAMPLES_THREAD_H_ */
