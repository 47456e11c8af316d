/*
 * Guests: interpreters among the module's functions, and where their frames are.
 * runtime/embedded/embed.h says what is to be known of one, runtime/embedded/python.c what
 * that is for.
 *
 * CPython, from 3.13 on, describes itself: its state begins with a table of offsets for debuggers
 * (Include/internal/pycore_debug_offsets.h), which stands in the data segments of a module without
 * any names, too. The interpreter is the function that leaves frames most often: that stores what
 * it has just loaded from a frame's `previous` as the current frame.
 */
#ifndef WI_HOOKS_FOLLOW_GUEST_H_
#define WI_HOOKS_FOLLOW_GUEST_H_

#include "code/data_segments.h"
#include "runtime/embedded/embed.h"
#include "wasm_instrument/wasm_instrument.h"

typedef struct wi_guest {
  bool is_there; /* a table of offsets is, at least */
  bool is_known; /* and the interpreter is found */
  bool is_alone; /* only its functions get nodes: none where there is no guest */
  embed_guest description;
  wi_data_address root;      /* where the interpreter has its state */
  uint32_t interpreter;      /* function index in the input */
  uint32_t interpreter_body; /* its index among the functions with a body */
} wi_guest;

/*
 * Whether the module's data has a guest's table of offsets, of which *guest then tells, at an
 * address that is known in other modules as well. `scan` is working memory.
 */
bool wi_guest_find_table(wi_guest *guest, const wi_module *module, wi_scan *scan);

/*
 * Looks through the module, where options ask for that. `scan` is working memory. False, with
 * *error filled in, on failure.
 */
bool wi_guest_init(wi_guest *guest, const wi_module *module, const wi_options *options,
                   wi_scan *scan, wi_error *error);

/* What is to be looked for: the interpreter's stores of which frame is current. */
void wi_guest_want(const wi_guest *guest, wi_scan_wants *wants);

/* Whether that function is the guest's interpreter. */
static inline bool wi_guest_is_interpreter(const wi_guest *guest, uint32_t function) {
  return guest->is_known && function == guest->interpreter;
}

#endif /* WI_HOOKS_FOLLOW_GUEST_H_ */
