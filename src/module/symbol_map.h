/*
 * Names of functions from a text beside the module: a line INDEX:NAME for each, as Emscripten's
 * --emit-symbol-map writes them (app.js.symbols). Indices are those of the module as it was built,
 * imports included.
 *
 * Blank lines and those that begin with '#' are skipped. Binaryen writes the characters that its
 * text format has no room for as a backslash and two hexadecimal digits; they are read back.
 */
#ifndef WI_MODULE_SYMBOL_MAP_H_
#define WI_MODULE_SYMBOL_MAP_H_

#include <stddef.h>

#include "support/buffer.h"
#include "support/error.h"

/* A longer name is an error: no compiler writes one. Bytes. */
#define WI_SYMBOL_MAX_SIZE 65535u

typedef struct wi_symbol {
  uint32_t function;
  const char *name; /* with a terminator; bytes as they stood in the file, in the map's storage */
} wi_symbol;

/* By function, each once. Zero it before; clear it after. */
typedef struct wi_symbol_map {
  wi_symbol *symbols; /* owned */
  uint32_t count;
  wi_buffer text; /* the names */
} wi_symbol_map;

/*
 * Reads a text of `size` bytes, of which nothing is kept. Of several names of a function the first
 * counts. Takes memory in proportion to `size`. False, with *error naming the line and the map
 * clear.
 */
bool wi_symbol_map_read(wi_symbol_map *map, const char *text, size_t size, wi_error *error);
void wi_symbol_map_clear(wi_symbol_map *map);

/* The name of `function`, or NULL. Valid until the map is cleared. */
const char *wi_symbol_map_find(const wi_symbol_map *map, uint32_t function);

#endif /* WI_MODULE_SYMBOL_MAP_H_ */
