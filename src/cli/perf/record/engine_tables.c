#include "cli/perf/record/engine_tables.h"

const cli_entry cli_engine_environment[] = {
#define CLI_HOST(name, variable, variable_help, help) {variable, variable_help},
#include "cli/perf/record/hosts.def"
#undef CLI_HOST
    {"WASM_PERF_SHARE", "the folder of the runtime's files, if they were moved"},
    {"WASM_PERF_CACHE", "the cache of modules instrumented for Node.js; empty: no cache. Default: "
                        "wasm-instrument/modules in $XDG_CACHE_HOME or ~/.cache, up to 512 MB"},
    {"TMPDIR", "the folder for temporary files; default: /tmp"},
    {0}};

bool cli_engine_choice(size_t index, cli_choice *choice) {
  static const cli_choice choices[] = {
#define CLI_HOST(name, variable, variable_help, help) {#name, help},
#include "cli/perf/record/hosts.def"
#undef CLI_HOST
  };
  return cli_choice_at(choices, sizeof choices / sizeof *choices, index, choice);
}
