/* Applies a selection. The public header describes the patterns. */
#ifndef WI_HOOKS_SELECT_H_
#define WI_HOOKS_SELECT_H_

#include "code/scan.h"
#include "hooks/follow/allocator_kinds.h"
#include "module/names.h"
#include "support/buffer.h"

/*
 * Chooses functions by options->selection, options->min_instructions and options->skip_leaves.
 * Returns one flag per function with a body, owned by the caller. Warns about patterns without a
 * match. NULL on failure.
 */
bool *wi_select_functions(const wi_module *module, const wi_options *options, wi_scan *scan,
                          wi_error *error);

/* The rules added by wi_selection_add_allocator, *count of them; owned by the selection. */
const wi_allocator_rule *wi_selection_allocators(const wi_selection *selection, uint32_t *count);

#endif /* WI_HOOKS_SELECT_H_ */
