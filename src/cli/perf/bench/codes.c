#include "cli/perf/bench/codes.h"

#include "cli/perf/input/symbols.h"
#include "match/collect.h"

/* What is looked up in the module. */
typedef struct codes {
  uint64_t *items;
  const wi_functions *functions;
  bool failed; /* memory ran out */
} codes;

static void read_all(codes *all, const wi_features *features, wi_function_map *original,
                     const void *map) {
  for (uint32_t i = 0; i < all->functions->count; i++) {
    uint32_t function = all->functions->items[i];
    uint32_t index = function < WASM_PERF_FUNCTION_UNHOOKED ? original(map, function) : UINT32_MAX;
    if (index < features->count)
      all->items[i] = features->functions[index].exact;
  }
}

static bool use_module(void *context, const wi_module *module, wi_names *names,
                       wi_function_map *original, const void *map) {
  codes *all = context;
  wi_data_image data;
  wi_features features = {0};
  wi_error error;
  (void)names;
  wi_error_reset(&error);
  if (!wi_data_image_init(&data, module)) {
    wi_data_image_clear(&data);
    all->failed = true;
  } else if (wi_features_collect(&features, module, data, false, &error)) {
    read_all(all, &features, original, map);
    wi_features_clear(&features);
  } else {
    all->failed = error.code == WI_ERROR_OUT_OF_MEMORY;
  }
  return true;
}

bool cli_codes_read(uint64_t *items, const wasm_perf_profile *profile,
                    const wi_functions *functions, const char *path) {
  codes all = {.items = items, .functions = functions};
  cli_list paths = {0};
  cli_list_add(&paths, cli_text("%s", path));
  cli_symbols_use(profile, path, &paths, use_module, &all);
  cli_list_clear(&paths);
  return !all.failed;
}
