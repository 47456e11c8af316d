/* Declarations shared by the sources of wasm_perf.wasm. */
#ifndef WI_RUNTIME_WASM_H_
#define WI_RUNTIME_WASM_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/wasm_memory.h"
#include "wasm_perf/format.h"

#define WASM_EXPORT(name) __attribute__((export_name(#name)))

/* Address from which memory is unused until the next event. */
uint32_t wasm_scratch_address(void);

/* The exports that flush calls; see wasm.c. */
const wasm_perf_header *perf_profile(void);
uint32_t perf_profile_size(void);

#endif /* WI_RUNTIME_WASM_H_ */
