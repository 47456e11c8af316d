/* The interior of a context that the library's other parts, and tests, may use. */
#ifndef WI_RUNTIME_NATIVE_H_
#define WI_RUNTIME_NATIVE_H_

#include "wasm_perf/format.h"
#include "wasm_perf/wasm_perf.h"

/*
 * The header, followed by its nodes, with the time up to now charged. Owned by the context and
 * valid until the next event.
 */
const wasm_perf_header *wi_snapshot(wasm_perf_context *context);

#endif /* WI_RUNTIME_NATIVE_H_ */
