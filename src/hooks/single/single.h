/* The form with a single memory, for the output of the embedded form. layout.h describes it. */
#ifndef WI_HOOKS_SINGLE_SINGLE_H_
#define WI_HOOKS_SINGLE_SINGLE_H_

#include "rewrite/plan.h"

extern const wi_form wi_single_form;

#endif /* WI_HOOKS_SINGLE_SINGLE_H_ */
