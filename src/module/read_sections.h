/* The project's own section reader. */
#ifndef WI_MODULE_READ_SECTIONS_H_
#define WI_MODULE_READ_SECTIONS_H_

#include "module/module.h"

/*
 * Fills in a zeroed module whose bytes are set. Agrees with read_wabt.h on every module that both
 * can read. The caller must clear the module even on failure.
 */
bool wi_module_read_sections(wi_module *module, wi_error *error);

/* Same, but accepts a module without code, whose functions are declared but have no bodies. */
bool wi_module_read_without_code(wi_module *module, wi_error *error);

#endif /* WI_MODULE_READ_SECTIONS_H_ */
