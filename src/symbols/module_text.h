/* The WebAssembly text of a function, with the cost of each instruction. */
#ifndef WI_SYMBOLS_MODULE_TEXT_H_
#define WI_SYMBOLS_MODULE_TEXT_H_

#include "symbols/module_lines.h"
#include "wasm_instrument/wasm_instrument.h"

/*
 * Adds the text of function `original` of the original module to the sources in profile->lines: one
 * instruction per line, nested by blocks, with the counts of `function` of the profile. Returns
 * false if out of memory, or if the profile has no block counts for it.
 */
bool wi_module_text_add(wasm_perf_profile *profile, const wi_module *module, wi_names *names,
                        uint32_t function, uint32_t original);

#endif /* WI_SYMBOLS_MODULE_TEXT_H_ */
