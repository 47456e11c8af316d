/* Names of functions that a script gives. */
#ifndef WI_SYMBOLS_GLUE_NAMES_H_
#define WI_SYMBOLS_GLUE_NAMES_H_

#include <stdint.h>

#include "support/array.h"
#include "support/buffer.h"

typedef struct wi_glue_name {
  uint32_t function; /* function index */
  uint32_t name;     /* offset in `text`, ended by NUL */
} wi_glue_name;

/* Clear it afterwards. */
typedef struct wi_glue {
  WI_ARRAY(wi_glue_name, names); /* by function, each once */
  wi_buffer text;
} wi_glue;

/* Adds a copy of a name of `size` bytes. Returns false if out of memory. */
bool wi_glue_add(wi_glue *glue, uint32_t function, const char *name, size_t size);

void wi_glue_clear(wi_glue *glue);

/* The name of a function; NULL: none. */
const char *wi_glue_find(const wi_glue *glue, uint32_t function);

#endif /* WI_SYMBOLS_GLUE_NAMES_H_ */
