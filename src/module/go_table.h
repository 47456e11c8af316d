/*
 * The function table that Go's runtime uses to print stacks (GOARCH=wasm, Go 1.20 and later; Go's
 * sources: internal/abi/symtab.go, runtime/symtab.go, cmd/link/internal/ld/pcln.go). It is part of
 * the program's data, even if stripped.
 */
#ifndef WI_MODULE_GO_TABLE_H_
#define WI_MODULE_GO_TABLE_H_

#include "module/module.h"

#define WI_GO_TABLE_OFFSET 0x1000u /* index in the table of the first function with a body */
#define WI_GO_NO_FILE      UINT32_MAX

/* A data segment as placed in memory. */
typedef struct wi_go_part {
  uint32_t address;
  wi_span bytes;
} wi_go_part;

typedef struct wi_go_table {
  const wi_module *module;     /* borrowed */
  WI_ARRAY(wi_go_part, parts); /* by address; none is empty */
  WI_ARRAY(uint32_t, slots);   /* function indices, from index WI_GO_TABLE_OFFSET of the table on */
  uint32_t count;              /* number of functions */
  uint32_t names, names_end;   /* addresses */
  uint32_t units, files, values, functions;
  unsigned shift;      /* right shift from an entry's address to its function number */
  uint32_t text_limit; /* bytes that all texts together may still use */
} wi_go_table;

typedef struct wi_go_function {
  uint32_t slot;  /* in table->slots: Go's own order, which optimisers keep */
  uint32_t index; /* function index in the module */
  wi_span name;   /* span of the module's bytes, as for all texts: main.(*printer).print */
  uint32_t file;  /* for wi_go_table_path, or WI_GO_NO_FILE */
  uint32_t line;  /* where the function starts */
} wi_go_function;

/* Returns false, with nothing to clear, if the module has no such table or memory ran out. */
bool wi_go_table_init(wi_go_table *table, const wi_module *module);
void wi_go_table_clear(wi_go_table *table);

/* Reads entry `place`, which is below table->count. Returns false if the table is damaged. */
bool wi_go_table_function(wi_go_table *table, uint32_t place, wi_go_function *function);

/* The path of a file; false if there is none. */
bool wi_go_table_path(wi_go_table *table, uint32_t file, wi_span *path);

#endif /* WI_MODULE_GO_TABLE_H_ */
