/* A function of a module as WebAssembly text, with what each instruction took. */
#ifndef WI_SYMBOLS_MODULE_TEXT_H_
#define WI_SYMBOLS_MODULE_TEXT_H_

#include "symbols/module_lines.h"
#include "wasm_instrument/wasm_instrument.h"

/*
 * Adds the text of function `original` of the module that was instrumented to the sources of
 * profile->lines, an instruction a line, nested by blocks, and the counts of these lines, which are
 * `function`'s. False: memory ran out, or the profile has no counts of that function's blocks.
 */
bool wi_module_text_add(wasm_perf_profile *profile, const wi_module *module, wi_names *names,
                        uint32_t function, uint32_t original);

#endif /* WI_SYMBOLS_MODULE_TEXT_H_ */
