/* Exports of all kinds, where wi_module knows functions only. */
#ifndef WI_MODULE_EXPORTS_H_
#define WI_MODULE_EXPORTS_H_

#include "module/module.h"

typedef bool wi_export_visitor(const wi_module *module, wi_span name, uint8_t kind, uint32_t index,
                               void *context);

/*
 * Shows the exports in turn until `visit` returns true; whether it did. Where the section cannot be
 * read it ends there.
 */
bool wi_module_find_any_export(const wi_module *module, wi_export_visitor *visit, void *context);

/* Whether each export is of something that the module has; if not, *error says which is not. */
bool wi_module_check_exports(const wi_module *module, wi_error *error);

#endif /* WI_MODULE_EXPORTS_H_ */
