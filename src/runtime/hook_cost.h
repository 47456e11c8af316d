/*
 * What the hooks themselves cost, measured where they run. Freestanding; the native runtime
 * and the module share it.
 *
 * Of each call's hooks a part falls between the two readings of the clock and is charged to the
 * function, the rest to its caller. An empty call shows both: what is charged to it, and
 * what is left of the time that it took.
 */
#ifndef WI_RUNTIME_HOOK_COST_H_
#define WI_RUNTIME_HOOK_COST_H_

#include "runtime/calltree.h"

/* The hooks of a runtime with a wall clock, and the clock; all get `user`. */
typedef struct wi_hook_set {
  void (*start)(void *user, uint32_t function);
  void (*end)(void *user);
  uint64_t (*read)(void *user);
  void *user;
} wi_hook_set;

/*
 * Runs `hooks`, which must work on `tree`, on another tree in its place, and writes the costs into
 * the header of `tree`. Takes some 10,000 calls and readings; charges nothing to the tree, whose
 * `last` becomes the time of the end.
 */
void wi_hook_cost_measure(wi_calltree *tree, const wi_hook_set *hooks);

#endif /* WI_RUNTIME_HOOK_COST_H_ */
