/* The files that an option gives which takes a file or a folder of modules. */
#ifndef WI_CLI_COMMON_MODULE_FILES_H_
#define WI_CLI_COMMON_MODULE_FILES_H_

#include <stdbool.h>
#include <stddef.h>

/* Zero it before, clear it after. */
typedef struct cli_module_files {
  char **paths; /* owned, each of them too */
  size_t count;
  size_t given_count; /* the first so many were given by name, the others are from folders */
} cli_module_files;

/*
 * Lists the files of `paths`: a folder stands for its files that end in .wasm, in order of their
 * names. False with errno set, and *failed set to the folder, or to NULL where memory ran out.
 */
bool cli_module_files_list(cli_module_files *files, const char *const *paths, size_t count,
                           const char **failed);
void cli_module_files_clear(cli_module_files *files);

#endif /* WI_CLI_COMMON_MODULE_FILES_H_ */
