/* Any bytes as a list of benchmarks, wasm-perf.toml. */
#include <string.h>

#include "cli/perf/bench/toml.h"
#include "fuzz.h"

typedef struct seen {
  uint32_t line;
  size_t count;
} seen;

/* Takes all but keys that begin with 'x'. */
static bool take(void *user, cli_toml_item *item, char *message, size_t size) {
  seen *before = user;
  CHECK(item->line >= before->line && item->table != NULL);
  CHECK(item->key ? item->is_array || item->values.count == 1 : item->values.count == 0);
  for (size_t i = 0; i < item->values.count; i++)
    CHECK(item->values.items[i] != NULL);
  before->line = item->line;
  before->count++;
  if (!item->key || item->key[0] != 'x')
    return true;
  CHECK(size > 1);
  strcpy(message, "x");
  return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  seen all = {0};
  cli_toml_error error = {0};
  bool done = cli_toml_read((const char *)data, size, take, &all, &error);
  CHECK(all.count <= size);
  if (!done)
    CHECK(error.offset <= size && error.line >= 1 && error.message[0] != '\0');
  return 0;
}
