/*
 * Hooks inlined: what an instrumented module does itself instead of calling the runtime.
 *
 * The module gets a memory of its own, the last of its index space, so that nothing of the
 * program's moves:
 *
 *     touched cells | a slot per function | cells
 *
 * A cell belongs to a node of the call tree: its calls, and where the module counts instructions
 * those that are not booked yet. It stands where the node's index says; the first is the root's. A
 * slot has four pairs of a caller's cell and the cell that the function was entered as from there;
 * where the caller's stands tells which. While the function is called from places that it
 * remembers, entering it takes a comparison and an increment. Otherwise perf_enter of the runtime,
 * which keeps the tree itself, finds or makes the node. Globals hold the current cell and, with a
 * clock, the count up to which all is booked, the count at which the runtime wants to read its
 * clock, and the end of the list of touched cells.
 *
 * A function keeps its caller's cell in a local and puts it back when it leaves, and its own where
 * it catches exceptions: there is no stack to unwind.
 */
#ifndef WI_REWRITE_INLINE_H_
#define WI_REWRITE_INLINE_H_

#include "rewrite/plan.h"

/* Settles the indices of what is added; the plan's hooks and counts must stand. */
void wi_inline_plan(wi_plan *plan);

/* Whether the module exports something under a name that is to be added. */
bool wi_inline_is_taken(const wi_module *module);

/* ---- Code for functions, appended to `out` -------------------------------- */

/* A function that gets such code: its index in the output and its added locals. */
typedef struct wi_inline_function {
  uint32_t index;
  uint32_t own;     /* i32: its cell */
  uint32_t caller;  /* i32: its caller's cell */
  uint32_t count;   /* i64, with a clock: its count of instructions */
  uint32_t pending; /* i64, with a clock: working storage */
} wi_inline_function;

/* Enters the function, with a clock at the count of the global, which becomes its own. */
void wi_inline_put_start(const wi_plan *plan, const wi_inline_function *function, wi_buffer *out);

/* Leaves it, with a clock at its own count. */
void wi_inline_put_end(const wi_plan *plan, const wi_inline_function *function, wi_buffer *out);

/*
 * Makes the own cell the current one again; and the other way round, in a function without hooks,
 * which has no cell: then these two are all that it gets.
 */
void wi_inline_put_unwind(const wi_plan *plan, const wi_inline_function *function, wi_buffer *out);
void wi_inline_put_keep(const wi_plan *plan, const wi_inline_function *function, wi_buffer *out);

/* Enters a function of the host, from one with hooks; `index` as in the output. */
void wi_inline_put_host_start(const wi_plan *plan, uint32_t index, wi_buffer *out);

/* Hands over all counts to the runtime. */
void wi_inline_put_sync(const wi_plan *plan, wi_buffer *out);

/* ---- Items for sections --------------------------------------------------- */

/* How many are added to the section's vector, and the items themselves. */
uint32_t wi_inline_count(const wi_plan *plan, wi_section_id id);
void wi_inline_put_items(const wi_plan *plan, wi_section_id id, wi_buffer *out);

/* The added functions' entries for the name section: index and name of each. */
void wi_inline_put_names(const wi_plan *plan, wi_buffer *out);

#endif /* WI_REWRITE_INLINE_H_ */
