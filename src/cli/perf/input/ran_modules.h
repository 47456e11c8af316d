/* The modules that a session's engine compiled, each read once. */
#ifndef WI_CLI_PERF_INPUT_RAN_MODULES_H_
#define WI_CLI_PERF_INPUT_RAN_MODULES_H_

#include "module/names.h"
#include "wasm_perf/profile.h"

typedef struct cli_ran_module {
  char *path;
  uint8_t *bytes;
  wi_module module;
  wi_names *names; /* NULL: the module is unreadable */
  wi_marker marker;
  bool has_marker;
} cli_ran_module;

/* Zero it before use, clear it afterwards. */
typedef struct cli_ran_modules {
  cli_ran_module **items;
  size_t count;
} cli_ran_modules;

/*
 * Returns the module at `path`; it lives as long as the list. NULL if it is unreadable: a profile
 * that lacks names is better than none.
 */
const cli_ran_module *cli_ran_modules_get(cli_ran_modules *modules, const char *path);
void cli_ran_modules_clear(cli_ran_modules *modules);

/*
 * Names the functions of the profile that have no name. The module's are the `count` ones from
 * `base` on. Returns false if out of memory.
 */
bool cli_ran_module_name(const cli_ran_module *module, wasm_perf_profile *profile, uint32_t base,
                         uint32_t count);

#endif /* WI_CLI_PERF_INPUT_RAN_MODULES_H_ */
