/*
 * Updates DWARF when code moves: every code address goes through the offset map.
 *
 * .debug_info keeps its size, so offsets into it stay valid; line tables and DWARF 5 lists are
 * written again, and references to them are updated. Addresses outside of the code (tombstones of
 * what the linker removed) do not change. So any two addresses keep their order, and ranges keep
 * their contents.
 *
 * Malformed input never makes the rewrite fail. Instead, the smallest possible part is dropped: the
 * entries of a unit, the rows of a line table, the ranges of a list, or a section.
 */
#ifndef WI_REWRITE_DEBUG_DEBUG_H_
#define WI_REWRITE_DEBUG_DEBUG_H_

#include "rewrite/debug/context.h"

/*
 * Rewrites all of debug->in. Returns false if out of memory. Zero *debug before use; clear it
 * afterwards.
 */
bool wi_debug_rewrite(wi_debug *debug);
void wi_debug_clear(wi_debug *debug);

#endif /* WI_REWRITE_DEBUG_DEBUG_H_ */
