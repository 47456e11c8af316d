/* Source locations of a module's functions, from its DWARF or Go's function table. */
#ifndef WI_DEBUG_PLACES_H_
#define WI_DEBUG_PLACES_H_

#include "debug/dwarf.h"
#include "support/buffer.h"

typedef struct wi_place_item {
  uint32_t function; /* index in the module */
  uint32_t line;
  uint32_t file; /* offset of its path in the texts */
} wi_place_item;

struct wi_places {
  WI_ARRAY(wi_place_item, items); /* by function */
  wi_buffer texts;
};

/*
 * Returns the location of each function of `module` that has one, from the DWARF in `debug`: the
 * module itself or its debug file, which may lack the code. The caller frees the result. NULL: out
 * of memory.
 */
struct wi_places *wi_places_of_module(const wi_module *debug, const wi_module *module);

#endif /* WI_DEBUG_PLACES_H_ */
