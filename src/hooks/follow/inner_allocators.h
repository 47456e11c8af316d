/* Allocators around and inside of others: each allocation is counted in the outermost one. */
#ifndef WI_HOOKS_FOLLOW_INNER_ALLOCATORS_H_
#define WI_HOOKS_FOLLOW_INNER_ALLOCATORS_H_

#include "code/scan.h"

/*
 * Finds allocators without a name. One passes on its parameters to an allocator and does nothing
 * else: in a stripped module, malloc may be known only as the caller of dlmalloc. Another is called
 * by an allocator that wasm-bindgen exports. `kinds` and *count come from wi_find_allocators.
 * Returns false, with *error set, on failure.
 */
bool wi_add_nameless_allocators(uint8_t *kinds, uint32_t *count, const wi_module *module,
                                wi_scan *scan, wi_error *error);

/*
 * Sets the kinds of functions that need no hooks, because only other allocators call them, to
 * WI_ALLOCATOR_KIND_NONE. A function that frees memory is only among them if its callers pass it the
 * block that they were passed: other blocks that it frees must be seen. Returns false, with *error
 * set, on failure.
 */
bool wi_drop_inner_allocators(uint8_t *kinds, const wi_module *module, wi_scan *scan,
                              wi_error *error);

#endif /* WI_HOOKS_FOLLOW_INNER_ALLOCATORS_H_ */
