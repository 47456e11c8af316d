/* Selects functions worth their hooks by an earlier profile: wasm-instrument --budget. */
#ifndef WI_CLI_INSTRUMENT_BUDGET_H_
#define WI_CLI_INSTRUMENT_BUDGET_H_

#include "cli/common/percentage.h"
#include "wasm_instrument/wasm_instrument.h"

/*
 * Adds to `selection` the functions with most of the profile's value whose hooks together cost at
 * most `share` of its run; see cli/common/hook_budget.h. The profile at `profile_path` must belong
 * to the module of `size` bytes at `module`. Returns false with *error set, and *path set to the
 * file that the message concerns.
 */
bool budget_select(const char *profile_path, cli_percentage share, const uint8_t *module,
                   size_t size, wi_selection *selection, const char **path, wi_error *error);

#endif /* WI_CLI_INSTRUMENT_BUDGET_H_ */
