/*
 * Measures what the hooks cost in the program, while it runs. Freestanding: the native runtime and
 * the module share it.
 *
 * A hook reads the clock and then updates the tree. Some hooks read the clock once more at their
 * end. Between both readings lie the update and the time of one reading: that is what a hook adds
 * to the function in which it ends. perf_start ends in the callee (inner), perf_end in the caller
 * (outer). The call of the hook itself is not in it.
 */
#ifndef WI_RUNTIME_HOOK_COST_H_
#define WI_RUNTIME_HOOK_COST_H_

#include <stdbool.h>
#include <stdint.h>

#include "wasm_perf/format.h"

#define WI_HOOK_OCTAVE_COUNT 65u /* of a 64-bit number, and 0 */

/* Where hooks end. */
typedef enum wi_hook_end { WI_HOOK_INNER, WI_HOOK_OUTER, WI_HOOK_END_COUNT } wi_hook_end;

/* Measured hooks by their cost: octave n has those below 2 ** n ticks. */
typedef struct wi_hook_octave {
  uint64_t count; /* of hooks; a measured one represents those since the last one, too */
  uint64_t ticks; /* of all of them */
} wi_hook_octave;

/* All zero at first. */
typedef struct wi_hook_cost {
  uint32_t rest;     /* hooks until the next one is measured */
  uint32_t interval; /* hooks that it represents */
  uint32_t random;
  uint32_t measured_count; /* hooks, until there are enough */
  wi_hook_octave octaves[WI_HOOK_END_COUNT][WI_HOOK_OCTAVE_COUNT];
} wi_hook_cost;

/* Call it at each hook. Returns whether this one is to be measured; then call wi_hook_cost_add. */
static inline bool wi_hook_cost_is_due(wi_hook_cost *cost) {
  return cost->rest-- == 0;
}

/*
 * Adds a measured hook. Most hooks are measured at first, one in 64 later, at irregular distances:
 * a program may repeat itself.
 */
void wi_hook_cost_add(wi_hook_cost *cost, wi_hook_end end, uint64_t ticks);

/* Call it instead if the hook did something rare: another one is measured in its place. */
static inline void wi_hook_cost_skip(wi_hook_cost *cost) {
  cost->rest = 0;
}

/* Writes the costs to the header; 0 if too few hooks were measured. */
void wi_hook_cost_write(const wi_hook_cost *cost, wasm_perf_header *header);

#endif /* WI_RUNTIME_HOOK_COST_H_ */
