/*
 * Measures what the hooks cost, where they run. Freestanding: the native runtime and the module
 * share it.
 *
 * Part of the cost of a call's hooks falls between the two clock readings and is charged to the
 * function (inner); the rest is charged to its caller (outer). An empty call shows both.
 */
#ifndef WI_RUNTIME_HOOK_COST_H_
#define WI_RUNTIME_HOOK_COST_H_

#include "runtime/calltree.h"

/* A runtime's hooks and its wall clock; each is passed `user`. */
typedef struct wi_hook_set {
  void (*start)(void *user, uint32_t function);
  void (*end)(void *user);
  uint64_t (*read)(void *user);
  void *user;
} wi_hook_set;

/*
 * Runs `hooks`, which must record into `tree`, on a temporary tree in its place, and writes the
 * costs into the header of `tree`. Makes some 10,000 calls and clock readings. They are not charged
 * to the tree: its `last` becomes the time at which they ended.
 */
void wi_hook_cost_measure(wi_calltree *tree, const wi_hook_set *hooks);

#endif /* WI_RUNTIME_HOOK_COST_H_ */
