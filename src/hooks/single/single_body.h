/* The edits of a body for a single memory. */
#ifndef WI_HOOKS_SINGLE_SINGLE_BODY_H_
#define WI_HOOKS_SINGLE_SINGLE_BODY_H_

#include "hooks/single/layout.h"

/* As wi_form.plan_body. The scan must have the sites of all accesses. */
bool wi_single_body(const wi_plan *plan, const wi_scan *scan, uint32_t index, wi_edits *edits,
                    wi_body_plan *result, wi_error *error);

#endif /* WI_HOOKS_SINGLE_SINGLE_BODY_H_ */
