/*
 * A file that belongs to a module, such as its source map or debug file, and the path of the new
 * one.
 */
#ifndef WI_CLI_INSTRUMENT_SIDE_FILE_H_
#define WI_CLI_INSTRUMENT_SIDE_FILE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The module's URL for it: `size` bytes, not necessarily NUL-terminated; NULL: none. */
typedef struct side_url {
  const char *text;
  size_t size;
} side_url;

typedef struct side_file {
  uint8_t *bytes; /* owned; NULL: there is no file */
  size_t size;
  char *path;      /* of the new file; owned */
  const char *url; /* URL in the new module: the file name without a folder; points into path */
} side_file;

/*
 * Reads the file at `path`. If NULL, reads the file that `url` names if it exists: a regular file
 * of at most `limit` bytes in the folder of the module at `input`. The new file is `output` plus
 * `ending`. Returns false with errno set if `path` cannot be read or memory ran out.
 */
bool side_file_open(side_file *file, const char *path, side_url url, uint64_t limit,
                    const char *input, const char *output, const char *ending);
void side_file_close(side_file *file);

#endif /* WI_CLI_INSTRUMENT_SIDE_FILE_H_ */
