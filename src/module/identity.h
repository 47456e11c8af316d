/* Identifies a module's code. */
#ifndef WI_MODULE_IDENTITY_H_
#define WI_MODULE_IDENTITY_H_

#include "module/module.h"

#define WI_IDENTITY_SIZE 17 /* including the terminator */

/*
 * Writes the XXH3-64 hash (github.com/Cyan4973/xxHash, doc/xxhash_spec.md) of the code section's
 * payload as 16 hexadecimal digits; without a code section, the hash of no bytes.
 */
void wi_module_identity(const wi_module *module, char text[WI_IDENTITY_SIZE]);

#define WI_BUILD_ID_SIZE 65 /* 32 bytes (20 are usual) in hexadecimal, and the terminator */

/*
 * Writes the contents of the build_id section (WebAssembly/tool-conventions, BuildId.md) as
 * hexadecimal digits; a linker gives a module and its debug file the same id. Returns false and
 * writes "" if there is no such section or the id is longer than 32 bytes.
 */
bool wi_module_build_id(const wi_module *module, char text[WI_BUILD_ID_SIZE]);

#endif /* WI_MODULE_IDENTITY_H_ */
