#include "cli/perf/input/ran_modules.h"

#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "cli/perf/common.h"
#include "module/read.h"
#include "profile/functions.h"
#include "support/error.h"

static void read_module(cli_ran_module *of) {
  wi_error ignored;
  size_t size;
  wi_error_reset(&ignored);
  if (!wi_file_read_regular(of->path, WI_FILE_SIZE_LIMIT, &of->bytes, &size) ||
      !wi_module_read(&of->module, of->bytes, size, &ignored))
    return;
  of->names = wi_names_of_module(&of->module);
  of->has_marker = wi_marker_of_module(&of->module, &of->marker) && of->marker.version[0] != '\0';
}

const cli_ran_module *cli_ran_modules_get(cli_ran_modules *modules, const char *path) {
  for (size_t i = 0; i < modules->count; i++)
    if (strcmp(modules->items[i]->path, path) == 0)
      return modules->items[i]->names ? modules->items[i] : NULL;
  cli_ran_module **grown = realloc(modules->items, (modules->count + 1) * sizeof *modules->items);
  cli_ran_module *added = grown ? calloc(1, sizeof *added) : NULL;
  if (grown)
    modules->items = grown;
  if (!added)
    return NULL;
  added->path = cli_text("%s", path);
  modules->items[modules->count++] = added;
  read_module(added);
  return added->names ? added : NULL;
}

void cli_ran_modules_clear(cli_ran_modules *modules) {
  for (size_t i = 0; i < modules->count; i++) {
    cli_ran_module *of = modules->items[i];
    wi_names_free(of->names);
    wi_module_clear(&of->module);
    free(of->bytes);
    free(of->path);
    free(of);
  }
  free(modules->items);
  *modules = (cli_ran_modules){0};
}

bool cli_ran_module_name(const cli_ran_module *module, wasm_perf_profile *profile, uint32_t base,
                         uint32_t count) {
  wi_functions functions;
  if (count > wi_names_count(module->names))
    count = wi_names_count(module->names);
  if (!wi_functions_init(&functions, profile))
    return false;
  bool done = true;
  for (uint32_t i = 0; done && i < functions.count; i++) {
    uint32_t function = functions.items[i];
    if (function >= base && function - base < count && !wasm_perf_profile_name(profile, function))
      done = wasm_perf_profile_set_name(profile, function,
                                        wi_names_get(module->names, function - base));
  }
  wi_functions_clear(&functions);
  return done;
}
