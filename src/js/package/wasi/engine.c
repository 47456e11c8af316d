/* cli/perf/record/engine.h for the npm package: programs run in Node.js, so there is no choice. */
#include "cli/perf/record/engine.h"

#include <stddef.h>

const cli_entry cli_engine_environment[] = {
    {"WASM_PERF_CACHE",
     "the folder of modules that Node.js got instrumented, for later runs; empty: none. Default: "
     "wasm-instrument/modules in $XDG_CACHE_HOME or ~/.cache, up to 512 MB"},
    {0}};

bool cli_engine_choice(size_t index, cli_choice *choice) {
  if (index > 0)
    return false;
  *choice = (cli_choice){"node", "Node.js"};
  return true;
}
