/* All that a thread did, as js/engine/thread_stacks.mjs writes it. */
#ifndef WI_SAMPLES_THREAD_H_
#define WI_SAMPLES_THREAD_H_

#include "samples/samples.h"
#include "wasm_perf/profile.h"

/* Where the functions of a module are in the profile that samples are laid over. */
typedef struct wi_module_base {
  const char *identity;
  uint32_t function;
} wi_module_base;

/*
 * Adds those of a thread (see MODULES in format.h) to *samples, which is initialised: frames are
 * those of the profile that has the modules where `bases` say. False: memory ran out.
 */
bool wi_samples_add_thread(wi_samples *samples, const wasm_perf_profile *thread,
                           const wi_module_base *bases, size_t base_count);

#endif /* WI_SAMPLES_THREAD_H_ */
