/*
 * How a program with the runtime inside leaves its profile when it ends: in a file, as lines of
 * text on stderr, or not by itself, so that its host reads it.
 */
#ifndef WI_HOOKS_EMBEDDED_OUTLET_H_
#define WI_HOOKS_EMBEDDED_OUTLET_H_

#include "hooks/embedded/merge.h"
#include "rewrite/plan.h"

/* What the runtime follows beside calls. */
typedef struct wi_followed {
  bool goroutines;
  bool guest;
  bool memory;
} wi_followed;

/*
 * Chooses the runtime and reads it, and finds where the program ends: plan->entry and
 * plan->exits. A WASI command writes a file; with options->to_stderr, a command writes text through
 * imports that it has already, so that none is added. *leaves says whether it does either, by way
 * of the memory at index *memory, which hosts read.
 */
bool wi_outlet_choose(wi_plan *plan, const wi_options *options, wi_followed followed,
                      wi_merge *runtime, bool *leaves, uint32_t *memory, wi_error *error);

#endif /* WI_HOOKS_EMBEDDED_OUTLET_H_ */
