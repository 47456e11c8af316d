/*
 * A host that is the same each time, inside of the module: functions of the runtime
 * (runtime/embedded/fixed_wasi.c) take the place of what the program imports from WASI preview 1 and
 * would get another answer of in another run, on another machine or from another engine.
 */
#ifndef WI_HOOKS_EMBEDDED_FIXED_HOST_H_
#define WI_HOOKS_EMBEDDED_FIXED_HOST_H_

#include "hooks/embedded/merge.h"
#include "rewrite/plan.h"

/*
 * With options->deterministic, keeps such functions in the image, and sets *memory to the memory that
 * they reach. Warns where the program has none that they can. False, with *error filled in: memory ran
 * out.
 */
bool wi_fixed_host_choose(wi_plan *plan, const wi_options *options, wi_image *image,
                          uint32_t *memory, wi_error *error);

/* Once the image is placed: sets plan->replaced. */
void wi_fixed_host_place(wi_plan *plan, const wi_merge *runtime);

#endif /* WI_HOOKS_EMBEDDED_FIXED_HOST_H_ */
