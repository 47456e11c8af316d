/*
 * Chosen functions that get no hooks because these would exceed a limit: the engines' limit on
 * locals or on body size, or the slots of a node.
 */
#ifndef WI_REWRITE_UNHOOKABLE_H_
#define WI_REWRITE_UNHOOKABLE_H_

#include "rewrite/plan.h"
#include "support/buffer.h"

/* Adds a function index. Returns false if out of memory. */
bool wi_unhookable_add(wi_plan *plan, uint32_t function);

/* Appends their names, or the first ones and the number of others; nothing if there are none. */
void wi_unhookable_put_names(const wi_plan *plan, wi_buffer *out);

/* Warns about all of them in one message. */
void wi_unhookable_warn(const wi_plan *plan, const wi_options *options);

#endif /* WI_REWRITE_UNHOOKABLE_H_ */
