#include "cli/instrument/budget.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "cli/common/hook_budget.h"
#include "module/identity.h"
#include "module/read.h"
#include "support/error.h"
#include "wasm_perf/profile.h"

static bool fail(wi_error *error, const char *reason) {
  return wi_error_set(error, WI_ERROR_PATTERN, WI_NO_OFFSET, WI_NO_FUNCTION, "%s", reason);
}

static wasm_perf_profile *read_profile(const char *path, wi_error *error) {
  uint8_t *bytes;
  size_t size;
  if (!wi_file_read(path, &bytes, &size)) {
    fail(error, strerror(errno));
    return NULL;
  }
  wasm_perf_error reason;
  wasm_perf_profile *profile = wasm_perf_profile_parse(bytes, size, &reason);
  free(bytes);
  if (!profile)
    wi_error_set(error, WI_ERROR_MALFORMED, reason.offset, WI_NO_FUNCTION, "%s", reason.message);
  return profile;
}

/*
 * Whether the profile belongs to the module, so that its function numbers apply, and has hooks in
 * all functions.
 */
static bool check_profile(const wasm_perf_profile *profile, const uint8_t *bytes, size_t size,
                          wi_error *error) {
  wi_module module;
  char identity[WI_IDENTITY_SIZE];
  if (!profile->facts.identity)
    return fail(error, "it does not name its module; use a profile from wasm-perf record");
  wi_error ignored; /* a module that cannot be read is reported when it is instrumented */
  wi_error_reset(&ignored);
  if (!wi_module_read(&module, bytes, size, &ignored))
    return true;
  wi_module_identity(&module, identity);
  wi_module_clear(&module);
  if (strcmp(identity, profile->facts.identity) != 0)
    return fail(error, "it belongs to another module or another build");
  if (profile->header.hooked_function_count < profile->header.function_count)
    return fail(error,
                "some functions had no hooks in that run, so the cost of their hooks is unknown");
  return true;
}

static bool add_function(const wasm_perf_profile *profile, uint32_t function,
                         wi_selection *selection, wi_error *error) {
  char pattern[16];
  if (function < profile->header.host_function_count || function >= WASM_PERF_FUNCTION_UNHOOKED)
    return true;
  uint32_t original = function - (uint32_t)profile->facts.added_import_count;
  snprintf(pattern, sizeof pattern, "@%" PRIu32, original);
  return wi_selection_add(selection, pattern, false, error);
}

static bool choose(wi_budget *budget, const wasm_perf_profile *profile, cli_percentage share,
                   wi_selection *selection, wi_error *error) {
  uint64_t limit;
  wi_budget_sum sum;
  if (!wi_budget_init(budget, profile))
    return wi_error_memory(error);
  if (!wi_budget_limit(budget, profile, share.part, share.whole, &limit))
    return fail(error, "it only counts calls: record it with --clock sampled or instructions");
  if (!wi_budget_choose(budget, limit, &sum))
    return wi_error_memory(error);
  if (sum.count == 0)
    return fail(error, "no function's hooks fit the budget");
  for (uint32_t i = 0; i < budget->count; i++)
    if (budget->functions[i].chosen &&
        !add_function(profile, budget->functions[i].function, selection, error))
      return false;
  return true;
}

bool budget_select(const char *profile_path, cli_percentage share, const uint8_t *module,
                   size_t size, wi_selection *selection, const char **path, wi_error *error) {
  *path = profile_path;
  wi_error_reset(error);
  wasm_perf_profile *profile = read_profile(profile_path, error);
  if (!profile)
    return false;
  wi_budget budget = {0};
  bool done = check_profile(profile, module, size, error) &&
              choose(&budget, profile, share, selection, error);
  wi_budget_clear(&budget);
  wasm_perf_profile_free(profile);
  return done;
}
