/* A file that goes with a module, its source map or debug file, and where the new one goes. */
#ifndef WI_CLI_INSTRUMENT_SIDE_FILE_H_
#define WI_CLI_INSTRUMENT_SIDE_FILE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the module says of it: a URL of that size, which need not end in a zero; NULL: nothing. */
typedef struct side_url {
  const char *text;
  size_t size;
} side_url;

typedef struct side_file {
  uint8_t *bytes; /* owned; NULL: there is none */
  size_t size;
  char *path;      /* where the new one goes; owned */
  const char *url; /* what the new module calls it: its name without a folder; in path */
} side_file;

/*
 * Reads the file at `path`, or, where that is NULL, the one that `url` names, if it is there: a
 * regular file of at most `limit` bytes in the folder of the module at `input`. The new one goes to
 * `output` with `ending`. False, with errno set, for a `path` that cannot be read and without
 * memory.
 */
bool side_file_open(side_file *file, const char *path, side_url url, uint64_t limit,
                    const char *input, const char *output, const char *ending);
void side_file_close(side_file *file);

#endif /* WI_CLI_INSTRUMENT_SIDE_FILE_H_ */
