/* The section reader on WABT. */
#ifndef WI_MODULE_READ_WABT_H_
#define WI_MODULE_READ_WABT_H_

#include "module/module.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Fills a zeroed module whose bytes are set. Where it fails there is no error: the reader of
 * read_sections.h knows better why. To be cleared in any case.
 */
bool wi_module_read_wabt(wi_module *module);

#ifdef __cplusplus
}
#endif

#endif /* WI_MODULE_READ_WABT_H_ */
