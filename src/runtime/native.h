/* What the library's other parts, and tests, may know of a context. */
#ifndef WASM_PERF_RUNTIME_NATIVE_H_
#define WASM_PERF_RUNTIME_NATIVE_H_

#include "wasm_perf/format.h"
#include "wasm_perf/wasm_perf.h"

/*
 * The header, followed by its nodes, charged up to now. Owned by the context and
 * valid until the next event.
 */
const wasm_perf_header *wi_snapshot(wasm_perf_context *context);

/* A wall clock of the caller's. */
typedef struct wasm_perf_clock_source {
  uint64_t (*read)(void *user);
  void *user;
  uint64_t ticks_per_second;
} wasm_perf_clock_source;

/* A context with a hybrid clock that reads `source`, which is copied. NULL: out of memory. */
wasm_perf_context *wi_context_new_hybrid(const wasm_perf_clock_source *source, uint32_t node_limit);

#endif /* WASM_PERF_RUNTIME_NATIVE_H_ */
