/* Functions that allocate memory: which there are in a module. Their names are in
 * allocators.def. */
#ifndef WI_HOOKS_FOLLOW_ALLOCATORS_H_
#define WI_HOOKS_FOLLOW_ALLOCATORS_H_

#include "module/module.h"
#include "rewrite/allocator_kinds.h"

/*
 * The kind of each function with a body: WI_ALLOCATOR_KIND_NONE for those that are none, and where
 * a function's parameters and results are not those of its kind. Rules of the caller's
 * (wi_selection_add_allocator) come before those of allocators.def. Sets *count to that of
 * allocators. NULL, with *error filled in, on failure; the caller frees it.
 */
uint8_t *wi_find_allocators(const wi_module *module, const wi_options *options, uint32_t *count,
                            wi_error *error);

/*
 * The type of a function's parameter, TYPE_I32 or TYPE_I64; 0: it has no such parameter, or one of
 * another type.
 */
uint8_t wi_parameter_type(const wi_module *module, const wi_type *type, uint32_t parameter);

/* The same of a single result. */
uint8_t wi_result_type(const wi_module *module, const wi_type *type);

#endif /* WI_HOOKS_FOLLOW_ALLOCATORS_H_ */
