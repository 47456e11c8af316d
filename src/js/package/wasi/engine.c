/* cli/perf/record/engine.h for the npm package: programs run in Node.js, so there is no choice. */
#include "cli/perf/record/engine.h"

#include <stddef.h>

const cli_entry cli_engine_environment[] = {
    {"WASM_PERF_CACHE", "the cache of modules instrumented for Node.js; empty: no cache. Default: "
                        "wasm-instrument/modules in $XDG_CACHE_HOME or ~/.cache, up to 512 MB"},
    {0}};

bool cli_engine_choice(size_t index, cli_choice *choice) {
  if (index > 0)
    return false;
  *choice = (cli_choice){"node", "Node.js"};
  return true;
}
