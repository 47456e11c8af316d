/* The source file of each function, for selections by file. */
#ifndef WI_HOOKS_FUNCTION_FILES_H_
#define WI_HOOKS_FUNCTION_FILES_H_

#include "module/module.h"
#include "wasm_instrument/wasm_instrument.h"

typedef struct wi_function_files {
  const wi_module *module;
  struct wi_places *places;    /* from DWARF, or Go's function table */
  struct wi_line_table *lines; /* from a source map, if there are no places; or NULL */
} wi_function_files;

/*
 * Reads the module's DWARF or Go table, or its source map: options->source_map, or one inside of
 * the module. An unreadable map counts as none. False if out of memory. The caller must clear
 * *files even then; `module` must outlive it.
 */
bool wi_function_files_init(wi_function_files *files, const wi_module *module,
                            const wi_options *options);
void wi_function_files_clear(wi_function_files *files);

/* Whether the file of any function may be known. */
bool wi_function_files_any(const wi_function_files *files);

/* The path of the function's file; NULL if unknown. Valid as long as *files. */
const char *wi_function_files_find(const wi_function_files *files, uint32_t function);

#endif /* WI_HOOKS_FUNCTION_FILES_H_ */
