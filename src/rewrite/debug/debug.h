/*
 * DWARF that stays right when code moves: every code address in it goes through the offset map.
 *
 * .debug_info keeps its size, so what points into it stays right; line tables and the lists of
 * DWARF 5 are written anew, and what points to them is updated. Addresses outside the code
 * (tombstones of what the linker removed) stay as they are. So any two addresses keep their order,
 * and the same ranges hold the same things.
 *
 * What is malformed is dropped, in the smallest part that can be, and never fails the rewrite: a
 * unit loses its entries, a line table its rows, a list its ranges, or a section goes.
 */
#ifndef WI_REWRITE_DEBUG_DEBUG_H_
#define WI_REWRITE_DEBUG_DEBUG_H_

#include "rewrite/debug/context.h"

/* Rewrites all of debug->in; false when memory ran out. Zero it before, clear it after. */
bool wi_debug_rewrite(wi_debug *debug);
void wi_debug_clear(wi_debug *debug);

#endif /* WI_REWRITE_DEBUG_DEBUG_H_ */
