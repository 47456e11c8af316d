/*
 * What the commands need of a file system: js/package/wasi has it for a host in JavaScript.
 * "-" stands for standard input or output.
 */
#ifndef WI_CLI_COMMON_FILE_SYSTEM_H_
#define WI_CLI_COMMON_FILE_SYSTEM_H_

#include <stdbool.h>
#include <stdio.h>

#include "cli/common/cleanup.h"

/* A descriptor to read from, which the caller closes unless it is standard input's; -1 with
 * errno. */
int wi_file_open(const char *path);

/*
 * The same of a file that was named by a module or a profile: only a regular one, as anything else
 * could have no end or never begin.
 */
int wi_file_open_regular(const char *path);

/* The path of a file that is there, whatever folder it is read in. The caller frees it; NULL with errno. */
char *wi_file_absolute_path(const char *path);

/*
 * A file that is written as a whole or not at all: to a temporary file beside it, which then takes
 * its name. Symbolic links are followed, also where they lead to nothing yet; a file that nobody
 * may write is not replaced; what is no regular file (a device, a pipe) is written directly. It
 * keeps the permissions of what it replaces, without set-user-ID and the like.
 *
 * open gives a stream, and close ends it with `done` saying whether what was written is complete;
 * otherwise nothing is kept, nor where a signal ends the process. Both return false with errno set.
 * The structure must not be moved in between.
 */
typedef struct wi_file_output {
  FILE *stream;
  char *target; /* NULL: written directly */
  wi_temporary temporary;
} wi_file_output;

bool wi_file_output_open(wi_file_output *output, const char *path);
bool wi_file_output_close(wi_file_output *output, bool done);

#endif /* WI_CLI_COMMON_FILE_SYSTEM_H_ */
