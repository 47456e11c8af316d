/* Lists the modules in a folder. */
#ifndef WI_CLI_COMMON_MODULE_FOLDER_H_
#define WI_CLI_COMMON_MODULE_FOLDER_H_

#include <stdbool.h>

bool cli_module_folder_is(const char *path);

/*
 * Calls `visit` with each of the folder's files that ends in .wasm, sorted by name, until it
 * returns false. Returns false with errno set if it does, or if the folder cannot be read.
 */
bool cli_module_folder_list(const char *folder, bool (*visit)(void *user, const char *name),
                            void *user);

#endif /* WI_CLI_COMMON_MODULE_FOLDER_H_ */
