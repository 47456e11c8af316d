/* Attributes times of one run to the calls of another run, or of the same one. */
#ifndef WI_SAMPLES_ATTRIBUTE_H_
#define WI_SAMPLES_ATTRIBUTE_H_

#include "samples/samples.h"
#include "wasm_perf/profile.h"

/* Nanoseconds of the samples, by whether the profile contains their innermost function. */
typedef struct wi_samples_match {
  double matched;
  double unmatched; /* charged to the nearest caller in the profile, if there is one */
} wi_samples_match;

/*
 * Makes the samples' times the self times of the profile's nodes, and the clock sampled. If nothing
 * matches, the profile is unchanged.
 *
 * A stack's time goes to the node with that stack, else to a nearby node of its innermost function,
 * because both sides lose frames: profiles if recursion is folded or the node limit is reached,
 * samplers in a function's first instructions and in deep stacks. If some functions are unhooked,
 * functions that are not in the profile get nodes with times but no calls, below the nearest hooked
 * function. Functions of other kinds do too: the stacks of WebAssembly that they lead to move below
 * them, with their calls, see graft.h.
 *
 * `has_indices` is as in name_index.h. O(n log n) time. Returns false if out of memory.
 */
bool wi_samples_attribute(const wi_samples *samples, wasm_perf_profile *profile, bool has_indices,
                          wi_samples_match *match);

/*
 * Makes a profile without calls from the samples, as recorded with --no-hooks. `names` contains
 * names by index in the sampled module, and the counts in its header. The caller frees the result.
 * NULL: out of memory.
 */
wasm_perf_profile *wi_samples_profile(const wi_samples *samples, const wasm_perf_profile *names,
                                      wi_samples_match *match);

#endif /* WI_SAMPLES_ATTRIBUTE_H_ */
