/* Prints index, file, line and name of each function of a module, as its DWARF has them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/common/file.h"
#include "wasm_instrument/wasm_instrument.h"

int main(int argc, char **argv) {
  uint8_t *bytes;
  size_t size;
  wi_error error;
  if (argc != 2 || !wi_file_read(argv[1], &bytes, &size))
    return EXIT_FAILURE;
  wi_names *names = wi_names_read(bytes, size, &error);
  wi_places *places = wi_places_read(bytes, size, &error);
  for (uint32_t i = 0; names && places && i < wi_names_count(names); i++) {
    uint32_t line;
    const char *file = wi_places_find(places, i, &line);
    if (file)
      printf("%" PRIu32 "\t%s\t%" PRIu32 "\t%s\n", i, file, line, wi_names_get(names, i));
  }
  int result = names && places ? EXIT_SUCCESS : EXIT_FAILURE;
  wi_places_free(places);
  wi_names_free(names);
  free(bytes);
  return result;
}
