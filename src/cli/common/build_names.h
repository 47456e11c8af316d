/* Names a module's functions after other builds of it, whose paths an option lists. */
#ifndef WI_CLI_COMMON_BUILD_NAMES_H_
#define WI_CLI_COMMON_BUILD_NAMES_H_

#include "support/buffer.h"
#include "wasm_instrument/wasm_instrument.h"

/*
 * Names the module's functions after the builds at `paths`, files or folders, and with `hints` by
 * what their code refers to. *named becomes the module with the names, or stays empty. `note` is
 * called for files that are not a build of it. Returns false with *error set or, if its code is
 * WI_ERROR_NONE, with errno set. *path is then the file, which the caller frees, or NULL for the
 * module itself.
 */
bool cli_name_after_builds(const char *const *paths, size_t count, bool hints,
                           void (*note)(void *user, const char *path, const char *message),
                           void *user, const uint8_t *bytes, size_t size, wi_buffer *named,
                           wi_error *error, char **path);

#endif /* WI_CLI_COMMON_BUILD_NAMES_H_ */
