/* count-work HOW FILE: prints the work that a module makes (counter.h) and whether it was taken. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/common/file.h"
#include "hostile/counter.h"

int main(int argc, char **argv) {
  wi_file_input file;
  bool done;
  if (argc != 3 || !wi_file_input_open(&file, argv[2])) {
    fputs("usage: count-work HOW FILE\n", stderr);
    return 2;
  }
  uint64_t work = counted_work(argv[1], file.bytes, file.size, &done);
  printf("%" PRIu64 " %s\n", work, done ? "done" : "refused");
  wi_file_input_close(&file);
  return 0;
}
