/* Applies a selection. The public header describes the patterns. */
#ifndef WI_HOOKS_SELECT_H_
#define WI_HOOKS_SELECT_H_

#include "code/scan.h"
#include "module/names.h"
#include "support/buffer.h"

/*
 * Chooses functions by options->selection, options->min_instructions and options->skip_leaves.
 * Returns one flag per function with a body, owned by the caller. Warns about patterns without a
 * match, and if no function is chosen; with options->strict, both are errors. NULL on failure.
 */
bool *wi_select_functions(const wi_module *module, const wi_options *options, wi_scan *scan,
                          wi_error *error);

#endif /* WI_HOOKS_SELECT_H_ */
