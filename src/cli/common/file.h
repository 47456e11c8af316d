/* Whole files in and out, for the commands. "-" stands for standard input or output. */
#ifndef WI_CLI_COMMON_FILE_H_
#define WI_CLI_COMMON_FILE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/common/cleanup.h"

/* The part of `path` after the last slash. */
static inline const char *cli_basename(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/*
 * Reads all of `path`. On success *bytes is for the caller to free, never NULL. On failure it
 * returns false with errno set.
 */
bool wi_file_read(const char *path, uint8_t **bytes, size_t *size);

/*
 * The same without a copy where `path` is a regular file: it is mapped. Where others truncate it
 * meanwhile, the process ends with a message and exit code 1, and leaves nothing behind; whether
 * they have written to it tells wi_file_input_is_unchanged. Replacing it by wi_file_write is
 * safe. One such file may be open at a time; the structure must not be moved.
 */
typedef struct wi_file_input {
  const uint8_t *bytes; /* valid until close */
  size_t size;
  bool mapped;
  size_t passed; /* bytes that need not be in memory */
  int file;      /* open, where mapped */
  struct timespec changed;
} wi_file_input;

/* What messages call the file: "-" stands for a stream. */
static inline const char *wi_file_input_name(const char *path) {
  return path[0] == '-' && !path[1] ? "<stdin>" : path;
}
static inline const char *wi_file_output_name(const char *path) {
  return path[0] == '-' && !path[1] ? "<stdout>" : path;
}

bool wi_file_input_open(wi_file_input *input, const char *path);
bool wi_file_input_is_unchanged(const wi_file_input *input);

/* Takes the first `size` bytes out of memory, where they are mapped; they come back when read. */
void wi_file_input_pass(wi_file_input *input, size_t size);

void wi_file_input_close(wi_file_input *input);

/*
 * Writes `path` as a whole or not at all: to a temporary file beside it, which then takes its
 * name. Symbolic links are followed, also where they lead to nothing yet; a file that nobody may
 * write is not replaced; what is no regular file (a device, a pipe) is written directly. It keeps
 * the permissions of what it replaces, without set-user-ID and the like. False with errno set.
 */
bool wi_file_write(const char *path, const uint8_t *bytes, size_t size);

/*
 * The same for a writer that wants a stream: open gives one, and close ends it with
 * `done` saying whether what was written is complete; otherwise nothing is kept, nor where a signal
 * ends the process. The structure must not be moved in between.
 */
typedef struct wi_file_output {
  FILE *stream;
  char *target; /* NULL: written directly */
  wi_temporary temporary;
} wi_file_output;

bool wi_file_output_open(wi_file_output *output, const char *path);
bool wi_file_output_close(wi_file_output *output, bool done);

#endif /* WI_CLI_COMMON_FILE_H_ */
