/* The linked form's hooks in function bodies: calls of imports. */
#ifndef WI_HOOKS_LINKED_LINKED_BODY_H_
#define WI_HOOKS_LINKED_LINKED_BODY_H_

#include "rewrite/plan.h"

/* Whether the scanned body has a place at which unwound frames must be dropped. */
bool wi_linked_needs_depth(const wi_plan *plan, const wi_scan *scan);

/* Whether the function's body, held by `scan`, is wrapped in a block. */
bool wi_linked_wraps(const wi_plan *plan, const wi_scan *scan, uint32_t function);

/* As wi_plan_body, see planner.h. */
bool wi_linked_body(const wi_plan *plan, const wi_scan *scan, uint32_t index, wi_edits *edits,
                    wi_body_plan *result, wi_error *error);

#endif /* WI_HOOKS_LINKED_LINKED_BODY_H_ */
