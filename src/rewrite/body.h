/* Parts of the plan shared between its two halves: the module's (plan.c) and a body's (hooks.c). */
#ifndef WI_REWRITE_BODY_H_
#define WI_REWRITE_BODY_H_

#include "rewrite/plan.h"

/* Whether the scanned body has a place where lost frames must be dropped. */
bool wi_hooks_need_depth(const wi_plan *plan, const wi_scan *scan);

/* Whether the function's body, which `scan` holds, comes to stand inside a block. */
bool wi_hooks_wrap(const wi_plan *plan, const wi_scan *scan, uint32_t function);

/* The index of a type [] -> the results of `type`, or UINT32_MAX where there is none. */
uint32_t wi_plan_block_type(const wi_plan *plan, const wi_type *type);

/* ---- What both forms of hooks do to a body ---------------------------------- */

/* Renumbers the function index at a site, where functions move. */
void wi_body_edit_function_index(const wi_plan *plan, const wi_site *site, wi_edits *edits);

/* Raises the number of groups of locals, with which the code of a body begins. */
void wi_body_edit_local_count(const wi_plan *plan, wi_span code, uint32_t added, wi_edits *edits);

/* Appends a group of locals; none where the count is 0. */
void wi_body_put_local_group(wi_buffer *out, uint32_t count, uint8_t type);

/* Appends the beginning of a block with the results of that function type. */
void wi_body_put_block(const wi_plan *plan, const wi_type *type, wi_buffer *out);

#endif /* WI_REWRITE_BODY_H_ */
