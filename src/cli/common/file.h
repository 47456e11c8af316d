/* Reads and writes whole files, for the commands. "-" is standard input or output. */
#ifndef WI_CLI_COMMON_FILE_H_
#define WI_CLI_COMMON_FILE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/common/file_system.h"
#include "support/file_reader.h"
#include "support/path.h"

/* The file's name in messages; "-" becomes the name of a stream. */
static inline const char *wi_file_input_name(const char *path) {
  return path[0] == '-' && !path[1] ? "<stdin>" : path;
}
static inline const char *wi_file_output_name(const char *path) {
  return path[0] == '-' && !path[1] ? "<stdout>" : path;
}

/*
 * Reads all of `path`. On success the caller frees *bytes, which is never NULL. Otherwise returns
 * false with errno set: EFBIG beyond the limit, for a regular file before it is read.
 */
bool wi_file_read(const char *path, uint8_t **bytes, size_t *size);

/* Likewise, for a regular file of at most `limit` bytes; a wi_file_reader. */
bool wi_file_read_regular(const char *path, uint64_t limit, uint8_t **bytes, size_t *size);

/* Writes `path` as a wi_file_output. Returns false with errno set. */
bool wi_file_write(const char *path, const uint8_t *bytes, size_t size);

#endif /* WI_CLI_COMMON_FILE_H_ */
