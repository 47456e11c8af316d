/* Rewrites lists of address pairs. */
#ifndef WI_REWRITE_DEBUG_PAIRS_H_
#define WI_REWRITE_DEBUG_PAIRS_H_

#include "rewrite/debug/context.h"

/* Patches .debug_ranges or .debug_loc. */
void wi_debug_pairs(wi_debug *debug, wi_dwarf_section section);

#endif /* WI_REWRITE_DEBUG_PAIRS_H_ */
