/* Rewrites lists of DWARF 5. */
#ifndef WI_REWRITE_DEBUG_LISTS_H_
#define WI_REWRITE_DEBUG_LISTS_H_

#include "rewrite/debug/context.h"

/* Rewrites .debug_rnglists or .debug_loclists. */
void wi_debug_lists(wi_debug *debug, wi_dwarf_section section);

#endif /* WI_REWRITE_DEBUG_LISTS_H_ */
