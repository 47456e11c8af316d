/*
 * wasm_perf: the runtime of instrumented modules.
 *
 * An embedder of an engine creates one context per thread of execution and forwards the imports of
 * module "wasm_perf" to it:
 *
 *     perf_start(i32 function)   -> wasm_perf_start(context, function)
 *     perf_end()                 -> wasm_perf_end(context)
 *     perf_depth() -> i32        -> wasm_perf_depth(context)
 *     perf_unwind(i32 depth)     -> wasm_perf_unwind(context, depth)
 *
 * The context keeps an exact call tree: one node per distinct stack, with its call count and the
 * time spent in it. wasm_perf_profile_take (profile.h) turns it into a profile to write or to
 * report.
 *
 * Threads: a context has no lock; use it from one thread at a time. Different contexts share only
 * the clock's calibration and may be used in parallel.
 */
#ifndef WASM_PERF_WASM_PERF_H_
#define WASM_PERF_WASM_PERF_H_

#include <stdbool.h>
#include <stdint.h>

#include "wasm_perf/format.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Default limit of a context's nodes: about 38 MB. */
#define WASM_PERF_DEFAULT_NODE_LIMIT (1u << 20)
#define WASM_PERF_MAX_NODE_LIMIT     (1u << 26) /* larger values are reduced to this */

typedef struct wasm_perf_options {
  wasm_perf_clock clock; /* a clock that the linked form supports */
  uint32_t node_limit;   /* at least 2, or 0 for the default; past it, new stacks are truncated */
  wasm_perf_recursion recursion; /* FULL or FOLD */
} wasm_perf_options;

typedef struct wasm_perf_context wasm_perf_context;

/*
 * Creates a context. `options` may be NULL (wall clock, default limit) and is not kept. Returns
 * NULL if out of memory, or if the clock or recursion is not supported. Memory is reserved for the
 * whole node limit but touched only as the tree grows. Calibrates the clock once per process, which
 * takes about 20 ms if the CPU's counter must be measured.
 */
wasm_perf_context *wasm_perf_context_new(const wasm_perf_options *options);

/* Frees a context; NULL is allowed. Profiles taken from it stay valid. */
void wasm_perf_context_free(wasm_perf_context *context);

/* Drops all nodes, frames and counts; clock and limit stay. */
void wasm_perf_reset(wasm_perf_context *context);

/* Enters `function` (a function index of the instrumented module). */
void wasm_perf_start(wasm_perf_context *context, uint32_t function);

/* Leaves the innermost frame. Counted and ignored if no frame is open. */
void wasm_perf_end(wasm_perf_context *context);

/* Returns the number of open frames. */
uint32_t wasm_perf_depth(const wasm_perf_context *context);

/* Drops every frame deeper than `depth`; usually there is none. */
void wasm_perf_unwind(wasm_perf_context *context, uint32_t depth);

/*
 * Same for a module that counts its instructions (WASM_PERF_CLOCK_INSTRUCTIONS). `now` is that
 * count; it starts at 0 and should not decrease; if it does, nothing is charged. Calling these with
 * another clock, or those above with this clock, counts calls but charges nothing.
 */
void wasm_perf_start_at(wasm_perf_context *context, uint32_t function, uint64_t now);
void wasm_perf_end_at(wasm_perf_context *context, uint64_t now);
void wasm_perf_unwind_at(wasm_perf_context *context, uint32_t depth, uint64_t now);

#ifdef __cplusplus
}
#endif

#endif /* WASM_PERF_WASM_PERF_H_ */
