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

#endif /* WI_REWRITE_BODY_H_ */
