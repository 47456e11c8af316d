/*
 * Where measures are shown after samples were added. Measures such as bytes are counted per stack of the
 * module, as are histograms of calls. Calls of a stack that several functions led to are shared between
 * them; a measure is one value, and shown below one of the callers it would blame that one. So it gets a
 * stack below "several callers".
 */
#ifndef WI_SAMPLES_OWNERS_H_
#define WI_SAMPLES_OWNERS_H_

#include "samples/graft.h"

/* Finishes the graft (wi_graft_finish), with such stacks. False: out of memory. */
bool wi_owners_finish(wi_graft *graft, wasm_perf_profile *profile);

#endif /* WI_SAMPLES_OWNERS_H_ */
