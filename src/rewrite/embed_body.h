/* The hooks of the embedded form inside functions; runtime/embed.h describes what they work on. */
#ifndef WI_REWRITE_EMBED_BODY_H_
#define WI_REWRITE_EMBED_BODY_H_

#include "rewrite/plan.h"

/*
 * Whether engines accept the function at `index` among those with a body with hooks, and its node's
 * slots can be counted. `scan` holds the body. True for all that are not huge.
 */
bool wi_embed_body_fits(const wi_plan *plan, const wi_scan *scan, uint32_t index);

/* As wi_plan_body. */
bool wi_embed_body(const wi_plan *plan, const wi_scan *scan, uint32_t index, wi_edits *edits,
                   wi_body_plan *result, wi_error *error);

#endif /* WI_REWRITE_EMBED_BODY_H_ */
