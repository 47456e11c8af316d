/* Allocators around and inside of others: each allocation is counted in the outermost one. */
#ifndef WI_HOOKS_FOLLOW_INNER_ALLOCATORS_H_
#define WI_HOOKS_FOLLOW_INNER_ALLOCATORS_H_

#include "code/scan.h"

/*
 * Gives a function without a name the kind of the allocator to which it passes on its parameters,
 * doing nothing else: in a stripped module, malloc may be known only as the caller of dlmalloc.
 * `kinds` comes from wi_find_allocators. Returns false, with *error set, on failure.
 */
bool wi_add_forwarding_allocators(uint8_t *kinds, const wi_module *module, wi_scan *scan,
                                  wi_error *error);

/*
 * Sets the kinds of functions that need no hooks, because only other allocators call them, to
 * WI_ALLOCATOR_KIND_NONE. A function that frees memory is only among them if its callers pass it the
 * block that they were passed: other blocks that it frees must be seen. Returns false, with *error
 * set, on failure.
 */
bool wi_drop_inner_allocators(uint8_t *kinds, const wi_module *module, wi_scan *scan,
                              wi_error *error);

#endif /* WI_HOOKS_FOLLOW_INNER_ALLOCATORS_H_ */
