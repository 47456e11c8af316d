/*
 * Functions that were chosen and get no hooks, because hooks would exceed a limit of engines: on
 * locals, on the size of a body, on what a node has slots for.
 */
#ifndef WI_REWRITE_UNHOOKABLE_H_
#define WI_REWRITE_UNHOOKABLE_H_

#include "rewrite/plan.h"
#include "support/buffer.h"

/* Notes one, by its function index. False when memory ran out. */
bool wi_unhookable_add(wi_plan *plan, uint32_t function);

/* Appends the names of all, or of the first and how many others there are; nothing: there are
 * none. */
void wi_unhookable_put_names(const wi_plan *plan, wi_buffer *out);

/* Warns of all in one message. */
void wi_unhookable_warn(const wi_plan *plan, const wi_options *options);

#endif /* WI_REWRITE_UNHOOKABLE_H_ */
