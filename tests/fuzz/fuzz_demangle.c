/* Any bytes as a mangled name. */
#include <string.h>

#include "fuzz.h"
#include "wasm_instrument/wasm_instrument.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char name[4096], readable[4096];
  if (size >= sizeof name)
    return 0;
  memcpy(name, data, size);
  name[size] = '\0';
  if (wi_demangle(name, readable, sizeof readable))
    CHECK(strlen(readable) > 0);
  return 0;
}
