/* count-work HOW FILE: prints the work that a module makes (counter.h) and whether it was taken. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/common/file.h"
#include "hostile/counter.h"

int main(int argc, char **argv) {
  uint8_t *bytes;
  size_t size;
  bool done;
  if (argc != 3 || !wi_file_read(argv[2], &bytes, &size)) {
    fputs("usage: count-work HOW FILE\n", stderr);
    return 2;
  }
  uint64_t work = counted_work(argv[1], bytes, size, &done);
  printf("%" PRIu64 " %s\n", work, done ? "done" : "refused");
  free(bytes);
  return 0;
}
