/*
 * The file system functions that the commands need; js/package/wasi implements them for a
 * JavaScript host. "-" is standard input or output.
 */
#ifndef WI_CLI_COMMON_FILE_SYSTEM_H_
#define WI_CLI_COMMON_FILE_SYSTEM_H_

#include <stdbool.h>
#include <stdio.h>

#include "cli/common/cleanup.h"

/*
 * Returns a descriptor to read from, which the caller closes unless it is standard input; -1 with
 * errno.
 */
int wi_file_open(const char *path);

/*
 * As wi_file_open, for a file named by a module or a profile: only regular files, because others
 * may block or have no end.
 */
int wi_file_open_regular(const char *path);

/* The absolute path of an existing file. The caller frees it; NULL with errno set. */
char *wi_file_absolute_path(const char *path);

/*
 * A file that is written as a whole or not at all: to a temporary file beside it, which is then
 * renamed. Symbolic links are followed, even if they point to nothing yet. A file that nobody may
 * write is not replaced. A file that is not regular (a device, a pipe) is written directly. The new
 * file keeps the permissions of the one it replaces, without set-user-ID and similar bits.
 *
 * open provides the stream. close ends it; `done` says whether the contents are complete. If not,
 * or if a signal ends the process, nothing is kept. Both return false with errno set. The structure
 * must not be moved in between.
 */
typedef struct wi_file_output {
  FILE *stream;
  char *target; /* NULL: written directly */
  wi_temporary temporary;
} wi_file_output;

bool wi_file_output_open(wi_file_output *output, const char *path);
bool wi_file_output_close(wi_file_output *output, bool done);

#endif /* WI_CLI_COMMON_FILE_SYSTEM_H_ */
