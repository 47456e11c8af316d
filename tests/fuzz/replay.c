/* Runs the fuzz target once on each file named on the command line. */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

static int run_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    return 1;
  }
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  uint8_t *data = malloc((size_t)size + 1);
  size_t got = data ? fread(data, 1, (size_t)size, file) : 0;
  fclose(file);
  if (data)
    LLVMFuzzerTestOneInput(data, got);
  free(data);
  return 0;
}

int main(int argc, char **argv) {
  int result = 0;
  for (int i = 1; i < argc; i++)
    result |= run_file(argv[i]);
  printf("%d files\n", argc - 1);
  return result;
}
