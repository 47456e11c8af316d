/* What is added to the module's types and imports. The plan holds it. */
#ifndef WI_REWRITE_ADDITIONS_H_
#define WI_REWRITE_ADDITIONS_H_

#include "rewrite/plan.h"

/* Adds the type of that signature, if it was not added before. */
void wi_plan_need_type(wi_plan *plan, wi_signature signature);

/* Decides which imports are added, of the linked form's hooks, and adds their types. */
void wi_plan_add_hooks(wi_plan *plan, const bool used[WI_HOOK_COUNT]);

/* Appends the added imports, and their number of entries in the import section's vector. */
void wi_plan_append_imports(const wi_plan *plan, const char *import_module, wi_buffer *out);

/*
 * Remembers which types of the module serve for blocks. To be called before the next three; false:
 * memory ran out. The types are freed by wi_plan_clear_block_types.
 */
bool wi_plan_find_block_types(wi_plan *plan);
void wi_plan_clear_block_types(wi_plan *plan);

/* The index of a type [] -> the results of `type`, or UINT32_MAX where there is none. */
uint32_t wi_plan_block_type(const wi_plan *plan, const wi_type *type);

/* Adds that type, if there is none yet. False: memory ran out. */
bool wi_plan_add_block_type(wi_plan *plan, const wi_type *type);

/*
 * Adds the type of the block that the scanned body may come to stand in, if the function has
 * several results and a conditional exit. False: memory ran out.
 */
bool wi_plan_need_block_type(wi_plan *plan, const wi_scan *scan, uint32_t function);

/* Static name of a hook. */
const char *wi_hook_name(wi_hook hook);

#endif /* WI_REWRITE_ADDITIONS_H_ */
