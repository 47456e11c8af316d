/* Whether profiles fit together, and how to say why not. */
#ifndef WASM_PERF_REPORT_MISMATCH_H_
#define WASM_PERF_REPORT_MISMATCH_H_

#include "wasm_perf/profile.h"

/* Fills in *mismatch, with a format as for printf, and returns false. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
bool wasm_perf_mismatch_set(wasm_perf_mismatch *mismatch, size_t index, const char *format, ...);

/* Whether the values of both are of one kind; else *mismatch says how those of `index` differ. */
bool wasm_perf_clocks_match(const wasm_perf_header *before, const wasm_perf_header *header,
                            size_t index, wasm_perf_mismatch *mismatch);

#endif /* WASM_PERF_REPORT_MISMATCH_H_ */
