/*
 * wasm_perf: the runtime of instrumented modules.
 *
 * An embedder that owns its engine creates one context per thread of execution
 * and forwards the imports of module "wasm_perf" to it:
 *
 *     perf_start(i32 function)   -> wasm_perf_start(context, function)
 *     perf_end()                 -> wasm_perf_end(context)
 *     perf_depth() -> i32        -> wasm_perf_depth(context)
 *     perf_unwind(i32 depth)     -> wasm_perf_unwind(context, depth)
 *
 * The context keeps an exact call tree: one node per distinct stack, with its
 * number of calls and the time spent in it. wasm_perf_profile_take
 * (profile.h) turns it into a profile to write or to report.
 *
 * Threads: a context has no lock and must be used by one thread at a time;
 * different contexts are independent and share nothing but the clock's calibration.
 */
#ifndef WASM_PERF_WASM_PERF_H_
#define WASM_PERF_WASM_PERF_H_

#include <stdbool.h>
#include <stdint.h>

#include "wasm_perf/format.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many nodes a context may hold when nothing else is asked for: about 38 MB. */
#define WASM_PERF_DEFAULT_NODE_LIMIT (1u << 20)
#define WASM_PERF_MAX_NODE_LIMIT     (1u << 26) /* what is asked for beyond that is cut to it */

typedef struct wasm_perf_options {
  wasm_perf_clock clock; /* one that the linked form knows */
  uint32_t node_limit;   /* at least 2, or 0: the default; past it new stacks are truncated */
  wasm_perf_recursion recursion; /* FULL or FOLD */
} wasm_perf_options;

typedef struct wasm_perf_context wasm_perf_context;

/*
 * Creates a context. `options` may be NULL (wall clock, default limit) and is
 * not kept. Returns NULL when memory is short or the clock or recursion is none of the above.
 * Memory is reserved for the whole node limit but touched only as the tree grows. Calibrates the
 * clock once per process, which takes about 20 ms where the CPU's counter has to be measured.
 */
wasm_perf_context *wasm_perf_context_new(const wasm_perf_options *options);

/* Frees a context; NULL is allowed. Profiles taken from it stay valid. */
void wasm_perf_context_free(wasm_perf_context *context);

/* Drops every node, frame and count; clock and limit stay. */
void wasm_perf_reset(wasm_perf_context *context);

/* Enters `function` (its function index in the instrumented module). */
void wasm_perf_start(wasm_perf_context *context, uint32_t function);

/* Leaves the innermost frame. With no frame open it is counted and ignored. */
void wasm_perf_end(wasm_perf_context *context);

/* The number of open frames. */
uint32_t wasm_perf_depth(const wasm_perf_context *context);

/* Drops every frame deeper than `depth`; nothing to drop is the normal case. */
void wasm_perf_unwind(wasm_perf_context *context, uint32_t depth);

/*
 * The same for a module that counts its instructions (WASM_PERF_CLOCK_INSTRUCTIONS): `now` is that
 * count, which starts at 0 and should not run backwards; where it does, nothing is charged. Calls
 * that do not fit the context's clock, these with another one or those above with this one, count
 * calls and charge nothing.
 */
void wasm_perf_start_at(wasm_perf_context *context, uint32_t function, uint64_t now);
void wasm_perf_end_at(wasm_perf_context *context, uint64_t now);
void wasm_perf_unwind_at(wasm_perf_context *context, uint32_t depth, uint64_t now);

#ifdef __cplusplus
}
#endif

#endif /* WASM_PERF_WASM_PERF_H_ */
