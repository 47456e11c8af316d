/* Any bytes as a baseline. What can be read can be written, with the same counts when read again. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/perf/bench/baseline.h"
#include "fuzz.h"

static char path[64];

static void write_file(const uint8_t *data, size_t size) {
  FILE *stream = fopen(path, "wb");
  CHECK(stream && fwrite(data, 1, size, stream) == size && fclose(stream) == 0);
}

/* Errors go to /dev/null, where they do not hide what the fuzzer prints. */
static bool read_silently(cli_baseline *baseline) {
  int saved = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY);
  CHECK(saved >= 0 && nowhere >= 0 && dup2(nowhere, STDERR_FILENO) >= 0);
  bool done = cli_baseline_read(baseline, path);
  CHECK(dup2(saved, STDERR_FILENO) >= 0);
  close(saved);
  close(nowhere);
  return done;
}

static void check_same(const cli_baseline *a, const cli_baseline *b) {
  CHECK(a->saved_count == b->saved_count);
  for (uint32_t i = 0; i < a->saved_count; i++) {
    const cli_counts *left = &a->saved[i].counts, *right = &b->saved[i].counts;
    CHECK(strcmp(a->saved[i].name, b->saved[i].name) == 0);
    CHECK(memcmp(left->has, right->has, sizeof left->has) == 0);
    CHECK(memcmp(left->values, right->values, sizeof left->values) == 0);
    CHECK(left->functions_count == right->functions_count);
    for (uint32_t k = 0; k < left->functions_count; k++)
      CHECK(left->functions[k].callers_count == right->functions[k].callers_count);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cli_baseline baseline = {0}, again = {0};
  snprintf(path, sizeof path, "/tmp/fuzz-baseline-%ld.json", (long)getpid());
  write_file(data, size);
  if (read_silently(&baseline)) {
    CHECK(cli_baseline_write(&baseline, path) && cli_baseline_read(&again, path));
    check_same(&baseline, &again);
  }
  remove(path);
  cli_baseline_clear(&baseline);
  cli_baseline_clear(&again);
  return 0;
}
