/* Functions as WebAssembly text, with counts, for what shows lines and has none of the source. */
#ifndef WI_CLI_PERF_INPUT_TEXTS_H_
#define WI_CLI_PERF_INPUT_TEXTS_H_

#include "cli/perf/common.h"
#include "wasm_perf/profile.h"

/*
 * Adds the text of the function with that label, and its counts, to the profile's lines, from the
 * module that cli_symbols_use finds. False: the module is not at hand, or nothing of it was counted.
 */
bool cli_text_add(wasm_perf_profile *profile, const char *profile_path, const cli_list *symbols,
                  const char *label);

/* The same of the most executed functions that have no line, as far as there are such. */
void cli_texts_add(wasm_perf_profile *profile, const char *profile_path, const cli_list *symbols);

#endif /* WI_CLI_PERF_INPUT_TEXTS_H_ */
