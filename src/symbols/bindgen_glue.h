/*
 * Allocators of Rust modules, which wasm-bindgen exports as __wbindgen_export, __wbindgen_export2 or
 * __wbindgen_export_2. What they are, its script shows by how it uses them:
 *
 *     passStringToWasm0(text, wasm.__wbindgen_export_1, wasm.__wbindgen_export_2)     malloc, realloc
 *     wasm.__wbindgen_export_3(pointer, size * 4, 4)                                  free
 */
#ifndef WI_SYMBOLS_BINDGEN_GLUE_H_
#define WI_SYMBOLS_BINDGEN_GLUE_H_

#include "module/module.h"
#include "symbols/glue_names.h"

#define WI_BINDGEN_NUMBERED "__wbindgen_export" /* how names of numbered exports begin */

/*
 * Adds __wbindgen_malloc, __wbindgen_realloc and __wbindgen_free to the names, sorted, by the use and type of
 * numbered exports. Returns false if out of memory.
 */
bool wi_bindgen_glue_read(wi_glue *glue, const wi_module *module, const char *text, size_t size);

#endif /* WI_SYMBOLS_BINDGEN_GLUE_H_ */
