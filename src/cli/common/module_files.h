/* The files named by an option that accepts a file or a folder of modules. */
#ifndef WI_CLI_COMMON_MODULE_FILES_H_
#define WI_CLI_COMMON_MODULE_FILES_H_

#include <stdbool.h>
#include <stddef.h>

/* Zero before use, clear after it. */
typedef struct cli_module_files {
  char **paths; /* owned, including each path */
  size_t count;
  size_t given_count; /* number of files given by name; they come first, files from folders
                         follow */
} cli_module_files;

/*
 * Lists the files of `paths`. A folder stands for its files that end in .wasm, sorted by name.
 * Returns false with errno set, and *failed set to the folder, or to NULL if memory ran out.
 */
bool cli_module_files_list(cli_module_files *files, const char *const *paths, size_t count,
                           const char **failed);
void cli_module_files_clear(cli_module_files *files);

#endif /* WI_CLI_COMMON_MODULE_FILES_H_ */
