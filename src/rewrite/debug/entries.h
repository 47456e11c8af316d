/* Rewrites .debug_info and .debug_types. */
#ifndef WI_REWRITE_DEBUG_ENTRIES_H_
#define WI_REWRITE_DEBUG_ENTRIES_H_

#include "rewrite/debug/context.h"

/* Rewrites .debug_types if `types`, else .debug_info. Collects references, slots and units. */
void wi_debug_entries(wi_debug *debug, bool types);

#endif /* WI_REWRITE_DEBUG_ENTRIES_H_ */
