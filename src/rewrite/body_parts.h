/* Body edits common to both forms of hooks. */
#ifndef WI_REWRITE_BODY_PARTS_H_
#define WI_REWRITE_BODY_PARTS_H_

#include "rewrite/plan.h"

/* Renumbers the function index at a site, if functions move. */
void wi_body_edit_function_index(const wi_plan *plan, const wi_site *site, wi_edits *edits);

/* Increases the number of local groups at the start of a body. */
void wi_body_edit_local_count(const wi_plan *plan, wi_span code, uint32_t added, wi_edits *edits);

/* Appends a local group; nothing if `count` is 0. */
void wi_body_put_local_group(wi_buffer *out, uint32_t count, uint8_t type);

/* Appends the start of a block with the results of that function type. */
void wi_body_put_block(const wi_plan *plan, const wi_type *type, wi_buffer *out);

#endif /* WI_REWRITE_BODY_PARTS_H_ */
