/* Kinds of instructions. */
#ifndef WI_SYMBOLS_MIX_H_
#define WI_SYMBOLS_MIX_H_

#include "wasm_perf/profile.h"

/* The kind of the instruction at `code`, which the scanner has read. */
wasm_perf_mix wi_mix_of(const uint8_t *code);

#endif /* WI_SYMBOLS_MIX_H_ */
