/*
 * Names of exported functions from the JavaScript that Emscripten generates beside a module. With
 * optimisation, a module exports `a`, `b`, `c`, and only its JavaScript has the names:
 *
 *     Module["_malloc"] = wasmExports["b"]        k._malloc = c.b        (after a minifier)
 */
#ifndef WI_SYMBOLS_GLUE_H_
#define WI_SYMBOLS_GLUE_H_

#include "module/module.h"
#include "support/file_reader.h"
#include "symbols/glue_names.h"

/* How scripts beside a module's file app.wasm end, after the part before its dot. */
#define WI_GLUE_ENDS(X) X(".js") X(".mjs") X(".cjs")

/*
 * Looks for names in the scripts beside the module's file, then in `caller`, the script that compiles the module;
 * each path may be NULL. `read` reads them. A script that names an export that the module does not have is another
 * build's, and names nothing; nor does a caller that may be the script of several modules. The allocators of Rust
 * modules have names by their use (symbols/bindgen_glue.h). Returns false if out of memory.
 */
bool wi_glue_read(wi_glue *glue, const wi_module *module, const char *path, const char *caller,
                  wi_file_reader *read);

/* Same for the text of a script. */
bool wi_glue_read_script(wi_glue *glue, const wi_module *module, const char *text, size_t size);

/* Whether a text is a script that may name exports. */
bool wi_glue_is_script(const char *text, size_t size);

#endif /* WI_SYMBOLS_GLUE_H_ */
