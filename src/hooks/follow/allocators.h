/* Finds the functions of a module that allocate memory. Their names are in allocators.def. */
#ifndef WI_HOOKS_FOLLOW_ALLOCATORS_H_
#define WI_HOOKS_FOLLOW_ALLOCATORS_H_

#include "hooks/follow/allocator_kinds.h"
#include "module/module.h"

/*
 * The kind of each function with a body. WI_ALLOCATOR_KIND_NONE also marks functions whose
 * parameters or results do not match their kind. The caller's rules (wi_selection_add_allocator)
 * precede allocators.def. Sets *count to the number of allocators. The caller frees the result,
 * which is NULL, with *error set, on failure.
 */
uint8_t *wi_find_allocators(const wi_module *module, const wi_options *options, uint32_t *count,
                            wi_error *error);

/*
 * The type of a function's parameter, TYPE_I32 or TYPE_I64; 0 if there is no such parameter, or if
 * it has another type.
 */
uint8_t wi_parameter_type(const wi_module *module, const wi_type *type, uint32_t parameter);

/* The type of the only result, likewise; 0 also if there are several. */
uint8_t wi_result_type(const wi_module *module, const wi_type *type);

#endif /* WI_HOOKS_FOLLOW_ALLOCATORS_H_ */
