/* The section reader on top of WABT. */
#ifndef WI_MODULE_READ_WABT_H_
#define WI_MODULE_READ_WABT_H_

#include "module/module.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Fills in a zeroed module whose bytes are set. Reports no error on failure: the reader in
 * read_sections.h gives better reasons. The caller must clear the module even on failure.
 */
bool wi_module_read_wabt(wi_module *module);

#ifdef __cplusplus
}
#endif

#endif /* WI_MODULE_READ_WABT_H_ */
