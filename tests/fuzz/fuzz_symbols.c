/* Any bytes as a list of symbols. */
#include "fuzz.h"
#include "module/symbol_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  wi_symbol_map map;
  wi_error error;
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
