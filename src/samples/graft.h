/* Adds stacks of other code to a profile's tree. */
#ifndef WI_SAMPLES_GRAFT_H_
#define WI_SAMPLES_GRAFT_H_

#include "samples/samples.h"
#include "wasm_perf/profile.h"

/*
 * Old nodes keep their numbers until wi_graft_finish; added nodes follow. An added node may
 * represent an old node that was reached through other code. If the old node was reached only
 * through such nodes, one of them gets its calls and callees: with several, the one with most time,
 * and those that are not rare share the calls.
 */
typedef struct wi_graft wi_graft;

/* NULL: out of memory. */
wi_graft *wi_graft_new(wasm_perf_profile *profile);
void wi_graft_free(wi_graft *graft); /* NULL is allowed */

/*
 * Returns the child of a node with that function, adding it if needed. `stands_for` is a node of
 * the profile, or 0. Returns 0 if out of memory.
 */
uint32_t wi_graft_child(wi_graft *graft, uint32_t parent, uint32_t function, uint32_t stands_for);

/* Adds to a node's time. */
void wi_graft_add_time(wi_graft *graft, uint32_t node, double nanoseconds);

/*
 * The same for a stack whose callers the sampler has lost, which found the node by its function
 * alone: an old node's time goes where most of the time of its calls is.
 */
void wi_graft_add_lost_time(wi_graft *graft, uint32_t node, double nanoseconds);

/* Returns the function for a frame that is not in the profile; 0: out of memory. */
uint32_t wi_graft_function(wi_graft *graft, const wi_samples *samples,
                           const wi_sample_frame *frame);

/* Same for something that has only a name. */
uint32_t wi_graft_pseudo(wi_graft *graft, const char *name, wasm_perf_kind kind);

/* Time added to the root. */
double wi_graft_root_time(const wi_graft *graft);

/* Whether the node is the frame of a module, which is below every function that called into it. */
bool wi_graft_is_module(const wasm_perf_profile *profile, uint32_t node);

/*
 * Returns, per node of the profile, whether it was sampled below more than one caller, however rarely. The
 * caller frees it. NULL: out of memory.
 */
bool *wi_graft_several(const wi_graft *graft);

/*
 * Replaces the profile's tree; self values are the added times. `owners`: per node of the profile, the added
 * node that gets its measures, or UINT32_MAX: they stay with its calls. It may be NULL. Returns false if out
 * of memory; the profile is then unusable.
 */
bool wi_graft_finish(wi_graft *graft, uint32_t *owners);

#endif /* WI_SAMPLES_GRAFT_H_ */
