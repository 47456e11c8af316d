/* Makes a module's plan, and the edits of each scanned item. */
#ifndef WI_REWRITE_PLANNER_H_
#define WI_REWRITE_PLANNER_H_

#include "rewrite/plan.h"

/*
 * Makes the plan for a module and a form of hooks. `chosen` has one flag per function with a body;
 * the plan takes ownership of it. `scan` is scratch memory. On failure the plan is cleared.
 */
bool wi_plan_init(wi_plan *plan, const wi_module *module, const wi_form *form, bool *chosen,
                  const wi_options *options, const wi_surroundings *beside, wi_scan *scan,
                  wi_error *error);
void wi_plan_clear(wi_plan *plan);

/*
 * Replaces *edits with those for the scanned body at `index` in the code section. A function is
 * left without hooks if they would exceed an engine limit. Returns false with *error filled in if
 * the function has no usable type.
 */
bool wi_plan_body(const wi_plan *plan, const wi_scan *scan, uint32_t index, wi_edits *edits,
                  wi_body_plan *result, wi_error *error);

/* Replaces *edits with those for a scanned item of another section: function indices only. */
void wi_plan_item(const wi_plan *plan, const wi_scan *scan, wi_edits *edits);

#endif /* WI_REWRITE_PLANNER_H_ */
