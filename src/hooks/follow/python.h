/* A module's description of Python, which another module of a component may run. */
#ifndef WI_HOOKS_FOLLOW_PYTHON_H_
#define WI_HOOKS_FOLLOW_PYTHON_H_

#include "code/data_segments.h"
#include "runtime/embedded/python.h"
#include "wasm_instrument/wasm_instrument.h"

typedef struct wi_guest {
  bool has_table;       /* of offsets: in the module or, if it imports its memory, in another */
  bool has_interpreter; /* the interpreter's function was found */
  embed_guest description;
  wi_data_address root; /* address of the interpreter's state */
  uint32_t interpreter; /* function index in the input */
} wi_guest;

/*
 * Whether the module's data contains a guest's table of offsets, which *guest then describes, at an
 * address that is also known in other modules. `scan` is working memory.
 */
bool wi_guest_find_table(wi_guest *guest, const wi_module *module, wi_scan *scan);

#endif /* WI_HOOKS_FOLLOW_PYTHON_H_ */
