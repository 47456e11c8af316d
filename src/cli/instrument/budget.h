/* Functions that are worth their hooks, by an earlier profile: wasm-instrument --budget. */
#ifndef WI_CLI_INSTRUMENT_BUDGET_H_
#define WI_CLI_INSTRUMENT_BUDGET_H_

#include "cli/common/percentage.h"
#include "wasm_instrument/wasm_instrument.h"

/*
 * Adds to `selection` the functions whose hooks together cost at most `share` of the run that the
 * profile at `profile_path` is of, and that have most of what it measured; see
 * cli/common/hook_budget.h. It has to be of the module of `size` bytes at `module`. False, with
 * *path the file that the message in *error is about.
 */
bool budget_select(const char *profile_path, cli_percentage share, const uint8_t *module,
                   size_t size, wi_selection *selection, const char **path, wi_error *error);

#endif /* WI_CLI_INSTRUMENT_BUDGET_H_ */
