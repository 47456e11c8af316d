/*
 * The table of functions by which the runtime of Go prints stacks (GOARCH=wasm, Go 1.20 and later; Go's sources:
 * internal/abi/symtab.go, runtime/symtab.go, cmd/link/internal/ld/pcln.go). It is in a program's data, whatever the
 * linker is told.
 */
#ifndef WI_MODULE_GO_TABLE_H_
#define WI_MODULE_GO_TABLE_H_

#include "module/module.h"

#define WI_GO_TABLE_OFFSET 0x1000u /* index in the table of the first function with a body */
#define WI_GO_NO_FILE      UINT32_MAX

/* What a segment of the data puts into memory. */
typedef struct wi_go_part {
  uint32_t address;
  wi_span bytes;
} wi_go_part;

typedef struct wi_go_table {
  const wi_module *module;     /* borrowed */
  WI_ARRAY(wi_go_part, parts); /* in order of their addresses; none is empty */
  uint32_t count;              /* of functions */
  uint32_t names, names_end;   /* addresses */
  uint32_t units, files, values, functions;
  unsigned shift;      /* of the functions' places in the table */
  uint32_t text_limit; /* how much all texts together may still take */
} wi_go_table;

typedef struct wi_go_function {
  uint32_t index; /* in the module */
  wi_span name;   /* in the module's bytes, as all texts: main.(*printer).print */
  uint32_t file;  /* for wi_go_table_path, or WI_GO_NO_FILE */
  uint32_t line;  /* of the function's beginning */
} wi_go_function;

/* False, with nothing to clear: the module has no such table, or memory ran out. */
bool wi_go_table_init(wi_go_table *table, const wi_module *module);
void wi_go_table_clear(wi_go_table *table);

/* The function at that place, below table->count. False: the table is damaged. */
bool wi_go_table_function(wi_go_table *table, uint32_t place, wi_go_function *function);

/* The path of a file. False: there is none. */
bool wi_go_table_path(wi_go_table *table, uint32_t file, wi_span *path);

#endif /* WI_MODULE_GO_TABLE_H_ */
