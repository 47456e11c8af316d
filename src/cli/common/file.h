/* Whole files in and out, for the commands. "-" stands for standard input or output. */
#ifndef WI_CLI_COMMON_FILE_H_
#define WI_CLI_COMMON_FILE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/common/file_system.h"
#include "support/file_reader.h"
#include "support/path.h"

/* What messages call the file: "-" stands for a stream. */
static inline const char *wi_file_input_name(const char *path) {
  return path[0] == '-' && !path[1] ? "<stdin>" : path;
}
static inline const char *wi_file_output_name(const char *path) {
  return path[0] == '-' && !path[1] ? "<stdout>" : path;
}

/*
 * Reads all of `path`. On success *bytes is for the caller to free, never NULL. On failure it
 * returns false with errno set: EFBIG past the limit, which a regular file fails by its size,
 * before it is read.
 */
bool wi_file_read(const char *path, uint8_t **bytes, size_t *size);

/* The same of a regular file of at most `limit` bytes; a wi_file_reader. */
bool wi_file_read_regular(const char *path, uint64_t limit, uint8_t **bytes, size_t *size);

/* Writes `path` as a wi_file_output does. False with errno set. */
bool wi_file_write(const char *path, const uint8_t *bytes, size_t size);

#endif /* WI_CLI_COMMON_FILE_H_ */
