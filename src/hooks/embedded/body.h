/*
 * The embedded form's hooks in function bodies. runtime/embedded/embed.h describes nodes and slots.
 */
#ifndef WI_HOOKS_EMBEDDED_BODY_H_
#define WI_HOOKS_EMBEDDED_BODY_H_

#include "rewrite/plan.h"

/* As wi_plan_body, see planner.h. */
bool wi_embed_body(const wi_plan *plan, const wi_scan *scan, uint32_t index, wi_edits *edits,
                   wi_body_plan *result, wi_error *error);

#endif /* WI_HOOKS_EMBEDDED_BODY_H_ */
