/* Exports of all kinds; wi_module itself keeps only exported functions. */
#ifndef WI_MODULE_EXPORTS_H_
#define WI_MODULE_EXPORTS_H_

#include "module/module.h"

typedef bool wi_export_visitor(const wi_module *module, wi_span name, uint8_t kind, uint32_t index,
                               void *context);

/*
 * Calls `visit` for each export until it returns true. Returns whether it did. An unreadable
 * section ends the iteration.
 */
bool wi_module_find_any_export(const wi_module *module, wi_export_visitor *visit, void *context);

/* Checks that each export refers to an existing item. If one does not, *error says which. */
bool wi_module_check_exports(const wi_module *module, wi_error *error);

#endif /* WI_MODULE_EXPORTS_H_ */
