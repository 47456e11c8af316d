/* Names for a module from other builds of it, whose paths an option gives. */
#ifndef WI_CLI_COMMON_BUILD_NAMES_H_
#define WI_CLI_COMMON_BUILD_NAMES_H_

#include "support/buffer.h"
#include "wasm_instrument/wasm_instrument.h"

/*
 * Names the module after the builds at `paths`, files or folders, and with `hints` by what its code
 * refers to: *named becomes the module with the names, or stays empty. `note` hears of files that are no build of it. False, with *error
 * filled in or, where its code is WI_ERROR_NONE, errno set; *path is the file, for the caller to
 * free, NULL: the module.
 */
bool cli_name_after_builds(const char *const *paths, size_t count, bool hints,
                           void (*note)(void *user, const char *path, const char *message),
                           void *user, const uint8_t *bytes, size_t size, wi_buffer *named,
                           wi_error *error, char **path);

#endif /* WI_CLI_COMMON_BUILD_NAMES_H_ */
