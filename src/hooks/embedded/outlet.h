/*
 * How a program with the runtime inside leaves its profile when it ends: in a file, as lines of
 * text on stderr, or not by itself, so that its host reads it.
 */
#ifndef WI_HOOKS_EMBEDDED_OUTLET_H_
#define WI_HOOKS_EMBEDDED_OUTLET_H_

#include "hooks/embedded/image.h"
#include "rewrite/plan.h"

/*
 * Finds where the program ends, plan->entry and plan->exits, and how it leaves its profile there:
 * *writer is the export of the image that does it, NULL if none does, by way of the memory at index
 * *memory, which hosts read. A WASI command writes a file; with options->to_stderr, a command writes
 * text through imports that it has already, so that none is added. False: memory ran out.
 */
bool wi_outlet_choose(wi_plan *plan, const wi_options *options, wi_image *image,
                      const char **writer, uint32_t *memory, wi_error *error);

#endif /* WI_HOOKS_EMBEDDED_OUTLET_H_ */
