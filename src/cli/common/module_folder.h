/* The modules of a folder. */
#ifndef WI_CLI_COMMON_MODULE_FOLDER_H_
#define WI_CLI_COMMON_MODULE_FOLDER_H_

#include <stdbool.h>

bool cli_module_folder_is(const char *path);

/*
 * Hands each of the folder's files that ends in .wasm to `visit`, in order of their names, until
 * that returns false. False with errno set where it does, or the folder cannot be read.
 */
bool cli_module_folder_list(const char *folder, bool (*visit)(void *user, const char *name),
                            void *user);

#endif /* WI_CLI_COMMON_MODULE_FOLDER_H_ */
