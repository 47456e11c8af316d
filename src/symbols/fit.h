/* Whether a file with names is of a profile's module. */
#ifndef WI_SYMBOLS_FIT_H_
#define WI_SYMBOLS_FIT_H_

#include "symbols/symbol_file.h"

/* How much speaks for it. */
typedef enum wi_symbol_fit {
  WI_SYMBOL_FIT_NONE,
  WI_SYMBOL_FIT_BY_INDEX, /* nothing tells */
  WI_SYMBOL_FIT_EXACT
} wi_symbol_fit;

/* Where it is none, *reason says why, as half a sentence about the file. */
wi_symbol_fit wi_symbol_fit_of(const wasm_perf_profile *profile, const wi_symbol_file *file,
                               const char **reason);

#endif /* WI_SYMBOLS_FIT_H_ */
