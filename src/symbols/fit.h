/* Whether a file with names belongs to a profile's module. */
#ifndef WI_SYMBOLS_FIT_H_
#define WI_SYMBOLS_FIT_H_

#include "symbols/symbol_file.h"

/* Strength of the evidence. */
typedef enum wi_symbol_fit {
  WI_SYMBOL_FIT_NONE,
  WI_SYMBOL_FIT_BY_INDEX, /* no evidence for or against */
  WI_SYMBOL_FIT_EXACT
} wi_symbol_fit;

/* If the result is NONE, *reason is set to a clause about the file that says why. */
wi_symbol_fit wi_symbol_fit_of(const wasm_perf_profile *profile, const wi_symbol_file *file,
                               const char **reason);

#endif /* WI_SYMBOLS_FIT_H_ */
