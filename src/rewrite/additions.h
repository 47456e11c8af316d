/* Types and imports added to the module. The plan holds them. */
#ifndef WI_REWRITE_ADDITIONS_H_
#define WI_REWRITE_ADDITIONS_H_

#include "rewrite/plan.h"

/* Adds the type of that signature unless it was already added. */
void wi_plan_need_type(wi_plan *plan, wi_signature signature);

/*
 * Adds an import, with its type. Returns its function index, or WI_NO_FUNCTION if out of memory.
 */
uint32_t wi_plan_add_import(wi_plan *plan, const char *name, wi_signature signature);

/* Appends the entries of these imports to the import section's vector. */
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

#endif /* WI_REWRITE_ADDITIONS_H_ */
