/* Types and imports added to the module. The plan holds them. */
#ifndef WI_REWRITE_ADDITIONS_H_
#define WI_REWRITE_ADDITIONS_H_

#include "rewrite/plan.h"

/* Adds the type of that signature unless it was already added. */
void wi_plan_need_type(wi_plan *plan, wi_signature signature);

/* Decides which hooks of the linked form are imported, and adds their types. */
void wi_plan_add_hooks(wi_plan *plan, const bool used[WI_HOOK_COUNT]);

/* Appends the entries of the added imports to the import section's vector. */
void wi_plan_append_imports(const wi_plan *plan, const char *import_module, wi_buffer *out);

/*
 * Finds the module's types that blocks can use. Call it before the next three. Returns false if out
 * of memory. wi_plan_clear_block_types frees them.
 */
bool wi_plan_find_block_types(wi_plan *plan);
void wi_plan_clear_block_types(wi_plan *plan);

/* Returns the index of a type [] -> results of `type`, or UINT32_MAX if there is none. */
uint32_t wi_plan_block_type(const wi_plan *plan, const wi_type *type);

/* Adds that type unless it exists. Returns false if out of memory. */
bool wi_plan_add_block_type(wi_plan *plan, const wi_type *type);

/*
 * If the scanned function has several results and a conditional exit, its body may get a block
 * around it: adds that block's type. Returns false if out of memory.
 */
bool wi_plan_need_block_type(wi_plan *plan, const wi_scan *scan, uint32_t function);

/* Returns the hook's name; static. */
const char *wi_hook_name(wi_hook hook);

#endif /* WI_REWRITE_ADDITIONS_H_ */
