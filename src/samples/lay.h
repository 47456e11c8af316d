/* Times of one run over the calls of another, or of the same. */
#ifndef WI_SAMPLES_LAY_H_
#define WI_SAMPLES_LAY_H_

#include "samples/samples.h"
#include "wasm_perf/profile.h"

/* Nanoseconds of the samples, by whether the profile has their innermost function. */
typedef struct wi_samples_match {
  double matched;
  double unmatched; /* what the profile knows of their callers has them, else nothing */
} wi_samples_match;

/*
 * Makes the samples' times the self times of the profile's nodes, and its clock the sampled one;
 * where nothing matches, the profile stays as it is. A stack goes to the node that has it. Else to
 * that of its innermost function nearby, as both sides lose frames: profiles where recursion is
 * folded and past the node limit, samplers in a function's first instructions and in deep stacks.
 * Where some functions have no hooks, those that the profile has nowhere get nodes of their own,
 * below the nearest that has: times, and no calls. So have functions of other kinds: stacks of
 * WebAssembly that these lead to move below them, with their calls, see weave.h.
 * `has_indices` is as in name_index.h. Takes O(n log n) time. False: memory ran out.
 */
bool wi_samples_lay(const wi_samples *samples, wasm_perf_profile *profile, bool has_indices,
                    wi_samples_match *match);

/*
 * The samples as a profile in which nothing is called, as wasm-perf sample writes it. `names` has
 * names by the indices of the module that was sampled, and its header's counts. The caller frees
 * it; NULL: memory ran out.
 */
wasm_perf_profile *wi_samples_profile(const wi_samples *samples, const wasm_perf_profile *names,
                                      wi_samples_match *match);

#endif /* WI_SAMPLES_LAY_H_ */
