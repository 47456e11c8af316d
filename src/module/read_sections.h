/* Our own section reader. */
#ifndef WI_MODULE_READ_SECTIONS_H_
#define WI_MODULE_READ_SECTIONS_H_

#include "module/module.h"

/*
 * Fills a zeroed module whose bytes are set. It agrees with read_wabt.h on every module that both
 * can read. To be cleared in any case.
 */
bool wi_module_read_sections(wi_module *module, wi_error *error);

/* The same of a module whose code may be missing: it declares functions that have no bodies. */
bool wi_module_read_without_code(wi_module *module, wi_error *error);

#endif /* WI_MODULE_READ_SECTIONS_H_ */
