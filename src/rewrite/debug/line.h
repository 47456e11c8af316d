/* Rewrites .debug_line; before .debug_info. */
#ifndef WI_REWRITE_DEBUG_LINE_H_
#define WI_REWRITE_DEBUG_LINE_H_

#include "rewrite/debug/context.h"

void wi_debug_lines(wi_debug *debug);

/* Adds an empty line table, for units that lost theirs. Returns its offset. */
uint32_t wi_debug_empty_line_table(wi_debug *debug);

#endif /* WI_REWRITE_DEBUG_LINE_H_ */
