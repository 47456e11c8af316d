/* Any bytes as a whitelist, matched against names of several kinds. */
#include <string.h>

#include "fuzz.h"
#include "wasm_instrument/wasm_instrument.h"

/* Three functions: exported "f", named "_ZN1a1bEv", and one without a name. */
static const uint8_t module[] = {
    0x00, 'a',  's',  'm',  0x01, 0x00, 0x00, 0x00, 0x01, 0x04, 0x01, 0x60, 0x00, 0x00, 0x03,
    0x04, 0x03, 0x00, 0x00, 0x00, 0x07, 0x05, 0x01, 0x01, 'f',  0x00, 0x00, 0x0a, 0x0a, 0x03,
    0x02, 0x00, 0x0b, 0x02, 0x00, 0x0b, 0x02, 0x00, 0x0b, 0x00, 0x13, 0x04, 'n',  'a',  'm',
    'e',  0x01, 0x0c, 0x01, 0x01, 0x09, '_',  'Z',  'N',  '1',  'a',  '1',  'b',  'E',  'v'};

static void count(void *user, const wi_function_info *info) {
  uint32_t *visited = user;
  CHECK(info->index == *visited && info->name != NULL);
  ++*visited;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  wi_error error;
  wi_selection *selection = wi_selection_new();
  CHECK(selection != NULL);
  if (wi_selection_add_list(selection, (const char *)data, size, &error)) {
    wi_options options = {.selection = selection};
    uint32_t visited = 0;
    if (wi_list_functions(module, sizeof module, &options, count, &visited, &error))
      CHECK(visited == 3);
    else
      CHECK(error.code == WI_ERROR_PATTERN);
  } else {
    CHECK(error.code == WI_ERROR_PATTERN && strncmp(error.message, "line ", 5) == 0);
  }
  wi_selection_free(selection);
  return 0;
}
