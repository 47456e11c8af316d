/*
 * Names of exported functions from the JavaScript that Emscripten generates beside a module. With
 * optimisation, a module exports `a`, `b`, `c`, and only its JavaScript has the names:
 *
 *     Module["_malloc"] = wasmExports["b"]        k._malloc = c.b        (after a minifier)
 */
#ifndef WI_SYMBOLS_GLUE_H_
#define WI_SYMBOLS_GLUE_H_

#include "module/module.h"
#include "support/buffer.h"
#include "support/file_reader.h"

/* How scripts beside a module's file app.wasm end, after the part before its dot. */
#define WI_GLUE_ENDS(X) X(".js") X(".mjs") X(".cjs")

typedef struct wi_glue_name {
  uint32_t function; /* function index */
  uint32_t name;     /* offset in `text`, ended by NUL */
} wi_glue_name;

/* Clear it afterwards. */
typedef struct wi_glue {
  WI_ARRAY(wi_glue_name, names); /* by function, each once */
  wi_buffer text;
} wi_glue;

/*
 * Looks for names in the scripts beside the module's file, which `read` reads. A script that names an export that the module does not have is another build's, and names
 * nothing. Returns false if out of memory.
 */
bool wi_glue_read(wi_glue *glue, const wi_module *module, const char *path, wi_file_reader *read);

/* Same for the text of a script. */
bool wi_glue_read_script(wi_glue *glue, const wi_module *module, const char *text, size_t size);

/* Whether a text is a script that may name exports. */
bool wi_glue_is_script(const char *text, size_t size);

void wi_glue_clear(wi_glue *glue);

/* The name of a function; NULL: none. */
const char *wi_glue_find(const wi_glue *glue, uint32_t function);

#endif /* WI_SYMBOLS_GLUE_H_ */
