/* A file with names for a profile's functions: a module or a text. */
#ifndef WI_SYMBOLS_SYMBOL_FILE_H_
#define WI_SYMBOLS_SYMBOL_FILE_H_

#include "debug/line_table.h"
#include "debug/places.h"
#include "module/identity.h"
#include "module/module.h"
#include "module/names.h"
#include "module/symbol_map.h"
#include "support/file_reader.h"
#include "symbols/glue.h"
#include "wasm_perf/profile.h"

typedef struct wi_symbol_file {
  uint8_t *bytes; /* owned */
  bool is_module;
  wi_module module;
  wi_buffer named; /* a copy of the bytes completed with names from Go's table, or empty */
  wi_names *names;
  wi_places *places;        /* source locations of functions */
  wi_glue glue;             /* names of exports from its JavaScript */
  wi_line_table *map_lines; /* from its source map; NULL: none */
  bool is_instrumented;
  bool has_run; /* it is the module that was profiled */
  char identity[WI_IDENTITY_SIZE];
  char build_id[WI_BUILD_ID_SIZE];
  wi_symbol_map map; /* if it is a text */
} wi_symbol_file;

/*
 * Reads the `size` bytes at `bytes`, the contents of the file at `path`; of a component, the core
 * module that the profile belongs to. `read` reads files beside it. Takes ownership of `bytes`.
 * Returns false with *error filled in and nothing to clear if the file is unreadable.
 */
bool wi_symbol_file_read(wi_symbol_file *file, uint8_t *bytes, size_t size, const char *path,
                         const wasm_perf_profile *profile, wi_file_reader *read, wi_error *error);
void wi_symbol_file_clear(wi_symbol_file *file);

/* Whether it contains the code in which the profile counted blocks. */
bool wi_symbol_file_has_code(const wi_symbol_file *file);

/* Maps `function` of the profile to the file's module; WI_NO_FUNCTION: it has none. */
uint32_t wi_symbol_file_function(const wi_symbol_file *file, const wasm_perf_profile *profile,
                                 uint32_t function);

/* The name of that function; "func[12]" or NULL if it has none. */
const char *wi_symbol_file_name(const wi_symbol_file *file, uint32_t original);

/* Whether that name is the function's own, not only an export's. */
bool wi_symbol_file_is_named(const wi_symbol_file *file, uint32_t original);

/*
 * The source location of that function: from DWARF, or the first line in its source map. NULL:
 * unknown.
 */
const char *wi_symbol_file_place(const wi_symbol_file *file, uint32_t original, uint32_t *line);

/* Context of wi_symbol_functions_map, a wi_function_map; only if the file is a module. */
typedef struct wi_symbol_functions {
  const wasm_perf_profile *profile;
  const wi_symbol_file *file;
} wi_symbol_functions;

uint32_t wi_symbol_functions_map(const void *functions, uint32_t function);

#endif /* WI_SYMBOLS_SYMBOL_FILE_H_ */
