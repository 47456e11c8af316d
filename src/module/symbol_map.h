/*
 * Function names from a text file beside the module: one line INDEX:NAME per function, as in
 * Emscripten's --emit-symbol-map (app.js.symbols). Indices refer to the module as built,
 * including imports.
 *
 * Empty lines and lines that start with '#' are skipped. Binaryen escapes characters that its text
 * format does not allow as a backslash and two hexadecimal digits; they are decoded.
 */
#ifndef WI_MODULE_SYMBOL_MAP_H_
#define WI_MODULE_SYMBOL_MAP_H_

#include <stddef.h>

#include "support/buffer.h"
#include "support/error.h"

/* In bytes. A longer name is an error: no compiler writes one. */
#define WI_SYMBOL_MAX_SIZE 65535u

typedef struct wi_symbol {
  uint32_t function;
  const char *name; /* NUL-terminated, owned by the map; not checked for UTF-8 */
} wi_symbol;

/* Sorted by function, without duplicates. Zero it before use; clear it afterwards. */
typedef struct wi_symbol_map {
  wi_symbol *symbols; /* owned */
  uint32_t count;
  wi_buffer text; /* the names */
} wi_symbol_map;

/*
 * Reads a text of `size` bytes, which is not kept. The first of several names of a function wins.
 * Memory is proportional to `size`. On failure, returns false with the line in *error and the map
 * cleared.
 */
bool wi_symbol_map_read(wi_symbol_map *map, const char *text, size_t size, wi_error *error);
void wi_symbol_map_clear(wi_symbol_map *map);

/* Returns the name of `function`, or NULL. Valid until the map is cleared. */
const char *wi_symbol_map_find(const wi_symbol_map *map, uint32_t function);

#endif /* WI_MODULE_SYMBOL_MAP_H_ */
