/* A file that has names for the functions of a profile: a module, or a text. */
#ifndef WI_SYMBOLS_SYMBOL_FILE_H_
#define WI_SYMBOLS_SYMBOL_FILE_H_

#include "debug/line_table.h"
#include "debug/places.h"
#include "module/identity.h"
#include "module/module.h"
#include "module/names.h"
#include "module/symbol_map.h"
#include "support/file_reader.h"
#include "wasm_perf/profile.h"

typedef struct wi_symbol_file {
  uint8_t *bytes; /* owned */
  bool is_module;
  wi_module module;
  wi_buffer named; /* its bytes with a name section that it lacked, or empty */
  wi_names *names;
  wi_places *places;        /* of functions in the source */
  wi_line_table *map_lines; /* what its source map says; NULL: it has none */
  bool is_instrumented;
  bool has_run; /* it is the very module that the profile is of */
  char identity[WI_IDENTITY_SIZE];
  char build_id[WI_BUILD_ID_SIZE];
  wi_symbol_map map; /* of a text */
} wi_symbol_file;

/*
 * Reads the `size` bytes at `bytes`, of the file at `path`: of a component the core module that the
 * profile is of. `read` reads the file that its source map is in. Owns `bytes` from now on. False,
 * with *error filled in and nothing to clear, where it cannot be read.
 */
bool wi_symbol_file_read(wi_symbol_file *file, uint8_t *bytes, size_t size, const char *path,
                         const wasm_perf_profile *profile, wi_file_reader *read, wi_error *error);
void wi_symbol_file_clear(wi_symbol_file *file);

/* Whether the code is there that the profile's blocks were counted in. */
bool wi_symbol_file_has_code(const wi_symbol_file *file);

/* What `function` of the profile was in the module that the file is of; WI_NO_FUNCTION: nothing. */
uint32_t wi_symbol_file_function(const wi_symbol_file *file, const wasm_perf_profile *profile,
                                 uint32_t function);

/* What the file calls that one; "func[12]" or NULL where it does not. */
const char *wi_symbol_file_name(const wi_symbol_file *file, uint32_t original);

/* Where that one stands in the source: its DWARF says, or its source map of its first line; NULL.
 */
const char *wi_symbol_file_place(const wi_symbol_file *file, uint32_t original, uint32_t *line);

/* The functions of a profile as the file's, for a wi_function_map: only where a module is at hand.
 */
typedef struct wi_symbol_functions {
  const wasm_perf_profile *profile;
  const wi_symbol_file *file;
} wi_symbol_functions;

uint32_t wi_symbol_functions_map(const void *functions, uint32_t function);

#endif /* WI_SYMBOLS_SYMBOL_FILE_H_ */
