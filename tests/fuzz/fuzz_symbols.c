/* Any bytes as a list of symbols, and as a file of signatures. */
#include "fuzz.h"
#include "module/symbol_map.h"
#include "symbols/signatures.h"

static void read_signatures(const uint8_t *data, size_t size) {
  wi_signatures signatures = {0};
  wi_error error;
  wi_error_reset(&error);
  if (wi_signatures_read(&signatures, data, size, &error))
    for (uint32_t i = 0; i < signatures.items_count; i++) {
      CHECK(signatures.items[i].name < signatures.text.size);
      CHECK(i == 0 || signatures.items[i - 1].key <= signatures.items[i].key);
    }
  else
    CHECK(error.code == WI_ERROR_MALFORMED && error.offset <= size);
  wi_signatures_clear(&signatures);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  wi_symbol_map map;
  wi_error error;
  read_signatures(data, size);
  if (!wi_symbol_map_read(&map, (const char *)data, size, &error)) {
    CHECK(error.code == WI_ERROR_MALFORMED && map.count == 0 && map.symbols == NULL);
    return 0;
  }
  CHECK(map.count <= size / 2 && map.text.size <= size);
  for (uint32_t i = 0; i < map.count; i++) {
    CHECK(i == 0 || map.symbols[i - 1].function < map.symbols[i].function);
    CHECK(wi_symbol_map_find(&map, map.symbols[i].function) == map.symbols[i].name);
  }
  wi_symbol_map_clear(&map);
  return 0;
}
