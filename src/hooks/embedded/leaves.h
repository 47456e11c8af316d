/*
 * Leaves: functions that call nothing and are only called directly, by functions with hooks. They
 * need no hooks: each caller counts the calls in its own node, which has a place for it (see
 * runtime/embedded/embed.h). Engines inline leaves as they do without a profiler.
 *
 * Forwarders are leaves, too: functions that begin by calling a leaf and call nothing else. The
 * number of calls of a forwarder is also that of the function that it calls. Allocators often have
 * several (__rust_dealloc, __rdl_dealloc, free, dlfree).
 *
 * With the instruction clock, a leaf must execute the same number of instructions in each call.
 */
#ifndef WI_HOOKS_EMBEDDED_LEAVES_H_
#define WI_HOOKS_EMBEDDED_LEAVES_H_

#include "code/scan.h"
#include "hooks/embedded/tally.h"
#include "support/array.h"

#define WI_NO_COST UINT32_MAX

/* Zero before use, clear after it. */
typedef struct wi_leaves {
  uint32_t *costs;    /* per function: instructions per call, 0 without a clock; WI_NO_COST:
                         they vary, or it is not a leaf. Owned */
  uint32_t *forwards; /* per function: the callee of a forwarder, or WI_NO_FUNCTION. Owned */
  uint32_t *first;    /* per function: index of its first leaf in callees, and one more for the
                         end. Owned */
  WI_ARRAY(uint32_t, callees); /* of all functions; distinct per function */
} wi_leaves;

/* Returns false if memory ran out. */
bool wi_leaves_init(wi_leaves *leaves, uint32_t function_count);
void wi_leaves_clear(wi_leaves *leaves);

/*
 * Determines from the scan of a function's body whether it may be a leaf. `tallies` yields the cost
 * of a call, for which the scan must have recorded basic blocks and flow; NULL without the
 * instruction clock. Returns false if memory ran out.
 */
bool wi_leaves_look_at(wi_leaves *leaves, const wi_module *module, uint32_t function,
                       const wi_scan *scan, wi_tallies *tallies);

#endif /* WI_HOOKS_EMBEDDED_LEAVES_H_ */
