/* Makes the plan of a module, and the edits of each item that the scanner walks. */
#ifndef WI_REWRITE_PLANNER_H_
#define WI_REWRITE_PLANNER_H_

#include "rewrite/plan.h"

/*
 * Makes the plan for a module, a form of hooks and the choice of functions in `chosen`, one flag
 * per function with a body, which the plan takes over. `scan` is working memory. On failure the plan is
 * clear.
 */
bool wi_plan_init(wi_plan *plan, const wi_module *module, const wi_form *form, bool *chosen,
                  const wi_options *options, wi_surroundings beside, wi_scan *scan,
                  wi_error *error);
void wi_plan_clear(wi_plan *plan);

/*
 * Replaces *edits by those for the body of the function at `index` among those with a body,
 * which `scan` holds. A function that hooks would push over a limit of the engines stays
 * without. False, with *error filled in, for a function without a usable type.
 */
bool wi_plan_body(const wi_plan *plan, const wi_scan *scan, uint32_t index, wi_edits *edits,
                  wi_body_plan *result, wi_error *error);

/* Replaces *edits by those for a scanned item of another section: function indices only. */
void wi_plan_item(const wi_plan *plan, const wi_scan *scan, wi_edits *edits);

#endif /* WI_REWRITE_PLANNER_H_ */
