/* The parts of a program that its functions belong to, by their names and files. */
#ifndef WI_REPORT_MODEL_PARTS_H_
#define WI_REPORT_MODEL_PARTS_H_

#include <stdbool.h>
#include <stdint.h>

#include "report/model/color.h"

/* A function, by its label. */
typedef struct wi_part_function {
  const char *name;
  const char *file; /* of its source; NULL: unknown */
  uint32_t line;
  wi_color_kind kind;
} wi_part_function;

typedef struct wi_part {
  const char *kind; /* "program", "python", ...: parts of a kind have similar colours */
  char *name;       /* owned: a crate, namespace, package, file or prefix */
  uint32_t outer;   /* the part that contains it; itself: none */
  uint32_t folders; /* size of the folders in front of a Go package that all of them have */
} wi_part;

typedef struct wi_parts {
  wi_part *list; /* distinct in kind and name; owned */
  uint32_t count;
  uint32_t *of; /* per function: its innermost part; owned */
} wi_parts;

/* Returns false, with nothing to clear, if out of memory. */
bool wi_parts_init(wi_parts *parts, const wi_part_function *functions, uint32_t count);
void wi_parts_clear(wi_parts *parts);

#endif /* WI_REPORT_MODEL_PARTS_H_ */
