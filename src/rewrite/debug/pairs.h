/* Lists of pairs of addresses. */
#ifndef WI_REWRITE_DEBUG_PAIRS_H_
#define WI_REWRITE_DEBUG_PAIRS_H_

#include "rewrite/debug/context.h"

/* .debug_ranges and .debug_loc, in place */
void wi_debug_pairs(wi_debug *debug, wi_dwarf_section section);

#endif /* WI_REWRITE_DEBUG_PAIRS_H_ */
