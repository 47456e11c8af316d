/* A file that is read without copying it. */
#ifndef WI_CLI_COMMON_FILE_INPUT_H_
#define WI_CLI_COMMON_FILE_INPUT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/*
 * The contents of `path`, mapped if it is a regular file. If the file is truncated meanwhile, the
 * process exits with a message and code 1, and leaves no temporary files.
 * wi_file_input_is_unchanged reports whether it was written to. Replacing it with wi_file_write is
 * safe. The structure must not be moved.
 */
typedef struct wi_file_input wi_file_input;
struct wi_file_input {
  const uint8_t *bytes; /* valid until close */
  size_t size;
  bool mapped;
  size_t passed; /* bytes that need not be in memory */
  int file;      /* open while mapped */
  struct timespec changed;
  char *message; /* if mapped: the message to print if it is truncated; owned */
  wi_file_input *next;
};

/* Returns false with errno set. */
bool wi_file_input_open(wi_file_input *input, const char *path);
bool wi_file_input_is_unchanged(const wi_file_input *input);

/* Releases the memory of the first `size` bytes, if mapped; they are loaded again if read. */
void wi_file_input_pass(wi_file_input *input, size_t size);

void wi_file_input_close(wi_file_input *input);

#endif /* WI_CLI_COMMON_FILE_INPUT_H_ */
