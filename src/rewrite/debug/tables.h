/* Rewrites smaller tables. */
#ifndef WI_REWRITE_DEBUG_TABLES_H_
#define WI_REWRITE_DEBUG_TABLES_H_

#include "rewrite/debug/context.h"

/* Patch .debug_addr, .debug_aranges and .debug_macro. */
void wi_debug_addr(wi_debug *debug);
void wi_debug_aranges(wi_debug *debug);
void wi_debug_macro(wi_debug *debug);

#endif /* WI_REWRITE_DEBUG_TABLES_H_ */
