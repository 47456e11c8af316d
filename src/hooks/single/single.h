/* The form with a single memory, for the output of the embedded form. layout.h describes it. */
#ifndef WI_HOOKS_SINGLE_SINGLE_H_
#define WI_HOOKS_SINGLE_SINGLE_H_

#include "rewrite/plan.h"

extern const wi_form wi_single_form;

/* Sets *grows to whether the module has code that grows its first memory. False if it cannot be scanned. */
bool wi_single_grows(const wi_module *module, bool *grows, wi_error *error);

#endif /* WI_HOOKS_SINGLE_SINGLE_H_ */
