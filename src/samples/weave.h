/* A profile's tree that becomes one with stacks of other code. */
#ifndef WI_SAMPLES_WEAVE_H_
#define WI_SAMPLES_WEAVE_H_

#include "samples/samples.h"
#include "wasm_perf/profile.h"

/*
 * Nodes of the result have the numbers of the profile's, which stand where they stood, and further
 * ones for those that were added. An added node may stand for one of the profile's, which was
 * reached through other code: where only such were reached, it has its calls, and what it calls is
 * below it; where several were, the one with most time has them, and all of them share them.
 */
typedef struct wi_weave wi_weave;

/* NULL: memory ran out. */
wi_weave *wi_weave_new(wasm_perf_profile *profile);
void wi_weave_free(wi_weave *weave); /* NULL is allowed */

/*
 * The node below another that is of such a function; `stands_for` is a node of the profile, or 0.
 * 0: memory ran out.
 */
uint32_t wi_weave_child(wi_weave *weave, uint32_t parent, uint32_t function, uint32_t stands_for);

/* Adds to the time of a node. */
void wi_weave_add_time(wi_weave *weave, uint32_t node, double nanoseconds);

/* The function that stands for a frame that is none of the profile's; 0: memory ran out. */
uint32_t wi_weave_function(wi_weave *weave, const wi_samples *samples,
                           const wi_sample_frame *frame);

/* The same of what has only a name. */
uint32_t wi_weave_pseudo(wi_weave *weave, const char *name, wasm_perf_kind kind);

/* What was added to the root. */
double wi_weave_root_time(const wi_weave *weave);

/*
 * Makes it the profile's tree, whose self values become what was added. False: memory ran out, and
 * the profile is good for nothing more.
 */
bool wi_weave_finish(wi_weave *weave);

#endif /* WI_SAMPLES_WEAVE_H_ */
