/*
 * Allocators that need no hooks, because only other allocators call them: each allocation is counted
 * in the outermost one.
 */
#ifndef WI_HOOKS_FOLLOW_INNER_ALLOCATORS_H_
#define WI_HOOKS_FOLLOW_INNER_ALLOCATORS_H_

#include "code/scan.h"

/*
 * Sets the kinds of such functions to WI_ALLOCATOR_KIND_NONE; `kinds` comes from
 * wi_find_allocators. A function that frees memory is only among them if its callers pass it the
 * block that they were passed: other blocks that it frees must be seen. Returns false, with *error
 * set, on failure.
 */
bool wi_drop_inner_allocators(uint8_t *kinds, const wi_module *module, wi_scan *scan,
                              wi_error *error);

#endif /* WI_HOOKS_FOLLOW_INNER_ALLOCATORS_H_ */
