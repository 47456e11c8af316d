/* A file that is read without a copy. */
#ifndef WI_CLI_COMMON_FILE_INPUT_H_
#define WI_CLI_COMMON_FILE_INPUT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/*
 * All of `path`, mapped where it is a regular file. Where others truncate it meanwhile, the process
 * ends with a message and exit code 1, and leaves nothing behind; whether they have written to it
 * tells wi_file_input_is_unchanged. Replacing it by wi_file_write is safe. The structure must not
 * be moved.
 */
typedef struct wi_file_input wi_file_input;
struct wi_file_input {
  const uint8_t *bytes; /* valid until close */
  size_t size;
  bool mapped;
  size_t passed; /* bytes that need not be in memory */
  int file;      /* open, where mapped */
  struct timespec changed;
  char *message; /* where mapped: what is said if it is truncated; owned */
  wi_file_input *next;
};

/* False with errno set. */
bool wi_file_input_open(wi_file_input *input, const char *path);
bool wi_file_input_is_unchanged(const wi_file_input *input);

/* Takes the first `size` bytes out of memory, where they are mapped; they come back when read. */
void wi_file_input_pass(wi_file_input *input, size_t size);

void wi_file_input_close(wi_file_input *input);

#endif /* WI_CLI_COMMON_FILE_INPUT_H_ */
