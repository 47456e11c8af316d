/* Functions as WebAssembly text with counts, for views of lines if there is no source. */
#ifndef WI_CLI_PERF_INPUT_TEXTS_H_
#define WI_CLI_PERF_INPUT_TEXTS_H_

#include "cli/perf/common.h"
#include "wasm_perf/profile.h"

/*
 * Adds the text of the function with that label, and its counts, to the profile's lines. The module
 * is found by cli_symbols_use. False if it was not found or has no counts.
 */
bool cli_text_add(wasm_perf_profile *profile, const char *profile_path, const cli_list *symbols,
                  const char *label);

/* The same for the most executed functions without source lines. */
void cli_texts_add(wasm_perf_profile *profile, const char *profile_path, const cli_list *symbols);

#endif /* WI_CLI_PERF_INPUT_TEXTS_H_ */
