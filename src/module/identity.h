/* What tells one module's code from another's. */
#ifndef WI_MODULE_IDENTITY_H_
#define WI_MODULE_IDENTITY_H_

#include "module/module.h"

#define WI_IDENTITY_SIZE 17 /* with the terminator */

/*
 * Writes the XXH3-64 hash (github.com/Cyan4973/xxHash, doc/xxhash_spec.md) of the code section's
 * payload as 16 hexadecimal digits; that of no bytes where there is no such section.
 */
void wi_module_identity(const wi_module *module, char text[WI_IDENTITY_SIZE]);

#endif /* WI_MODULE_IDENTITY_H_ */
