/* What the lines of the source took, from a profile's counts of blocks and its module's DWARF. */
#ifndef WI_SYMBOLS_MODULE_LINES_H_
#define WI_SYMBOLS_MODULE_LINES_H_

#include "debug/line_table.h"
#include "module/module.h"
#include "wasm_perf/profile.h"

/* The function of the module that is `function` of the profile, or WI_NO_FUNCTION. */
typedef uint32_t wi_function_map(const void *context, uint32_t function);

/* Whether it is that of an instruction that calls. */
static inline bool wi_opcode_calls(uint8_t opcode) {
  enum { CALL = 0x10, RETURN_CALL_REF = 0x15 };
  return opcode >= CALL && opcode <= RETURN_CALL_REF;
}

/*
 * Adds the lines of every function whose blocks the profile has to profile->lines. `module` is the
 * one that was instrumented, `table` what a source map says of it, or NULL: its DWARF counts.
 * False: out of memory, or the module is not the profile's, which *reason tells then (else NULL).
 */
bool wi_module_lines_add(wasm_perf_profile *profile, const wi_module *module,
                         const wi_line_table *table, wi_function_map *original, const void *context,
                         const char **reason);

#endif /* WI_SYMBOLS_MODULE_LINES_H_ */
