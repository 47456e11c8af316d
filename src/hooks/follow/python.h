/* What a module says of Python, which another one of a component may run. */
#ifndef WI_HOOKS_FOLLOW_PYTHON_H_
#define WI_HOOKS_FOLLOW_PYTHON_H_

#include "code/data_segments.h"
#include "runtime/embedded/python.h"
#include "wasm_instrument/wasm_instrument.h"

typedef struct wi_guest {
  bool has_table;       /* of offsets: in the module or, where it imports its memory, elsewhere */
  bool has_interpreter; /* its function is found */
  embed_guest description;
  wi_data_address root; /* where the interpreter has its state */
  uint32_t interpreter; /* function index in the input */
} wi_guest;

/*
 * Whether the module's data has a guest's table of offsets, of which *guest then tells, at an
 * address that is known in other modules as well. `scan` is working memory.
 */
bool wi_guest_find_table(wi_guest *guest, const wi_module *module, wi_scan *scan);

#endif /* WI_HOOKS_FOLLOW_PYTHON_H_ */
