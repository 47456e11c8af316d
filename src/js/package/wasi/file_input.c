/* cli/common/file_input.h without mmap: files are copied into memory. */
#include "cli/common/file_input.h"

#include <stdlib.h>

#include "cli/common/file.h"

bool wi_file_input_open(wi_file_input *input, const char *path) {
  *input = (wi_file_input){0};
  uint8_t *bytes;
  if (!wi_file_read(path, &bytes, &input->size))
    return false;
  input->bytes = bytes;
  return true;
}

bool wi_file_input_is_unchanged(const wi_file_input *input) {
  (void)input;
  return true;
}

void wi_file_input_pass(wi_file_input *input, size_t size) {
  (void)input;
  (void)size;
}

void wi_file_input_close(wi_file_input *input) {
  free((void *)input->bytes);
  *input = (wi_file_input){0};
}
