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

#define WI_BUILD_ID_SIZE 65 /* with the terminator: of 32 bytes, 160 bits are usual */

/*
 * Writes the contents of the build_id section (WebAssembly/tool-conventions, BuildId.md), which a
 * linker gives a module and its debug file alike, as hexadecimal digits. False, and "", where the
 * module has none or one of more than 32 bytes.
 */
bool wi_module_build_id(const wi_module *module, char text[WI_BUILD_ID_SIZE]);

#endif /* WI_MODULE_IDENTITY_H_ */
