/*
 * Leaves: functions that call nothing, and that only functions with hooks call, directly. They need
 * no hooks of their own: who calls one counts that in its own node, which has a place for it (see
 * runtime/embedded/embed.h), and engines inline leaves as they do without a profiler.
 *
 * So are functions that begin by calling one of these and call nothing else: the calls of such a
 * forwarder tell how often that was called, too. Allocators stand behind several (__rust_dealloc,
 * __rdl_dealloc, free, dlfree).
 *
 * With the instruction clock a leaf is what executes as many instructions in each call.
 */
#ifndef WI_HOOKS_EMBEDDED_LEAVES_H_
#define WI_HOOKS_EMBEDDED_LEAVES_H_

#include "code/scan.h"
#include "hooks/embedded/tally.h"
#include "support/array.h"

#define WI_NO_COST UINT32_MAX

/* Zero it before, clear it after. */
typedef struct wi_leaves {
  uint32_t *costs;    /* of each function: instructions of a call, as far as a clock asks for them;
                         WI_NO_COST: calls differ, or it is no leaf. Owned */
  uint32_t *forwards; /* of each function: the one that it calls if it is a forwarder, or
                         WI_NO_FUNCTION. Owned */
  uint32_t *first; /* of each function: where the leaves that it calls begin among callees, and one
                      more for the end. Owned */
  WI_ARRAY(uint32_t, callees); /* of all functions, distinct ones of each */
} wi_leaves;

/* False when memory ran out. */
bool wi_leaves_init(wi_leaves *leaves, uint32_t function_count);
void wi_leaves_clear(wi_leaves *leaves);

/*
 * Finds whether a function may be a leaf by what stands in its body, from a scan of that.
 * `tallies`, for the scan must have recorded basic blocks and flow, tell what a call executes;
 * NULL: no clock asks for that. False when memory ran out.
 */
bool wi_leaves_look_at(wi_leaves *leaves, const wi_module *module, uint32_t function,
                       const wi_scan *scan, wi_tallies *tallies);

#endif /* WI_HOOKS_EMBEDDED_LEAVES_H_ */
