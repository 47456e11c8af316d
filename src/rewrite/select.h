/* Carrying out a selection. The patterns themselves are described in the public header. */
#ifndef WI_REWRITE_SELECT_H_
#define WI_REWRITE_SELECT_H_

#include "code/scan.h"
#include "module/names.h"
#include "support/buffer.h"

/*
 * Chooses functions by options->selection and options->min_instructions: one flag per function
 * with a body, owned by the caller. Warns of patterns that match nothing. NULL on failure.
 */
bool *wi_select_functions(const wi_module *module, const wi_options *options, wi_scan *scan,
                          wi_error *error);

#endif /* WI_REWRITE_SELECT_H_ */
